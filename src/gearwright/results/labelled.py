"""A result file as an xarray Dataset whose values are read when they are used."""

from __future__ import annotations

from typing import Any

import xarray
from xarray.backends import BackendArray
from xarray.core import indexing

from .file import ResultFile
from .sound import reading


class _Values(BackendArray):  # type: ignore[misc]
    """Values of one variable."""

    def __init__(self, file: ResultFile, name: str):
        self.file, self.name = file, name
        self.shape, self.dtype = file.variables[name].shape, file.variables[name].dtype

    def __getitem__(self, key: Any) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.OUTER, self._read)

    def _read(self, key: tuple[Any, ...]) -> Any:
        return self.file.values(self.name, key)


def labelled(file: ResultFile) -> xarray.Dataset:
    """Dataset of a file; labels of dimensions are read at once."""
    coordinates, variables = {}, {}
    with reading(file.path):
        for name, stored in file.variables.items():
            if stored.dims == (name,):
                coordinates[name] = xarray.Variable(stored.dims, file.values(name), stored.attributes)
            else:
                values = indexing.LazilyIndexedArray(_Values(file, name)) if stored.dims else file.values(name)
                variables[name] = xarray.Variable(stored.dims, values, stored.attributes)
        return xarray.Dataset(variables, coordinates, file.attributes)
