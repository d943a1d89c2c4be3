"""``gearwright life``, ``gearwright tooth-stress``, ``gearwright reliability`` and ``gearwright identify``."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from gearwright.console import Band, Json, fail, mendable, number, print_figures, say, say_remarks, table, writes
from gearwright.remarks import remarks_in, sorted_remarks

Samples = Annotated[int, typer.Option("--samples", min=0, help="Number of samples of the checks; 0 leaves them out.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(life)
    app.command(name="tooth-stress")(tooth_stress)
    app.command()(reliability)
    app.command()(identify)


def life(
    source: Annotated[Path, typer.Argument(metavar="RESULT_OR_DIR", help="A result file (.nc), or the folder of a campaign, which is weighted by the wind.")],
    ratings: Annotated[str | None, typer.Option(help="File or example with the section 'life', instead of the drivetrain's own.")] = None,
    years: Annotated[float | None, typer.Option(min=0.0, help="Years of the life. Without it: as the section 'life' says, or 20.")] = None,
    transient: Annotated[list[str] | None, typer.Option(metavar="PATTERN=COUNT", help="Runs or results that happen COUNT times a year, such as 'start-up*=1000'; may be repeated.")] = None,
    by: Annotated[str | None, typer.Option(metavar="PATH", help="Give a life for every value of what the campaign varies, such as wind.class.")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", callback=writes(".html"), help="Write the page of the life here (.html).")] = None,
    json: Json = False,
) -> None:  # fmt: skip
    """Rate the life of bearings, teeth and shafts: damage, governing mode, margins, and what does the damage."""
    with mendable():
        from gearwright.analyses.life import life_of
        from gearwright.pages.life_page import life_report

        if years is not None and not years > 0.0:
            raise fail(f"--years {years:g}: a life is longer than that")
        transients = dict(_transient(t) for t in transient or ())
        if by is not None:
            _by(source, by, ratings, years, transients, output, json)
            return
        data = life_of(source, ratings, years=years, transients=transients)
        page = life_report(data, output) if output is not None else None
        spectra = data.pop("spectra")
        if json:
            data["spectra"] = {k: {"level": s.levels, "seconds": s.amounts} for k, s in spectra.items()}
            print_figures({**data, "page": page})
            return
        _life(data)
        if page is not None:
            say(f"page: {page}")


def _by(source: Path, path: str, ratings: str | None, years: float | None, transients: dict[str, float], output: Path | None,
        json: bool) -> None:  # fmt: skip
    from gearwright.analyses.life import life_by
    from gearwright.pages.life_page import life_by_report
    from gearwright.pages.life_tables import label

    groups = life_by(source, path, ratings, years=years, transients=transients)
    page = life_by_report(groups, path, output) if output is not None else None
    for _, data in groups:
        data.pop("spectra")
    if json:
        said = [note for _, data in groups for note in remarks_in(data)]
        print_figures({"by": path, "page": page, "groups": [{"value": value, **data} for value, data in groups],
                       **sorted_remarks(said)})  # fmt: skip
        return
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for value, data in groups:
        for row in data["components"]:
            rows.setdefault((label(row), row["mode"]), {})[str(value)] = number(row["damage"], 3)
    heads = [str(value) for value, _ in groups]
    table(f"Damage over {groups[0][1]['years']:g} years by {path}", ["part", "mode", *heads],
          [[name, mode, *(values.get(h, "") for h in heads)] for (name, mode), values in rows.items()])  # fmt: skip
    say_remarks(note for _, data in groups for note in remarks_in(data))
    if page is not None:
        say(f"page: {page}")


def _transient(text: str) -> tuple[str, float]:
    pattern, equals, count = text.rpartition("=")
    try:
        per_year = float(count)
    except ValueError:
        per_year = -1.0
    if not equals or per_year < 0.0:
        raise fail(f"--transient {text}: PATTERN=COUNT is wanted, such as 'start-up*=1000'")
    return pattern, per_year


def _up_to(value: float | None, most: float, digits: int) -> str:
    """A number, or ``> most`` for what is larger or has no end."""
    from gearwright.figures.format import power_of_ten

    return f"> {power_of_ten(most)}" if value is not None and value > most else number(value, digits)


def _life(data: dict[str, Any]) -> None:
    from gearwright.figures.format import power_of_ten
    from gearwright.pages.life_tables import LEAST_DAMAGE, MOST_HOURS, MOST_YEARS, label

    rows, short = [], False
    for r in data["components"]:
        low = r["margin"] < 1.0
        short = short or low
        rows.append([
            label(r), r["mode"], f"< {power_of_ten(LEAST_DAMAGE)}" if 0.0 < r["damage"] < LEAST_DAMAGE else number(r["damage"], 3),
            _up_to(r["life_years"], MOST_YEARS, 3), _up_to(r.get("life_hours"), MOST_HOURS, 4),
            _up_to(r["margin"], MOST_YEARS, 3) + " *" * low, r["margin_of"],
        ])  # fmt: skip
    head = ["part", "mode", "damage", "life years", "life hours", "margin", "on"]
    if rows:
        table(f"Life of {data['name']}: {data['years']:g} years, {data['runs']} records", head, rows, mark=0)
    if short:
        say("* below 1: not enough")
    shafts = [r for r in data["loads"] if r["kind"] == "shaft"]
    if shafts:
        exponents = list(shafts[0]["equivalent"])
        table(f"Shaft torques: lifetime equivalent ranges for {data['equivalent_cycles']:.3g} cycles [kN m]",
              ["shaft", *(f"m = {m}" for m in exponents)],
              [[r["element"], *(number(1e-3 * r["equivalent"][m]) for m in exponents)] for r in shafts])  # fmt: skip
    if data["bins"]:
        say(
            f"wind: {data['wind']}; bins hold {100 * data['covered']:.1f} % of the time, {data['idle_hours']:.0f} h idle"
        )
    reasons: dict[tuple[str, str], list[str]] = {}
    for m in data["missing"]:
        reasons.setdefault((m["what"], m["where"]), []).append(m["element"])
    for (what, where), elements in reasons.items():
        say(f"not rated, {what} is missing: {', '.join(elements)}\n  {where}")
    say_remarks(data)


def tooth_stress(
    result: Annotated[Path, typer.Argument(metavar="RESULT", help="A result (.nc) with stored mesh forces and the speed of a machine.")],
    mesh: Annotated[str, typer.Argument(metavar="MESH", help="One of its meshes, such as stage1.sun_planet1.")],
    wheel: Annotated[str | None, typer.Option(help="Which of the two wheels. Without it: the first.")] = None,
    factor: Annotated[float | None, typer.Option(help="Stress over the pressure of Hertz. Without it: 0.5575, the largest von Mises stress below a line contact.")] = None,
    strength: Annotated[str | None, typer.Option(help="S-N line as 'STRESS,CYCLES,EXPONENT[,LIMIT]', such as '1200 MPa,5e7,13,800 MPa'.")] = None,
    method: Annotated[str, typer.Option(help="What is a cycle: each pass from zero (passes), or rainflow from pass to pass (ranges).")] = "passes",
    sharing: Annotated[str | None, typer.Option(help="How pairs share the force: by their stiffness (analytic, fe) or even. Without it: analytic if the teeth are described.")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", callback=writes(".html"), help="Write the page with the stress surface (.html).")] = None,
    json: Json = False,
) -> None:  # fmt: skip
    """Show the stress of every tooth of a wheel (von Mises below its surface, and the pressure of Hertz): four points of the
    path, hunting, damage, stress surface."""
    with mendable():
        from gearwright.analyses.tooth_stress import tooth_stress_of
        from gearwright.pages.tooth_page import tooth_report

        curve = _strength(strength) if strength is not None else None
        data = tooth_stress_of(result, mesh, wheel, factor=factor, strength=curve, method=method, sharing=sharing)
        page = tooth_report(data, output) if output is not None else None
        own, _ = data.pop("own"), data.pop("surface")
        if json:
            print_figures({**data, "stress": own.stress, "time": own.time, "number": own.number, "page": page})
            return
        rows = [
            [
                p["name"],
                number(1e3 * p["s"], 4),
                *(number(1e-6 * p[k]) for k in ("smallest", "mean", "largest", "pressure")),
            ]
            for p in data["points"]
        ]
        table(f"{data['mesh']}: {data['stress']}, {data['factor']:.4g} of the pressure of Hertz [MPa]",
              ["point", "arc s mm", "smallest", "mean", "largest", "Hertz"], rows)  # fmt: skip
        worst = sorted(data["teeth"], key=lambda t: -(t["damage"] if t["damage"] is not None else t["largest"]))[:10]
        rows = [
            [
                str(t["tooth"] + 1),
                str(t["passes"]),
                number(1e-6 * t["mean"]),
                number(1e-6 * t["largest"]),
                number(1e-6 * t["pressure"]),
                number(t["damage"], 3),
            ]
            for t in worst
        ]
        by = "damage" if curve is not None else "stress"
        shown = (
            f"the {len(rows)} of {len(data['teeth'])} teeth with the largest {by}"
            if len(rows) < len(data["teeth"])
            else "all teeth"
        )
        table(f"Teeth of {data['wheel']} (pitch point), {shown} [MPa]",
              ["tooth", "passes", "mean", "largest", "Hertz", "damage"], rows)  # fmt: skip
        say(f"{data['duration_s']:.4g} s of {data['teeth_of_wheel']} teeth stand for {data['tooth_time_s']:.5g} s of one; the same two "
                   f"teeth meet every {data['hunting']} passes")  # fmt: skip
        say(f"force shared among the pairs in contact: {data['sharing']}")
        say_remarks(data)
        if page is not None:
            say(f"page: {page}")


def _strength(text: str) -> Any:
    from gearwright.rating.miner import Strength
    from gearwright.units import DIMENSIONS, UnitError, to_si

    parts = [part.strip() for part in text.split(",")]
    wanted = "STRESS,CYCLES,EXPONENT[,LIMIT] is wanted, such as '1200 MPa,5e7,13,800 MPa'"
    if len(parts) not in (3, 4):
        raise fail(f"--strength {text}: {wanted}")
    try:
        kinds = ("pressure", "number", "number", "pressure")
        numbers = [to_si(part, DIMENSIONS[kind]) for part, kind in zip(parts, kinds, strict=False)]
    except UnitError as error:
        raise fail(f"--strength {text}: {error}{error.hint}; {wanted}") from None
    return Strength.slope(numbers[0], numbers[1], numbers[2], limit=numbers[3] if len(numbers) == 4 else None)


def reliability(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file of limit states (variables, constants, expression), or the name of a shipped one.")],
    samples: Samples = 100_000,
    seed: Annotated[int, typer.Option(help="Seed of the samples.")] = 0,
    engine: Annotated[str | None, typer.Option(help="What searches the design point: openturns or hlrf. Without it: openturns where it is installed.")] = None,
    json: Json = False,
) -> None:  # fmt: skip
    """Find the probability of failure by FORM, with importance factors, sampling as a check, sweeps and series systems."""
    with mendable():
        from gearwright.analyses.reliability import reliability_of_file

        data = reliability_of_file(file, samples=samples, seed=seed, engine=engine)
        if json:
            print_figures(data)
            return
        for state in data["limit_states"]:
            _state(state)
        for sweep in data["sweep"]:
            rows = [
                [f"{point['value']:g}", number(point["beta"]), number(point["probability"], 3)]
                for point in sweep["points"]
            ]
            table(
                f"{sweep['limit_state']}: sensitivity to {sweep['constant']}", [sweep["constant"], "beta", "p_f"], rows
            )
        if data["series"] is not None:
            s = data["series"]
            say(f"series of {len(data['limit_states'])}, of FORM (limit states as planes at their design points): p_f "
                       f"{s['probability']:.4g} (beta {s['beta']:.4f}), bounds of FORM {s['low']:.4g} to {s['high']:.4g}, if independent "
                       f"{s['independent']:.4g}")  # fmt: skip


def _state(state: dict[str, Any]) -> None:
    rows = [[name, v["distribution"], number(v["alpha"], 3), number(v["importance"], 3), f"{v['design']:.6g}"]
            for name, v in state["variables"].items()]  # fmt: skip
    table(f"{state['name']}: beta {state['beta']:.4f}, p_f {state['probability']:.4g} ({state['engine']})",
          ["variable", "distribution", "alpha", "alpha^2", "design point"], rows)  # fmt: skip
    for check in state["checks"]:
        if check["method"] == "hlrf":
            say(f"check hlrf: beta {check['beta']:.4f}")
        elif math.isnan(check["beta"]):
            say(
                f"check {check['method']}, {check['samples']} samples: no failure (p_f below about {3 * check['error']:.1g})"
            )
        else:
            say(f"check {check['method']}, {check['samples']} samples: p_f {check['probability']:.4g} "
                       f"+- {check['error']:.2g} (beta {check['beta']:.4f})")  # fmt: skip


def identify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A fit file (.yaml), a result (.nc), or a recorded file.")],
    channel: Annotated[str | None, typer.Option(help="Channel of the record, such as main.torque.")] = None,
    begin: Annotated[float | None, typer.Option("--from", help="Begin of the stretch, in s.")] = None,
    end: Annotated[float | None, typer.Option("--to", help="End of the stretch, in s.")] = None,
    method: Annotated[str, typer.Option(help="How: one decaying swing fitted to the stretch (decay), or from the peak of the density of a mode under even excitation (spectrum).")] = "decay",
    band: Band = None,
    json: Json = False,
) -> None:  # fmt: skip
    """Find frequency and damping in a record, or fit stiffness and damping of a drivetrain to measured modes or a record."""
    with mendable():
        from gearwright.analyses.identify import identify_fit, identify_record

        if file.suffix in (".yaml", ".yml"):
            if channel or band or begin is not None or end is not None:
                raise fail("--channel, --from, --to and --band belong to records, not to a fit file")
            data = identify_fit(file)
        elif channel is None:
            raise fail("--channel names the series of the record (gearwright inspect lists them)")
        else:
            data = identify_record(file, channel, begin=begin, end=end, method=method, band=band)
        if json:
            print_figures(data)
        elif data["kind"] == "record":
            say(f"{data['channel']}, {data['from']:g} to {data['to']:g} s: {data['frequency']:.5g} +- {2 * data['frequency_error']:.2g} Hz, "
                f"damping {100 * data['damping_ratio']:.4g} +- {200 * data['damping_error']:.2g} % (95 of 100 records; {_of_mode(data)})")  # fmt: skip
        else:
            _fit(data)


def _of_mode(data: dict[str, Any]) -> str:
    """What an identified mode rests on."""
    if data["method"] == "decay":
        return (
            f"decay, {data['swings']} half swings above the noise, {100 * data['share']:.0f} % of the record explained"
        )
    return f"spectrum, {data['swings']} lines"


def _fit(data: dict[str, Any]) -> None:
    rows = [[v["path"], f"{v['value']:.5g}", f"{100 * v['relative_error']:.2g} %", f"{v['start']:.4g}", "at its bound" if v["at_bound"] else ""]
            for v in data["values"]]  # fmt: skip
    table(f"{data['name']}: fitted values (SI)", ["value", "fitted", "standard error", "start", ""], rows)
    rows = [[str(m["mode"]), number(m["target_hz"], 5), number(m["frequency_hz"], 5),
             "" if m["target_damping"] is None else f"{100 * m['target_damping']:.3g}", number(100 * m["damping_ratio"], 3), number(m["mac"], 3)]
            for m in data["modes"]]  # fmt: skip
    if rows:
        table(
            "Modes", ["mode", "measured Hz", "fitted Hz", "measured damping %", "fitted %", "MAC with the start"], rows
        )
    if data["record"] is not None:
        met = data["record"]
        say(
            f"record: correlation {met['correlation']:.5g}, difference {100 * met['rms_over_spread']:.3g} % of its spread"
        )
    say(
        f"chi-square {data['chi_square']:.4g} with {data['freedom']} degrees of freedom, {data['evaluations']} evaluations"
    )
