// SPDX-License-Identifier: BSL-1.0
//! @file
//! A product of a call of several ranks in two steps: what may be done before they meet, and the rest.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gemm/block/sharded_problem.cuh>
#include <gemm/choose/call.cuh>
#include <gemm/distributed/load_kernel.cuh>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/repack.cuh>
#include <gemm/launch/scratch.cuh>
#include <gemm/launch/sharded.cuh>
#include <gemm/launch/split_k.cuh>
#include <gemm/options.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// Has the kernels loaded that pack operands.
template <class Policy, class Problem>
static status load_repack(repack_plan const& plan) {
  using own = typename Problem::storage;
  using copied = packed_storage<Policy, Problem>;
  using word = copied_word<sizeof(typename Problem::element_a)>;
  return plan.bytes == 0 ? status{} : load_kernel(&repack_kernel<word, own::a != copied::a, own::b != copied::b>);
}

/// What a plan does before its product, and the product: as enqueue_plan() does both. Operands of a product of shards
/// are packed before ranks meet; those of another one may not be there yet.
template <class Policy, splits Splits, class Problem>
struct plan_steps {
  static auto packed(Problem const& p, call_plan const& plan, void* memory) {
    if constexpr (repacks<Policy>) {
      return problem_of_packed<Policy>(p, plan.packing, memory);
    } else {
      return p;
    }
  }
  static status prepare(Problem const& p, call_plan const& plan, void* memory, cudaStream_t stream) {
    auto const kernels = kernels_of<Policy, std::remove_cvref_t<decltype(packed(p, plan, memory))>>();
    status result = load_kernel(plan.launch.better ? kernels.better : kernels.always, plan.launch.shared_bytes);
    if constexpr (Splits.in_workspace) {
      using packed_problem = std::remove_cvref_t<decltype(packed(p, plan, memory))>;
      result =
          result && plan.split.mode == reduction::workspace ? load_kernel(&add_slices_kernel<packed_problem>) : result;
    }
    if constexpr (repacks<Policy>) {
      result = !result               ? result
               : is_sharded<Problem> ? enqueue_repack<Policy>(p, plan.packing, memory, stream)
                                     : load_repack<Policy, Problem>(plan.packing);
    }
    return result;
  }
  static status multiply(Problem const& p, call_plan const& plan, void* memory, cudaStream_t stream) {
    if constexpr (!is_sharded<Problem>) {
      return enqueue_plan<Policy, Splits>(p, plan, memory, stream);
    } else {
      void* const slices = static_cast<unsigned char*>(memory) + plan.slices_begin;
      return enqueue_product<Policy, Splits>(packed(p, plan, memory), plan.launch, plan.split, slices, stream);
    }
  }
};

/// Those of each kernel of a list, by plan::index.
template <class Problem>
struct plan_functions {
  enqueue_function<Problem> prepare, multiply;
};
template <class Problem, class... Policies, splits... Splits>
static plan_functions<Problem> plan_functions_of(candidate_list<candidate<Policies, Splits>...>, int index) {
  static constexpr plan_functions<Problem> all[] = {
      {&plan_steps<Policies, Splits, Problem>::prepare, &plan_steps<Policies, Splits, Problem>::multiply}...};
  return all[index];
}

/// A product with its plan and memory, before anything is launched.
template <class Policy, class Problem>
class planned_product {
 public:
  planned_product(Problem const& p, workspace const& given, cudaStream_t stream)
      : p_(p),
        stream_(stream),
        result_(plan_call<Policy>(p, prepacked_terms{}, &given, plan_)),
        memory_(given, result_ ? plan_.bytes : 0, stream) {
    if (result_ && memory_.error() != cudaSuccess) {
      result_ = plan_without_memory<Policy>(p_, prepacked_terms{}, memory_.error(), plan_);
    }
    if (awaits_a<Problem> && result_ && plan_.packing.a.matrices > 0) {
      result_ = broken_rule("%s would copy A before it is there: use automatic, sm80_mma or pipelined",
                            plan_.kernel->name.data());
    }
  }
  gemm::status const& status() const { return result_; }
  call_plan const& plan() const { return plan_; }
  /// Leaves rows of the own shard from `rows` on to another launch.
  void end_own_shard(std::int64_t rows) { p_.own_rows = rows; }
  /// What may be done before ranks meet, so that nothing has to be loaded or allocated after it.
  gemm::status prepare() { return functions().prepare(p_, plan_, memory_.data(), stream_); }
  gemm::status multiply() { return functions().multiply(p_, plan_, memory_.data(), stream_); }

 private:
  auto functions() const {
    return plan_functions_of<Problem>(typename kernels_of_call<Policy, Problem>::type{}, plan_.index);
  }

  Problem p_;
  cudaStream_t stream_;
  call_plan plan_;
  gemm::status result_;
  scratch memory_;
};

}  // namespace gemm::detail
