// SPDX-License-Identifier: BSL-1.0
//! @file
//! Operands that were split before a call: the rules they must keep, and the passes that make them.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gemm/block/problem.cuh>
#include <gemm/emulation/enqueue_split.cuh>
#include <gemm/emulation/equilibrated.cuh>
#include <gemm/emulation/fp16x3.cuh>
#include <gemm/emulation/split_plan.hpp>
#include <gemm/extremes.hpp>
#include <gemm/launch/launch_rules.hpp>
#include <gemm/launch/make_problem.hpp>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/policy.hpp>
#include <gemm/prepacked.hpp>
#include <gemm/status.hpp>
#include <gemm/view_rules.hpp>

namespace gemm::detail {

/// The format of a policy's split terms; void where it splits none.
template <class Policy>
struct terms_of_policy {
  using type = void;
};
template <class Policy>
requires(splits_floats<Policy> && !is_equilibrated<Policy>) struct terms_of_policy<Policy> {
  using type = typename Policy::terms;
};
template <>
struct terms_of_policy<fp32_emulated> {
  using type = half_terms<0>;
};

/// The rules for operands that may be prepacked, asserted one after the other.
template <class Policy, class A, class B>
constexpr bool check_prepacked() {
  constexpr auto is_side = []<class M>(std::type_identity<M>, side which) {
    if constexpr (is_prepacked<M>) {
      return M::operand == which;
    }
    return true;
  };
  constexpr bool sides = is_side(std::type_identity<A>{}, side::a) && is_side(std::type_identity<B>{}, side::b);
  static_assert(sides, "gemm: A may be a prepacked_a, and B a prepacked_b. Make the operand's view of the other one.");
  constexpr auto is_for = []<class M>(std::type_identity<M>) {
    if constexpr (is_prepacked<M>) {
      return std::is_same_v<typename M::terms, typename terms_of_policy<Policy>::type>;
    }
    return true;
  };
  constexpr bool terms = is_for(std::type_identity<A>{}) && is_for(std::type_identity<B>{});
  static_assert(
      !sides || terms,
      "gemm: an operand is prepacked for another policy than the call's. Name one for both, as run<Policy> and "
      "prepacked_b<Policy>: fp32_emulated, or an fp16x3 or bf16x6 policy.");
  return sides && terms;
}

/// An operand's rows and what else its terms depend on.
struct line_shape {
  std::int64_t lines, k, matrices;
  bool by_k;

  bool empty() const { return lines <= 0 || k <= 0 || matrices <= 0; }
};

template <class T, order Order, side Side, class Terms>
line_shape shape_of(prepacked_matrix<T, Order, Side, Terms> const& m) {
  constexpr bool is_a = Side == side::a;
  std::int64_t const count = m.view.batch_count;
  return {.lines = is_a ? m.view.rows : m.view.columns,
          .k = is_a ? m.view.columns : m.view.rows,
          .matrices = count > 1 && m.view.batch_stride == 0 ? 1 : count,
          .by_k = is_a == (Order == order::row)};
}

template <class Terms>
fp16x3_plan plan_of(line_shape const& shape) {
  return plan_alone<Terms>(shape.k, shape.matrices, shape.lines, shape.by_k);
}

/// Whether TMA can load an operand's terms.
template <class Terms>
bool has_coordinates(line_shape const& shape) {
  constexpr std::int64_t most = 0x7fffffff;
  return shape.lines <= most && shape.k <= most_depth<Terms> && shape.matrices <= most;
}

/// Bytes of an operand's terms: 0 where no call makes or reads any.
template <class Terms>
std::size_t terms_bytes(line_shape const& shape) {
  return !shape.empty() && has_coordinates<Terms>(shape) ? plan_of<Terms>(shape).bytes : 0;
}

/// The memory of an operand's terms against what they take.
template <class Terms>
status validate_terms(char const* name, workspace const& memory, line_shape const& shape) {
  std::size_t const needed = terms_bytes<Terms>(shape);
  if (needed > 0 && memory.data == nullptr) {
    return broken_rule("the memory of %s's parts is null, needs %zu bytes", name, needed);
  }
  if (reinterpret_cast<std::uintptr_t>(memory.data) % 16 != 0) {
    return broken_rule("the pointer %p of %s's parts is not a multiple of 16 bytes", memory.data, name);
  }
  if (memory.bytes < needed) {
    return broken_rule("the memory of %s's parts has %zu bytes, needs %zu", name, memory.bytes, needed);
  }
  return {};
}

/// The same for an operand of a call, which may be a matrix as it is.
template <class M>
status validate_prepacked(char const* name, M const& m) {
  if constexpr (is_prepacked<M>) {
    return validate_terms<typename M::terms>(name, m.memory, shape_of(m));
  } else {
    return {};
  }
}

/// Where an operand's terms are; nowhere for a matrix as it is.
template <class M>
workspace terms_memory(M const& m) {
  if constexpr (is_prepacked<M>) {
    return m.memory;
  } else {
    return {};
  }
}

template <class A, class B>
prepacked_terms terms_of_call(A const& a, B const& b, bool swapped_ab) {
  return swapped_ab ? prepacked_terms{terms_memory(b), terms_memory(a)}
                    : prepacked_terms{terms_memory(a), terms_memory(b)};
}

/// The rules for a matrix that is to be prepacked, wherever it and its terms lie.
template <class T, order Order, side Side, class Terms>
status validate_prepacked_shape(prepacked_matrix<T, Order, Side, Terms> const& m) {
  using wide = long long;
  constexpr char const* name = Side == side::a ? "A" : "B";
  status const result = validate_view(facts_of(name, Side == side::a ? "lda" : "ldb", m.view));
  line_shape const shape = shape_of(m);
  if (!result || shape.empty()) {
    return result;
  }
  if (!has_coordinates<Terms>(shape) || m.view.batch_count > 0x7fffffff) {
    return broken_rule("%s is %lld x %lld, batch %lld: TMA needs each to be 2^31 - 1 or less, and k %lld", name,
                       wide{m.view.rows}, wide{m.view.columns}, wide{m.view.batch_count}, wide{most_depth<Terms>});
  }
  fp16x3_plan const plan = plan_of<Terms>(shape);
  return check_memory(Side == side::a ? "split A into terms" : "split B into terms", plan.bytes,
                      static_cast<double>(greater(plan.a.blocks, plan.a.second_blocks)));
}

/// The rules that prepack() checks before it enqueues anything.
template <class T, order Order, side Side, class Terms>
status validate_prepack(prepacked_matrix<T, Order, Side, Terms> const& m) {
  using wide = long long;
  constexpr char const* name = Side == side::a ? "A" : "B";
  status const result = validate_prepacked_shape(m);
  line_shape const shape = shape_of(m);
  if (!result || shape.empty()) {
    return result;
  }
  if (m.view.data == nullptr) {
    return broken_rule("%s is null, needs %lld x %lld elements", name, wide{m.view.rows}, wide{m.view.columns});
  }
  return validate_terms<Terms>(name, m.memory, shape);
}

/// Enqueues the passes over one operand that validate_prepack() has passed.
template <class T, order Order, side Side, class Terms>
static status enqueue_prepack(prepacked_matrix<T, Order, Side, Terms> const& m, cudaStream_t stream) {
  line_shape const shape = shape_of(m);
  if (shape.empty()) {
    return {};
  }
  fp16x3_plan const plan = plan_of<Terms>(shape);
  strided<float const> const from{m.view.data, used_ld(m.view, true), shape.matrices == 1 ? 0 : m.view.batch_stride};
  split_operands const params{
      .operand = {split_operand_of(plan.a, static_cast<unsigned char*>(m.memory.data), from), {}},
      .depth = static_cast<int>(shape.k)};
  return enqueue_passes<Terms>(params, plan.lanes, allows_vectors<widest<float>>(from), stream);
}

}  // namespace gemm::detail
