"""Small problems side by side: what BLAS gains by several threads on small matrices is less than they wait."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

Item = TypeVar("Item")
Result = TypeVar("Result")


@cache
def _blas() -> Any:
    return ThreadpoolController().select(user_api="blas")


def blas_threads() -> int:
    """How many threads a product of matrices may take."""
    return max((library.num_threads for library in _blas().lib_controllers), default=1)


def side_by_side(function: Callable[[Item], Result], items: Iterable[Item], threads: int) -> list[Result]:
    """`function` of each item, in so many threads, each with one of BLAS; with one, one after the other."""
    items = list(items)
    if min(threads, len(items)) < 2:
        return [function(item) for item in items]
    with _blas().limit(limits=1), ThreadPoolExecutor(threads) as pool:
        return list(pool.map(function, items))
