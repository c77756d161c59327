# SPDX-License-Identifier: BSL-1.0
"""The build backend of the Python package: scikit-build-core, with the project's files in the source distribution."""

import tarfile
from pathlib import Path

from scikit_build_core import build as _build
from scikit_build_core.build import *

HERE = Path(__file__).resolve().parent.parent
PROJECT = HERE / "project" if (HERE / "project").is_dir() else HERE.parents[1]

# What the compiled library is built of.
FILES = ["CMakeLists.txt", "LICENSE", "cmake", "include", "tests/cpu_device"]


def build_sdist(sdist_directory, config_settings=None):
    """That of scikit-build-core, with the project's files below project/."""
    name = _build.build_sdist(sdist_directory, config_settings)
    path = Path(sdist_directory, name)
    root = name.removesuffix(".tar.gz")
    whole = path.with_suffix(".whole")
    with tarfile.open(path) as small, tarfile.open(whole, "w:gz", format=tarfile.PAX_FORMAT) as large:
        for member in small:
            if not member.name.startswith(f"{root}/project/"):
                large.addfile(member, small.extractfile(member) if member.isfile() else None)
        for file in FILES:
            large.add(PROJECT / file, f"{root}/project/{file}", filter=_shared)
    whole.replace(path)
    return name


def _shared(member):
    """The member without its owner; nothing that Python has compiled."""
    if "__pycache__" in member.name:
        return None
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member
