// SPDX-License-Identifier: BSL-1.0
//! @file
//! Asks the library for its plans.

#include "price.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include <gemm/gemm.cuh>

#include "text.hpp"

namespace explain {

namespace {

template <class T>
using output_of = std::conditional_t<std::is_same_v<T, std::int8_t>, std::int32_t,
                                     std::conditional_t<std::is_same_v<T, __nv_fp8_e4m3>, __nv_bfloat16, T>>;

/// Never read; aligned to 256 bytes.
template <class T, gemm::order Order>
gemm::matrix<T, Order> matrix_of(std::int64_t rows, std::int64_t columns) {
  auto* const data = reinterpret_cast<T*>(256);
  if constexpr (Order == gemm::order::row) {
    return gemm::row_major(data, rows, columns);
  } else {
    return gemm::col_major(data, rows, columns);
  }
}

priced_plan described(gemm::detail::plan const& how, gemm::detail::device_info const& device) {
  using gemm::detail::reduction;
  gemm::detail::plan_price const& price = how.price;
  return {.policy = how.kernel->direct_name,
          .slices = how.split.slices,
          .added = how.split.slices == 1                     ? ""
                   : how.split.by == reduction::cluster      ? "cluster"
                   : how.split.by == reduction::last_arriver ? "tail"
                                                             : "memory",
          .launch = price.launch,
          .waves = price.full_waves,
          .last = price.last_wave,
          .memory = price.memory,
          .reduction = price.reduction,
          .packing = price.packing,
          .price = price.seconds(),
          .measured = gemm::detail::is_measured(device, *how.kernel)};
}

template <class T, gemm::order A, gemm::order B>
prices prices_of(problem_size const& size) {
  auto const a = matrix_of<T, A>(size.m, size.k);
  auto const b = matrix_of<T, B>(size.k, size.n);
  auto const c = matrix_of<output_of<T>, gemm::order::row>(size.m, size.n);
  auto const p = gemm::detail::problem_of_call<gemm::automatic>(a, b, c, gemm::detail::options_for<decltype(a)>{},
                                                                gemm::identity{});
  using problem = std::remove_const_t<decltype(p)>;
  gemm::detail::known_device const known(nullptr);
  gemm::detail::device_info device;
  if (gemm::status const found = gemm::detail::current_device_info(device); !found) {
    throw std::runtime_error(found.message());
  }
  prices result{
      .plans = {}, .type = gemm::element_traits<T>::name, .table = device.table->gpu, .predicted = device.predicted()};
  constexpr std::size_t any = (std::numeric_limits<std::size_t>::max)();
  auto const& all = gemm::detail::listed_kernels<problem>(gemm::detail::candidates<gemm::automatic, problem>{});
  for (auto const& of : all) {
    gemm::detail::plan const how = gemm::detail::best_plan_of(of, p, device, any, {});
    if (how.seconds < std::numeric_limits<double>::infinity() && gemm::detail::check_plan(how, p)) {
      result.plans.push_back(described(how, device));
    }
  }
  if (result.plans.empty()) {
    gemm::detail::plan none;
    result.refusal = gemm::detail::best_plan(all, false, p, device, any, {}, none).message();
  }
  std::stable_sort(result.plans.begin(), result.plans.end(),
                   [](priced_plan const& x, priced_plan const& y) { return x.price < y.price; });
  return result;
}

template <class T>
prices prices_of(std::string const& storage, problem_size const& size) {
  using enum gemm::order;
  return storage == "nn"   ? prices_of<T, row, row>(size)
         : storage == "nt" ? prices_of<T, row, column>(size)
         : storage == "tn" ? prices_of<T, column, row>(size)
                           : prices_of<T, column, column>(size);
}

}  // namespace

prices prices_of(std::string const& type, std::string const& storage, problem_size const& size) {
  return type == "f64"    ? prices_of<double>(storage, size)
         : type == "f16"  ? prices_of<__half>(storage, size)
         : type == "bf16" ? prices_of<__nv_bfloat16>(storage, size)
         : type == "i8"   ? prices_of<std::int8_t>(storage, size)
         : type == "e4m3" ? prices_of<__nv_fp8_e4m3>(storage, size)
                          : prices_of<float>(storage, size);
}

}  // namespace explain
