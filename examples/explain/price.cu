// SPDX-License-Identifier: BSL-1.0
//! @file
//! Asks the library for its plans.

#define CPU_DEVICE_EVERY_GPU

#include "price.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include <gemm/gemm.cuh>

#include "../support/unread_product.cuh"
#include "text.hpp"

namespace explain {

namespace {

priced_plan described(gemm::detail::call_plan const& plan, gemm::detail::device_info const& device) {
  using gemm::detail::reduction;
  gemm::detail::plan_price const& price = plan.price;
  return {.policy = plan.kernel->direct_name,
          .slices = plan.split.slices,
          .added = plan.split.slices == 1                       ? ""
                   : plan.split.mode == reduction::cluster      ? "cluster"
                   : plan.split.mode == reduction::last_arriver ? "tail"
                   : plan.split.mode == reduction::block        ? "block"
                                                                : "memory",
          .launch = price.launch,
          .blocks = price.blocks,
          .lines = price.cache_lines,
          .memory = price.memory,
          .slowest = price.slowest,
          .ends = price.ends,
          .reduction = price.reduction,
          .packing = price.packing,
          .price = price.seconds(),
          .measured = gemm::detail::is_measured(device, *plan.kernel)};
}

template <class Choice, class Element, class Storage>
prices prices_of(problem_size const& size, Storage) {
  tools::unread_product<Element, Storage> const product{size.m, size.n, size.k};
  auto const a = product.a();
  auto const p = gemm::detail::problem_of_call<Choice>(a, product.b(), product.c(),
                                                       gemm::detail::options_for<decltype(a)>{}, gemm::identity{});
  using problem = std::remove_const_t<decltype(p)>;
  gemm::detail::known_device const known(nullptr);
  gemm::detail::device_info device;
  if (gemm::status const found = gemm::detail::current_device_info(device); !found) {
    throw std::runtime_error(found.message());
  }
  prices result{.plans = {},
                .type = gemm::element_traits<typename Element::input>::name,
                .choice = std::is_same_v<Choice, gemm::automatic> ? "run" : "run<batch_invariant>",
                .table = device.table->gpu,
                .predicted = device.predicted()};
  constexpr std::size_t any = (std::numeric_limits<std::size_t>::max)();
  auto const& all = gemm::detail::listed_kernels<problem>(gemm::detail::candidates<Choice, problem>{});
  gemm::detail::fixed_bits const bits = gemm::detail::fixes_bits<Choice, problem>
                                            ? gemm::detail::fixed_bits_of(all, p, device)
                                            : gemm::detail::fixed_bits{};
  for (auto const& of : all) {
    gemm::detail::call_plan const plan = gemm::detail::best_plan_of(of, p, device, any, {}, nullptr, bits);
    if (bits.admits(*of.kernel, of.allowed, p) && plan.seconds < std::numeric_limits<double>::infinity() &&
        gemm::detail::check_plan(plan, p)) {
      result.plans.push_back(described(plan, device));
    }
  }
  if (result.plans.empty()) {
    gemm::detail::call_plan none;
    result.refusal = gemm::detail::best_plan(all, false, p, device, any, {}, none, bits).message();
  }
  std::stable_sort(result.plans.begin(), result.plans.end(),
                   [](priced_plan const& x, priced_plan const& y) { return x.price < y.price; });
  return result;
}

template <class Element>
prices prices_of(std::string const& storage, problem_size const& size, bool batch_invariant) {
  return tools::with_storage(storage, [&](auto of) {
    return batch_invariant ? prices_of<gemm::batch_invariant, Element>(size, of)
                           : prices_of<gemm::automatic, Element>(size, of);
  });
}

}  // namespace

prices prices_of(std::string const& type, std::string const& storage, problem_size const& size, bool batch_invariant) {
  auto const of = [&]<class Element>(Element) { return prices_of<Element>(storage, size, batch_invariant); };
  return type == "f64"    ? of(tools::f64{})
         : type == "f16"  ? of(tools::f16{})
         : type == "bf16" ? of(tools::bf16{})
         : type == "i8"   ? of(tools::i8{})
         : type == "e4m3" ? of(tools::e4m3{})
                          : of(tools::f32{});
}

}  // namespace explain
