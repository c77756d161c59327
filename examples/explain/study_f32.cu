// SPDX-License-Identifier: BSL-1.0
//! @file
//! The studies with elements of float.

#include "page_policies.cuh"
#include "study_policy.cuh"

namespace explain {

template <>
study study_policy<float>(request const& r) {
  return study_one_of<float>(page_policies{}, r);
}

}  // namespace explain
