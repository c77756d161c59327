# gemm_set_language_standard(<interface target> [BUILD_ONLY])
#
# C++20 for the CUDA sources of those who link the target. To be asked of the CMake that builds them, not of the one that
# made the package: CMake 3.25 knows no cuda_std_20 for nvcc 13, and ignores CUDA_STANDARD 20 without a word.
# BUILD_ONLY keeps the answer out of the installed package.
function(gemm_set_language_standard target)
  cmake_parse_arguments(PARSE_ARGV 1 _standard "BUILD_ONLY" "" "")
  set(_wrap "%")
  if(_standard_BUILD_ONLY)
    set(_wrap "$<BUILD_INTERFACE:%>")
  endif()
  if("cuda_std_20" IN_LIST CMAKE_CUDA_COMPILE_FEATURES)
    string(REPLACE "%" "cuda_std_20" _feature "${_wrap}")
    target_compile_features(${target} INTERFACE "${_feature}")
  else()
    string(REPLACE "%" "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>" _option "${_wrap}")
    target_compile_options(${target} INTERFACE "${_option}")
  endif()
endfunction()
