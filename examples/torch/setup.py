# SPDX-License-Identifier: BSL-1.0
"""Builds the extension beside this file: python3 setup.py build_ext --inplace"""

import os
from pathlib import Path

from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

HERE = Path(__file__).resolve().parent
os.chdir(HERE)
os.environ.setdefault("TORCH_CUDA_ARCH_LIST", "9.0a")


def kernel_sources():
    """One source for each type and storage, and for each type and activation: they compile at the same time."""
    calls = {}
    for element in "float", "double", "__half", "__nv_bfloat16":
        for a in "row", "column":
            for b in "row", "column":
                calls[f"product_{element}_{a}_{b}"] = f"product<{element}, gemm::order::{a}, gemm::order::{b}>"
        for activation in "identity", "relu", "gelu":
            calls[f"linear_{element}_{activation}"] = f"linear<{element}, gemm::{activation}>"
    folder = Path("build", "sources")
    folder.mkdir(parents=True, exist_ok=True)
    for name, call in calls.items():
        path = folder / f"{name}.cu"
        text = f'#include "products.cuh"\ntemplate gemm::status gemm_torch::{call}(gemm_torch::call const&);\n'
        if not path.exists() or path.read_text() != text:  # what is unchanged is not compiled again
            path.write_text(text)
        yield str(path)


setup(
    name="gemm_torch",
    py_modules=["gemm_torch"],
    ext_modules=[
        CUDAExtension(
            "_gemm_torch",
            ["binding.cpp", *kernel_sources()],
            include_dirs=[str(HERE), str(HERE.parents[1] / "include")],
            extra_compile_args={"cxx": ["-O2", "-std=c++20"], "nvcc": ["-O3", "-std=c++20"]},
            # A C++ library that is linked statically stays the extension's own: PyTorch's streams have another one.
            extra_link_args=["-Wl,--exclude-libs,ALL"],
        )
    ],
    cmdclass={"build_ext": BuildExtension},
)
