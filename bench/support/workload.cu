// SPDX-License-Identifier: BSL-1.0
//! @file
//! Allocates and fills the sets of buffers.

#include "workload.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <gemm/random.hpp>

#include "elements.hpp"

namespace bench {

namespace {

/// Uniform in [-1, 1), rounded to T, which makes a 1 of some in the types of 16 bits; integers in [-127, 127). Or small
/// integers in every type.
template <class T>
__global__ void fill_kernel(T* data, std::int64_t count, bool small_integers) {
  using real = std::conditional_t<sizeof(T) == 8, double, float>;
  std::int64_t const stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    std::uint64_t const bits = gemm::random_bits(0, static_cast<std::uint64_t>(i));
    real const value = gemm::uniform_from<real>(bits);
    if (small_integers) {
      data[i] = static_cast<T>(static_cast<real>(gemm::integer_from(bits, -2, 2)));
    } else if constexpr (std::is_integral_v<T>) {
      data[i] = static_cast<T>(double{value} * 127);
    } else {
      data[i] = static_cast<T>(value);
    }
  }
}

/// 1/8, 1/4 or 1/2.
__global__ void fill_scales_kernel(float* scales, std::int64_t count) {
  std::int64_t const stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    std::uint64_t const bits = gemm::random_bits(1, static_cast<std::uint64_t>(i));
    scales[i] = 0.125f * static_cast<float>(1 << gemm::integer_from(bits, 0, 2));
  }
}

constexpr std::size_t alignment = 1024;  // of each buffer: what cudaMalloc promises, and more

std::size_t padded(std::int64_t count, std::size_t size) {
  return (static_cast<std::size_t>(count) * size + alignment - 1) / alignment * alignment;
}

int sets_for(std::size_t bytes_of_set) {
  int device = 0, l2_bytes = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  require(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device), "size of the L2 cache");
  std::size_t const least = std::max(std::size_t{256} << 20, 2 * static_cast<std::size_t>(l2_bytes));
  return static_cast<int>(std::max<std::size_t>(2, least / bytes_of_set + 1));
}

}  // namespace

workload::workload(bench::problem const& p, cudaStream_t stream)
    : problem_(p),
      stream_(stream),
      sets_([&] {
        with_element(p.dtype, [&]<class Element>(Element const&) {
          using output = typename Element::output;
          bytes_a_ = padded(p.batch * p.m * p.k, sizeof(typename Element::input));
          bytes_b_ = padded(p.batch * p.k * p.n, sizeof(typename Element::input));
          bytes_c_ = padded(p.batch * p.m * p.n, sizeof(output));
          bytes_vector_ = p.has_sides ? padded(std::max(p.m, p.n), sizeof(output)) : 0;
        });
        if (p.has_scales) {
          std::int64_t const kb = scale_operands::blocks(p.k), nb = scale_operands::blocks(p.n);
          bytes_scales_a_ = padded(p.m * kb, sizeof(float));
          bytes_scales_b_ = padded(std::max(p.n * kb, scale_operands::block_stride(p.k) * nb), sizeof(float));
          bytes_amax_ = padded(1, sizeof(float));
        }
        bytes_of_set_ = bytes_a_ + bytes_b_ + (p.has_sides ? 3 : 1) * bytes_c_ + bytes_vector_ + bytes_scales_a_ +
                        bytes_scales_b_ + bytes_amax_;
        return sets_for(bytes_of_set_);
      }()),
      pool_(static_cast<std::size_t>(sets_) * bytes_of_set_),
      workspace_(policy_workspace_bytes) {
  // In one launch, C and what is between the buffers included: small problems have ten thousands of sets.
  with_element(p.dtype, [&]<class Element>(Element const&) {
    using input = typename Element::input;
    std::size_t const bytes = static_cast<std::size_t>(sets_) * bytes_of_set_;
    launch(&fill_kernel<input>, 1024, 256, stream, pool_.as<input>(), static_cast<std::int64_t>(bytes / sizeof(input)),
           false);
  });
  for (int index = 0; p.has_scales && index < sets_; ++index) {
    launch(&fill_scales_kernel, 256, 256, stream, const_cast<float*>(set(index).scales.a),
           static_cast<std::int64_t>((bytes_scales_a_ + bytes_scales_b_) / sizeof(float)));
  }
  require(cudaStreamSynchronize(stream), "filling A and B");
}

void workload::fill_first(bool with_integers) const {
  with_element(problem_.dtype, [&]<class Element>(Element const&) {
    using input = typename Element::input;
    launch(&fill_kernel<input>, 1024, 256, stream_, pool_.as<input>(),
           static_cast<std::int64_t>((bytes_a_ + bytes_b_) / sizeof(input)), with_integers);
  });
}

product workload::set(int index) const {
  unsigned char* const a = pool_.as<unsigned char>() + static_cast<std::size_t>(index) * bytes_of_set_;
  unsigned char* const c = a + bytes_a_ + bytes_b_;
  product result{.a = a,
                 .b = a + bytes_a_,
                 .c = c,
                 .transposed_a = problem_.transposed_a,
                 .transposed_b = problem_.transposed_b,
                 .m = problem_.m,
                 .n = problem_.n,
                 .k = problem_.k,
                 .batch = problem_.batch,
                 .stream = stream_,
                 .workspace = {.data = workspace_.data(), .bytes = policy_workspace_bytes}};
  if (problem_.has_sides) {
    result.sides = {.vector = c + 3 * bytes_c_, .residual = c + bytes_c_, .stored = c + 2 * bytes_c_};
  }
  if (problem_.has_scales) {
    unsigned char* const scales = a + bytes_of_set_ - bytes_amax_ - bytes_scales_b_ - bytes_scales_a_;
    result.scales = {.a = reinterpret_cast<float const*>(scales),
                     .b = reinterpret_cast<float const*>(scales + bytes_scales_a_),
                     .amax = reinterpret_cast<float*>(scales + bytes_scales_a_ + bytes_scales_b_)};
  }
  return result;
}

}  // namespace bench
