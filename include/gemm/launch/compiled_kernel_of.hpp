// SPDX-License-Identifier: BSL-1.0
//! @file
//! A policy's kernel for problems of some types, found by the compiler.
#pragma once

#include <type_traits>

#include <gemm/block/problem.cuh>
#include <gemm/block/register_operand.cuh>
#include <gemm/block/scale_stage.cuh>
#include <gemm/block/slice_fragments.cuh>
#include <gemm/block/smem_transpose.cuh>
#include <gemm/epilogue/accum_factors.hpp>
#include <gemm/input_types.hpp>
#include <gemm/kernel/outer_product.cuh>
#include <gemm/kernel/persistent.cuh>
#include <gemm/kernel/pipelined.cuh>
#include <gemm/kernel/repack.cuh>
#include <gemm/kernel/skinny.cuh>
#include <gemm/kernel/split_k.cuh>
#include <gemm/kernel/warp_per_product.cuh>
#include <gemm/launch/access_width.hpp>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/occupancy.hpp>
#include <gemm/launch/packed_storage.hpp>
#include <gemm/launch/repack_plan.cuh>
#include <gemm/launch/tma_operands.cuh>
#include <gemm/policy.hpp>

namespace gemm::detail {

/// What is particular to policies that use TMA.
template <class Policy, class Problem>
constexpr void add_tma_facts(compiled_kernel& kernel) {
  using own = typename Problem::storage;
  kernel.transposes_a = transposes_a<Policy, Problem>;
  kernel.transposes_b = transposes_b<Policy, Problem>;
  kernel.smem_transposes = smem_transposes<Policy, Problem>;
  kernel.transposed_fragments = has_register_operand<Policy> && own::b == major::mn;
  kernel.loads_as_stored = loads_as_stored<Policy, Problem>;
  kernel.a = box_of<Policy, own::a, typename Problem::element_a>(Policy::block_m, Policy::info.cluster_n);
  kernel.b = box_of<Policy, own::b, typename Problem::element_b>(Policy::block_n, Policy::info.cluster_m);
}

template <class Policy, class Problem>
inline constexpr compiled_kernel compiled_kernel_of = [] {
  using a = typename Problem::element_a;
  using b = typename Problem::element_b;
  using own = typename Problem::storage;
  constexpr kernel_info const& info = Policy::info;
  compiled_kernel kernel{info};
  kernel.name = gemm::name<Policy>();
  kernel.direct_name = gemm::name<direct<Policy>>();
  kernel.input = input_name<a, b>;
  kernel.input_bytes = static_cast<int>(sizeof(a) > sizeof(b) ? sizeof(a) : sizeof(b));
  kernel.accum_bytes = sizeof(typename Problem::accum);
  kernel.integers = std::is_integral_v<typename Problem::accum>;
  kernel.block_m = Policy::block_m;
  kernel.block_n = Policy::block_n;
  kernel.block_k = Policy::block_k;
  kernel.threads = Policy::threads;
  kernel.shared_bytes = shared_bytes_of<Policy, Problem>();
  kernel.resident = resident<Policy, Problem>;
  kernel.slices_in_fragments = slices_in_fragments<Policy, Problem>;
  kernel.has_registers = !info.spills_with_epilogue || epilogue_facts_of<Problem>::is_plain;
  if constexpr (info.uses_tma() && info.scales_blocks && has_block_scales<Problem>) {
    kernel.has_registers = kernel.has_registers && scale_stage<Policy, Problem>::fits_registers;
  }
  kernel.copies_narrow_on_sm90a = copies_narrow_on_sm90a<Policy, a>;
  if constexpr (info.uses_tma()) {
    add_tma_facts<Policy, Problem>(kernel);
  } else {
    kernel.wide_access_a = wide_access_a<Policy, a, own::a>;
    kernel.wide_access_b = wide_access_b<Policy, b, own::b>;
  }
  return kernel;
}();

}  // namespace gemm::detail
