// SPDX-License-Identifier: BSL-1.0
//! @file
//! Runs a property for every policy of the list.
#pragma once

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdlib>

#include "share.hpp"
#include "subject.hpp"

namespace test {

/// Calls property(subject) in a section of its own for each policy, so that one failing does not hide the others, and
/// -c "name" runs one. The environment's GEMM_TEST_SHARE chooses among the policies (share_of).
template <class Types, class Property>
void for_each_subject(Property property) {
  share const mine = share_of(std::getenv("GEMM_TEST_SHARE"), Catch::getResultCapture().getCurrentTestName());
  auto const& all = subjects<Types>();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (mine.has(i)) {
      DYNAMIC_SECTION(all[i].name) { property(all[i]); }
    }
  }
}

}  // namespace test
