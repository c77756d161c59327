// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the calls of groups.py return: 0 or a message, and the names of policies.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gemm/choose/choice.hpp>
#include <gemm/status.hpp>

namespace bench {

/// Writes a policy's name, of up to 63 characters.
inline char const* named(gemm::choice const& found) {
  static thread_local char name[64];
  std::size_t const length = found.policy.size() < 63 ? found.policy.size() : 63;
  for (std::size_t i = 0; i < length; ++i) {
    name[i] = found.policy[i];
  }
  name[length] = '\0';
  return name;
}

/// An address that lies apart and is not read.
inline void* at(std::uintptr_t part) { return reinterpret_cast<void*>(part << 40); }

/// 0, or what run() says is written to `message`, which has 256 characters.
inline int result_of(gemm::status const& status, char* message) {
  if (status) {
    return 0;
  }
  char const* from = status.message();
  for (int i = 0; i < 255 && (message[i] = from[i]) != '\0'; ++i) {
  }
  message[255] = '\0';
  return 1;
}

}  // namespace bench
