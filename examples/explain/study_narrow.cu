// SPDX-License-Identifier: BSL-1.0
//! @file
//! The studies with elements that are widened on their way: half, bfloat16, int8.

#include "study_policy.cuh"

namespace explain {

template <>
study study_policy<__half>(request const& r) {
  return study_one_of<__half>(all_policies{}, r);
}

template <>
study study_policy<__nv_bfloat16>(request const& r) {
  return study_one_of<__nv_bfloat16>(all_policies{}, r);
}

template <>
study study_policy<std::int8_t>(request const& r) {
  return study_one_of<std::int8_t>(all_policies{}, r);
}

}  // namespace explain
