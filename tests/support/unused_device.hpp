// SPDX-License-Identifier: BSL-1.0
//! @file
//! Numbers for devices that a test pretends.
#pragma once

#include <iterator>
#include <stdexcept>

#include "../../examples/support/gpus.hpp"

namespace test {

/// A number that no other device of this process has: the library remembers for each whether it has memory pools. Those
/// before are of test::two_devices and tools::pretend().
inline int unused_device() {
  constexpr int remembered = 64;  // numbers of which the library remembers anything
  static int next = tools::first_number + static_cast<int>(std::size(tools::gpus));
  if (next == remembered) {
    throw std::runtime_error("the tests pretend more devices than the library tells apart");
  }
  return next++;
}

}  // namespace test
