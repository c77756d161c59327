// SPDX-License-Identifier: BSL-1.0
//! @file
//! The reference on the device, at a sample of the elements, and the comparison.

#include "verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cub/device/device_reduce.cuh>
#include <cuda/functional>
#include <cuda/std/functional>
#include <string>
#include <type_traits>
#include <vector>

#include <gemm/random.hpp>
#include <gemm/reference.hpp>

#include "elements.hpp"

namespace bench {

namespace {

constexpr int most_samples = 4096, warps_per_block = 4;

/// Whether tensor cores truncate its sums: fp8.
template <class Element>
constexpr bool truncates = (gemm::detail::cut_off_of<typename Element::input>) > 0;

/// All that is known of an element of C.
struct sample {
  std::int64_t batch, row, column;
  double value = 0, magnitude = 0;                 ///< sum(a b), sum(|a| |b|)
  double got = 0, stored = 0;                      ///< in C, and in what a storing epilogue writes besides
  double of_column = 0, of_row = 0, residual = 0;  ///< what an epilogue may read
};

/// Whether an element is what no correct one is, as a number to be added up: NaN; for int32 all bytes 0x80, about
/// -2^31.
struct poison_in {
  template <class Output>
  __device__ std::int64_t operator()(Output const& element) const {
    if constexpr (std::is_integral_v<Output>) {
      return element == static_cast<std::int32_t>(0x80808080u);
    } else {
      auto const value = static_cast<double>(element);
      return value != value;
    }
  }
};

template <class T>
constexpr int poison_byte = std::is_integral_v<T> ? 0x80 : 0xff;  // all bits set is a NaN in every format

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

/// The scale of an element of A, as docs/scales.md has its layout.
__device__ float scale_of_a(product const& p, scaling scaled, std::int64_t row, std::int64_t l) {
  switch (scaled) {
    case scaling::none:
      return 1;
    case scaling::per_tensor:
      return p.scales.a[0];
    case scaling::per_row:
      return p.scales.a[row];
    default:
      return p.scales.a[l / 128 * p.m + row];
  }
}

/// The scale of an element of B.
__device__ float scale_of_b(product const& p, scaling scaled, std::int64_t l, std::int64_t column) {
  switch (scaled) {
    case scaling::none:
      return 1;
    case scaling::per_tensor:
      return p.scales.b[0];
    case scaling::per_row:
      return p.scales.b[column];
    case scaling::block_1x128_128x128:
      return p.scales.b[column / 128 * scale_operands::block_stride(p.k) + l / 128];
    default:
      return p.scales.b[l / 128 * p.n + column];
  }
}

/// One warp for each sample. Compensated dot products (Ogita, Rump, Oishi, SIAM J. Sci. Comput. 26, 2005), so that the
/// reference serves double as well.
template <class Input, class Output>
__global__ void reference_kernel(product p, scaling scaled, sample* samples, int count) {
  int const index = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32),
            lane = static_cast<int>(threadIdx.x) % 32;
  if (index >= count) {
    return;  // the whole warp
  }
  sample& s = samples[index];
  auto const* const a = static_cast<Input const*>(p.a) + s.batch * p.m * p.k + s.row * (p.transposed_a ? 1 : p.k);
  auto const* const b = static_cast<Input const*>(p.b) + s.batch * p.k * p.n + s.column * (p.transposed_b ? p.k : 1);
  std::int64_t const step_a = p.transposed_a ? p.m : 1, step_b = p.transposed_b ? 1 : p.n;
  long_sum sum;
  double magnitude = 0;
  for (std::int64_t l = lane; l < p.k; l += 32) {
    double const x = static_cast<double>(a[l * step_a]) * double{scale_of_a(p, scaled, s.row, l)};
    double const y = static_cast<double>(b[l * step_b]) * double{scale_of_b(p, scaled, l, s.column)};
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
    std::int64_t const offset = (s.batch * p.m + s.row) * p.n + s.column;
    s.got = static_cast<double>(static_cast<Output const*>(p.c)[offset]);
    if (p.sides.vector != nullptr) {
      auto const* const vector = static_cast<Output const*>(p.sides.vector);
      s.of_column = static_cast<double>(vector[s.column]);
      s.of_row = static_cast<double>(vector[s.row]);
      s.residual = static_cast<double>(static_cast<Output const*>(p.sides.residual)[offset]);
      s.stored = static_cast<double>(static_cast<Output const*>(p.sides.stored)[offset]);
    }
  }
}

struct magnitude_of {
  template <class Output>
  __device__ double operator()(Output const& element) const {
    return fabs(static_cast<double>(element));
  }
};

/// What all elements of C are reduced to, from 0 on.
template <class Result, class Output, class Operation, class Transform>
Result reduce_all(Output const* c, std::int64_t count, Operation operation, Transform transform, cudaStream_t stream) {
  device_memory const reduced(sizeof(Result));
  auto const reduce = [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::TransformReduce(scratch, bytes, c, reduced.as<Result>(), count, operation, transform,
                                              Result{0}, stream);
  };
  std::size_t bytes = 0;
  require(reduce(nullptr, bytes), "memory to reduce C");
  device_memory const scratch(bytes);
  require(reduce(scratch.data(), bytes), "reducing C");
  Result result = 0;
  require(cudaMemcpyAsync(&result, reduced.data(), sizeof(result), cudaMemcpyDeviceToHost, stream), "reducing C");
  require(cudaStreamSynchronize(stream), "the contender or its verification");
  return result;
}

/// Counts what is left of the poison: elements that were not written, or wrongly.
template <class Output>
std::int64_t count_poison(Output const* c, std::int64_t count, cudaStream_t stream) {
  return reduce_all<std::int64_t>(c, count, cuda::std::plus<>{}, poison_in{}, stream);
}

/// Throws where amax, rounded as C is, is not the greatest magnitude in C: rounding keeps the order.
template <class Output>
void compare_amax(product const& p) {
  double const want =
      reduce_all<double>(static_cast<Output const*>(p.c), p.m * p.n, cuda::maximum<>{}, magnitude_of{}, p.stream);
  float got = 0;
  require(cudaMemcpy(&got, p.scales.amax, sizeof(got), cudaMemcpyDeviceToHost), "amax");
  if (static_cast<double>(static_cast<Output>(got)) != want) {
    throw failure("wrong result: amax is " + std::to_string(got) + " instead of " + std::to_string(want));
  }
}

std::vector<sample> choose_samples(product const& p) {
  std::vector<sample> result;
  auto const add = [&](std::int64_t batch, std::int64_t row, std::int64_t column) {
    result.push_back({.batch = batch, .row = row, .column = column});
  };
  for (std::int64_t const batch : {std::int64_t{0}, p.batch - 1}) {
    add(batch, 0, 0);
    add(batch, 0, p.n - 1);
    add(batch, p.m - 1, 0);
    add(batch, p.m - 1, p.n - 1);
  }
  gemm::random_numbers random(static_cast<std::uint64_t>(p.m * 1000003 + p.n));
  auto const below = [&](std::int64_t count) { return random.integer(0, count - 1); };
  constexpr std::int64_t along = most_samples / 8;
  for (std::int64_t i = 0; i < along; ++i) {
    add(below(p.batch), p.m - 1, i * (p.n - 1) / (along - 1));
    add(below(p.batch), i * (p.m - 1) / (along - 1), p.n - 1);
  }
  while (result.size() < most_samples) {
    std::int64_t const batch = below(p.batch), row = below(p.m), column = below(p.n);
    add(batch, row, column);
  }
  return result;
}

/// Fills in what is known of the samples; returns how many elements of C are poison.
template <class Element>
std::int64_t evaluate(product const& p, scaling scaled, std::vector<sample>& samples) {
  using output = typename Element::output;
  auto const count = static_cast<int>(samples.size());
  std::size_t const bytes = samples.size() * sizeof(sample);
  device_memory const on_device(bytes);
  require(cudaMemcpyAsync(on_device.data(), samples.data(), bytes, cudaMemcpyHostToDevice, p.stream), "samples of C");
  launch(&reference_kernel<typename Element::input, output>, (count + warps_per_block - 1) / warps_per_block,
         32 * warps_per_block, p.stream, p, scaled, on_device.as<sample>(), count);
  require(cudaMemcpyAsync(samples.data(), on_device.data(), bytes, cudaMemcpyDeviceToHost, p.stream), "samples of C");
  return count_poison(static_cast<output const*>(p.c), p.batch * p.m * p.n, p.stream);
}

/// The error that a sum may have before its epilogue; integers have none. Of exact sums that of C's rounding.
template <class Element>
double bound_of_sum(sample const& s, std::int64_t k, bool exact) {
  using input = typename Element::input;
  using output = typename Element::output;
  if constexpr (std::is_integral_v<output>) {
    return 0;
  } else if (exact) {
    return gemm::element_traits<output>::unit / 2 * std::abs(s.value);
  } else {
    gemm::expected<input> const want{.value = s.value, .magnitude = s.magnitude};
    return static_cast<double>(gemm::error_bound<input, output>(want, k));
  }
}

/// The worst of what was compared, and the first that is wrong.
struct comparison {
  double worst = 0;
  int wrong = 0;
  std::string first;

  void compare(sample const& s, char const* where, double got, double want, double bound) {
    double const error = std::abs(got - want);
    if (!(error <= bound) && ++wrong == 1) {  // so that a NaN is wrong
      char text[200];
      std::snprintf(text, sizeof(text), ", the first %s(%lld,%lld) of batch %lld = %.9g instead of %.9g +- %.2g", where,
                    static_cast<long long>(s.row), static_cast<long long>(s.column), static_cast<long long>(s.batch),
                    got, want, bound);
      first = text;
    }
    worst = std::max(worst, bound > 0 ? error / bound : 0.0);
  }
};

/// What the sample should be after the contender's epilogue, and how far it may be off: the sum's error, made steeper,
/// and a few roundings of the epilogue's own.
void compare_epilogue(contender const& c, sample const& s, double bound, comparison& result) {
  constexpr double steepest = 1.2, roundings = 16 * 5.96e-8;
  double const want = c.epilogue(
      {.value = s.value, .column = s.of_column, .row = s.of_row, .residual = s.residual, .i = s.row, .j = s.column});
  double const rounding = roundings * (std::abs(s.value) + std::abs(want) + 1);
  result.compare(s, "C", s.got, want, steepest * bound + rounding);
  if (c.stores) {
    result.compare(s, "the stored", s.stored, s.value, bound);
  }
}

/// Runs the contender on the first set and compares; the largest error over what is allowed.
template <class Element>
double compare_first(contender const& c, product const& p, bool exact) {
  using output = typename Element::output;
  auto const bytes = static_cast<std::size_t>(p.batch * p.m * p.n) * sizeof(output);
  require(cudaMemsetAsync(p.c, poison_byte<output>, bytes, p.stream), "poisoning C");
  if (p.sides.stored != nullptr) {
    require(cudaMemsetAsync(p.sides.stored, poison_byte<output>, bytes, p.stream), "poisoning a second C");
  }
  if (c.has_amax) {
    require(cudaMemsetAsync(p.scales.amax, 0, sizeof(float), p.stream), "clearing amax");
  }
  gemm::status const status = c.run(p);
  if (status.code() == gemm::status_code::unsupported_device) {
    throw unsupported(status.message());
  }
  if (!status) {
    throw failure(status.message());
  }
  comparison result;
  std::vector<sample> samples = choose_samples(p);
  std::int64_t const poison = evaluate<Element>(p, c.scaled, samples);
  for (sample const& s : samples) {
    double const bound = bound_of_sum<Element>(s, p.k, exact);
    if (c.epilogue != nullptr) {
      compare_epilogue(c, s, bound, result);
    } else {
      result.compare(s, "C", s.got, s.value, bound);
    }
  }
  if (result.wrong > 0 || poison > 0) {
    throw failure("wrong result: " + std::to_string(result.wrong) + " of " + std::to_string(samples.size()) +
                  " sampled elements" + result.first + "; " + std::to_string(poison) + " of all of C not written");
  }
  if constexpr (truncates<Element>) {
    if (c.has_amax) {
      compare_amax<output>(p);
    }
  }
  return result.worst;
}

}  // namespace

double verify(contender const& c, workload const& w) {
  double result = 0;
  with_element(w.problem().dtype, [&]<class Element>(Element const&) {
    // The bound of sums that are truncated is so wide that a tile of k could be missing.
    if constexpr (truncates<Element>) {
      w.fill_first(true);
      compare_first<Element>(c, w.set(0), true);
      w.fill_first(false);
    }
    result = compare_first<Element>(c, w.set(0), false);
  });
  return result;
}

}  // namespace bench
