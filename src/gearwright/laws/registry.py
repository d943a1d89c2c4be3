"""Laws of meshes by their words: what each meets of a mesh, and the constructor of its act; a user's own beside ours.

The words, what they need and who takes them lie in :mod:`gearwright.schema.mesh_laws`, which a reader of files needs too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from gearwright.errors import AssemblyError
from gearwright.schema.mesh_laws import LAWS, is_own
from gearwright.stiffness.resolve import course_given
from gearwright.system import Law, Spring
from gearwright.train.train import Train

from .backlash import backlash
from .loaded_error import loaded_error
from .mesh_by_table import mesh_by_table
from .mesh_cycle import constant_curve, mesh_cycle, mirrored, shifted
from .mesh_properties import MeshProperties, coast_curve
from .own import checked, imported, named
from .two_level import two_level

Constructor = Callable[[MeshProperties], Law]


def linear(mesh: MeshProperties) -> Law | Spring:
    """Constant stiffness: a spring, or two flanks with backlash. Raises AssemblyError without a stiffness."""
    k, gap = mesh.stiffness, mesh.backlash
    if mesh.excitations:
        return mesh_cycle(
            constant_curve(k), mesh.damping, backlash=gap, excitations=mesh.excitations, senses=mesh.senses
        )
    return Spring(k, mesh.damping) if gap is None else backlash(k, mesh.damping, gap)


def periodic(mesh: MeshProperties) -> Law:
    """Force over the mesh cycle, of one flank row or two with backlash: by the table of its teeth or, as ``model.mesh_form`` asks,
    linear about the load of reference; by the course of the file; or by levels with ramps. Raises AssemblyError for what is missing.
    """
    whole = mesh.whole or mesh.mesh
    found = mesh.toothed
    shift = whole.coast_phase - whole.phase
    if found is not None:
        load, table, coast = found
        if load.said:
            mesh.said.append(load.said)
        if mesh.form == "table" or mesh.different is not None:
            return mesh_by_table(
                table,
                mesh.damping,
                coast=coast,
                coast_shift=shift,
                backlash=mesh.backlash,
                excitations=mesh.excitations,
                senses=mesh.senses,
                different=mesh.different,
            )
        mesh.references[whole.name] = load.force
        if mesh.form == "ste" and not mesh.excitations:
            return loaded_error(
                table.loaded.error, table.reference, mesh.damping, table.span, shift, mesh.backlash, whole.coasts
            )
    course = mesh.smooth
    mesh.said.extend(course.said)
    curve, coast_curve_ = course.curve, shifted(mirrored(course.curve, course.length), shift)
    if mesh.backlash is None and whole.coasts:
        curve = coast_curve_
    return mesh_cycle(
        curve,
        mesh.damping,
        coast=coast_curve_ if mesh.backlash is not None else None,
        backlash=mesh.backlash,
        excitations=mesh.excitations,
        senses=mesh.senses,
    )


def two_levels(mesh: MeshProperties) -> Law:
    """Stiffness that jumps where pairs enter and leave. Raises AssemblyError for what is missing, and for a course over the cycle."""
    if course_given(mesh.mesh.stiffness):
        raise AssemblyError(
            f"mesh '{mesh.name}' gives its stiffness over the cycle, which law two_level does not take; choose law periodic, or give "
            f"two_pairs and one_pair"
        )
    curve, gap = mesh.course, mesh.backlash
    levels = len(curve) == 2 and all(len(cells) == 1 for _, _, cells in curve)
    if gap is None and not mesh.mesh.coasts and not mesh.excitations and levels:
        (_, fraction, two), (_, _, one) = curve
        return two_level(float(two[0, 0]), float(one[0, 0]), mesh.damping, fraction)
    coast = coast_curve(mesh.mesh, curve, mesh.spur) if gap is not None else None
    return mesh_cycle(curve, mesh.damping, coast=coast, backlash=gap, excitations=mesh.excitations, senses=mesh.senses)


class MeshLaw(NamedTuple):
    """A law of meshes.

    ``rows``: what it acts on: ``hard`` rows, ``flanks`` (one row or two along the line of action), or tooth by tooth
    (``contact``). ``make``: constructor of what acts on the flanks. ``own``: a user's, whose source text is ``text``.
    """

    name: str
    rows: Literal["hard", "flanks", "contact"]
    make: Callable[[MeshProperties], Law | Spring] | None = None
    phased: bool = False
    own: bool = False
    text: str = ""

    def act(self, mesh: MeshProperties) -> Law | Spring:
        """The act of a mesh. Raises AssemblyError for what the law misses and for what a user's constructor does wrong."""
        assert self.make is not None
        return checked(self.name, self.make, mesh) if self.own else self.make(mesh)


REGISTRY: dict[str, MeshLaw] = {
    "rigid": MeshLaw("rigid", "hard"),
    "linear": MeshLaw("linear", "flanks", linear),
    "periodic": MeshLaw("periodic", "flanks", periodic, phased=True),
    "two_level": MeshLaw("two_level", "flanks", two_levels, phased=True),
    "tooth_contact": MeshLaw("tooth_contact", "contact"),
}
assert REGISTRY.keys() == LAWS.keys()


class Asked(NamedTuple):
    """The law that a caller asks for (None: as the file says), and users' own laws that may be used, by their names."""

    name: str | None = None
    own: Mapping[str, MeshLaw] = {}

    def law(self, name: str) -> MeshLaw:
        """A law by its word or name. Raises AssemblyError for an unknown one and for a user's that nobody allowed."""
        found = REGISTRY.get(name) or self.own.get(name)
        if found is None and is_own(name):
            raise AssemblyError(refusal(name))
        if found is None:
            raise AssemblyError(f"there is no law '{name}'; choose {', '.join(LAWS)}, or module:name of an own law")
        return found


def asked(law: Any) -> Asked:
    """What a caller asks for: a word, a Law, a constructor of one, or None. Raises AssemblyError for anything else."""
    if isinstance(law, Asked):
        return law
    if law is None or isinstance(law, str):
        return Asked(law)
    if isinstance(law, Law):
        name = f"own: {law.label}"
        return Asked(name, {name: MeshLaw(name, "flanks", lambda mesh: law, own=True)})
    if callable(law):
        name, text = named(law)
        return Asked(name, {name: MeshLaw(name, "flanks", law, own=True, text=text)})
    raise AssemblyError(f"a law is a word, a Law or a function that makes one of the properties of a mesh, not {law!r}")


def allowed(law: Any, names: Iterable[str], folder: Path | None, allow_code: bool) -> Asked:
    """What a run asks for, with the users' own laws among ``names`` imported: modules beside the drivetrain file, in the
    working folder and on Python's path.

    Raises AssemblyError without permission, and for a module or a law in it that is not there.
    """
    found = asked(law)
    wanted = sorted(name for name in names if is_own(name) and name not in found.own)
    if wanted and not allow_code:
        raise AssemblyError(refusal(wanted[0]))
    own = dict(found.own)
    for name in wanted:
        make, text = imported(name, folder)
        own[name] = (
            asked(make).own[asked(make).name or ""]._replace(name=name, text=text)
            if isinstance(make, Law)
            else MeshLaw(name, "flanks", make, own=True, text=text)
        )
    return found._replace(own=own)


def without_own(train: Train) -> tuple[Train, list[str]]:
    """The train with law linear where the file names a user's own law, for what imports no code; and a sentence on it."""
    model, meshes = train.model, {}
    names = []
    if model.law is not None and is_own(model.law):
        names.append(model.law)
        model = model.model_copy(update={"law": "linear"})
    for key, mesh in train.meshes.items():
        meshes[key] = mesh
        if mesh.law is not None and is_own(mesh.law):
            names.append(mesh.law)
            meshes[key] = replace(mesh, law="linear")
    if not names:
        return train, []
    listed = ", ".join(dict.fromkeys(names))
    said = f"law {listed} is code of its own, which only a run imports: the model is described with law linear in its place"
    return replace(train, model=model, meshes=meshes), [said]


def refusal(name: str) -> str:
    """Why a user's own law is not used."""
    return (
        f"law '{name}' is code of its own, which only a run imports, and only where you allow it: gearwright run FILE --allow-code, "
        f"gw.simulate(..., allow_code=True); elsewhere choose law linear or periodic"
    )
