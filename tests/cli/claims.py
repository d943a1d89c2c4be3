"""What README and tutorials say of their commands, and where it has to be found.

A claim names words of the page, the beginning of the command, and what its output (or a file it writes) must hold. The numbers
of a pattern are those of the page.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import gearwright as gw

Found = Callable[[str, Path], bool]


class Claim(NamedTuple):
    """``words`` of the page, ``command`` (how it begins), and what is looked for: a pattern, or a function of output and folder."""

    words: str
    command: str
    found: str | Found


def in_page(name: str, pattern: str) -> Found:
    """A pattern in a page that a command writes, its tables and text, scripts left out."""

    def look(_: str, folder: Path) -> bool:
        html = (folder / name).read_text(encoding="utf-8")
        body = re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL)
        return re.search(pattern, re.sub(r"<[^>]+>", " ", body)) is not None

    return look


def lines(pattern: str, count: int) -> Found:
    """A pattern on that many lines of the output."""
    return lambda output, _: sum(bool(re.search(pattern, line)) for line in output.splitlines()) == count


def series(folder: Path, result: str, *names: str) -> list[np.ndarray]:
    """Times and stored series of a result."""
    with gw.Result.open(folder / result) as found:
        return [found.time, *(np.asarray(found.series(name).values, float) for name in names)]


def dips(result: str) -> Found:
    """The voltage of the grid and the generator's torque fall at 5 s, and come back; the main shaft passes zero."""

    def look(_: str, folder: Path) -> bool:
        t, voltage, generator, main = series(folder, result, "turbine.voltage", "generator.torque", "main.torque")
        before, after = (t > 3.0) & (t < 4.9), (t > 5.0) & (t < 5.15)
        rated = np.abs(generator[before]).mean()
        return bool(
            voltage[before].min() > 0.99 and voltage[after].min() < 0.02 and np.abs(generator[after]).min() < 0.015 * rated
            and np.abs(generator[t > 11.0]).mean() > 0.9 * rated and main[t > 5.0].min() < 0.0 < main[before].min()
        )  # fmt: skip

    return look


def numbers(output: str, pattern: str) -> list[float]:
    """The numbers that the groups of a pattern find, all matches one after the other."""
    return [float(x) for match in re.findall(pattern, output) for x in ([match] if isinstance(match, str) else match)]


def grid_loss(_: str, folder: Path) -> bool:
    """At 65.25 s the torque goes, 0.2 s later the blades pitch at 8 deg/s."""
    t, torque, pitch = series(folder, "gust.nc", "generator.torque", "turbine.pitch")
    at = 65.25
    gone = np.abs(torque[t < at - 0.1]).max() > 1e4 and np.abs(torque[t > at + 0.05]).max() < 100.0

    def rate(begin: float, end: float) -> float:
        """Mean rate of the blades [deg/s]."""
        moving = (t > begin) & (t < end)
        return float(np.degrees(np.polyfit(t[moving], pitch[moving], 1)[0]))

    return bool(gone and abs(rate(at + 0.25, at + 3.0) - 8.0) < 0.1 and abs(rate(at - 0.1, at + 0.15)) < 7.0)


def crossing(output: str, _: Path) -> bool:
    """The first resonance is mesh stage2 at the crossing with the mode at 143.7 Hz, 18.40 rpm, as far as an order line resolves."""
    first = next(line for line in output.splitlines() if "stage2" in line and line.startswith("mesh"))
    (_, speed, frequency), mode = numbers(first, r"([\d.]+) +([\d.]+) +([\d.]+) +[\d.e+]+ +[\d.]+ +\d+")[:3], "143.7"
    return mode in first and abs(speed / 18.40 - 1.0) < 0.015 and abs(frequency / 143.7 - 1.0) < 0.015


def agree(output: str, folder: Path) -> bool:
    """The means of two methods differ by less than 10 %; the first is kept beside."""
    mean, note = numbers(output, r"pair\.mesh +([\d.]+e\+\d+)")[0], folder / "stiffness.txt"
    if not note.exists():
        note.write_text(f"{mean!r}")
        return True
    return abs(mean / float(note.read_text()) - 1.0) < 0.1


def swings(at: str, low: float, high: float) -> Found:
    """Peak to peak of the row of a torque."""
    return lambda output, _: low <= numbers(output, rf"(?m)^{at} +[\d.]+ +[\d.]+ +([\d.]+)")[0] <= high


def settled(folder: Path, result: str) -> np.ndarray:
    """The force of the first sun mesh after a second [kN]."""
    t, force = series(folder, result, "stage1.sun_planet1.force")
    return np.asarray(force[t > 1.0] / 1e3)


def sun_mesh(result: str, largest: float) -> Found:
    """The largest force of the first sun mesh once started, to the four digits that a page prints, and its mean of 830 kN [kN]."""

    def look(_: str, folder: Path) -> bool:
        force = settled(folder, result)
        return bool(abs(force.max() / largest - 1.0) < 2e-3 and abs(force.mean() / 830.0 - 1.0) < 2e-3)

    return look


def as_table(_: str, folder: Path) -> bool:
    """Tooth contact against the table: standard deviation within 8 %, largest force within 2 %."""
    contact, table = settled(folder, "contact.nc"), settled(folder, "table.nc")
    return bool(abs(contact.std() / table.std() - 1.0) < 0.08 and abs(contact.max() / table.max() - 1.0) < 0.02)


CLAIMS: dict[str, list[Claim]] = {
    "python": [],
    "README": [
        Claim("examples list", "gearwright examples list", "nrel-5mw-gallego"),
        Claim("what was read, what was derived, what to watch", "gearwright describe", r"(?s)bodies.*derived.*warning: "),
        Claim("damage and life of every part", "gearwright life", r"damage +life years"),
        Claim("every pair of teeth in contact", "gearwright run spur", lambda _, d: gw.Result.open(d / "pair.nc").attributes["law"] == "tooth_contact"),
        Claim("load zones, stiffness, stress, life", "gearwright bearing", in_page("bearings.html", "Load zone")),
        Claim("speeds, torques, losses, efficiency of every gear", "gearwright powerflow", r"(?s)first.*second.*third.*fourth.*reverse"),
        Claim("a dip of the grid's voltage at 5 s", "gearwright run nrel-5mw --case voltage-dip", dips("dip.nc")),
        Claim("emergency-stop-9.4ms-seed1", "gearwright campaign", "1 of 1 runs done"),
        Claim("gearwright inspect pair.nc", "gearwright inspect", r"pair\.mesh\.force +kN|pair\.mesh\.force +N"),
        Claim("results or campaigns side by side", "gearwright compare", in_page("both.html", "planar")),
        Claim("the literature's values, and ours", "gearwright verify", "LIT.1"),
    ],
    "modes": [
        Claim("Read the warnings at the end", "gearwright describe", r"\nwarning: [^\n]*\n$"),
        Claim("Twelve modes", "gearwright modes grc-750kw --fidelity torsional", lines(r"^\d+ +[\d.]+ ", 12)),
        Claim("The first is the whole train turning, at 0 Hz", "gearwright modes grc-750kw --fidelity torsional", r"\n1 +0 +rigid"),
        Claim("1.70 Hz, is the drive train between rotor and generator: 9 parts of its strain energy in 10",
              "gearwright modes grc-750kw --fidelity torsional", r"\n2 +1\.(69[5-9]|70[0-4])\d* .*LSS (8[5-9]|9[0-5]) %"),
        Claim("two at 1505.5 Hz", "gearwright modes grc-750kw --fidelity torsional", lines(r" 1505\.5\d* .* planet ", 2)),
        Claim("has become 1.65 Hz", "gearwright modes grc-750kw --fidelity planar", r"\n2 +1\.65\d* "),
        Claim("*translational* modes in pairs", "gearwright modes grc-750kw --fidelity planar", r"translational.*\n.*translational"),
        Claim("a table ranks the crossings: *energy share*", "gearwright modes grc-750kw --fidelity torsional -o", in_page("campbell.html", r"(?s)Crossings.*Energy share.*Margin to operating speed")),
        Claim("which the table above has at 18.40 rpm", "gearwright modes grc-750kw --fidelity torsional -o", in_page("campbell.html", r"mesh stage2\s+3\s+143.7\s+18.40")),
        Claim("the spectra in the report, in which the mesh orders are marked", "gearwright report run.nc", in_page("run.html", "Spectra")),
        Claim("the crossing of *mesh stage2* with the mode at 143.7 Hz", "gearwright orders", crossing),
        Claim("Any value of the file can be changed", "gearwright modes stiffer.yaml", '"mac"'),
    ],
    "grid-fault": [
        Claim("the torque of the main shaft passes zero", "gearwright run nrel-5mw --case voltage-dip", dips("fault.nc")),
        Claim("The report shows both *Through the event*", "gearwright report fault.nc", in_page("fault.html", "Through the event")),
    ],
    "reaction-forces": [
        Claim("= 500 N and a radial one of 500 N tan 20° = 182 N", "gearwright run two-gears-fixed", r"gear on wheel +-182 +-500 "),
        Claim("2677 N upwards", "gearwright run two-gears-fixed", r"joint1 on wheel +182 +2677 "),
        Claim("there are 47 rows, that all of them are independent, and that one freedom is left", "gearwright run nordtank", "1 degrees of freedom, 47 rows of rank 47"),
        Claim("1e-11 m here", "gearwright run nordtank", lambda o, _: numbers(o, r"largest error of a row ([\d.e+-]+) m")[0] < 2e-11),
        Claim("planets 2 and 3: they carry nothing", "gearwright run nordtank",
              lambda o, _: max(map(abs, numbers(o, r"sun_planet[23], teeth +normal ([\d.e+-]+)") or [0.0])) < 1e-3),
        Claim("The equilibrium is found first", "gearwright modes pendulum", r"multibody"),
    ],
    "from-ratings": [
        Claim("with 20/39/100 and 23/128 teeth", "gearwright new", r"(?s)stage1 +20/39/100.*stage2 +23/128"),
        Claim("two planetary stages are a third lighter", "gearwright new", lambda o, _: 0.6 < numbers(o, r"3\+3 +([\d.]+)")[0] / numbers(o, r"3\+par +([\d.]+)")[0] < 0.72),
        Claim("is at 6.8 Hz", "gearwright modes", r" 6\.8\d* "),
        Claim("of 65 s", "gearwright run", r"65 s in "),
        Claim("with some thirteen years", "gearwright life mine.nc -o", r"planet1_bearing +rolling contact fatigue +1\.\d+ +1[23]"),
        Claim("asks for 67154 h", "gearwright new", "67154 h at rated torque for bearings"),
    ],
    "recorded-load": [
        Claim("channels with units, statistics and sampling", "gearwright inspect", r"(?s)every 0.1 s.*GenTq +kN m.*RotSpeed +rpm"),
        Claim("the correlation with the record", "gearwright run nrel-5mw-gallego --case recorded-18ms --duration 120 -o gallego", r"correlation 0\.99"),
        Claim("closes to about 1e-9", "gearwright run nrel-5mw-gallego --case recorded-18ms --duration 120 -o gallego",
              lambda o, _: numbers(o, r"energy error ([\d.e+-]+)")[0] < 2e-9),
        Claim("shows how unequal planets carry", "gearwright report", in_page("gallego.html", "Planet load sharing")),
        Claim("One record stands for the whole life", "gearwright life", "one record repeats through the whole life"),
    ],
    "shifting-train": [
        Claim("Ratio 3.4, because", "gearwright powerflow simple-planetary", r"ratio 3\.4 "),
        Claim("2.4795, 1.4795, 1, 0.7281 and -2.0857", "gearwright powerflow zf-4hp22 --cases",
              lambda o, _: np.allclose(numbers(o, r"turbine +output +(-?[\d.]+)"), [2.4795, 1.4795, 1.0, 0.7281, -2.0857], atol=6e-5)),
        Claim("gear locks everything to one block and has no loss", "gearwright powerflow zf-4hp22 --cases", r"third .*100\.000 %"),
        Claim("which brake holds how much", "gearwright powerflow zf-4hp22 --case fourth", r"F +brake +41\.69"),
        Claim("Twenty seconds", "gearwright run zf-4hp22 --case shifts", r"\n20 s in "),
        Claim("free, slipping, locked", "gearwright report shifts", in_page("shifts.html", "Free, slipping, locked")),
    ],
    "transmission-error": [
        Claim("regions of one and two pairs", "gearwright gear pair.yaml --set stages.pair.pinion.tip", r"pairs: .*\(2\), .*\(1\), .*\(2\)"),
        Claim("nine teeth are undercut, and the message names the profile shift that avoids it", "gearwright gear pair.yaml --set stages.pair.pinion.teeth=9", r"undercut.*at least 0\.47"),
        Claim("The three agree within some 10 %", "gearwright stiffness pair.yaml --method analytic", agree),
        Claim("The three agree within some 10 %", "gearwright stiffness pair.yaml --method iso6336", agree),
        Claim("about the mean and half the swing at 400 N m in the table, 10 µm", "gearwright ste pair.yaml --method analytic --torque \"100 N m\" --torque \"200 N m\" --torque \"400 N m\" --torque \"600 N m\" --set stages.pair.pinion.tip_relief=null",
              lambda o, _: abs(sum(x * y for x, y in zip(numbers(o, r"(?m)^0\.4 +[\d.]+ +([\d.]+) +([\d.]+)"), (1.0, 0.5), strict=True)) - 10.0) < 0.5),
        Claim("from 4.9 to 0.6 µm", "gearwright ste pair.yaml --method analytic --torque \"100 N m\" --torque \"200 N m\" --torque \"400 N m\" --torque \"600 N m\" --set stages.pair.pinion.tip_relief=null", swings("0.4", 4.85, 4.95)),
        Claim("from 4.9 to 0.6 µm", "gearwright ste pair.yaml --method analytic --torque \"100 N m\" --torque \"200 N m\" --torque \"400 N m\" --torque \"600 N m\" --set \"stages", swings("0.4", 0.55, 0.65)),
        Claim("the swing stays below 2.6 µm, where it reaches 7.2 µm without relief", "gearwright modify pair.yaml",
              lambda o, _: abs(numbers(o, r"(?m)^600 +([\d.]+) +[\d.]+ +([\d.]+)")[0] - 7.2) < 0.05 and numbers(o, r"(?m)^600 +([\d.]+) +[\d.]+ +([\d.]+)")[1] < 2.6),
        Claim("Its section *Tooth contact*", "gearwright report pair.nc", in_page("pair.html", "Tooth contact")),
    ],
    "design-load-case": [
        Claim("lists what the set-up assumes", "gearwright describe", r"assumed"),
        Claim("rotor speed, pitch, power and thrust over wind speed", "gearwright turbine steady", r"wind m/s +rpm +pitch deg .*power.*thrust kN +region"),
        Claim("Means agree: statics", "gearwright compare normal.nc",
              lambda o, _: all(abs(x - 1.0) < 0.02 for x in numbers(o, r"(?m)^stage1\.planet\d_bearing\.force +([\d.]+)"))),
        Claim("shows what the gearbox gives back to the turbine", "gearwright compare ideal.nc normal.nc", r"turbine\.tower_\w+_moment"),
        Claim("At 65.25 s the generator's torque is gone, 0.2 s later the blades pitch at 8 deg/s", "gearwright run nrel-5mw --case gust-grid-loss", grid_loss),
        Claim("the event* the waterfall of the governing bearing", "gearwright report gust.nc", in_page("gust.html", "Through the event")),
    ],
    "campaign-and-lifetime": [
        Claim("do one short run", "gearwright campaign", "1 of 1 runs done"),
        Claim("Each planet bearing appears twice, as `cylindrical` and as `tapered`", "gearwright life", r"(?s)planet1_bearing[^\n]*cylindrical.*planet1_bearing[^\n]*tapered|planet1_bearing[^\n]*tapered.*planet1_bearing[^\n]*cylindrical"),
        Claim("The page ranks wind speeds", "gearwright life", in_page("life.html", "What does the damage")),
    ],
    "mesh-excitation": [
        Claim("1665 kN for a mean of 830", "gearwright run nrel-5mw-nejad-source --case rated --fidelity planar --law two_level", sun_mesh("square.nc", 1665.0)),
        Claim("largest force is 945 kN", "gearwright run nrel-5mw-nejad-source --case rated --fidelity planar --law periodic --duration", sun_mesh("table.nc", 945.0)),
        *(Claim("The run names the torque they belong to", "gearwright run nrel-5mw-nejad-source --case rated --fidelity planar --law periodic --set model.mesh_form=" + form, r"linear about their loads at the operating torque of 394[56]\.\d* kN m")
          for form in ("secant", "ste")),
        Claim("agree within 8 %, largest forces within 2 %", "gearwright run nrel-5mw-nejad-source --case rated --fidelity planar --law tooth_contact", as_table),
    ],
    "non-torque-loads": [
        Claim("the hand of helical teeth, bodies without an axial bearing", "gearwright describe", r"hand of the helical teeth|along x these follow|in tilt these follow"),
        Claim("Compare the planets in the table", "gearwright run", r"(?s)stage1\.sun_planet1.*stage1\.sun_planet2.*stage1\.sun_planet3"),
    ],
}  # fmt: skip

#: long commands (hours, or files of the reader), and what is added so that they take seconds
SHORTER: dict[str, list[str]] = {
    "gearwright campaign normal --setup nrel-5mw-medium-speed": ["--only", "normal-13ms-seed1", "--duration", "2", "--set", "discard=0 s"],
    "gearwright campaign gust-grid-loss": ["--only", "gust-grid-loss-11.4ms-t1-az1", "--duration", "2", "--set", "discard=0 s"],
    "gearwright campaign lvrt": ["--only", "lvrt-quebec-9.4ms-seed1", "--duration", "2", "--set", "discard=0 s"],
    "gearwright run nrel-5mw --case lvrt-quebec-25ms-seed1": ["--duration", "2", "--set", "discard=0 s"],
    "gearwright run nrel-5mw --case normal-25ms-seed1": ["--duration", "2", "--set", "discard=0 s"],
    "gearwright report": [], "gearwright compare normal.nc": [], "gearwright compare normal other": [],
}  # fmt: skip

#: commands in the running text that are whole, and those that stand for a program or a file of the reader
INLINE = {
    "gearwright examples copy zf-4hp22 mine.yaml": True, "gearwright fmu export grc-750kw -o grc.fmu": True,
    "gearwright reliability planet-bearing": True, "gearwright couple openfast": False, "gearwright verify": False,
    "gearwright report out/gust/results/ID.nc": False, "gearwright modes mine.yaml --sensitivity": False,
}  # fmt: skip

#: what the Python of a page computes: words of the page, and whether they hold of the names that its blocks leave
COMPUTED: dict[str, list[tuple[str, Callable[[dict[str, Any]], bool]]]] = {
    "python.md": [
        ("The second mode, 1.70 Hz,", lambda s: 1.695 < s["modes"].frequencies_hz[1] < 1.705),
        ("the crossings within 5 %", lambda s: all(abs(c.margin) < 0.05 for c in s["near"])),
        ("every gear of an automatic transmission", lambda s: len(s["gears"].flows) == 5),
        ("a record of four seconds stands for twenty years", lambda s: any("3.89 s" in w for w in s["life"].warnings)),
        # 12.1 rpm of the carrier and a ring of 117 teeth would be 23.6 Hz; the line of a spectrum of 1 s is 1 Hz wide
        ("The largest peak of the force of a planet's bearing lies at the frequency of its meshes", lambda s: abs(
            s["spectrum"].tables[0].rows[0][0]
            - abs(s["gw"].describe("nrel-5mw-medium-speed-gearbox").mesh_frequencies_hz["stage1.sun_planet1"])) < 1.0),
        ("a row a run", lambda s: len(s["ran"].outputs()) == 4),
        ("Nothing is written unless a call is given the name of a file", lambda s: sorted(p.name for p in Path().iterdir()
            if p.name not in ("block.py", "__pycache__")) == ["damping", "damping.yaml", "force.csv", "run.html"]),
    ],
}  # fmt: skip
