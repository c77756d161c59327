// SPDX-License-Identifier: BSL-1.0
//! @file
//! The studies with elements of double.

#include "study_policy.cuh"

namespace explain {

template <>
study study_policy<double>(request const& r) {
  return study_one_of<double>(all_policies{}, r);
}

}  // namespace explain
