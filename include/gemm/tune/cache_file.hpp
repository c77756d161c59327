// SPDX-License-Identifier: BSL-1.0
//! @file
//! The file of a tuning cache: read as a whole.
#pragma once

#include <cuda_runtime.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <gemm/status.hpp>
#include <gemm/tune/record.hpp>

namespace gemm::detail {

/// A path that is given, or else the environment's; empty where there is neither.
inline std::string cache_path(std::string const& given) {
  char const* const environment = std::getenv("GEMM_TUNING_CACHE");
  return given.empty() && environment != nullptr ? environment : given;
}

inline status file_failure(char const* what, std::string const& path, int error) {
  return {status_code::file_failure, cudaSuccess, "%s the tuning cache %s: %s", what, path.c_str(),
          std::strerror(error)};
}

class file_descriptor {
 public:
  file_descriptor(std::string const& path, int flags, mode_t mode = 0)
      : value_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  file_descriptor(file_descriptor const&) = delete;
  file_descriptor& operator=(file_descriptor const&) = delete;
  ~file_descriptor() {
    if (value_ >= 0) {
      ::close(value_);
    }
  }

  int get() const { return value_; }
  explicit operator bool() const { return value_ >= 0; }

 private:
  int value_;
};

/// The lines of a cache behind its first one. A last line that does not end is left out: it is truncated, and what
/// is left of a number looks like one.
struct cache_lines {
  std::vector<std::string> whole;
  bool cut_off = false;
};

/// An empty file, as mktemp makes one, is a cache without plans.
inline status read_cache(std::string const& path, cache_lines& lines) {
  file_descriptor const file(path, O_RDONLY);
  std::string text;
  char part[4096];
  ssize_t count = file ? 0 : -1;
  while (file && (count = ::read(file.get(), part, sizeof(part))) > 0) {
    text.append(part, static_cast<std::size_t>(count));
  }
  if (count < 0) {
    return file_failure("cannot read", path, errno);
  }
  if (text.empty()) {
    return {};
  }
  std::string_view left = text;
  std::string_view const first = left.substr(0, left.find('\n'));
  if (first != tuning_header || first.size() == left.size()) {
    return {status_code::file_failure,
            cudaSuccess,
            "%s begins with \"%.40s\", needs a line \"%s\" to be a tuning cache",
            path.c_str(),
            std::string(first).c_str(),
            std::string(tuning_header).c_str()};
  }
  left.remove_prefix(first.size() + 1);
  for (std::size_t end = 0; (end = left.find('\n')) != left.npos; left.remove_prefix(end + 1)) {
    lines.whole.emplace_back(left.substr(0, end));
  }
  lines.cut_off = !left.empty();
  return {};
}

}  // namespace gemm::detail
