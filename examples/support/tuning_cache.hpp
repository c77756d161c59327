// SPDX-License-Identifier: BSL-1.0
//! @file
//! The cache that a tool writes.
#pragma once

#include <string>

#include <gemm/status.hpp>
#include <gemm/tune/cache_file.hpp>
#include <gemm/tune/write_cache.hpp>

#include "arguments.hpp"

namespace tools {

/// The cache that tune() writes: the given one, else that of the environment; empty where there is none. Throws
/// `refused` where it cannot be written, so that a tool says so before it measures or prints anything.
inline std::string writable_cache(std::string const& given) {
  std::string const path = gemm::detail::cache_path(given);
  if (gemm::status const writable = path.empty() ? gemm::status{} : gemm::detail::check_cache(path); !writable) {
    throw refused(writable.message());
  }
  return path;
}

}  // namespace tools
