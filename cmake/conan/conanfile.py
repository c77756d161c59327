"""The recipe for Conan 2, of the sources that it lies in, as a clone or a tarball has them:

    conan create gemm-0.3.0/cmake/conan

The package is the headers; CUDA, which they need, is the user's. Its CMake files are the library's own.
"""

import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir


class GemmConan(ConanFile):
    name = "gemm"
    description = "Matrix multiplication kernels for CUDA, header-only"
    license = "BSL-1.0"
    topics = ("cuda", "gemm", "matrix-multiplication", "tensor-cores", "header-only")
    package_type = "header-library"
    settings = "os", "compiler", "build_type", "arch"  # of the generator; the package is the same for all
    no_copy_source = True

    def _root(self):
        return os.path.normpath(os.path.join(self.recipe_folder, os.pardir, os.pardir))

    def set_version(self):
        header = load(self, os.path.join(self._root(), "include", "gemm", "version.hpp"))
        self.version = ".".join(re.findall(r"#define GEMM_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "include/*", "share/*", "cmake/*"):
            copy(self, pattern, self._root(), self.export_sources_folder)

    def package_id(self):
        self.info.clear()

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeToolchain(self).generate()
        CMakeDeps(self).generate()

    def build(self):
        CMake(self).configure()

    def package(self):
        CMake(self).install()
        rmdir(self, os.path.join(self.package_folder, "share", "pkgconfig"))

    def package_info(self):
        self.cpp_info.set_property("cmake_find_mode", "none")  # the library's own package file
        self.cpp_info.builddirs = [os.path.join("share", "cmake", "gemm")]
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
