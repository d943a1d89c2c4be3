"""The user's C compiler: found, asked to build a shared library, and its complaints passed on."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from . import CouplingError

#: folder of the C sources
SOURCES = Path(__file__).resolve().parent / "c"
#: extension of a shared library
SHARED = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
#: longest time a build may take [s]
PATIENCE = 300.0


def find_compiler() -> str:
    """The C compiler: ``$CC``, else cc, gcc or clang.

    Raises CouplingError if there is none.
    """
    given = os.environ.get("CC", "").split()
    for name in ([given[0]] if given else []) or ["cc", "gcc", "clang"]:
        found = shutil.which(name)
        if found:
            return found
    if given:
        raise CouplingError(f"the compiler '{given[0]}' that the variable CC names is not found")
    raise CouplingError(
        "this needs a C compiler, and none of cc, gcc, clang is found; install one (Debian and Ubuntu: apt install gcc; "
        "conda: conda install -c conda-forge c-compiler) or name it in the variable CC"
    )


def build_shared(output: Path, sources: Sequence[Path], objects: Sequence[Path] = (), *, exports: Sequence[str] = (),
                 libraries: Sequence[str] = ()) -> Path:  # fmt: skip
    """Compile C sources and object files into one shared library; returns ``output``.

    ``exports`` are the only names that others see (on systems whose linker takes a version script). The library is
    written beside its place and moved there, so that another process never loads half of it.
    Raises CouplingError with what the compiler said.
    """
    if sys.platform == "win32":
        raise CouplingError("libraries are built on Linux and macOS; on Windows use the subsystem for Linux")
    compiler = find_compiler()
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="gearwright-build-") as folder:
        made = Path(folder) / output.name
        command = [compiler, "-O2", "-std=c99", "-D_GNU_SOURCE", "-fPIC", f"-I{SOURCES}",
                   "-o", str(made)]  # fmt: skip
        command += ["-dynamiclib"] if sys.platform == "darwin" else ["-shared", "-Wl,--no-undefined", "-Wl,-Bsymbolic"]
        if exports and sys.platform != "darwin":
            script = Path(folder) / "exports.map"
            script.write_text("{ global: " + " ".join(f"{e};" for e in exports) + " local: *; };\n")
            command.append(f"-Wl,--version-script={script}")
        command += [str(s) for s in (*sources, *objects)] + [f"-l{x}" for x in libraries] + ["-lm"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            raise CouplingError(f"the compiler '{compiler}' took longer than {PATIENCE:g} s") from None
        except OSError as error:
            raise CouplingError(f"the compiler '{compiler}' cannot be started: {error}") from None
        if done.returncode != 0:
            said = "\n".join(done.stderr.strip().splitlines()[-12:])
            raise CouplingError(f"the compiler '{compiler}' failed on {output.name}:\n{said}")
        target = output.with_name(f".{output.name}.{os.getpid()}")
        shutil.copyfile(made, target)
        target.chmod(0o755)
        os.replace(target, output)
    return output


def build_kept(name: str, sources: Sequence[Path], *, exports: Sequence[str] = (),
               libraries: Sequence[str] = ()) -> Path:  # fmt: skip
    """A library that depends on its sources alone: built once, kept in the user's cache."""
    digest = hashlib.sha256(platform.machine().encode())
    for source in [*sources, *sorted(SOURCES.glob("*.h"))]:
        digest.update(source.read_bytes())
    digest.update(" ".join([*exports, *libraries]).encode())
    path = cache_folder() / f"{name}-{digest.hexdigest()[:16]}{SHARED}"
    if not path.is_file():
        build_shared(path, sources, exports=exports, libraries=libraries)
    return path


def cache_folder() -> Path:
    """Folder of what was built, below ``$GEARWRIGHT_CACHE_DIR`` or the user's cache; only the user may enter it."""
    root = os.environ.get("GEARWRIGHT_CACHE_DIR")
    base = Path(root) if root else Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    folder = base / "gearwright" / "built"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder
