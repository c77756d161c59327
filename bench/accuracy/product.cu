// SPDX-License-Identifier: BSL-1.0
//! @file
//! Makes products and compares results with them, on the device.

#include "product.hpp"

#include <cstddef>
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>

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

__global__ void find_errors(float const* c, double const* exact, double const* magnitude, std::int64_t count,
                            double* result) {
  std::int64_t const stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    result[i] = fabs(static_cast<double>(c[i]) - exact[i]) / (0x1p-24 * magnitude[i]);
  }
}

/// Sorts into one of the buffers, which it returns; NaN, of which all here are positive, comes last.
double const* sorted(double* values, double* others, std::int64_t count) {
  cub::DoubleBuffer<double> buffers(values, others);
  std::size_t bytes = 0;
  require(cub::DeviceRadixSort::SortKeys(nullptr, bytes, buffers, count), "memory to sort errors");
  device_memory const scratch(bytes);
  require(cub::DeviceRadixSort::SortKeys(scratch.data(), bytes, buffers, count), "sorting errors");
  return buffers.Current();
}

double value_at(double const* place) {
  double result = 0;
  require(cudaMemcpy(&result, place, sizeof(result), cudaMemcpyDeviceToHost), "errors");
  return result;
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
  std::int64_t const count = std::int64_t{m_} * n_;
  device_memory const found(bytes(m_, n_, sizeof(double))), others(bytes(m_, n_, sizeof(double)));
  launch(find_errors, blocks, threads, nullptr, c(), exact_.as<double>(), magnitude_.as<double>(), count,
         found.as<double>());
  double const* const all = sorted(found.as<double>(), others.as<double>(), count);
  return {value_at(all + count - 1), value_at(all + (count - 1) / 2)};
}

}  // namespace bench
