// SPDX-License-Identifier: BSL-1.0
//! @file
//! Which thread computes what, by the policies' kernels for float: it does not depend on the type.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "note_owner.cuh"
#include "page_policies.cuh"
#include "probe.cuh"

namespace explain {

namespace {

/// The owners of the elements of one block's tile, by a product of that size and depth 0 with the policy's kernel.
template <class Policy>
std::vector<int> owners() {
  constexpr std::int64_t m = Policy::block_m, n = Policy::block_n;
  record<int> const owner(static_cast<std::size_t>(m * n));
  record<float> const c(static_cast<std::size_t>(m * n));
  float const* const nothing = nullptr;
  gemm::status const status = gemm::run<Policy>(gemm::row_major(nothing, m, 0), gemm::row_major(nothing, 0, n),
                                                gemm::row_major(c.data(), m, n), {}, note_owner{owner.data(), n});
  if (!status) {
    std::fprintf(stderr, "%s\n", status.message());
    std::exit(1);
  }
  return owner.values();
}

}  // namespace

std::vector<int> owners_of(std::string const& policy) {
  return of_policy<std::vector<int>>(page_policies{}, policy, []<class Policy>() { return owners<Policy>(); });
}

}  // namespace explain
