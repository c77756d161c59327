// SPDX-License-Identifier: BSL-1.0
//! @file
//! Makes products and compares results with them, on the device.

#include "product.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <gemm/random.hpp>

namespace bench {

namespace {

constexpr int blocks = 1024, threads = 256;

/// 2^-most to 2^most, the same for the same index.
__device__ double power_of(std::uint64_t index, int most) {
  return exp2(static_cast<double>(gemm::integer_from(gemm::random_bits(5, index), -most, most)));
}

/// An element of line `line` of A, or of B, with k running fastest; `first` is the index of the operand's first.
__device__ double element_of(elements kind, bool is_b, std::int64_t line, std::int64_t l, std::int64_t k,
                             std::uint64_t first) {
  bool const again = kind == elements::cancelling && l >= k / 2 && l < k / 2 * 2;
  auto const place = static_cast<std::uint64_t>(line * k + (again ? l - k / 2 : l));
  std::uint64_t const random = gemm::random_bits(0, first + place);
  double const unit = gemm::unit_from(random), other = gemm::unit_from(gemm::random_bits(random, 0)),
               uniform = 2 * unit - 1;
  switch (kind) {
    case elements::uniform:
      return uniform;
    case elements::positive:
      return unit;
    case elements::wide:
      return uniform * exp2(floor(41 * other) - 20);
    case elements::normal:
      return sqrt(-2 * log(1 - unit)) * cospi(2 * other);
    case elements::scaled_lines:
      return uniform * power_of(static_cast<std::uint64_t>(line) * 2 + (is_b ? 1 : 0), 40);
    case elements::scaled_k_12:
    case elements::scaled_k_30: {
      double const power = power_of(static_cast<std::uint64_t>(l), kind == elements::scaled_k_12 ? 12 : 30);
      return is_b ? uniform / power : uniform * power;
    }
    case elements::cancelling:
      return again && !is_b ? -unit * (1 + (other - 0.5) * 0x1p-12) : unit;
    case elements::near_overflow:
      return uniform * (is_b ? 0x1p-24 : 0x1.fp127);
    case elements::denormal:
      return uniform * (is_b ? 0x1p10 : 0x1p-128);
  }
  return 0;
}

__global__ void fill(float* data, std::int64_t count, std::int64_t k, std::uint64_t first, elements kind, bool is_b) {
  std::int64_t const stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    data[i] = static_cast<float>(element_of(kind, is_b, i / k, i % k, k, first));
  }
}

__global__ void widen(float const* from, double* to, std::int64_t count, bool magnitudes) {
  std::int64_t const stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    to[i] = magnitudes ? fabs(static_cast<double>(from[i])) : static_cast<double>(from[i]);
  }
}

/// Errors are counted by their logarithm, 64 classes an octave from 2^-24 to 2^24.
constexpr int classes_of_octave = 64, least = 24, classes = 2 * least * classes_of_octave;

struct counts {
  unsigned of_class[classes];
  unsigned long long most;  // the bits of a double, which are ordered as the numbers are
};

__global__ void count_errors(float const* c, double const* exact, double const* magnitude, std::int64_t count,
                             counts* result) {
  __shared__ unsigned of_class[classes];
  for (int i = static_cast<int>(threadIdx.x); i < classes; i += threads) {
    of_class[i] = 0;
  }
  __syncthreads();
  unsigned long long most = 0;
  std::int64_t const stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    double const error = fabs(static_cast<double>(c[i]) - exact[i]) / (0x1p-24 * magnitude[i]);
    double const place = error > 0 ? (log2(error) + least) * classes_of_octave : 0;
    int const last = place > 0 ? static_cast<int>(fmin(place, classes - 1.0)) : 0;
    atomicAdd(&of_class[last], 1U);
    auto const bits = static_cast<unsigned long long>(__double_as_longlong(error));
    most = bits > most ? bits : most;  // NaN is above all
  }
  atomicMax(&result->most, most);
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < classes; i += threads) {
    if (of_class[i] != 0) {
      atomicAdd(&result->of_class[i], of_class[i]);
    }
  }
}

void multiply_doubles(cublasHandle_t handle, float_product const& p, bool magnitudes, double* c) {
  std::int64_t const count_a = std::int64_t{p.m()} * p.k(), count_b = std::int64_t{p.n()} * p.k();
  device_memory const a(static_cast<std::size_t>(count_a) * sizeof(double)),
      b(static_cast<std::size_t>(count_b) * sizeof(double));
  launch(widen, blocks, threads, nullptr, p.a(), a.as<double>(), count_a, magnitudes);
  launch(widen, blocks, threads, nullptr, p.b(), b.as<double>(), count_b, magnitudes);
  double const one = 1, zero = 0;
  if (cublasDgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, p.n(), p.m(), p.k(), &one, b.as<double>(), p.k(), a.as<double>(),
                  p.k(), &zero, c, p.n()) != CUBLAS_STATUS_SUCCESS) {
    throw failure("cublasDgemm");
  }
  require(cudaDeviceSynchronize(), "the product in double");
}

std::size_t bytes(int rows, int columns, std::size_t size) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) * size;
}

}  // namespace

float_product::float_product(cublasHandle_t handle, elements kind, int m, int n, int k)
    : m_(m),
      n_(n),
      k_(k),
      a_(bytes(m, k, sizeof(float))),
      b_(bytes(k, n, sizeof(float))),
      c_(bytes(m, n, sizeof(float))),
      exact_(bytes(m, n, sizeof(double))),
      magnitude_(bytes(m, n, sizeof(double))) {
  std::int64_t const count_a = std::int64_t{m} * k;
  launch(fill, blocks, threads, nullptr, a_.as<float>(), count_a, std::int64_t{k}, std::uint64_t{0}, kind, false);
  launch(fill, blocks, threads, nullptr, b_.as<float>(), std::int64_t{k} * n, std::int64_t{k},
         static_cast<std::uint64_t>(count_a), kind, true);
  multiply_doubles(handle, *this, false, exact_.as<double>());
  multiply_doubles(handle, *this, true, magnitude_.as<double>());
}

void float_product::clear() const { require(cudaMemset(c_.data(), 0xff, bytes(m_, n_, sizeof(float))), "cudaMemset"); }

errors float_product::measure() const {
  device_memory const memory(sizeof(counts));
  require(cudaMemset(memory.data(), 0, sizeof(counts)), "cudaMemset");
  std::int64_t const count = std::int64_t{m_} * n_;
  launch(count_errors, blocks, threads, nullptr, c(), exact_.as<double>(), magnitude_.as<double>(), count,
         memory.as<counts>());
  std::vector<counts> found(1);
  require(cudaMemcpy(found.data(), memory.data(), sizeof(counts), cudaMemcpyDeviceToHost), "errors");
  std::int64_t below = 0;
  int middle = 0;
  while (middle < classes - 1 && below + found[0].of_class[middle] < (count + 1) / 2) {
    below += found[0].of_class[middle++];
  }
  double const most = __builtin_bit_cast(double, found[0].most);
  return {most, std::isfinite(most) ? std::exp2((middle + 0.5) / classes_of_octave - least)
                                    : std::numeric_limits<double>::quiet_NaN()};
}

}  // namespace bench
