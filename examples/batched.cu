// SPDX-License-Identifier: BSL-1.0
//! @file
//! Strided batches: attention scores of several heads, with one key matrix for all of them. And two calls of cuBLAS.

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

// example-begin sgemm
/// cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc), column-major.
gemm::status sgemm_tn(cudaStream_t stream, int m, int n, int k, float alpha, float const* a, int lda, float const* b,
                      int ldb, float beta, float* c, int ldc) {
  return gemm::run(gemm::transposed(gemm::col_major(a, k, m, lda)), gemm::col_major(b, k, n, ldb),
                   gemm::col_major(c, m, n, ldc), {.alpha = alpha, .beta = beta, .stream = stream});
}
// example-end

// example-begin device_alpha
/// Alpha in device memory, as with CUBLAS_POINTER_MODE_DEVICE: an epilogue that reads it.
struct device_alpha {
  float const* alpha;

  __host__ __device__ float operator()(float value, std::int64_t, std::int64_t) const { return *alpha * value; }
};

gemm::status scaled_product(float const* alpha, float const* a, float const* b, float* c, int n) {
  return gemm::run<gemm::coalesced_32x32>(gemm::row_major(a, n, n), gemm::row_major(b, n, n), gemm::row_major(c, n, n),
                                          device_alpha{alpha});
}
// example-end

namespace {

/// How many elements of the two are wrong, on small integers.
int count_wrong_calls() {
  constexpr int m = 19, n = 35, k = 24, edge = 16;
  std::vector<float> a(m * k), b(n * k), c(m * n, 1.0f);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(static_cast<int>(i * 7 % 13) - 6);
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    b[i] = static_cast<float>(static_cast<int>(i * 5 % 11) - 5);
  }
  example::device_memory const d_a(a), d_b(b), d_c(c), d_square(c), d_alpha(std::vector<float>{3});
  for (gemm::status const& status : {sgemm_tn(nullptr, m, n, k, 2, d_a.data(), k, d_b.data(), k, 3, d_c.data(), m),
                                     scaled_product(d_alpha.data(), d_a.data(), d_b.data(), d_square.data(), edge)}) {
    if (!status) {
      std::printf("%s\n", status.message());
      return 1;
    }
  }
  c = d_c.values();
  int wrong = 0;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      float want = 3;
      for (int l = 0; l < k; ++l) {
        want += 2 * a[static_cast<std::size_t>(i * k + l)] * b[static_cast<std::size_t>(j * k + l)];
      }
      wrong += c[static_cast<std::size_t>(j * m + i)] != want;
    }
  }
  auto const square = d_square.values();
  for (int i = 0; i < edge; ++i) {
    for (int j = 0; j < edge; ++j) {
      float want = 0;
      for (int l = 0; l < edge; ++l) {
        want += 3 * a[static_cast<std::size_t>(i * edge + l)] * b[static_cast<std::size_t>(l * edge + j)];
      }
      wrong += square[static_cast<std::size_t>(i * edge + j)] != want;
    }
  }
  return wrong;
}

}  // namespace

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
  int const wrong_calls = count_wrong_calls();
  std::printf("batched: %d of %zu scores wrong, %d elements of cuBLAS's calls\n", wrong, s.size(), wrong_calls);
  return wrong == 0 && wrong_calls == 0 ? 0 : 1;
}
