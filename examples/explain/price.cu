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
                   : plan.split.mode == reduction::in_turn      ? "in turn"
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

template <class Element, class Storage>
prices prices_of(problem_size const& size, Storage) {
  tools::unread_product<Element, Storage> const product{size.m, size.n, size.k};
  auto const a = product.a();
  auto const p = gemm::detail::problem_of_call<gemm::automatic>(
      a, product.b(), product.c(), gemm::detail::options_for<decltype(a)>{}, gemm::identity{});
  using problem = std::remove_const_t<decltype(p)>;
  gemm::detail::known_device const known(nullptr);
  gemm::detail::device_info device;
  if (gemm::status const found = gemm::detail::current_device_info(device); !found) {
    throw std::runtime_error(found.message());
  }
  prices result{.plans = {},
                .type = gemm::element_traits<typename Element::input>::name,
                .table = device.table->gpu,
                .predicted = device.predicted()};
  constexpr std::size_t any = (std::numeric_limits<std::size_t>::max)();
  auto const& all = gemm::detail::listed_kernels<problem>(gemm::detail::candidates<gemm::automatic, problem>{});
  for (auto const& of : all) {
    gemm::detail::call_plan const plan = gemm::detail::best_plan_of(of, p, device, any, {});
    if (plan.seconds < std::numeric_limits<double>::infinity() && gemm::detail::check_plan(plan, p)) {
      result.plans.push_back(described(plan, device));
    }
  }
  if (result.plans.empty()) {
    gemm::detail::call_plan none;
    result.refusal = gemm::detail::best_plan(all, false, p, device, any, {}, none).message();
  }
  std::stable_sort(result.plans.begin(), result.plans.end(),
                   [](priced_plan const& x, priced_plan const& y) { return x.price < y.price; });
  return result;
}

template <class Element>
prices prices_of(std::string const& storage, problem_size const& size) {
  return tools::with_storage(storage, [&](auto of) { return prices_of<Element>(size, of); });
}

}  // namespace

prices prices_of(std::string const& type, std::string const& storage, problem_size const& size) {
  return type == "f64"    ? prices_of<tools::f64>(storage, size)
         : type == "f16"  ? prices_of<tools::f16>(storage, size)
         : type == "bf16" ? prices_of<tools::bf16>(storage, size)
         : type == "i8"   ? prices_of<tools::i8>(storage, size)
         : type == "e4m3" ? prices_of<tools::e4m3>(storage, size)
                          : prices_of<tools::f32>(storage, size);
}

}  // namespace explain
