// SPDX-License-Identifier: BSL-1.0
//! @file
//! Where in the source a kernel called the device, for messages and for telling instructions apart.
#pragma once

namespace cpu_device {

/// A place in the source. As a defaulted last parameter, `call_site where = call_site::current()`, it is the caller's
/// place (std::source_location, which clang 14 does not have).
struct call_site {
  char const* file;
  int line;

  static constexpr call_site current(char const* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }

  // Names of one file may differ in address between translation units, but one kernel's threads run the same code.
  friend constexpr bool operator==(call_site const&, call_site const&) = default;
};

}  // namespace cpu_device
