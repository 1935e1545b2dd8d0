"""The classes and functions that a file may name, by their addresses "module:name"."""

from __future__ import annotations

from functools import reduce
from importlib import import_module
from importlib.metadata import version
from typing import Any

#: Packages whose classes a file may name. Of scikit-learn these are the estimators alone.
_PACKAGES = ("skfactor", "sklearn")
_POLICY = "only what modules of skfactor define, and estimators of scikit-learn, can be stored"


class RefusedError(ValueError):
    """The file is whole and yet not to be loaded; the message tells why."""


def find(address: str, sort: type) -> Any:
    """Import the class or function at an address "module:name", if it is one that a file may name."""
    module, _, name = address.partition(":")
    package, *inner = module.split(".")
    refused = RefusedError(f"it names {address}, and {_POLICY}")
    if package not in _PACKAGES or any(part.startswith("__") for part in inner):
        raise refused
    try:
        found = reduce(getattr, name.split("."), import_module(module))
    except (ImportError, AttributeError) as error:
        raise RefusedError(f"it names {address}, which skfactor {version('skfactor')} lacks ({error})") from error
    # That it calls itself by this address excludes what a module only imports, such as the whole of `os`.
    if not (isinstance(found, sort) and _address(found) == address and _is_allowed(found, package)):
        raise refused
    return found


def _address(thing: Any) -> str:
    return f"{thing.__module__}:{thing.__qualname__}"


def _is_allowed(thing: Any, package: str) -> bool:
    if package == "skfactor":
        return True
    from sklearn.base import BaseEstimator

    return isinstance(thing, type) and issubclass(thing, BaseEstimator)


def checked_address(thing: Any, sort: type, what: str) -> str:
    """Return the address of a class or function, unless `load` would refuse it or find another."""
    try:
        if find(_address(thing), sort) is thing:
            return _address(thing)
    except RefusedError:
        pass
    raise TypeError(f"cannot store {what}: {_POLICY}")
