"""Another value for every key: by section and key where it matters, else by key; with what has to stand beside it."""

from __future__ import annotations

from typing import Any

_TABLE = [[0.0, 4e8], [0.25, 5e8], [0.5, 6e8], [0.75, 5e8]]

#: key, or section.key -> values to try
VALUES: dict[str, list[Any]] = {
    "inertia": [0.77, None], "mass": [33.0], "count": [2], "pin_radius": [0.3], "angle": ["20 deg"], "place": [[0.1, 0.2]],
    "x": [0.9], "length": [0.123], "diameter": [0.21], "bore": [0.02], "material": ["iron"], "fixed": [True],
    "BodyFacts.fixed": [True], "floating": [True], "on": ["b"], "name": ["other"],
    "module": [0.006], "pressure_angle": ["22 deg"], "helix_angle": ["12 deg"], "hand": ["left"], "addendum": [0.9], "dedendum": [1.3],
    "tool_tip": [0.1], "face_width": [0.07], "planets": [4], "first_angle": ["11 deg"], "centre_distance": [0.3005, 0.418],
    "pin_errors": [[[1e-5, 0.0], [0.0, 0.0], [0.0, 0.0]]], "azimuth": [1.1], "internal": [True],
    "teeth": [24], "base_diameter": [0.3], "base_radius": [0.15], "profile_shift": [0.1], "tip_diameter": [0.2005, 0.419, 0.236], "root_diameter": [0.16, 0.365, 0.19],
    "tip_shortening": [0.05], "outer_diameter": [1.3], "tip_relief": [{"amount": 2e-5, "start": "long"}], "profile_crowning": [1e-5],
    "lead_crowning": [1e-5], "lead_slope": [1e-5], "bias": [1e-5], "thickness_allowance": [-1e-4], "fillet_radius": [0.3], "equivalent_mass": [5.0],
    "pin_diameter": [0.4], "inertia_includes_planets": [True], "pins": [{"length": 0.3, "diameter": 0.1}],
    "second_wall": [{"mass": 100.0, "inertia": 20.0, "torsional_stiffness": 1e9}],
    "stiffness": [7e8], "damping": [{"value": 123.0}], "contact_ratio": [1.45], "overlap_ratio": [0.3], "phase": [0.3], "coast_phase": [0.4],
    "backlash": [1e-4], "misalignment": [1e-5], "excitation": [{"base": "mesh", "order": 1, "amplitude": 1e-6}],
    "MeshLoss.compliance": ["series"], "MeshLoss.force_pole_offset": [1e-3], "MeshLoss.fraction": [0.02],
    "MeshLoss.friction_coefficient": [0.05], "MeshLoss.sliding_friction": [0.05],
    "BearingFriction.stribeck": [{"breakaway": 3.0, "coulomb": 2.0, "speed": 1.0}], "BearingFriction.table": [[[0.0, 3.0], [10.0, 2.0]]],
    "loss": [{"efficiency": 0.9}], "profile": [{"sine": [{"periods": 2, "amplitude": 1e-6}]}],
    "pitch_error": [{"pinion": {"deviations": [1e-6] * 23}}, {"sun": {"deviations": [1e-6] * 21}}],
    "axial_stiffness": [3e8], "tilt_stiffness": [3e6], "matrix": [[[1e9 if i == j else 0.0 for j in range(6)] for i in range(6)]],
    "torsional_stiffness": [2.2e5, 2e9], "tangential_stiffness": [2e8], "torsional_damping": [3.3], "clearance": [1e-5], "friction": [{"torque": 3.0}],
    "bending_stiffness": [2e8], "bending_damping": [{"ratio": 0.03}], "rigid": [True], "elements": [4], "sections": [[{"length": 0.5, "diameter": 0.06}]],
    "bearings": [{"stiffness": 1e8, "x": 0.2}], "gauges": [[0.25]], "spline": ["first"],
    "ShaftFacts.misalignment": [{"offset": [1e-4, 0.0]}], "between": [["load", "motor"]],
    "young": [1.9e11], "poisson": [0.28], "shear": [7e10], "density": [7000.0],
    "drives": ["load"], "efficiency": [0.9], "pedal": [0.5], "magnetic_pull": [1e6], "MachineFacts.control": [{"type": "power"}],
    "parameters": [{"torque": 70.0}, {"synchronous_speed": 160.0, "rated_slip": 0.03, "rated_power": 1e6}],
    "torque": [77.0], "viscous": [0.7], "capacity": [{"torque": 120.0, "rise": 0.2}], "engaged": [True], "play": [0.01],
    "type": [], "fidelity": [], "law": [], "same_sense": [True],
    "Model.loss": ["smooth"], "hysteresis": [5.0], "gyroscopic": [True], "Model.gravity": [True], "helical": ["spur"], "mesh_form": ["secant"], "tip_contact": ["cut"],
    "Model.damping": [{"modal": 0.02}], "method": ["explicit"], "tolerance": [1e-4], "face_slices": [3], "frames": ["frozen"],
    "highest_frequency": [500.0], "step": [1e-4], "redundant": ["drop"], "stabilisation": [[1.0, 100.0]],
    "vector": [[0.0, 0.0, -5.0]], "acceleration": [8.0], "tilt": [0.1],
    "input": ["motor", "generator"], "output": ["a", "p.sun"], "Operating.fixed": ["load"], "speed": [33.0], "speeds": [{"motor": 50.0}], "torques": [{"load": -3.0}],
    "reactions": ["load"], "Operating.wind": [8.0],
    "Load.on": ["b", "generator"], "slope": [-3.0], "force": [[1.0, 2.0, 3.0]], "moment": [[1.0, 2.0]], "direction": ["y"], "axes": ["body"], "point": ["tip"],
    "reference": [5.0], "Load.control": [{"speed": 100.0, "proportional": 5.0}],
    "at": [0.3], "set": ["br.capacity"], "to": [False],
    "discard": [0.33], "start": ["rest"], "initial": [{"motor": 3.0}, {"rotor": 3.0}], "loads": [[{"on": "load", "torque": 5.0}], [{"on": "rotor", "torque": 5.0}]],
    "Case.speeds": [{"motor": 100.0}, {"rotor": 7.0}], "trim": [{"on": "motor", "time_constant": 10.0}, {"on": "rotor", "time_constant": 10.0}],
    "wind": [{"type": "steady", "mean": 8.0}], "events": [[{"at": 0.3, "set": "load.torque", "to": 2.0}], [{"at": 0.3, "set": "rotor.torque", "to": 2.0}]],
    "record": [["shafts"]], "spectra": [{"of": ["shafts"], "resolution": 2.0}], "output_interval": [0.02], "counting_interval": [0.002],
    "exponents": [[5.0]], "reference_cycles": [1e6], "compare": [{"shaft": "s1", "channel": "x"}, {"shaft": "low", "channel": "x"}],
    "Case.set": [{"operating.torque": 60.0}], "base": ["c"], "duration": [0.7],
}  # fmt: skip

VALUES |= {
    "MeshElement.teeth": [[22, 50]], "MeshElement.base_radius": [[0.05, 0.12]], "MeshElement.base_diameter": [[0.1, 0.24]],
    "MeshElement.profile_shift": [[0.1, 0.0]], "MeshElement.centre_distance": [0.1765], "profile": [{"pinion": {"sine": {"periods": 2, "amplitude": 1e-6}}}, {"a": {"sine": {"periods": 2, "amplitude": 1e-6}}}],
    "PlanetaryStage.bearings": [{}], "ParallelStage.bearings": [{}], "tip_relief": [{"amount": 2e-5, "start": 0.19}, {"amount": 2e-5, "start": 0.655}],
    "TEETH.fillet_radius": [0.3], "stiffness_proportional": [2e-5], "mass_proportional": [0.2], "value": [55.0], "ratio": [0.07], "mean": [6e8], "direction": ["y"],
    "MeshStiffness.table": [_TABLE], "MeshStiffness.direction": ["normal"], "modal": [[0.03]], "ParallelBearings.pinion": [[]], "ParallelBearings.wheel": [[]], "PlanetaryBearings.sun": [[]],
    "PlanetaryBearings.ring": [[]], "PlanetaryBearings.carrier": [[]], "PlanetaryBearings.planet": [[]], "two_pairs": [3.3e9], "one_pair": [1.7e9], "MeshStiffness.from": ["iso6336"], "from": [1.0], "half_width": [2e-4],
    "MeshStiffness.fourier": [[{"order": 1, "amplitude": 1e7}]], "MeshStiffness.corners": [[0.3]],
    "offset": [[2e-5, 0.0]], "Misalignment.angle": [[1e-5, 0.0]], "resolution": [4.0], "of": [["machines"]], "Spectra.of": [["machines"]],
    "proportional": [7.0], "integral": [2.0], "derivative": [0.3], "filter_time": [0.02], "limit": [40.0], "Control.speed": [31.0],
    "Event.torque": [77.0], "Event.set": ["br.nothing"], "Event.to": [False], "Event.at": [0.4], "Event.on": ["load"], "Event.type": ["grid_loss"],
    "ShaftFacts.rigid": [True], "reactions": [["arm", "ring"]], "Step.at": [0.2], "Step.from": [1.0], "Step.to": [6.0], "Ramp.over": [0.4],
    "constant": [11.0], "sine": [{"amplitude": 3.0, "frequency": 2.0}], "ramp": [{"from": 0.0, "to": 3.0, "over": 0.1}], "step": [{"from": 0.0, "to": 3.0, "at": 0.1}],
    "amplitude": [4.0], "frequency": [2.0], "rows": [[[0.0, 1.0], [1.0, 3.0]]], "interpolation": ["cubic"], "before": [2.0], "over": [0.3], "start": ["rest"],
    "Sine.start": [0.2], "Sine.mean": [1.0], "Sine.phase": [0.3], "torsional_damping": [{"value": 3.3}], "support": ["nobody"],
    "rolling": [{"type": "ball", "designation": "6206"}], "file": [{"path": "none.csv", "channel": "x"}], "OverTime.table": [{"rows": [[0.0, 1.0], [1.0, 3.0]]}],
    "code": ["quebec"], "recovery_level": [0.9], "drawn_between": [[1.0, 2.0]], "phases": [1], "level": [0.9], "Event.table": [[[0.0, 0.9]]], "Event.profile": [[[0.0, 0.9]]],
    "Event.frequency": [51.0], "Event.over": [1.0], "pitch_delay": [0.1], "pitch_rate": ["5 deg/s"], "rate": ["5 deg/s"], "delay": [0.1], "rise": [0.2], "Event.slope": [3.0],
    "MachineFacts.drives": ["load", "ring"], "points": [{"tip": [0.1, 0.0, 0.0]}],
}  # fmt: skip

#: other sections that a change needs to stand in the file
BESIDE: dict[str, Any] = {"materials": {"iron": {"young": 1.7e11, "poisson": 0.27, "density": 7100.0}}}


#: keys that are no part of a computation: why
TOLD: dict[str, str] = {
    "name": "what it is called", "description": "for a reader", "data": "facts of the user's own, kept as they are", "type": "chooses the section",
    "fidelity": "the ways of this test choose it", "law": "the ways of this test choose it", "x": "where it is drawn (report, viewer) and stands at fidelity multibody",
    "BodyFacts.length": "drawn; its disc has it where no inertia is given (tested there)", "hysteresis": "refused unless loss: switch",
    "MeshLoss.forces": "how a loss in series pushes on the centres, as S4 prints it (test_elastic_loss)",
    "TableParameters.table": "the torque of a machine where no load of the case stands for it (test_machines)",
    "mean_wind": "weighs a recorded run in the life of a campaign (test_recorded_campaign)", "RecordedChannel.at": "tested in test_recorded_loads",
    "floating": "allows a mass that no bearing holds (planar refuses it otherwise)",
}  # fmt: skip
