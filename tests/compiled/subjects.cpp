// SPDX-License-Identifier: BSL-1.0
//! @file
//! The C interface as a subject of the properties: of each pair of types that the library has.

#include <gemm/gemm.h>

#include <string>
#include <tuple>
#include <vector>

#include "../support/subject.hpp"
#include "call.hpp"

namespace test {

namespace {

template <class Types>
gemm::status run_compiled(call<Types> const& x) {
  gemm_matrix const a = descriptor_of(x.a), b = descriptor_of(x.b), c = descriptor_of(x.c);
  gemm_call call = gemm_default_call(&a, &b, &c);
  call.alpha = static_cast<double>(x.alpha);
  call.beta = static_cast<double>(x.beta);
  call.stream = x.stream;
  gemm_status status = {sizeof(status), 0, 0, ""};
  gemm_run(&call, &status);
  return {static_cast<gemm::status_code>(status.code), static_cast<cudaError_t>(status.cuda_error), "%s",
          status.message};
}

}  // namespace

/// A subject of small tiles, which only decide the sizes of the products; none of types that are not compiled.
template <class Types>
std::vector<subject<Types>> const& subjects() {
  static std::vector<subject<Types>> const all = [] {
    std::vector<subject<Types>> found;
    if (has_all_storages<Types>()) {
      found.push_back({.name = "gemm_run",
                       .block_m = 32,
                       .block_n = 48,
                       .block_k = 16,
                       .threads = 256,
                       .stages = 2,
                       .has_chain = false,
                       .splits_floats = false,
                       .run = &run_compiled<Types>});
    }
    return found;
  }();
  return all;
}

namespace {

template <class... Types>
constexpr auto addresses(std::tuple<Types...> const*) {
  return std::tuple{&subjects<Types>...};
}

/// What has an address is compiled.
[[gnu::used]] constexpr auto compiled = addresses(static_cast<all_types const*>(nullptr));

}  // namespace

}  // namespace test
