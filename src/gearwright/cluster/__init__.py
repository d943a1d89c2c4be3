"""Campaigns on a cluster: Dask does the work, this room hands it ids and takes lines back."""

from .dask_workers import DaskWorkers, connect, slurm_cluster

__all__ = ["DaskWorkers", "connect", "slurm_cluster"]
