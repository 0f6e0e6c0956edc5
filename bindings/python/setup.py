"""Builds the extension `cobloc._engine`, with the library in it or beside it.

The library comes from the first of these that there is:

- ``COBLOC_BUILD=DIR``: a build folder of cobloc; its static library goes into the extension.
- ``COBLOC_INSTALLED=1``: an installed library, which pkg-config finds; the extension links to it.
- the sources of cobloc, beside this folder or inside a source distribution: they are built, and the
  static library goes into the extension.
- an installed library, as above.

A wheel with the static library needs no libcobloc where it is used, but the Debian libraries that
cobloc stands on (libzip, jansson, cairo, ...).
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
# The oldest Python whose stable interface is enough: one wheel serves this and all later ones.
LIMITED_API, TAG = "0x03080000", "cp38"
SOURCES = ["CMakeLists.txt", "LICENSE", "cmake", "include", "packaging", "scripts", "src"]


def library_sources():
    """The folder with the sources of the library; None where there is none."""
    folders = [HERE / "library", HERE.parent.parent]
    if os.environ.get("COBLOC_BUILD"):
        cache = (Path(os.environ["COBLOC_BUILD"]) / "CMakeCache.txt").read_text()
        found = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", cache, re.MULTILINE)
        folders = [Path(found.group(1))] if found else folders
    for folder in folders:
        if (folder / "CMakeLists.txt").exists() and (folder / "include" / "cobloc.h").exists():
            return folder
    return None


def version():
    folder = library_sources()
    if folder:
        text = (folder / "include" / "cobloc" / "base.h").read_text()
        parts = [re.search(rf"COBLOC_VERSION_{p} (\d+)", text) for p in ("MAJOR", "MINOR", "PATCH")]
        return ".".join(part.group(1) for part in parts if part)
    return pkg_config("--modversion")[0]


def pkg_config(*arguments):
    out = subprocess.run(["pkg-config", *arguments, "cobloc"], check=True, capture_output=True,
                         text=True)
    return shlex.split(out.stdout)


def pkg_config_has_cobloc():
    return (shutil.which("pkg-config") is not None
            and subprocess.run(["pkg-config", "--exists", "cobloc"]).returncode == 0)


class BuildEngine(build_ext):
    """Finds or builds the library before the extension."""

    def build_extension(self, ext):
        sources = library_sources()
        if os.environ.get("COBLOC_BUILD"):
            self.link_static(ext, Path(os.environ["COBLOC_BUILD"]).resolve())
        elif sources and not os.environ.get("COBLOC_INSTALLED"):
            self.link_static(ext, self.build_library(sources))
        elif pkg_config_has_cobloc():
            ext.extra_compile_args += pkg_config("--cflags")
            ext.extra_link_args += pkg_config("--libs")
        else:
            sys.exit("There is no libcobloc: neither its sources beside this package, nor an installed "
                     "one that pkg-config knows.")
        super().build_extension(ext)

    def build_library(self, sources):
        build = Path(self.build_temp).resolve() / "library"
        subprocess.run(["cmake", "-S", sources, "-B", build, "-DCMAKE_BUILD_TYPE=Release",
                        "-DCOBLOC_TESTS=OFF"], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "cobloc_static", "--parallel",
                        str(os.cpu_count() or 1)], check=True)
        return build

    def link_static(self, ext, build):
        """Takes the archive, and what it needs as pkg-config's file of the library says it."""
        described = {}
        for line in (build / "packaging" / "cobloc.pc").read_text().splitlines():
            key, colon, value = line.partition(": ")
            if colon:
                described[key] = value
        needed = shlex.split(described.get("Libs.private", ""))
        required = described.get("Requires.private", "").replace(",", " ").split()
        if required:
            out = subprocess.run(["pkg-config", "--libs", *required], check=True,
                                 capture_output=True, text=True)
            needed += shlex.split(out.stdout)
        folder = library_sources()
        if folder:
            ext.include_dirs.append(str(folder / "include"))
        ext.extra_objects.append(str(build / "libcobloc.a"))
        ext.extra_link_args += needed
        if os.environ.get("COBLOC_HOOKS"):  # of tests: allocations that fail
            ext.define_macros.append(("COBLOC_FAILING_ALLOCATIONS", "1"))


class Sdist(sdist):
    """Puts the library's sources into the source distribution."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        folder = library_sources()
        for name in SOURCES if folder else []:
            target = Path(base_dir) / "library" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if (folder / name).is_dir():
                shutil.copytree(folder / name, target, dirs_exist_ok=True)
            else:
                shutil.copy2(folder / name, target)


setup(
    version=version(),
    ext_modules=[
        Extension(
            "cobloc._engine",
            sources=sorted(str(f.relative_to(HERE)) for f in (HERE / "engine").glob("*.c")),
            depends=["engine/engine.h"],
            define_macros=[("Py_LIMITED_API", LIMITED_API)],
            extra_compile_args=["-std=c11", "-fvisibility=hidden", *shlex.split(
                os.environ.get("COBLOC_CFLAGS", ""))],
            py_limited_api=True,
        )
    ],
    cmdclass={"build_ext": BuildEngine, "sdist": Sdist},
    options={"bdist_wheel": {"py_limited_api": TAG}},
)
