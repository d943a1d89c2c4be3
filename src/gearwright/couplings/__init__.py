"""A drivetrain inside other programs, and other programs' parts inside a run.

FMI (:mod:`fmu`, :mod:`fmu_import`), OpenFAST (:mod:`openfast`, :mod:`bridge`), HAWC2 (:mod:`hawc2`), Bladed-style
controllers (:mod:`bladed`). Libraries of others are loaded only when the user names them. C sources lie in ``c``; they
are built with the user's compiler.
"""

from typing import TYPE_CHECKING

from gearwright.lazy import face

if TYPE_CHECKING:
    from .fmu import export_fmu as export_fmu
    from .fmu_check import check_fmu as check_fmu
    from .fmu_run import run_with_fmu as run_with_fmu
    from .fmu_show import show_fmu as show_fmu
    from .openfast import couple_openfast as couple_openfast
    from .openfast import prepare_deck as prepare_deck
    from .self_test import run_self_test as run_self_test
    from .step_check import check_steps as check_steps

_MODULES = {
    "fmu": ("export_fmu",),
    "fmu_check": ("check_fmu",),
    "fmu_run": ("run_with_fmu",),
    "fmu_show": ("show_fmu",),
    "openfast": ("couple_openfast", "prepare_deck"),
    "self_test": ("run_self_test",),
    "step_check": ("check_steps",),
}

__getattr__, __dir__ = face(__name__, _MODULES)
