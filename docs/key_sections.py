"""The pages of the reference of keys: which sections of the schema stand on which page, under which words of the field."""

from __future__ import annotations

import re
from typing import NamedTuple


class Page(NamedTuple):
    """A page: its file, its title, what it is about, and its sections (name in the schema, heading)."""

    slug: str
    title: str
    text: str
    sections: dict[str, str]


PAGES = (
    Page("file", "The file: operating point, model, materials", "What stands at the top of a file, and what holds for the whole drivetrain.", {
        "Drivetrain": "The whole file", "Operating": "Operating point", "Model": "Model: fidelity, mesh law, engine",
        "ModelDamping": "Damping of the whole model", "Material": "Material", "Gravity": "Gravity", "GridFacts": "Electrical grid",
        "Placement": "Start position of a body",
    }),
    Page("stages", "Stages: gears, planets, carriers", "A stage is a planetary gear set, a pair of gears or a direct shaft; its gears are its members.", {
        "PlanetaryStage": "Planetary stage", "ParallelStage": "Parallel stage (a pair of gears)", "DirectStage": "Direct stage (no gears)",
        "Wheel": "Gear wheel", "TipRelief": "Tip relief", "Carrier": "Planet carrier", "Pins": "Planet pins", "CarrierWall": "Second carrier wall", "Member": "Other member",
        "PlanetaryMeshes": "Meshes of a planetary stage", "PlanetaryBearings": "Bearings of a planetary stage", "ParallelBearings": "Bearings of a parallel stage",
    }),
    Page("meshes", "Gear meshes: stiffness, damping, losses, errors", "What is known of a mesh between two gears, whatever law computes it.", {
        "MeshFacts": "Gear mesh", "MeshStiffness": "Mesh stiffness", "Harmonic": "Harmonic of the mesh stiffness", "LinearDamping": "Damping of a mesh or bearing",
        "Transmission": "Transmission error", "ToothErrors": "Pitch errors of a gear", "OddTooth": "Faulty tooth", "Pit": "Pit on a flank",
        "MeshLoss": "Mesh loss", "SlidingFriction": "Sliding friction of flanks", "EfficiencyTable": "Efficiency over speed",
        "WheelProfile": "Variation over the circumference", "SineProfile": "Sine over the circumference", "TruePair": "True teeth of a gear of a mechanism", "PairMesh": "Mesh of true teeth",
    }),
    Page("bearings", "Bearings", "Bearings by stiffness, or as rolling bearings by geometry or catalogue.", {
        "Bearing": "Bearing", "CatalogueData": "Catalogue data of a bearing", "Rolling": "Rolling bearing", "Defect": "Bearing defect", "Lubrication": "Lubrication", "LineContactFactors": "Line-contact stress",
        "BearingFriction": "Bearing friction", "Stribeck": "Stribeck friction",
    }),
    Page("shafts", "Shafts and bodies", "Shafts between gears, bodies that are spelled out, and bodies that come from finite elements.", {
        "ShaftFacts": "Shaft", "ShaftSection": "Shaft section", "Misalignment": "Shaft misalignment", "AngularDamping": "Torsional damping",
        "BodyFacts": "Body", "ReducedBody": "Reduced finite-element body", "Mount": "Mount of a reduced body", "Teeth": "Teeth on a reduced body",
    }),
    Page("elements", "Elements between bodies", "Entries of `elements`; `type` says what each is.", {
        "MeshElement": "Mesh (`type: mesh`)", "BearingElement": "Bearing (`type: bearing`)", "SpringElement": "Spring (`type: spring`)",
        "DamperElement": "Damper (`type: damper`)", "BrakeElement": "Brake or clutch (`type: brake, clutch`)", "Capacity": "Torque capacity", "OneWayElement": "One-way clutch (`type: one_way`)",
        "DragElement": "Drag torque (`type: drag`)", "JointElement": "Joint of a mechanism", "JointFriction": "Joint friction",
        "GearElement": "Gear of a mechanism (`type: gear, simple_gear`)",
    }),
    Page("machines", "Electrical machines, engines, vehicles", "Entries of `machines`; `type` says which parameters there are.", {
        "MachineFacts": "Machine", "MachineControl": "Control of a machine", "ConstantParameters": "Constant torque (`type: constant`)", "SlipParameters": "Slip generator (`type: slip`)", "TableParameters": "Torque over speed (`type: table`)",
        "SeriesParameters": "Torque over time (`type: series`)", "IdealParameters": "Ideal generator (`type: ideal`)", "InductionParameters": "Induction machine (`type: induction`)",
        "DfigParameters": "Doubly-fed induction generator (`type: dfig`)", "PmsgParameters": "Permanent-magnet generator (`type: pmsg`)",
        "EngineParameters": "Combustion engine (`type: engine_map`)", "ChassisParameters": "Vehicle (`type: chassis`)",
    }),
    Page("turbine", "Wind turbine and wind", "The turbine that drives the train, its controller, and the wind of a case.", {
        "TurbineFacts": "Wind turbine", "Rotor": "Rotor and tower", "TurbineController": "Turbine controller", "Wind": "Wind",
    }),
    Page("cases", "Load cases and campaigns", "What a run does: loads, prescribed speeds, events, what is recorded and counted; and many such runs.", {
        "Case": "Load case", "Load": "Load", "Control": "Speed controller (PID)", "StartSpeed": "Initial speed", "Trim": "Speed trim", "Event": "Event", "Spectra": "Power spectral densities",
        "Compare": "Comparison with a record", "Campaign": "Campaign",
        "OverTime": "Value over time", "Step": "Step", "Ramp": "Ramp", "Sine": "Sine", "Table": "Time table", "File": "Recorded channel", "RecordedChannel": "Channel of a mapping",
    }),
    Page("life", "Fatigue life and ratings", "What a life is computed from. It may change after the runs; results do not depend on it.", {
        "Life": "Life", "WindClimate": "Wind climate", "BearingLife": "Bearing rating", "BearingModification": "Modified life (ISO 281)", "LineContactFacts": "Line contact (IEC 61400-4)",
        "ShaftLife": "Shaft fatigue", "StressLife": "S-N curve",
    }),
    Page("ratings", "Ratings of gears, oil and shafts", "What the ratings of gears (ISO 6336) and shafts (DIN 743), losses and the rating sheet are computed from.", {
        "GearLife": "Gear rating (ISO 6336)", "PinionSeat": "Seat of a pinion (K_Hbeta)",
        "Din743Facts": "Section of a shaft (DIN 743)", "NotchFacts": "Notch of a shaft", "OilFacts": "Oil", "HousingFacts": "Heat of the housing", "SealFacts": "Seals of a shaft", "ImmersionFacts": "Wheels in the oil", "TitleFacts": "Title of a rating sheet",
    }),
)  # fmt: skip

#: what a section is, where the docstring of its class speaks to those who program
TEXTS = {
    "Drivetrain": "The sections of a file. Only `name` is required; a train has `stages`, or `bodies` and `elements`.",
}


def anchor(heading: str) -> str:
    """The anchor that the site gives a heading."""
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


def link(section: str) -> str:
    """A link to a section, from any page of keys."""
    for page in PAGES:
        if section in page.sections:
            heading = page.sections[section]
            return f"[{re.sub(r' ?[(:].*', '', heading)}]({page.slug}.md#{anchor(heading)})"
    return section


__all__ = ["PAGES", "TEXTS", "Page", "anchor", "link"]
