"""Where the parts of a train stand in its scheme: groups (stages, pairs, single bodies) along the shafts.

A walk from the rotor (or the input) to the machine places every group to the right of the one it hangs on. Lengths
are drawing units; ``x`` runs along the shafts, ``y`` up. Nothing here is to scale but the ratio of a stage's radii.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Literal

from gearwright.train.train import HOUSING, Body, Mesh, Train

CENTRES = 92.0  #: drawn centre distance of a parallel pair
RING = 84.0  #: drawn radius of a ring's teeth
SMALLEST = 15.0  #: smallest drawn wheel radius


@dataclass
class Group:
    """One stage, one pair of wheels or one body, with its place.

    ``front`` is the body by which it hangs on what came before; ``offsets`` the height of each member's axis above
    ``axis``; ``radii`` the drawn radii by role; ``span`` the lowest and highest drawn point about ``axis``.
    """

    name: str
    kind: Literal["planetary", "parallel", "body"]
    members: dict[str, str]
    width: float
    caption: list[str]
    radii: dict[str, float] = field(default_factory=dict)
    offsets: dict[str, float] = field(default_factory=dict)
    span: tuple[float, float] = (-40.0, 40.0)
    helical: bool = False
    front: str | None = None
    x: float = 0.0
    axis: float = 0.0

    @property
    def slot(self) -> float:
        """Length along the shafts, wide enough for the caption."""
        return max(self.width, min(7.0 * max(map(len, self.caption)) + 10.0, 150.0))

    def height(self, body: str) -> float:
        """Height of the axis of one member."""
        return self.axis + self.offsets.get(body, 0.0)


@dataclass(frozen=True)
class Link:
    """What joins two bodies of different groups: a shaft, a coupling, a mesh outside a stage, or one body shared."""

    name: str
    kind: str
    between: tuple[str, str]


@dataclass
class Layout:
    """Groups with places, links to draw, and what is fixed to the housing, by body."""

    groups: list[Group]
    links: list[Link]
    bearings: dict[str, list[str]]
    grounded: dict[str, list[str]]
    home: dict[str, list[Group]]


def layout(train: Train) -> Layout:
    """Groups and places of a train."""
    groups = _stages(train)
    taken = {body for group in groups for body in group.members.values()}
    taken |= {name for name, body in train.bodies.items() if body.role == "planet" and body.stage}
    for mesh in train.meshes.values():
        known = mesh.stage is not None and any(group.name == mesh.stage for group in groups)
        if not known and mesh.on is None and not set(mesh.between) <= taken and HOUSING not in mesh.between:
            groups.append(_pair(mesh.name, mesh, train))
            taken |= set(mesh.between)
    links, inner = _links(train)
    for name, body in train.bodies.items():
        if name not in taken and name not in inner:
            groups.append(_single(body, train))
    groups += _merged(train, taken)
    home: dict[str, list[Group]] = {}
    for group in groups:
        for member in group.members.values():
            home.setdefault(member, []).append(group)
    links += [Link(name, "joined", (name, name)) for name, of in home.items() if len(of) > 1]
    links = [link for link in links if link.between[0] in home and link.between[1] in home]
    bearings: dict[str, list[str]] = {}
    for bearing in train.bearings.values():
        if HOUSING in bearing.between:
            bearings.setdefault(_other(bearing.between), []).append(bearing.name)
    grounded: dict[str, list[str]] = {}
    for coupling in train.couplings.values():
        if HOUSING in coupling.between:
            grounded.setdefault(_other(coupling.between), []).append(f"{coupling.name} ({coupling.type})")
    result = Layout(groups, links, bearings, grounded, home)
    _place(train, result)
    return result


def _other(between: tuple[str, str]) -> str:
    return between[0] if between[1] == HOUSING else between[1]


def _resolve(train: Train, stage: str, member: str) -> str | None:
    name = f"{stage}.{member}"
    name = train.alias.get(name, name)
    return name if name in train.bodies else None


def _stages(train: Train) -> list[Group]:
    names = list(train.stages) or list(dict.fromkeys(m.stage for m in train.meshes.values() if m.stage))
    groups = []
    for stage in names:
        meshes = [mesh for mesh in train.meshes.values() if mesh.stage == stage]
        planets = [body for body in train.bodies.values() if body.stage == stage and body.role == "planet"]
        if planets:
            groups.append(_planetary(stage, planets, meshes, train))
        elif len(meshes) == 1 and HOUSING not in meshes[0].between:
            groups.append(_pair(stage, meshes[0], train))
    return groups


def _teeth(meshes: list[Mesh], internal: bool) -> tuple[float, float] | None:
    for mesh in meshes:
        if mesh.internal == internal:
            return mesh.teeth if mesh.teeth is not None else mesh.base_radius
    return None


def _planetary(stage: str, planets: list[Body], meshes: list[Mesh], train: Train) -> Group:
    members = {role: name for role in ("sun", "ring", "carrier") if (name := _resolve(train, stage, role)) is not None}
    outer, inner = _teeth(meshes, internal=False), _teeth(meshes, internal=True)
    sun_share = 0.25
    if outer is not None:
        sun_share = outer[0] / (outer[0] + 2.0 * outer[1])
    elif inner is not None:
        sun_share = (inner[1] - 2.0 * inner[0]) / inner[1]
    sun = min(max(RING * sun_share, SMALLEST), 0.6 * RING)
    planet = (RING - sun) / 2.0
    number = sum(body.count for body in planets)
    teeth = []
    if outer is not None and isinstance(outer[0], int):
        teeth = [str(outer[0]), str(outer[1])]
    if inner is not None and isinstance(inner[0], int):
        teeth = [*(teeth or [str(inner[0])]), str(inner[1])]
    caption = [stage, f"{number} planet{'s' if number > 1 else ''}"]
    if teeth:
        caption.append(f"z {' / '.join(teeth)}")
    return Group(
        stage,
        "planetary",
        members,
        116.0,
        caption,
        {"sun": sun, "planet": planet, "ring": RING},
        span=(-RING - 34.0, RING + 34.0),
        helical=any(mesh.helix_angle for mesh in meshes),
    )


def _pair(name: str, mesh: Mesh, train: Train) -> Group:
    first, second = (train.alias.get(body, body) for body in mesh.between)
    sizes = mesh.teeth if mesh.teeth is not None else mesh.base_radius
    share = sizes[0] / (sizes[0] + sizes[1])
    one = min(max(CENTRES * share, SMALLEST), CENTRES - SMALLEST)
    caption = [name]
    if mesh.teeth is not None:
        caption.append(f"z {mesh.teeth[0]} / {mesh.teeth[1]}")
    return Group(
        name,
        "parallel",
        {"first": first, "second": second},
        84.0,
        caption,
        {"first": one, "second": CENTRES - one},
        helical=bool(mesh.helix_angle),
    )


def _single(body: Body, train: Train) -> Group:
    role = body.role
    if role != "rotor" and any(machine.body == body.name for machine in train.machines.values()):
        role = "machine"
    width = {"rotor": 40.0, "machine": 66.0}.get(role, 30.0)
    half = {"rotor": 104.0, "machine": 32.0}.get(role, 44.0)
    caption = [body.name]
    kinds = [machine.type for machine in train.machines.values() if machine.body == body.name]
    if kinds:
        caption.append(", ".join(kinds))
    return Group(body.name, "body", {role: body.name}, width, caption, span=(-half, half))


def _merged(train: Train, taken: set[str]) -> list[Group]:
    """Rotors and machines that a rigid shaft made one body with a wheel or carrier: drawn beside it."""
    rotors = [body for name, body in train.bodies.items() if name in taken and body.role == "rotor"]
    groups = [_single(body, train) for body in rotors]
    for machine in train.machines.values():
        name = train.alias.get(machine.body, machine.body)
        if name in taken and name in train.bodies:
            caption = [machine.name, machine.type]
            groups.append(Group(machine.name, "body", {"machine": name}, 66.0, caption, span=(-32.0, 32.0)))
    return groups


def _links(train: Train) -> tuple[list[Link], set[str]]:
    """Shafts (elements of one shaft as one), couplings and meshes outside stages; and the nodes inside shafts."""
    links: list[Link] = []
    inner: set[str] = set()
    by_parent: dict[str, list[tuple[str, str]]] = {}
    for shaft in train.shafts.values():
        by_parent.setdefault(shaft.parent or shaft.name, []).append(shaft.between)
    for name, parts in by_parent.items():
        ends = [body for part in parts for body in part]
        nodes = {body for body in ends if ends.count(body) > 1}
        inner |= nodes
        outer = [body for body in ends if body not in nodes]
        if len(outer) == 2:
            links.append(Link(name, "shaft", (outer[0], outer[1])))
    for coupling in train.couplings.values():
        if HOUSING not in coupling.between:
            links.append(Link(coupling.name, coupling.type, coupling.between))
    links += [
        Link(mesh.name, "mesh", mesh.between)
        for mesh in train.meshes.values()
        if mesh.stage is None and mesh.on is not None
    ]
    links += [
        Link(bearing.name, "bearing", bearing.between)
        for bearing in train.bearings.values()
        if HOUSING not in bearing.between and bearing.stage is None
    ]
    return links, inner


def _place(train: Train, result: Layout) -> None:
    if not result.groups:
        return
    neighbours: dict[str, list[tuple[str, Link]]] = {}
    for link in result.links:
        a, b = link.between
        neighbours.setdefault(a, []).append((b, link))
        neighbours.setdefault(b, []).append((a, link))
    placed: list[Group] = []
    left = list(result.groups)
    end = 0.0
    while left:
        start = _start(train, left)
        _settle(start, start.front or _front(train, start), end, 0.0, placed)
        left.remove(start)
        queue = deque([start])
        while queue:
            group = queue.popleft()
            for body in group.members.values():
                for other, link in neighbours.get(body, []):
                    for target in result.home[other]:
                        if target not in left:
                            continue
                        left.remove(target)
                        x = group.x + group.slot + _gap(link)
                        _settle(target, other, x, group.height(body), placed)
                        queue.append(target)
        end = max(group.x + group.slot for group in placed) + 60.0
    result.groups[:] = sorted(placed, key=lambda group: group.x)


def _start(train: Train, groups: list[Group]) -> Group:
    for group in groups:
        if "rotor" in group.members:
            return group
    for group in groups:
        if train.input in group.members.values():
            return group
    return groups[0]


def _front(train: Train, group: Group) -> str:
    names = list(group.members.values())
    if train.input in names:
        return str(train.input)
    return group.members.get("carrier", names[0])


def _gap(link: Link) -> float:
    return 26.0 if link.kind == "joined" else min(max(56.0, 7.0 * len(link.name) + 14.0), 110.0)


def _settle(group: Group, front: str, x: float, axis: float, placed: list[Group]) -> None:
    group.front, group.x = front, x
    if group.kind == "parallel":
        rear = next((body for body in group.members.values() if body != front), front)
        # back towards the main axis where a stage before has left it
        up = 1.0 if axis <= 0.0 else -1.0
        group.offsets = {front: 0.0, rear: up * CENTRES}
        front_radius = group.radii["first" if group.members["first"] == front else "second"]
        rear_radius = CENTRES - front_radius
        heights = (-front_radius, front_radius, up * CENTRES - rear_radius, up * CENTRES + rear_radius)
        group.span = (min(heights) - 8.0, max(heights) + 8.0)
    for step in range(40):
        shift = ((step + 1) // 2) * 50.0 * (-1.0 if step % 2 else 1.0)
        group.axis = axis + shift
        if not any(_overlap(group, other) for other in placed):
            break
    placed.append(group)


def _overlap(a: Group, b: Group) -> bool:
    apart = a.x >= b.x + b.slot or b.x >= a.x + a.slot
    low = [group.axis + group.span[0] - 30.0 - 17.0 * len(group.caption) for group in (a, b)]
    return not apart and low[0] < b.axis + b.span[1] and low[1] < a.axis + a.span[1]
