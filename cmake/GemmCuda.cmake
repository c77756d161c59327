# Finds the CUDA headers (required), nvcc (optional) and a GPU (optional), and decides where tests and examples run.
#
# Sets GEMM_CUDA_INCLUDE_DIRS, GEMM_HAVE_NVCC and GEMM_RUN_ON (gpu or cpu). To be included by the top-level list file:
# enable_language() demands it.

find_package(CUDAToolkit QUIET) # looks at the usual prefix, too; check_language() only at PATH and CUDACXX
if(CUDAToolkit_NVCC_EXECUTABLE AND NOT DEFINED CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  # Not CMAKE_CUDA_COMPILER: with it check_language() skips its check, and enable_language() then aborts.
  set(ENV{CUDACXX} "${CUDAToolkit_NVCC_EXECUTABLE}")
endif()
find_program(GEMM_NVIDIA_SMI nvidia-smi)
mark_as_advanced(GEMM_NVIDIA_SMI)
set(GEMM_HAVE_GPU FALSE)
set(_gemm_architectures 80-real 90a-real)
if(GEMM_NVIDIA_SMI)
  execute_process(COMMAND "${GEMM_NVIDIA_SMI}" --query-gpu=compute_cap --format=csv,noheader
    OUTPUT_VARIABLE _gemm_gpus RESULT_VARIABLE _gemm_result ERROR_QUIET)
  string(REGEX MATCHALL "[0-9]+\\.[0-9]+" _gemm_gpus "${_gemm_gpus}")
  if(_gemm_result EQUAL 0 AND _gemm_gpus)
    set(GEMM_HAVE_GPU TRUE)
    list(REMOVE_DUPLICATES _gemm_gpus)
    list(TRANSFORM _gemm_gpus REPLACE "\\." "")
    list(TRANSFORM _gemm_gpus REPLACE "^90$" "90a") # "native" has never the "a"
    list(TRANSFORM _gemm_gpus APPEND "-real" OUTPUT_VARIABLE _gemm_architectures)
  endif()
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES) # nvcc's own default is older than the library supports
  set(CMAKE_CUDA_ARCHITECTURES ${_gemm_architectures} CACHE STRING
    "GPUs that tests, examples and bench are compiled for: by default this machine's")
endif()

include(CheckLanguage)
check_language(CUDA)
set(GEMM_HAVE_NVCC FALSE)
if(CMAKE_CUDA_COMPILER)
  enable_language(CUDA)
  set(GEMM_HAVE_NVCC TRUE)
endif()

# The headers by themselves: a tree without nvcc is no toolkit to FindCUDAToolkit.
find_path(GEMM_CUDA_INCLUDE_DIR cuda_runtime_api.h
  HINTS ${CUDAToolkit_INCLUDE_DIRS} ENV CUDA_HOME ENV CUDA_PATH
  PATH_SUFFIXES include targets/x86_64-linux/include
  DOC "Folder of the CUDA Toolkit's headers")
if(NOT GEMM_CUDA_INCLUDE_DIR)
  message(FATAL_ERROR
    "gemm: no CUDA headers found (cuda_runtime_api.h). Tests and examples run without a GPU and without nvcc, but not "
    "without the toolkit's headers: install the CUDA Toolkit 13, or set CUDA_HOME to a folder that has include/.")
endif()
set(GEMM_CUDA_INCLUDE_DIRS "${GEMM_CUDA_INCLUDE_DIR}")
if(EXISTS "${GEMM_CUDA_INCLUDE_DIR}/cccl/cuda/std/version")
  list(APPEND GEMM_CUDA_INCLUDE_DIRS "${GEMM_CUDA_INCLUDE_DIR}/cccl") # nvcc adds it by itself, a C++ compiler does not
endif()

set(GEMM_DEVICE auto CACHE STRING "Where tests and examples run: auto, gpu or cpu")
set_property(CACHE GEMM_DEVICE PROPERTY STRINGS auto gpu cpu)
if(NOT GEMM_DEVICE MATCHES "^(auto|gpu|cpu)$")
  message(FATAL_ERROR "gemm: GEMM_DEVICE is \"${GEMM_DEVICE}\", must be auto, gpu or cpu.")
endif()

if(GEMM_DEVICE STREQUAL "gpu" AND NOT GEMM_HAVE_NVCC)
  message(FATAL_ERROR "gemm: GEMM_DEVICE is gpu, but there is no nvcc. Put it on PATH, or set CUDACXX to it.")
elseif(GEMM_DEVICE STREQUAL "gpu" OR (GEMM_DEVICE STREQUAL "auto" AND GEMM_HAVE_NVCC AND GEMM_HAVE_GPU))
  set(GEMM_RUN_ON gpu)
  message(STATUS "gemm: tests and examples are for the GPU")
else()
  set(GEMM_RUN_ON cpu)
  if(GEMM_DEVICE STREQUAL "cpu")
    message(STATUS "gemm: tests and examples run on the CPU device, as asked for")
  elseif(GEMM_HAVE_GPU)
    message(STATUS "gemm: there is a GPU but no nvcc, so tests and examples run on the CPU device")
  else()
    message(STATUS "gemm: there is no GPU, so tests and examples run on the CPU device")
  endif()
endif()
