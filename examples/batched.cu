// SPDX-License-Identifier: BSL-1.0
//! @file
//! Strided batches: attention scores of several heads, with one key matrix for all of them.

#include <cstdio>
#include <vector>

#include <gemm/gemm.cuh>

#include "device_memory.hpp"

namespace {

constexpr int heads = 5, queries = 33, keys = 47, width = 24;

}  // namespace

// example-begin
/// scores[h] = queries[h] keys^T for every head h, in one launch. The heads' queries are interleaved, row by row; the
/// keys are shared, and transposed without moving them.
gemm::status scores(float const* q, float const* k, float* s) {
  auto const all_queries = gemm::batched(gemm::row_major(q, queries, width, heads * width), heads, width);
  auto const shared_keys = gemm::transposed(gemm::row_major(k, keys, width));
  return gemm::run(all_queries, shared_keys, gemm::batched(gemm::row_major(s, queries, keys), heads));
}
// example-end

int main() {
  std::vector<float> q(queries * heads * width), k(keys * width), s(heads * queries * keys);
  for (std::size_t i = 0; i < q.size(); ++i) {
    q[i] = static_cast<float>(static_cast<int>(i * 7 % 13) - 6);
  }
  for (std::size_t i = 0; i < k.size(); ++i) {
    k[i] = static_cast<float>(static_cast<int>(i * 5 % 11) - 5);
  }
  example::device_memory const d_q(q), d_k(k), d_s(s);
  gemm::status const status = scores(d_q.data(), d_k.data(), d_s.data());
  if (!status) {
    std::printf("%s\n", status.message());
    return 1;
  }
  s = d_s.values();
  int wrong = 0;
  for (int h = 0; h < heads; ++h) {
    for (int i = 0; i < queries; ++i) {
      for (int j = 0; j < keys; ++j) {
        float want = 0;
        for (int l = 0; l < width; ++l) {
          want += q[static_cast<std::size_t>((i * heads + h) * width + l)] * k[static_cast<std::size_t>(j * width + l)];
        }
        wrong += s[static_cast<std::size_t>((h * queries + i) * keys + j)] != want;
      }
    }
  }
  std::printf("batched: %d of %zu scores wrong\n", wrong, s.size());
  return wrong == 0 ? 0 : 1;
}
