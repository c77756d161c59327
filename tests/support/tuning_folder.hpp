// SPDX-License-Identifier: BSL-1.0
//! @file
//! What tests of tuning need: a folder of their own, and records.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include <gemm/tune/load.hpp>

namespace test {

/// A folder that is removed at the end of a scope.
class tuning_folder {
 public:
  tuning_folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gemm_tuning_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw std::runtime_error("no folder " + pattern);
    }
    path_ = pattern;
  }
  tuning_folder(tuning_folder const&) = delete;
  tuning_folder& operator=(tuning_folder const&) = delete;
  ~tuning_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string path(char const* name = "cache") const { return (path_ / name).string(); }

  /// Makes a file; returns its path.
  std::string write(std::string const& text, char const* name = "cache") const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

  std::string read(char const* name = "cache") const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::filesystem::path path_;
};

/// A record for a float product on the current device: nn, aligned, without slices.
inline gemm::detail::tuning_record record_of(std::int64_t m, std::int64_t n, std::int64_t k, char const* policy) {
  int device = 0;
  gemm::detail::gpu_identity gpu;
  if (cudaGetDevice(&device) != cudaSuccess || !gemm::detail::identify_gpu(device, gpu)) {
    throw std::runtime_error("no device");
  }
  return {
      .gpu = gpu.name,
      .multiprocessors = gpu.multiprocessors,
      .problem =
          {.input = "float", .output = "float", .storage = "nn", .aligned = true, .m = m, .n = n, .k = k, .batch = 1},
      .plan = {.policy = policy, .slices = 1, .nanoseconds = 5000}};
}

/// A cache with these records.
template <class... Records>
std::string cache_of(Records const&... records) {
  std::string text{gemm::detail::tuning_header};
  ((text.append("\n").append(gemm::detail::print_record(records))), ...);
  return text.append("\n");
}

}  // namespace test
