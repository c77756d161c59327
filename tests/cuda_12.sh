#!/bin/sh
# tests/cuda_12.sh [VERSION...]
#
# Compiles the library with CUDA 12.4, the oldest that it supports, and 12.9, or with these. Runs nothing, and needs no
# GPU. PyPI's packages of CUDA 12 have no nvcc, but what it consists of besides its driver: every kernel family is
# compiled by NVRTC and ptxas, for sm_80 and sm_90a. What the host does is compiled by the C++ compiler for the CPU
# device, with CUDA 12's headers: calls of every element type. The packages are installed below build/cuda_12.
set -eu
cd "$(dirname "$0")/.."
cxx=${CXX:-g++}

# toolkit VERSION FOLDER: a folder of headers and NVRTC.
toolkit() {
  [ ! -e "$2/complete" ] || return 0
  rm -rf "$2"
  mkdir -p "$2/include"
  "${PYTHON:-python3}" -m pip install --quiet --disable-pip-version-check --no-deps --target "$2/packages" \
    "nvidia-cuda-nvcc-cu12==$1.*" "nvidia-cuda-runtime-cu12==$1.*" "nvidia-cuda-nvrtc-cu12==$1.*" \
    "nvidia-cuda-cccl-cu12==$1.*"
  for part in nvcc runtime nvrtc cccl; do
    cp -R "$2/packages/nvidia/cuda_$part/include/." "$2/include"
  done
  mv "$2/packages/nvidia/cuda_nvrtc/lib" "$2/lib"
  rm -rf "$2/packages"
  touch "$2/complete"
}

for version in ${*:-12.4 12.9}; do
  folder=$PWD/build/cuda_12/$version
  toolkit "$version" "$folder"
  printf '== CUDA %s: host code\n' "$version"
  for source in every_type one_call; do
    "$cxx" -x c++ -std=c++20 -fsyntax-only -Wall -Wextra -Werror -Wno-unknown-pragmas -Wno-psabi -Itests/cpu_device \
      -Iinclude -isystem "$folder/include" "tests/headers/$source.cu"
  done
  printf '== CUDA %s: kernels\n' "$version"
  "$cxx" -std=c++20 -isystem "$folder/include" tests/nvrtc/nvrtc_test.cpp -o "$folder/nvrtc_test" \
    "$folder/lib/libnvrtc.so.12" "-Wl,-rpath,$folder/lib"
  for architecture in sm_80 sm_90a; do
    "$folder/nvrtc_test" include "$folder/include" families "$architecture" tests/nvrtc/families.cu
  done
done
