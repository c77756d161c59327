// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiled kernels on disk: a file for each, which is there as a whole or not at all.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace example {

/// All that a kernel's code depends on.
struct cubin_key {
  std::string library, compiler, architecture;  // two versions, and sm_90a
  std::vector<std::string> options;
  std::string source, kernel;  // the kernel as an expression
};

/// A kernel's code and its name there.
struct cubin {
  std::string code, kernel;
};

/// A length and a text: what lies one behind the other in a file, and in a key.
inline std::string counted(std::string_view text) { return std::to_string(text.size()) + '\n' + std::string(text); }

inline std::string text_of(cubin_key const& key) {
  std::string text = counted(key.library) + counted(key.compiler) + counted(key.architecture);
  for (std::string const& option : key.options) {
    text += counted(option);
  }
  return text + counted(key.source) + counted(key.kernel);
}

/// The folder of $GEMM_CUBIN_CACHE, else gemm in the user's cache; empty where there is no home either.
inline std::filesystem::path cubin_folder() {
  auto const set = [](char const* name) {
    char const* const value = std::getenv(name);
    return std::filesystem::path(value != nullptr ? value : "");
  };
  if (auto const named = set("GEMM_CUBIN_CACHE"); !named.empty()) {
    return named;
  }
  if (auto const caches = set("XDG_CACHE_HOME"); caches.is_absolute()) {
    return caches / "gemm";
  }
  auto const home = set("HOME");
  return home.empty() ? home : home / ".cache" / "gemm";
}

/// A folder of cubins. Any number of processes may use it at the same time.
class cubin_cache {
 public:
  explicit cubin_cache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// The file of a key. Its name is a hash (FNV-1a), and its text is compared when it is read.
  std::filesystem::path file_of(cubin_key const& key) const {
    std::uint64_t hash = 14695981039346656037U;
    for (char const c : text_of(key)) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    }
    char name[32];
    std::snprintf(name, sizeof(name), "%016llx.cubin", static_cast<unsigned long long>(hash));
    return folder_ / name;
  }

  /// What was stored under this key. A file that is of another one, or is not whole, is not found.
  std::optional<cubin> find(cubin_key const& key) const {
    auto const path = file_of(key);
    std::error_code error;
    auto const size = std::filesystem::file_size(path, error);
    if (folder_.empty() || error) {
      return std::nullopt;
    }
    std::string text(size, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(text.data(), static_cast<std::streamsize>(size));
    std::string_view left = text;
    std::string_view const stored = next_of(left), kernel = next_of(left), code = next_of(left);
    if (!file || stored != text_of(key) || kernel.empty() || code.empty() || !left.empty()) {
      return std::nullopt;
    }
    return cubin{std::string(code), std::string(kernel)};
  }

  /// Stores a cubin under another name in the same folder, then renames it: who looks for it meanwhile finds nothing or
  /// all of it. Of two that do so the last one's remains. An error leaves no file.
  std::error_code store(cubin_key const& key, cubin const& compiled) const {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) {
      return error;
    }
    auto const file = file_of(key);
    std::string other = file.string() + ".XXXXXX";
    int const descriptor = ::mkstemp(other.data());
    if (descriptor < 0) {
      return {errno, std::generic_category()};
    }
    std::string const text = counted(text_of(key)) + counted(compiled.kernel) + counted(compiled.code);
    error = write_all(descriptor, text);
    if (::close(descriptor) != 0 && !error) {
      error.assign(errno, std::generic_category());
    }
    if (!error) {
      std::filesystem::rename(other, file, error);
    }
    if (error) {
      ::unlink(other.c_str());
    }
    return error;
  }

 private:
  /// The first counted text, which is taken away; all are empty from the first on that is not whole.
  static std::string_view next_of(std::string_view& left) {
    std::size_t const end = left.find('\n');
    std::size_t const size = end != left.npos ? std::strtoull(left.data(), nullptr, 10) : left.npos;
    if (end == left.npos || size > left.size() - end - 1) {
      left = {};
      return {};
    }
    std::string_view const text = left.substr(end + 1, size);
    left.remove_prefix(end + 1 + size);
    return text;
  }

  static std::error_code write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
      auto const count = ::write(descriptor, text.data(), text.size());
      if (count < 0) {
        return {errno, std::generic_category()};
      }
      text.remove_prefix(static_cast<std::size_t>(count));
    }
    // Else a power cut might leave the new name with nothing behind it.
    return ::fsync(descriptor) == 0 ? std::error_code{} : std::error_code(errno, std::generic_category());
  }

  std::filesystem::path folder_;
};

}  // namespace example
