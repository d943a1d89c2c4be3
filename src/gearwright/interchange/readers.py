"""The reader of every kind of file that :mod:`.recognise` tells apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from . import (
    bladed,
    delimited,
    flex,
    hawc2,
    hdf5,
    labview,
    mat,
    mdf,
    openfast,
    openfast_inputs,
    parquet,
    tables,
    tdms,
    uff,
    winds,
)


class Reader(NamedTuple):
    """A function of path and wanted channels, the options it takes, whether it can read heads alone (``heads=True``) so that a
    large file is read channel by channel, and whether it runs in a child process."""

    read: Callable[..., Any]
    options: tuple[str, ...] = ()
    by_channel: bool = False
    in_child: bool = False


_TIME = ("time_column",)

READERS = {
    "openfast_binary": Reader(openfast.read_binary),
    "openfast_text": Reader(openfast.read_text),
    "openfast_input": Reader(openfast_inputs.read_input),
    "openfast_linear": Reader(openfast_inputs.read_linear),
    "hawc2": Reader(hawc2.read_hawc2),
    "hdf5": Reader(hdf5.open_hdf5, _TIME, by_channel=True, in_child=True),
    "netcdf": Reader(hdf5.open_netcdf, _TIME, by_channel=True, in_child=True),
    "bladed": Reader(bladed.read_bladed),
    "flex": Reader(flex.read_flex, ("sensor_file",)),
    "bts": Reader(winds.read_bts),
    "mann": Reader(winds.read_mann, ("points", "spacing")),
    "hub_wind": Reader(winds.read_hub_wind),
    "turbsim_series": Reader(winds.read_turbsim_series),
    "hawcstab2": Reader(tables.read_hawcstab2),
    "rotor_table": Reader(tables.read_rotor_table),
    "delimited": Reader(delimited.read_delimited, _TIME),
    "lvm": Reader(labview.read_lvm),
    "mat": Reader(mat.read_mat, _TIME),
    "mat73": Reader(mat.open_mat73, _TIME, by_channel=True, in_child=True),
    "uff": Reader(uff.read_uff),
    "tdms": Reader(tdms.read_tdms, _TIME, by_channel=True),
    "mdf": Reader(mdf.read_mdf, by_channel=True),
    "parquet": Reader(parquet.read_parquet, _TIME, by_channel=True),
}
