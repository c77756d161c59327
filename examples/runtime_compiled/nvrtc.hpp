// SPDX-License-Identifier: BSL-1.0
//! @file
//! NVRTC's calls in one: from a source to its kernels' code.
#pragma once

#include <nvrtc.h>

#include <cstddef>
#include <string>
#include <vector>

namespace example {

/// What became of a source: code for a GPU where the architecture is sm_*, PTX where it is compute_*.
struct compilation {
  bool succeeded = false;
  std::string code;
  std::vector<std::string> kernels;  // their names in the code
  std::string log;                   // errors and warnings
};

// example-begin options
/// The options that the library's kernels need. The folder gemm/nvrtc has the standard library's headers, of which the
/// toolkit's own include some.
inline std::vector<std::string> nvrtc_options(std::string const& gemm_include, std::string const& cuda_include,
                                              std::string const& architecture) {
  return {"-std=c++20",
          "-default-device",
          "-arch=" + architecture,
          "-I" + gemm_include,
          "-I" + gemm_include + "/gemm/nvrtc",
          "-I" + cuda_include};
}
// example-end

/// Its version, as 13.0.
inline std::string nvrtc_version() {
  int major = 0, minor = 0;
  static_cast<void>(nvrtcVersion(&major, &minor));
  return std::to_string(major) + '.' + std::to_string(minor);
}

/// Compiles the kernels that the expressions name.
inline compilation compile(std::string const& source, std::vector<std::string> const& expressions,
                           std::vector<std::string> const& options) {
  compilation result;
  nvrtcProgram program = nullptr;
  nvrtcResult error = nvrtcCreateProgram(&program, source.c_str(), "source.cu", 0, nullptr, nullptr);
  for (std::string const& expression : expressions) {
    error = error == NVRTC_SUCCESS ? nvrtcAddNameExpression(program, expression.c_str()) : error;
  }
  std::vector<char const*> arguments;
  bool to_ptx = false;
  for (std::string const& option : options) {
    arguments.push_back(option.c_str());
    to_ptx = to_ptx || option.find("arch=compute_") != option.npos;
  }
  if (error == NVRTC_SUCCESS) {
    error = nvrtcCompileProgram(program, static_cast<int>(arguments.size()), arguments.data());
    std::size_t size = 0;
    if (nvrtcGetProgramLogSize(program, &size) == NVRTC_SUCCESS && size > 1) {
      result.log.resize(size);
      static_cast<void>(nvrtcGetProgramLog(program, result.log.data()));
      result.log.pop_back();  // the null
    }
  }
  for (std::string const& expression : expressions) {
    char const* name = nullptr;
    error = error == NVRTC_SUCCESS ? nvrtcGetLoweredName(program, expression.c_str(), &name) : error;
    result.kernels.emplace_back(name != nullptr ? name : "");
  }
  std::size_t size = 0;
  if (error == NVRTC_SUCCESS) {
    error = to_ptx ? nvrtcGetPTXSize(program, &size) : nvrtcGetCUBINSize(program, &size);
  }
  if (error == NVRTC_SUCCESS) {
    result.code.resize(size);
    error = to_ptx ? nvrtcGetPTX(program, result.code.data()) : nvrtcGetCUBIN(program, result.code.data());
  }
  result.succeeded = error == NVRTC_SUCCESS;
  if (!result.succeeded && result.log.empty()) {
    result.log = nvrtcGetErrorString(error);
  }
  static_cast<void>(nvrtcDestroyProgram(&program));
  return result;
}

}  // namespace example
