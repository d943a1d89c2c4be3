"""Numbers of all types in FMUs of others: a unit written here in C, its description by hand, read and set by name."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from gearwright.controllers.fmu_import import Fmu
from gearwright.couplings.fmu import binary_folder
from gearwright.couplings.fmu_show import show_fmu
from gearwright.errors import CouplingError

pytest.importorskip("fmpy")
COMPILER = shutil.which("cc") or shutil.which("gcc")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C compiler")

#: y = 2 x, n = count + 1, b = not a; counts up by every step
TWO = """#include <stddef.h>
#include <stdlib.h>
typedef struct { double x; int count, a; } M;
const char *fmi2GetTypesPlatform(void) { return "default"; }
const char *fmi2GetVersion(void) { return "2.0"; }
void *fmi2Instantiate(const char *a, int b, const char *c, const char *d, const void *e, int f, int g) { return calloc(1, sizeof(M)); }
void fmi2FreeInstance(void *m) { free(m); }
int fmi2SetupExperiment(void *m, int a, double b, double c, int d, double e) { return 0; }
int fmi2DoStep(void *m, double t, double h, int f) { ((M *)m)->count++; return 0; }
int fmi2SetReal(void *v, const unsigned *r, size_t n, const double *x) { M *m = v; for (size_t i = 0; i < n; i++) { if (r[i] != 1) return 3; m->x = x[i]; } return 0; }
int fmi2GetReal(void *v, const unsigned *r, size_t n, double *x) { M *m = v; for (size_t i = 0; i < n; i++) { if (r[i] > 2) return 3; x[i] = r[i] * m->x; } return 0; }
int fmi2SetInteger(void *v, const unsigned *r, size_t n, const int *x) { if (n != 1 || *r != 3) return 3; ((M *)v)->count = *x; return 0; }
int fmi2GetInteger(void *v, const unsigned *r, size_t n, int *x) { if (n != 1 || (*r != 3 && *r != 4)) return 3; *x = ((M *)v)->count + (*r == 4); return 0; }
int fmi2SetBoolean(void *v, const unsigned *r, size_t n, const int *x) { if (n != 1 || *r != 5) return 3; ((M *)v)->a = *x; return 0; }
int fmi2GetBoolean(void *v, const unsigned *r, size_t n, int *x) { if (n != 1 || (*r != 5 && *r != 6)) return 3; *x = *r == 5 ? ((M *)v)->a : !((M *)v)->a; return 0; }
"""
#: what fmpy looks up and no test calls
REST_TWO = {
    "void *m": "EnterInitializationMode ExitInitializationMode Terminate Reset CancelStep",
    "void *m, int a, size_t n, const void *c": "SetDebugLogging",
    "void *m, const void *r, size_t n, void *x": "GetString SetString",
    "void *m, void *s": "GetFMUstate SetFMUstate FreeFMUstate",
    "void *m, void *s, void *n": "SerializedFMUstateSize GetStatus GetRealStatus GetIntegerStatus GetBooleanStatus GetStringStatus",
    "void *m, void *s, void *b, size_t n": "SerializeFMUstate",
    "void *m, void *b, size_t n, void *s": "DeSerializeFMUstate",
    "void *m, const void *r, size_t n, const void *o, void *x": "SetRealInputDerivatives GetRealOutputDerivatives",
    "void *m, const void *a, size_t na, const void *b, size_t nb, const void *x, void *y": "GetDirectionalDerivative",
}
DESCRIBED = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="values" guid="{v}">
<CoSimulation modelIdentifier="values"/>
<TypeDefinitions><SimpleType name="gear"><Enumeration><Item name="low" value="1"/><Item name="high" value="2"/></Enumeration></SimpleType></TypeDefinitions>
<ModelVariables>
<ScalarVariable name="x" valueReference="1" causality="input"><Real start="0"/></ScalarVariable>
<ScalarVariable name="y" valueReference="2" causality="output"><Real/></ScalarVariable>
<ScalarVariable name="count" valueReference="3" causality="input" variability="discrete"><Integer start="0"/></ScalarVariable>
<ScalarVariable name="n" valueReference="4" causality="output" variability="discrete"><Integer/></ScalarVariable>
<ScalarVariable name="a" valueReference="5" causality="input" variability="discrete"><Boolean start="false"/></ScalarVariable>
<ScalarVariable name="b" valueReference="6" causality="output" variability="discrete"><Boolean/></ScalarVariable>
<ScalarVariable name="gear" valueReference="3" causality="local" variability="discrete"><Enumeration declaredType="gear"/></ScalarVariable>
<ScalarVariable name="word" valueReference="7" causality="output" variability="discrete"><String/></ScalarVariable>
</ModelVariables>
<ModelStructure><Outputs><Unknown index="2"/><Unknown index="4"/><Unknown index="6"/><Unknown index="8"/></Outputs></ModelStructure>
</fmiModelDescription>
"""


def _unit(folder: Path, version: str, source: str, description: str) -> Path:
    suffix = ".dylib" if sys.platform == "darwin" else ".so"
    (folder / "values.c").write_text(source)
    subprocess.run(
        [str(COMPILER), "-w", "-fPIC", "-shared", "-o", str(folder / "values.so"), str(folder / "values.c")], check=True
    )
    path = folder / f"values-{version}.fmu"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("modelDescription.xml", description)
        archive.write(folder / "values.so", f"binaries/{binary_folder(version)}/values{suffix}")
    return path


def test_integers_and_booleans_of_a_foreign_unit(tmp_path: Path) -> None:
    rest = "".join(
        f"int fmi2{name}({arguments}) {{ return 0; }}\n"
        for arguments, names in REST_TWO.items()
        for name in names.split()
    )
    path = _unit(tmp_path, "2.0", TWO + rest, DESCRIBED)
    with Fmu(path) as unit:
        unit.start({"x": 1.5, "count": 41, "a": 1.0})
        assert unit.get(["y", "n", "b", "a", "x", "gear"]).tolist() == [3.0, 42.0, 0.0, 1.0, 1.5, 41.0]
        unit.step(0.1, {"x": -2.0, "a": 0})
        assert unit.get(["b", "n", "y"]).tolist() == [1.0, 43.0, -4.0]
        with pytest.raises(
            CouplingError,
            match=r"'count' of 'values-2.0.fmu' is of type Integer: a whole number from -2147483648 .*, not 1.5",
        ):
            unit.step(0.1, {"count": 1.5})
        with pytest.raises(CouplingError, match="'a' of .* is of type Boolean: a whole number from 0 to 1, not 2"):
            unit.step(0.1, {"a": 2})
        with pytest.raises(
            CouplingError, match="'word' of 'values-2.0.fmu' is of type String; numbers are exchanged here"
        ):
            unit.get(["word"])


THREE = """#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
typedef struct { double u[3]; uint8_t level; } M;
const char *fmi3GetVersion(void) { return "3.0"; }
void *fmi3InstantiateCoSimulation(const char *a, const char *b, const char *c, bool d, bool e, bool f, bool g, const void *h, size_t n, void *i, void *j, void *k) { return calloc(1, sizeof(M)); }
void fmi3FreeInstance(void *m) { free(m); }
int fmi3EnterInitializationMode(void *m, bool a, double b, double c, bool d, double e) { return 0; }
int fmi3DoStep(void *m, double t, double h, bool a, bool *b, bool *c, bool *d, double *e) { *b = *c = *d = false; *e = t + h; return 0; }
int fmi3SetFloat64(void *v, const uint32_t *r, size_t n, const double *x, size_t k) { M *m = v; if (n != 1 || *r != 1 || k != 3) return 3; for (int i = 0; i < 3; i++) m->u[i] = x[i]; return 0; }
int fmi3GetFloat64(void *v, const uint32_t *r, size_t n, double *x, size_t k) {
  M *m = v;
  if (n != 1) return 3;
  if (*r == 1 && k == 3) { for (int i = 0; i < 3; i++) x[i] = m->u[i]; return 0; }
  if (*r == 2 && k == 6) { for (int i = 0; i < 6; i++) x[i] = 10 * (i / 3) + m->u[i % 3]; return 0; }
  return 3;
}
int fmi3SetUInt8(void *v, const uint32_t *r, size_t n, const uint8_t *x, size_t k) { ((M *)v)->level = *x; return 0; }
int fmi3GetUInt8(void *v, const uint32_t *r, size_t n, uint8_t *x, size_t k) { *x = ((M *)v)->level; return 0; }
"""
DESCRIBED_THREE = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="values" instantiationToken="{v}">
<CoSimulation modelIdentifier="values"/>
<ModelVariables>
<Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
<Float64 name="u" valueReference="1" causality="input" start="0 5 0"><Dimension start="3"/></Float64>
<Float64 name="w" valueReference="2" causality="output"><Dimension start="2"/><Dimension start="3"/></Float64>
<UInt8 name="level" valueReference="3" causality="input" start="0"/>
</ModelVariables>
<ModelStructure><Output valueReference="2"/></ModelStructure>
</fmiModelDescription>
"""


def test_arrays_of_a_foreign_unit_go_by_element(tmp_path: Path) -> None:
    import fmpy.fmi3

    source = THREE
    names = [n for n in _functions(Path(fmpy.fmi3.__file__).read_text()) if f"{n}(" not in source]
    source += "".join(f"int {name}() {{ return 0; }}\n" for name in names)
    path = _unit(tmp_path, "3.0", source, DESCRIBED_THREE)
    with Fmu(path) as unit:
        assert unit.inputs == ("u[1]", "u[2]", "u[3]", "level") and unit.start_of("u[2]") == "5"
        assert unit.outputs == ("w[1,1]", "w[1,2]", "w[1,3]", "w[2,1]", "w[2,2]", "w[2,3]")
        unit.start({"u[1]": 1.0, "u[3]": 3.0, "level": 255})
        assert unit.get(["w[1,1]", "w[2,3]", "u[3]", "level"]).tolist() == [1.0, 13.0, 3.0, 255.0]
        unit.step(0.1, {"u[2]": 2.0})
        assert unit.get(["w[2,2]", "w[1,3]"]).tolist() == [12.0, 3.0]
        with pytest.raises(CouplingError, match=r"has no variable 'w'; it has u\[1\], .*"):
            unit.get(["w"])
        with pytest.raises(
            CouplingError, match="'level' of .* is of type UInt8: a whole number from 0 to 255, not 256"
        ):
            unit.step(0.1, {"level": 256})


def _functions(text: str) -> list[str]:
    import re

    return sorted(set(re.findall(r"['\"](fmi3[A-Z]\w+)['\"]", text)))


def test_a_file_that_occurs_twice_is_named(tmp_path: Path) -> None:
    path = tmp_path / "twice.fmu"
    with zipfile.ZipFile(path, "w") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("modelDescription.xml", "<a/>")
        archive.writestr("modelDescription.xml", "<b/>")
    for reader in (show_fmu, Fmu):
        with pytest.raises(CouplingError, match="'modelDescription.xml' twice"):
            reader(path)
