// SPDX-License-Identifier: BSL-1.0
//! @file
//! The file of a tuning cache: read as a whole, and replaced as a whole by one process at a time.
#pragma once

#include <cuda_runtime.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
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
  file_descriptor(std::string const& path, int flags) : value_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
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

/// The lines of a cache behind its first one. A last line that does not end is left out: it has been cut off, and what
/// is left of a number looks like one.
struct cache_lines {
  std::vector<std::string> whole;
  bool cut_off = false;
};

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

/// Puts a record into the cache in place of those for the same problem, and makes the file where there is none. All
/// other lines stay as they are, those that cannot be read included.
///
/// Writers wait for one another at a lock on the file beside it, path.lock, which the system drops when its holder
/// dies; so none loses what another has found. Readers see the old file or the new one: it is written under another
/// name and then renamed. What is no tuning cache is not touched.
inline status write_cache(std::string const& path, tuning_record const& record) {
  file_descriptor const lock(path + ".lock", O_RDWR | O_CREAT);
  if (!lock) {
    return file_failure("cannot lock", path, errno);
  }
  while (::flock(lock.get(), LOCK_EX) != 0) {
    if (errno != EINTR) {
      return file_failure("cannot lock", path, errno);
    }
  }
  cache_lines lines;
  if (::access(path.c_str(), F_OK) == 0) {
    if (status result = read_cache(path, lines); !result) {
      return result;
    }
  }
  std::string text = std::string(tuning_header) + "\n";
  for (std::string const& line : lines.whole) {
    tuning_record old;
    bool const replaced = has_record(line) && parse_record(line, old).empty() && old.gpu == record.gpu &&
                          old.multiprocessors == record.multiprocessors && old.problem == record.problem;
    text += replaced ? "" : line + "\n";
  }
  text += print_record(record) + "\n";

  std::string const written = path + ".new";  // whoever holds the lock writes it
  {
    file_descriptor const file(written, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
    std::string_view left = text;
    while (file && !left.empty()) {
      ssize_t const count = ::write(file.get(), left.data(), left.size());
      if (count < 0) {
        return file_failure("cannot write", path, errno);
      }
      left.remove_prefix(static_cast<std::size_t>(count));
    }
    if (!file || ::fsync(file.get()) != 0) {  // else a power cut might leave the new name with nothing behind it
      return file_failure("cannot write", path, errno);
    }
  }
  return std::rename(written.c_str(), path.c_str()) == 0 ? status{} : file_failure("cannot replace", path, errno);
}

}  // namespace gemm::detail
