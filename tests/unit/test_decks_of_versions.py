"""Input files of OpenFAST 3 to 5, of its controllers and of its vortex wake, in the layouts that their documentation prints."""

from __future__ import annotations

import re
import shutil
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import pytest

from gearwright.interchange import inspect, read
from gearwright.interchange.openfast_deck import read_deck
from gearwright.interchange.openfast_file import InputFile
from gearwright.turbine.model import TurbineError

pytestmark = pytest.mark.slow

DECK = Path(__file__).parents[1] / "data" / "turbine" / "deck"
SAMPLES = Path(__file__).parents[1] / "data" / "samples"
BLADE, TOWER = "NRELOffshrBsline5MW_Blade.dat", "NRELOffshrBsline5MW_Onshore_ElastoDyn_Tower.dat"
AERO = "NRELOffshrBsline5MW_AeroDyn_blade.dat"


def rewrite(path: Path, head: str, order: list[str], extra: dict[str, str] | None = None) -> None:
    """The table below ``head`` with its columns in another order, some left out, others beside them."""
    lines = path.read_text(encoding="latin-1").split("\n")
    at = next(i for i, line in enumerate(lines) if line.split()[:1] == [head])
    names = lines[at].split()
    more = extra or {}
    lines[at] = "  ".join([*order, *more])
    for i in range(at + 1, len(lines)):
        words = lines[i].split()
        if len(words) < len(names) or lines[i].startswith("---"):
            break
        units = words[0].startswith("(")
        lines[i] = "  ".join(
            [*(words[names.index(n)] for n in order), *(("(-)" if units else v) for v in more.values())]
        )
    path.write_text("\n".join(lines), encoding="latin-1")


def version_5(folder: Path) -> Path:
    """The deck of the tests as OpenFAST 5.0 has it: no pitch axis, no brackets about indices, further columns of AeroDyn."""
    copy = folder / "deck"
    shutil.copytree(DECK, copy)
    rewrite(copy / BLADE, "BlFract", ["BlFract", "StrcTwst", "BMassDen", "FlpStff", "EdgStff"])
    buoyancy = {"t_c": "0.2", "BlCb": "0.0", "BlCenBn": "0.0", "BlCenBt": "0.0"}
    rewrite(copy / AERO, "BlSpn", ["BlSpn", "BlCrvAC", "BlSwpAC", "BlCrvAng", "BlTwist", "BlChord", "BlAFID"], buoyancy)
    for name in (BLADE, TOWER):
        text = (copy / name).read_text(encoding="latin-1")
        text, changed = re.subn(r"(?m)^(\s*\S+\s+[A-Za-z]\w*)\((\d)\)", r"\1\2", text)
        assert changed > 10
        (copy / name).write_text(text, encoding="latin-1")
    return copy / "nrel-5mw.fst"


def same(one: object, other: object, where: str = "") -> None:
    """Equal to the last digit, part by part."""
    if is_dataclass(one) and not isinstance(one, type):
        for f in fields(one):
            if f.name not in ("name", "source", "notes", "description"):
                same(getattr(one, f.name), getattr(other, f.name), f"{where}.{f.name}")
    elif isinstance(one, dict):
        for key in one:
            same(one[key], other[key], f"{where}.{key}")  # type: ignore[index]
    else:
        np.testing.assert_array_equal(one, other, err_msg=where)  # type: ignore[arg-type]


def test_a_deck_of_version_5_is_the_turbine_of_version_3(tmp_path: Path) -> None:
    old = read_deck(DECK / "nrel-5mw.fst", rated_power=5e6, rated_speed=1.267)
    new = read_deck(version_5(tmp_path), rated_power=5e6, rated_speed=1.267)
    same(old, new)
    assert new.edge.damping_ratio == InputFile(DECK / BLADE).number("BldEdDmp(1)") / 100.0  # per cent in the file


def test_both_spellings_of_an_index_are_one_name(tmp_path: Path) -> None:
    file = InputFile(version_5(tmp_path).parent / BLADE)
    assert file.number("BldEdDmp(1)") == file.number("BldEdDmp1") == InputFile(DECK / BLADE).number("BldEdDmp1")
    assert file.find("BldEdDmp(11)") is None
    file.put("BldEdDmp(1)", "7.5")
    assert any(re.match(r"\s*7\.5\s+BldEdDmp1\s", line) for line in file.lines)  # the spelling of the file stays


def test_a_column_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    main = version_5(tmp_path)
    rewrite(main.parent / BLADE, "BlFract", ["BlFract", "StrcTwst", "BMassDen", "FlpStff"])
    with pytest.raises(
        TurbineError, match=r"line \d+: the table of 'BlFract' has no column 'EdgStff'; it has BlFract, StrcTwst"
    ):
        read_deck(main)


def test_a_turbine_in_water_is_refused(tmp_path: Path) -> None:
    main = version_5(tmp_path)
    with main.open("a") as file:
        file.write(
            "          2   MHK             - MHK turbine type (switch) {0=Not an MHK turbine; 1=Fixed; 2=Floating}\n"
        )
    with pytest.raises(TurbineError, match="MHK is 2: a turbine in water"):
        read_deck(main)


def test_tower_table_with_remarks_behind_its_heads(tmp_path: Path) -> None:
    """The heads of AeroDyn's tower table carry a remark since OpenFAST 3.2; a list of node numbers is a value, heads of sections none."""
    path = tmp_path / "AD.dat"
    path.write_text(
        "------- AERODYN for OpenFAST INPUT FILE ----\nA title\n======  General Options  =====\n"
        "False         Echo               - Echo the input? (flag)\n"
        "          0,          0,          0    NacCenB            - Position of nacelle center of buoyancy (m)\n"
        '======  OLAF -- Free Vortex Wake Options  ==== [used only when WakeMod=3]\n"unused"      OLAFInputFileName  - Input file\n'
        '          2   NumAFfiles         - Number of airfoil files used (-)\n"a/one.dat"    AFNames            - Airfoil file names\n"a/two.dat"\n'
        "          2   NumTwrNds         - Number of tower nodes used in the analysis  (-)\n"
        "TwrElev  TwrDiam  TwrCd  TwrTI  TwrCb  ! TwrTI used only when TwrShadow=2; TwrCb used only when Buoyancy=True\n"
        "(m)  (m)  (-)  (-)  (-)\n0.0  6.0  1.0  1.0E-01  0.0\n2.0E+01  5.5  1.0  1.0E-01  0.0\n"
        "          1,          3,          4    BlOutNd             - Blade nodes whose values will be output  (-)\n"
        '              OutList             - The next lines contain output channels\n"B1N1VDisx, B1N1VDisy"  ! disturbed wind\n"RtSpeed"\n'
        "END of OutList section\nsomething nobody knows\n",
        encoding="utf-8",
    )
    data = read(path)
    assert data["TwrDiam"].values.tolist() == [6.0, 5.5] and data["TwrDiam"].attrs["units"] == "m"
    assert data["BlOutNd"].values.tolist() == [1.0, 3.0, 4.0] and data["NacCenB"].values.tolist() == [0.0] * 3
    assert data["AFNames"].values.tolist() == ["a/one.dat", "a/two.dat"] and "OLAF" not in data
    assert data["OutList"].values.tolist() == ["B1N1VDisx", "B1N1VDisy", "RtSpeed"]
    said = inspect(path).facts["said"]
    assert said == [f"{len(data.data_vars)} values read, 1 line not understood: 21 ('something nobody knows')"]


def test_beamdyn_matrices(tmp_path: Path) -> None:
    """Stations of a blade: a place, six rows of stiffness, six of mass (BeamDyn user's guide, 3.2)."""
    stiffness = [np.diag([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]) * 1e8 * k for k in (1, 2)]
    mass = [np.diag([1.0, 1.0, 1.0, 0.5, 0.5, 0.25]) * k for k in (3, 4)]
    mass[0][1, 5] = -0.25

    def rows(matrix: np.ndarray) -> str:
        return "".join("   " + "   ".join(f"{x:.8E}" for x in row) + "\n" for row in matrix)

    path = tmp_path / "blade.dat"
    path.write_text(
        "------- BEAMDYN V1.00.* INDIVIDUAL BLADE INPUT FILE ---\nA tube\n ---------------------- BLADE PARAMETERS ----\n"
        "2             station_total - Number of blade input stations (-)\n1   damp_type     - Damping type (switch)\n"
        " ---------------------- DISTRIBUTED PROPERTIES---\n"
        + "".join(f"  {place:.6f}\n{rows(k)}\n{rows(m)}\n" for place, k, m in zip((0.0, 1.0), stiffness, mass, strict=True))
    )  # fmt: skip
    data = read(path)
    np.testing.assert_array_equal(data["stiffness_matrix"], stiffness)
    np.testing.assert_array_equal(data["mass_matrix"], mass)
    assert (
        data["station"].values.tolist() == [0.0, 1.0] and data.attrs["unread"] == "5 values read, every line understood"
    )


def test_values_before_an_exclamation_mark(tmp_path: Path) -> None:
    """As ROSCO writes its DISCON.IN: the name stands behind the mark, and a line may hold several numbers."""
    path = tmp_path / "DISCON.IN"
    path.write_text(
        "! Controller parameter input file for the NREL-5MW wind turbine\n!    - File written using ROSCO\n\n"
        "!------- DEBUG ------------------------------------------------------------\n"
        "1                   ! LoggingLevel\t\t- {0: write no debug files, 1: write standard output .dbg-file}\n"
        "0.61500             ! F_LPFCornerFreq >>>  Tuned value was: 0.31500 \t- Corner frequency, [rad/s]\n"
        "0.000000  0.250000  ! F_NotchBetaNumDen\t- Two notch damping values [-]\n"
        '"Cp_Ct_Cq.txt"      ! PerfFileName      - File containing rotor performance tables\n"unused"            ! DLL_FileName - Name\n'
        '"DISCON"            ! DLL_ProcName      - Name of procedure in DLL to be called (-)\n'
    )
    data = read(path)
    assert float(data["F_LPFCornerFreq"]) == 0.615 and data["F_NotchBetaNumDen"].values.tolist() == [0.0, 0.25]
    assert str(data["PerfFileName"].values) == "Cp_Ct_Cq.txt" and str(data["DLL_FileName"].values) == "unused"
    assert data.attrs["unread"] == "6 values read, every line understood"


def test_values_without_a_sign_before_their_text(tmp_path: Path) -> None:
    """As the vortex wake's input file has them (OLAF user's guide, appendix)."""
    path = tmp_path / "OLAF.dat"
    path.write_text(
        "--------------------------- OLAF (cOnvecting LAgrangian Filaments) INPUT FILE -----------------\n5 MW rotor free wake\n"
        "--------------------------- GENERAL OPTIONS ----------\n5       IntMethod          Integration method {5: Forward Euler} (switch)\n"
        "0.2     DTfvw              Time interval for wake propagation. {default: dtaero} (s)\n"
        "default FreeWakeStart      Time when wake is free. (-) value = always free. {default: 0.0} (s)\n"
        ' "NA"   PrescribedCircFile File containing prescribed circulation (quoted string)\nFalse   FWShedVorticity    Include shed vorticity\n'
        "0       nGridOut           Number of grid outputs\nGridName  GridType  TStart\n(-)         (-)      (s)\n------------\n"
    )
    data = read(path)
    assert float(data["IntMethod"]) == 5.0 and float(data["DTfvw"]) == 0.2 and data["DTfvw"].attrs["units"] == "s"
    assert str(data["FreeWakeStart"].values) == "default" and not bool(data["FWShedVorticity"]) and "MW" not in data
    assert data.attrs["unread"] == "9 values read, every line understood"


def real_version_5(folder: Path) -> Path:
    """The 5 MW deck that ROSCO 2.10.6 ships for OpenFAST 5.0, with the polars of the older deck, whose tables are the same."""
    copy = folder / "real"
    shutil.copytree(DECK.with_name("deck-5"), copy)
    shutil.copytree(DECK / "Airfoils", copy / "Airfoils")
    return copy / "NREL-5MW.fst"


@pytest.mark.slow
def test_the_public_deck_of_version_5(tmp_path: Path) -> None:
    """One turbine, kept by one laboratory for versions 3 and 5 of OpenFAST: what its numbers say is the same to the last digit."""
    main = real_version_5(tmp_path)
    text = main.read_text()
    assert "ModCoupling" in text and "PitchAxis" not in (main.parent / BLADE).read_text()
    old = read_deck(DECK / "nrel-5mw.fst", rated_power=5e6, rated_speed=1.267)
    same(old, read_deck(main, rated_power=5e6, rated_speed=1.267))
    for path in sorted(main.parent.glob("*.*")):
        said = inspect(path).facts["said"][0]
        # AeroDyn's blade keeps a node below its table for another use, behind a remark; OpenFAST reads the 19 that are promised
        assert said.endswith("every line understood") != (path.name == AERO), (path.name, said)
        assert path.name != AERO or "1 line not understood: 28 (" in said


def test_several_rotors_are_refused(tmp_path: Path) -> None:
    main = real_version_5(tmp_path)
    main.write_text(main.read_text().replace(" 1   NRotors ", " 2   NRotors "))
    with pytest.raises(TurbineError, match="NRotors is 2: a turbine of one rotor is read"):
        read_deck(main)


def test_titles_are_no_values(tmp_path: Path) -> None:
    """The second line of ROSCO's tidal deck begins with "Floating MHK turbine"; its switch MHK is 2."""
    path = tmp_path / "a.fst"
    path.write_text(
        "------- OpenFAST INPUT FILE ---\nFloating MHK turbine, based on RM1\n   2   MHK   - turbine type (switch)\n"
    )
    assert InputFile(path).number("MHK") == 2.0


def test_values_in_another_file_and_members_of_a_blade(tmp_path: Path) -> None:
    polar = tmp_path / "Cylinder1.dat"
    polar.write_text(
        "! ------------ AirfoilInfo Input File ----------\n! a cylinder\n! ----\n\n"
        '"DEFAULT"     InterpOrd         ! Interpolation order to use for quasi-steady table lookup\n'
        '@"Cylinder1_coords.txt"    NumCoords         ! The number of coordinates in the airfoil shape file.\n'
        "          1   NumTabs           ! Number of airfoil tables in this file.\n"
    )
    data = read(polar)
    assert str(data["NumCoords"].values) == "@Cylinder1_coords.txt" and "every line" in data.attrs["unread"]
    beam = SAMPLES / "FASTIn_BD.dat"
    data = read(beam)
    assert (
        float(data["member(1)"]) == float(data["kp_total"]) == len(data["kp_zr"])
        and "every line" in data.attrs["unread"]
    )
