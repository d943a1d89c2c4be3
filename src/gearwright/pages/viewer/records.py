"""The layout of a scene, as the page's scripts read it: lengths in m, angles in rad, bodies and discs by their numbers."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from .wheels import ContactRecord, DiscRecord


class Track(TypedDict, total=False):
    """Numbers over time: ``data``, base64 of 16 bits, with ``offset`` and ``scale``; one ``constant``; ``doubles``, base64."""

    data: str
    offset: float
    scale: float
    constant: float | None
    doubles: str


class BodyRecord(TypedDict):
    """A body: ``share`` of every independent rotation, ``pin`` radius and angle on the carrier ``on``."""

    name: str
    role: str
    stage: str | None
    fixed: bool
    share: list[float]
    place: list[float]
    on: int
    pin: list[float]
    frame: int
    colour: list[str]


class CarrierRecord(TypedDict):
    """A carrier: plates on both sides of the planets, whose pins stand at ``angles``."""

    body: int
    x: float
    width: float
    radius: float
    angles: list[float]
    pin: float
    plate: float


class RodRecord(TypedDict):
    """A cylinder along an axis; ``segments`` of a shaft as parts of its length with their radii."""

    bodies: list[int]
    x: list[float]
    radius: float
    segments: NotRequired[list[list[float]]]


class EndRecord(TypedDict):
    """A rotor, a machine or a body without wheels."""

    body: int
    kind: str
    x: float
    width: float
    radius: float


class BearingRecord(TypedDict):
    """A bearing between a body and what it stands ``on``."""

    name: str
    body: int
    on: int
    ring: bool
    x: float
    width: float
    inner: float
    outer: float
    stiffness: NotRequired[float]


class ShaftRecord(TypedDict):
    """An elastic shaft between two bodies, with its torsional stiffness [N m/rad]."""

    name: str
    bodies: list[int]
    stiffness: float | None


class PresetRecord(TypedDict):
    """A camera that looks at a plane of wheels."""

    name: str
    x: float
    width: float
    radius: float


class ShapeRecord(TypedDict):
    """A mode: frequency [Hz], damping ratio, deviation by body and motion."""

    number: int
    frequency: float
    damping: float | None
    kind: str
    shape: dict[str, dict[str, float]]


class Play(TypedDict):
    """Motion and loads: ``count`` samples every ``step`` seconds, each the mean of a ``block``.

    ``deviation`` by body and motion, ``force`` by kind, element and quantity, ``free`` the place and Euler parameters of bodies that
    move freely; ``fastest``: the largest ratio of a train that turns steadily.
    """

    start: float
    step: float
    count: int
    block: int
    source: str
    turned: list[Track]
    deviation: dict[str, dict[str, Track]]
    force: dict[str, dict[str, dict[str, Track]]]
    relative: NotRequired[bool]
    steady: NotRequired[bool]
    fastest: NotRequired[float]
    free: NotRequired[dict[str, dict[str, Track]]]


#: A disc, ball, strut, or box in axes of a body.
SimpleShape = TypedDict(
    "SimpleShape",
    {
        "kind": str,
        "at": list[float],
        "axis": list[float],
        "radius": float,
        "width": float,
        "ring": bool,
        "from": list[float],
        "to": list[float],
        "size": list[float],
    },
    total=False,
)


class ArrowRecord(TypedDict):
    """The force of a joint on a body, at a point of it."""

    name: str
    body: int
    point: list[float]
    gear: bool


class FreeRecord(TypedDict):
    """Bodies that move freely: simple shapes in axes of each, arrows of the forces of joints."""

    shapes: list[list[SimpleShape]]
    arrows: list[ArrowRecord]


class Scene(TypedDict):
    """Everything that a view shows."""

    format: int
    name: str
    size: float
    case: str
    fidelity: str
    bodies: list[BodyRecord]
    discs: list[DiscRecord]
    meshes: list[ContactRecord]
    carriers: list[CarrierRecord]
    rods: list[RodRecord]
    ends: list[EndRecord]
    bearings: list[BearingRecord]
    housing: list[dict[str, float]]
    views: list[PresetRecord]
    shafts: list[ShaftRecord]
    modes: list[ShapeRecord]
    play: Play
    notes: list[str]
    free: NotRequired[FreeRecord]
