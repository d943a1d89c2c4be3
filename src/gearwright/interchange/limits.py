"""What a compressed file may hold at most, and h5py, which has no limits of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .record import ReadError

#: numbers per byte that a compressed file may hold: deflate packs at most 1032 to 1
MOST_PER_BYTE = 1032


def library(path: Path) -> Any:
    """h5py, or a ReadError that says how to get it."""
    try:
        import h5py
    except ImportError:
        raise ReadError("is HDF5, which needs h5py: pip install gearwright[files]", path) from None
    return h5py


def bounded(dataset: Any, path: Path) -> None:
    """Refuse a dataset that a file of this size cannot hold."""
    if dataset.size * dataset.dtype.itemsize > MOST_PER_BYTE * path.stat().st_size:
        raise ReadError(f"damaged: {dataset.name} is said to have {dataset.size} values, more than it can hold", path)
