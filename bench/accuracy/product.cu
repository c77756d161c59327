// SPDX-License-Identifier: BSL-1.0
//! @file
//! Makes products and compares results with them, on the device.

#include "product.hpp"

#include <cstddef>
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>

#include <gemm/element.hpp>
#include <gemm/random.hpp>
#include <gemm/reference.hpp>

namespace bench {

namespace {

constexpr int blocks = 1024, threads = 256;

/// What the kinds of elements are for a type: exponents of 2, and factors.
struct element_range {
  int wide, lines, k, k_far;
  double nearly;  // relative distance of what cancels
  double greatest, of_greatest, least, of_least;
};
template <class T>
constexpr element_range range_of{20, 40, 12, 30, 0x1p-12, 0x1.fp127, 0x1p-24, 0x1p-128, 0x1p10};
template <>
constexpr element_range range_of<__nv_bfloat16>{20, 40, 12, 30, 0x1p-6, 0x1.fp127, 0x1p-24, 0x1p-128, 0x1p10};
template <>
constexpr element_range range_of<__half>{10, 12, 6, 12, 0x1p-9, 65504, 1, 0x1p-16, 0x1p10};
template <>
constexpr element_range range_of<__nv_fp8_e4m3>{6, 6, 3, 6, 0x1p-2, 448, 1, 0x1p-6, 0x1p7};

/// 2^-most to 2^most, the same for the same index.
__device__ double power_of(std::uint64_t index, int most) {
  return exp2(static_cast<double>(gemm::integer_from(gemm::random_bits(5, index), -most, most)));
}

/// An element of line `line` of A, or of B, with k running fastest; `first` is the index of the operand's first.
__device__ double element_of(element_range const& range, elements kind, bool is_b, std::int64_t line, std::int64_t l,
                             std::int64_t k, std::uint64_t first) {
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
      return uniform * exp2(floor((2 * range.wide + 1) * other) - range.wide);
    case elements::normal:
      return sqrt(-2 * log(1 - unit)) * cospi(2 * other);
    case elements::scaled_lines:
      return uniform * power_of(static_cast<std::uint64_t>(line) * 2 + (is_b ? 1 : 0), range.lines);
    case elements::scaled_k:
    case elements::scaled_k_far: {
      double const power = power_of(static_cast<std::uint64_t>(l), kind == elements::scaled_k ? range.k : range.k_far);
      return is_b ? uniform / power : uniform * power;
    }
    case elements::cancelling:
      return again && !is_b ? -unit * (1 + (other - 0.5) * range.nearly) : unit;
    case elements::near_overflow:
      return uniform * (is_b ? range.of_greatest : range.greatest);
    case elements::denormal:
      return uniform * (is_b ? range.of_least : range.least);
  }
  return 0;
}

template <class T>
__global__ void fill(T* data, std::int64_t count, std::int64_t k, std::uint64_t first, elements kind, bool is_b) {
  constexpr element_range range = range_of<T>;
  std::int64_t const stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    data[i] = gemm::detail::convert<T>(static_cast<float>(element_of(range, kind, is_b, i / k, i % k, k, first)));
  }
}

template <class T>
__global__ void widen(T const* from, double* to, std::int64_t count, bool magnitudes) {
  std::int64_t const stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    double const value = gemm::detail::widen(from[i]);
    to[i] = magnitudes ? fabs(value) : value;
  }
}

/// gemm::error_bound: of_magnitude |A| |B| + of_value |C| + least.
struct linear_bound {
  double of_magnitude, of_value, least;
};
template <class T, class Out>
linear_bound bound_of(std::int64_t k, std::int64_t promotion) {
  auto const at = [&](double value, double magnitude) {
    return gemm::error_bound<T, Out>({value, magnitude}, k, promotion);
  };
  double const least = at(0, 0);
  return {at(0, 1) - least, at(1, 0) - least, least};
}

/// Each element's error, and of the ratios to the bound the largest. Bits of doubles that are not negative are ordered
/// as they are, and NaN is the greatest.
template <class Out>
__global__ void find_errors(Out const* c, double const* exact, double const* magnitude, std::int64_t count,
                            linear_bound bound, double* result, unsigned long long* most_of_bound) {
  std::int64_t const stride = std::int64_t{gridDim.x} * blockDim.x;
  unsigned long long most = 0;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    double const error = fabs(static_cast<double>(gemm::detail::widen(c[i])) - exact[i]);
    double const allowed = bound.of_magnitude * magnitude[i] + bound.of_value * fabs(exact[i]) + bound.least;
    result[i] = error / (0x1p-24 * magnitude[i]);
    most = max(most, static_cast<unsigned long long>(__double_as_longlong(fabs(error / allowed))));
  }
  atomicMax(most_of_bound, most);
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

template <class T>
void multiply_doubles(cublasHandle_t handle, exact_product<T> const& p, bool magnitudes, double* c) {
  std::int64_t const count_a = std::int64_t{p.m()} * p.k(), count_b = std::int64_t{p.n()} * p.k();
  device_memory const a(static_cast<std::size_t>(count_a) * sizeof(double)),
      b(static_cast<std::size_t>(count_b) * sizeof(double));
  launch(widen<T>, blocks, threads, nullptr, p.a(), a.as<double>(), count_a, magnitudes);
  launch(widen<T>, blocks, threads, nullptr, p.b(), b.as<double>(), count_b, magnitudes);
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

template <class T>
exact_product<T>::exact_product(cublasHandle_t handle, elements kind, int m, int n, int k)
    : m_(m),
      n_(n),
      k_(k),
      a_(bytes(m, k, sizeof(T))),
      b_(bytes(k, n, sizeof(T))),
      c_(bytes(m, n, sizeof(float))),
      exact_(bytes(m, n, sizeof(double))),
      magnitude_(bytes(m, n, sizeof(double))) {
  std::int64_t const count_a = std::int64_t{m} * k;
  launch(fill<T>, blocks, threads, nullptr, a_.template as<T>(), count_a, std::int64_t{k}, std::uint64_t{0}, kind,
         false);
  launch(fill<T>, blocks, threads, nullptr, b_.template as<T>(), std::int64_t{k} * n, std::int64_t{k},
         static_cast<std::uint64_t>(count_a), kind, true);
  multiply_doubles(handle, *this, false, exact_.template as<double>());
  multiply_doubles(handle, *this, true, magnitude_.template as<double>());
}

template <class T>
void exact_product<T>::clear() const {
  require(cudaMemset(c_.data(), 0xff, bytes(m_, n_, sizeof(float))), "cudaMemset");
}

template <class T>
template <class Out>
errors exact_product<T>::measure(std::int64_t promotion) const {
  std::int64_t const count = std::int64_t{m_} * n_;
  device_memory const found(bytes(m_, n_, sizeof(double))), others(bytes(m_, n_, sizeof(double))), most(sizeof(double));
  require(cudaMemset(most.data(), 0, sizeof(double)), "cudaMemset");
  launch(find_errors<Out>, blocks, threads, nullptr, c<Out>(), exact_.template as<double>(),
         magnitude_.template as<double>(), count, bound_of<T, Out>(k_, promotion), found.as<double>(),
         most.as<unsigned long long>());
  double const* const all = sorted(found.as<double>(), others.as<double>(), count);
  return {value_at(all + count - 1), value_at(all + (count - 1) / 2), value_at(most.as<double>())};
}

template class exact_product<float>;
template errors exact_product<float>::measure<float>(std::int64_t) const;
template class exact_product<__half>;
template errors exact_product<__half>::measure<float>(std::int64_t) const;
template class exact_product<__nv_bfloat16>;
template errors exact_product<__nv_bfloat16>::measure<float>(std::int64_t) const;
template class exact_product<__nv_fp8_e4m3>;
template errors exact_product<__nv_fp8_e4m3>::measure<float>(std::int64_t) const;
template errors exact_product<__nv_fp8_e4m3>::measure<__nv_bfloat16>(std::int64_t) const;

}  // namespace bench
