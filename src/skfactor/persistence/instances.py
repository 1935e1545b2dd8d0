"""The kinds of values that go by a name: classes, functions, members of enumerations, and instances.

Of an instance, a file has what pickle's protocol 2 makes of it, as far as it is data.
"""

from __future__ import annotations

from enum import Enum, EnumType
from types import FunctionType, MemberDescriptorType
from typing import Any

from skfactor.persistence.addresses import checked_address, find
from skfactor.persistence.kinds import Kind, Parts, plain
from skfactor.persistence.values import Attributes

#: What pickle makes an ordinary instance with: cls.__new__ and no more.
_PLAIN_NEW = object().__reduce_ex__(2)[0]


def _instance_apart(value: Any) -> Parts:
    cls = type(value)
    what = f"an instance of {cls.__module__}.{cls.__qualname__}"
    address = checked_address(cls, type, what)
    reduced: Any = value.__reduce_ex__(2)
    maker, arguments, *rest = reduced
    # A subclass of list or dict has items too, and some classes are remade by a function of their own.
    if maker is not _PLAIN_NEW or any(part is not None for part in rest[1:]):
        raise TypeError(f"cannot store {what}: it is more than its attributes")
    return plain(address, _saved_state(value, rest[0] if rest else None), *arguments[1:])


def _saved_state(value: Any, state: Any) -> Any:
    if not _restores_itself(type(value)):
        if isinstance(state, list):  # what dataclass(frozen=True, slots=True) makes, without names
            state = object.__getstate__(value)
        if isinstance(state, tuple):  # attributes, slots
            state = {name: entry for part in state if part for name, entry in part.items()}
    if not isinstance(state, dict):
        return state
    dropped = getattr(type(value), "_not_saved", ())
    return Attributes({name: None if name in dropped else entry for name, entry in state.items()})


def _instance_together(address: str, state: Any, *arguments: Any) -> Any:
    cls = find(address, type)
    instance = cls.__new__(cls, *arguments)
    if _restores_itself(cls) and state is not None:
        instance.__setstate__(state)
        return instance
    for name, value in (state or {}).items():
        if isinstance(getattr(cls, name, None), MemberDescriptorType):  # a slot
            object.__setattr__(instance, name, value)
        else:
            vars(instance)[name] = value
    return instance


def _restores_itself(cls: type) -> bool:
    method = getattr(cls, "__setstate__", None)
    return method is not None and method.__module__ != "dataclasses"


def _by_name(sort: type, noun: str) -> Kind:
    return Kind(
        lambda value: isinstance(value, sort),
        lambda value: plain(checked_address(value, sort, f"a {noun} {value.__name__}")),
        lambda address: find(address, sort),
    )


#: The last of them holds everything, and refuses most.
KINDS = {
    "enum": Kind(
        lambda value: isinstance(value, Enum),
        lambda value: plain(checked_address(type(value), EnumType, f"the member {value}"), value.value),
        lambda address, value: find(address, EnumType)(value),
    ),
    "class": _by_name(type, "class"),
    "function": _by_name(FunctionType, "function"),
    "instance": Kind(lambda value: True, _instance_apart, _instance_together),
}
