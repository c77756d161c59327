// SPDX-License-Identifier: BSL-1.0
//! @file
//! Runs a property for every policy of the list.
#pragma once

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include "subject.hpp"

namespace test {

/// Calls property(subject) in a section of its own for each policy, so that one failing does not hide the others, and
/// -c "name" runs one.
template <class Types, class Property>
void for_each_subject(Property property) {
  for (subject<Types> const& s : subjects<Types>()) {
    DYNAMIC_SECTION(s.name) { property(s); }
  }
}

}  // namespace test
