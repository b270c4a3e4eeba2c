"""Puts the toolkit's library into the package, and sets the wheel's platform: any Python 3 of this system."""

import re
import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

HERE = Path(__file__).resolve().parent
LIBRARY = HERE / "src" / "inertial" / "lib" / "libCInertial.so"
VERSION = HERE.parent / "Sources" / "Tools" / "Jobs" / "ToolVersion.swift"


def version() -> str:
    return re.search(r'"([0-9][^"]*)"', VERSION.read_text())[1]


class BuildWithLibrary(build_py):
    """Builds the library if it is missing."""

    def run(self) -> None:
        if not LIBRARY.exists():
            subprocess.run([str(HERE.parent / ".ci" / "packaging" / "build-python-library")], check=True)
        super().run()


class AnyPython(bdist_wheel):
    """A wheel for any Python 3, as the library does not use Python's C interface."""

    def get_tag(self) -> "tuple[str, str, str]":
        return ("py3", "none", super().get_tag()[2])


class WithLibrary(Distribution):
    def has_ext_modules(self) -> bool:
        return True


setup(
    version=version(),
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": AnyPython},
    distclass=WithLibrary,
)
