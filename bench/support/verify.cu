// SPDX-License-Identifier: BSL-1.0
//! @file
//! The reference on the device, at a sample of the elements, and the comparison.

#include "verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <gemm/reference.hpp>

#include "elements.hpp"

namespace bench {

namespace {

constexpr int most_samples = 4096, warps_per_block = 4;

/// An element of C and what is found there.
struct sample {
  std::int64_t row, column;
  double value, magnitude;  ///< sum(a b), sum(|a| |b|)
  double got;
};

/// value + rest, a sum with twice the digits of double.
struct long_sum {
  double value = 0, rest = 0;

  // With the intrinsics: what they round is not contracted to fused multiply-adds.
  __device__ void add(double x) {
    double const sum = __dadd_rn(value, x), shift = __dsub_rn(sum, value);
    rest = __dadd_rn(rest, __dadd_rn(__dsub_rn(value, __dsub_rn(sum, shift)), __dsub_rn(x, shift)));
    value = sum;
  }
  __device__ void add_product(double a, double b) {
    double const product = __dmul_rn(a, b);
    add(product);
    rest = __dadd_rn(rest, __fma_rn(a, b, -product));
  }
};

/// One warp for each sample. Compensated dot products (Ogita, Rump, Oishi, SIAM J. Sci. Comput. 26, 2005), so that the
/// reference serves double as well.
template <class Input, class Output>
__global__ void reference_kernel(product p, sample* samples, int count) {
  int const index = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32),
            lane = static_cast<int>(threadIdx.x) % 32;
  if (index >= count) {
    return;  // the whole warp
  }
  sample& s = samples[index];
  auto const* const a = static_cast<Input const*>(p.a) + s.row * (p.transposed_a ? 1 : p.k);
  auto const* const b = static_cast<Input const*>(p.b) + s.column * (p.transposed_b ? p.k : 1);
  std::int64_t const step_a = p.transposed_a ? p.m : 1, step_b = p.transposed_b ? 1 : p.n;
  long_sum sum;
  double magnitude = 0;
  for (std::int64_t l = lane; l < p.k; l += 32) {
    auto const x = static_cast<double>(a[l * step_a]), y = static_cast<double>(b[l * step_b]);
    sum.add_product(x, y);
    magnitude += fabs(x * y);
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    double const value = __shfl_down_sync(0xffffffffu, sum.value, lanes);
    double const rest = __shfl_down_sync(0xffffffffu, sum.rest, lanes);
    sum.add(value);
    sum.rest += rest;
    magnitude += __shfl_down_sync(0xffffffffu, magnitude, lanes);
  }
  if (lane == 0) {
    s.value = sum.value + sum.rest;
    s.magnitude = magnitude;
    s.got = static_cast<double>(static_cast<Output const*>(p.c)[s.row * p.n + s.column]);
  }
}

/// Counts the NaN: elements that were not written, or wrongly.
template <class Output>
__global__ void count_nan_kernel(Output const* c, std::int64_t count, unsigned long long* result) {
  unsigned long long mine = 0;
  std::int64_t const stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    auto const value = static_cast<double>(c[i]);
    mine += value != value;
  }
  if (mine > 0) {
    atomicAdd(result, mine);
  }
}

std::vector<sample> choose_samples(std::int64_t m, std::int64_t n) {
  std::vector<sample> result;
  auto const add = [&](std::int64_t row, std::int64_t column) {
    result.push_back({.row = row, .column = column, .value = 0, .magnitude = 0, .got = 0});
  };
  add(0, 0);
  add(0, n - 1);
  add(m - 1, 0);
  add(m - 1, n - 1);
  constexpr std::int64_t along = most_samples / 8;
  for (std::int64_t i = 0; i < along; ++i) {
    add(m - 1, i * (n - 1) / (along - 1));
    add(i * (m - 1) / (along - 1), n - 1);
  }
  std::mt19937_64 random(m * 1000003 + n);
  std::uniform_int_distribution<std::int64_t> row(0, m - 1), column(0, n - 1);
  while (result.size() < most_samples) {
    add(row(random), column(random));
  }
  return result;
}

/// Fills in the samples' values; returns the number of NaN in all of C.
template <class Element>
unsigned long long evaluate(product const& p, std::vector<sample>& samples) {
  auto const count = static_cast<int>(samples.size());
  std::size_t const bytes = samples.size() * sizeof(sample);
  device_memory on_device(bytes), nan_count(sizeof(unsigned long long));
  unsigned long long nans = 0;
  require(cudaMemcpyAsync(on_device.data(), samples.data(), bytes, cudaMemcpyHostToDevice, p.stream), "samples of C");
  require(cudaMemsetAsync(nan_count.data(), 0, sizeof(nans), p.stream), "samples of C");
  launch(&reference_kernel<typename Element::input, typename Element::output>,
         (count + warps_per_block - 1) / warps_per_block, 32 * warps_per_block, p.stream, p, on_device.as<sample>(),
         count);
  launch(&count_nan_kernel<typename Element::output>, 1024, 256, p.stream,
         static_cast<typename Element::output const*>(p.c), p.m * p.n, nan_count.as<unsigned long long>());
  require(cudaMemcpyAsync(samples.data(), on_device.data(), bytes, cudaMemcpyDeviceToHost, p.stream), "samples of C");
  require(cudaMemcpyAsync(&nans, nan_count.data(), sizeof(nans), cudaMemcpyDeviceToHost, p.stream), "samples of C");
  require(cudaStreamSynchronize(p.stream), "the contender or its verification");
  return nans;
}

}  // namespace

double verify(contender const& c, workload const& w) {
  double worst = 0;
  with_element(w.problem().dtype, [&]<class Element>(Element const&) {
    using input = typename Element::input;
    product const p = w.set(0);
    // All bits set is a NaN in every floating-point format.
    auto const bytes = static_cast<std::size_t>(p.m * p.n) * sizeof(typename Element::output);
    require(cudaMemsetAsync(p.c, 0xff, bytes, p.stream), "poisoning C");
    gemm::status const status = c.run(p);
    if (status.code() == gemm::status_code::unsupported_device) {
      throw unsupported(status.message());
    }
    if (!status) {
      throw failure(status.message());
    }
    std::vector<sample> samples = choose_samples(p.m, p.n);
    unsigned long long const nans = evaluate<Element>(p, samples);
    int wrong = 0;
    std::string first;
    for (sample const& s : samples) {
      gemm::expected<input> const want{.value = s.value, .magnitude = s.magnitude};
      auto const bound = static_cast<double>(gemm::error_bound(want, p.k));
      double const error = std::abs(s.got - s.value);
      if (!(error <= bound) && ++wrong == 1) {  // so that a NaN is wrong
        char text[160];
        std::snprintf(text, sizeof(text), ", the first C(%lld,%lld) = %.9g instead of %.9g +- %.2g",
                      static_cast<long long>(s.row), static_cast<long long>(s.column), s.got, s.value, bound);
        first = text;
      }
      worst = std::max(worst, error / bound);
    }
    if (wrong > 0 || nans > 0) {
      throw failure("wrong result: " + std::to_string(wrong) + " of " + std::to_string(samples.size()) +
                    " sampled elements" + first + "; " + std::to_string(nans) + " NaN in all of C");
    }
  });
  return worst;
}

}  // namespace bench
