// SPDX-License-Identifier: BSL-1.0
//! @file
//! Writing a tuning cache: its file is replaced as a whole by one process at a time.
#pragma once

#include <cuda_runtime.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include <gemm/status.hpp>
#include <gemm/tune/cache_file.hpp>
#include <gemm/tune/record.hpp>

namespace gemm::detail {

/// Follows the symbolic links that a path ends in. What it leads to need not exist.
inline status follow_links(std::string const& path, std::string& target) {
  constexpr int most_links = 40;  // as many as Linux follows
  target = path;
  for (int links = 0;; ++links) {
    char text[PATH_MAX];
    ssize_t const length = ::readlink(target.c_str(), text, sizeof(text));
    if (length < 0) {  // with EINVAL where there is no link
      return errno == EINVAL || errno == ENOENT ? status{} : file_failure("cannot read", path, errno);
    }
    if (links == most_links) {
      return file_failure("cannot read", path, ELOOP);
    }
    std::string_view const next(text, static_cast<std::size_t>(length));
    target.resize(next.starts_with('/') ? 0 : target.rfind('/') + 1);  // 0, too, where it has no folder
    target.append(next);
  }
}

/// A cache that is about to be written. Only who holds its lock may do so: a lock on the file beside it, which the
/// system drops when its holder dies.
class cache_writer {
 public:
  explicit cache_writer(std::string const& path)
      : path_(path), links_(follow_links(path, target_)), beside_(target_ + ".new") {}

  /// Takes the lock, and then reads the lines, none where there is no file. What cannot be written is refused, and gets
  /// no lock beside it.
  status begin(cache_lines& lines) {
    status result = links_ ? read(lines) : links_;
    result = result ? lock() : result;
    return result ? read(lines) : result;
  }

  /// Replaces the file as a whole: it is written under another name and then renamed, so that readers see the old one
  /// or the new one. It keeps its mode, and its owner and group where that is permitted.
  status replace(std::string_view text) const {
    status const result = write_beside(text);
    if (result && std::rename(beside_.c_str(), target_.c_str()) == 0) {
      return {};
    }
    status const failure = result ? file_failure("cannot replace", path_, errno) : result;
    ::unlink(beside_.c_str());
    return failure;
  }

  /// Whether replace() could begin.
  status check_folder() const {
    status const result = write_beside({});
    ::unlink(beside_.c_str());
    return result;
  }

 private:
  status read(cache_lines& lines) {
    lines = {};
    exists_ = ::stat(target_.c_str(), &old_) == 0;
    if (!exists_) {
      return errno == ENOENT ? status{} : file_failure("cannot read", path_, errno);
    }
    if (!S_ISREG(old_.st_mode) && !S_ISDIR(old_.st_mode)) {
      return {status_code::file_failure, cudaSuccess, "%s is no regular file, needs to be one to be a tuning cache",
              path_.c_str()};
    }
    status const result = read_cache(path_, lines);
    return result && ::faccessat(AT_FDCWD, target_.c_str(), W_OK, AT_EACCESS) != 0
               ? file_failure("cannot write", path_, errno)
               : result;
  }

  /// Waits for those that hold the lock.
  status lock() {
    std::string const file = target_ + ".lock";
    lock_.emplace(file, O_RDWR);
    if (!*lock_ && errno == ENOENT) {  // Linux opens no file of another user with O_CREAT in a folder such as /tmp
      lock_.emplace(file, O_RDWR | O_CREAT, 0666);
    }
    while (!*lock_ || ::flock(lock_->get(), LOCK_EX) != 0) {
      if (!*lock_ || errno != EINTR) {
        return file_failure("cannot lock", path_, errno);
      }
    }
    return {};
  }

  status write_beside(std::string_view text) const {
    ::unlink(beside_.c_str());  // of a writer that died
    file_descriptor const file(beside_, O_WRONLY | O_CREAT | O_EXCL, exists_ ? 0600 : 0666);
    if (file && exists_) {
      keep_owner(file.get(), 0);
      keep_owner(lock_->get(), 0600);  // so that whoever may write the cache can lock it
    }
    while (file && !text.empty()) {
      ssize_t const count = ::write(file.get(), text.data(), text.size());
      if (count < 0) {
        return file_failure("cannot write", path_, errno);
      }
      text.remove_prefix(static_cast<std::size_t>(count));
    }
    // Without fsync() a power cut might leave the new name with nothing behind it.
    return file && ::fsync(file.get()) == 0 ? status{} : file_failure("cannot write", path_, errno);
  }

  /// Gives a file the cache's owner, group and mode, as far as that is permitted.
  void keep_owner(int file, mode_t besides) const {
    bool const kept =
        ::fchown(file, old_.st_uid, old_.st_gid) == 0 || ::fchown(file, static_cast<uid_t>(-1), old_.st_gid) == 0;
    static_cast<void>(kept);
    static_cast<void>(::fchmod(file, (old_.st_mode & 0777) | besides));
  }

  std::string path_, target_;
  status links_;
  std::string beside_;
  bool exists_ = false;
  struct stat old_ {};
  std::optional<file_descriptor> lock_;
};

/// Whether write_cache() could write a cache, as far as that can be known before. Changes nothing, but makes the file
/// of the lock.
inline status check_cache(std::string const& path) {
  cache_writer writer(path);
  cache_lines lines;
  status const result = writer.begin(lines);
  return result ? writer.check_folder() : result;
}

/// Puts a record into the cache in place of those for the same problem, and makes the file where there is none. All
/// other lines stay as they are, those that cannot be read included. Of a symbolic link that is the file it leads to.
/// Writers wait for one another, so that none loses what another has found.
inline status write_cache(std::string const& path, tuning_record const& record) {
  cache_writer writer(path);
  cache_lines lines;
  if (status result = writer.begin(lines); !result) {
    return result;
  }
  std::string text = std::string(tuning_header) + "\n";
  for (std::string const& line : lines.whole) {
    tuning_record old;
    bool const replaced = has_record(line) && parse_record(line, old).empty() && old.gpu == record.gpu &&
                          old.multiprocessors == record.multiprocessors && old.problem == record.problem;
    text += replaced ? "" : line + "\n";
  }
  text += print_record(record) + "\n";
  return writer.replace(text);
}

}  // namespace gemm::detail
