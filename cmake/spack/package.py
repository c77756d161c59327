# SPDX-License-Identifier: BSL-1.0
"""The recipe for Spack, as packages/gemm/package.py of a repository of yours. The tarball is the one beside which
`spack install --no-checksum gemm` is called, made by `git archive --prefix=gemm-0.3.0/ -o gemm-0.3.0.tar.gz v0.3.0`.
"""

import os

from spack.package import *


class Gemm(CMakePackage, CudaPackage):
    """Matrix multiplication kernels for CUDA, header-only; with +compiled a library for programs without nvcc."""

    url = f"file://{os.getcwd()}/gemm-0.3.0.tar.gz"
    manual_download = True
    license("BSL-1.0")

    version("0.3.0")

    variant("cuda", default=True, description="The CUDA Toolkit, which programs that include the headers need")
    variant("compiled", default=False, description="Build gemm::compiled", when="+cuda")
    variant("shared", default=True, description="Make gemm::compiled a shared library", when="+compiled")

    depends_on("c", type="build", when="+compiled")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("cuda@12.4:", when="+cuda")

    # Hopper's TMA and wgmma are in sm_90a alone.
    conflicts("cuda_arch=90", msg="gemm: compile for cuda_arch=90a, which has TMA and wgmma")
    conflicts("cuda_arch=none", when="+compiled", msg="gemm: name the GPUs of gemm::compiled by cuda_arch")

    def cmake_args(self):
        arguments = [
            self.define_from_variant("GEMM_BUILD_COMPILED", "compiled"),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
        ]
        if self.spec.satisfies("+compiled"):
            arguments.append(self.define("CMAKE_CUDA_ARCHITECTURES", [f"{a}-real" for a in self.spec.variants["cuda_arch"].value]))
        return arguments
