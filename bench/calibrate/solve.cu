// SPDX-License-Identifier: BSL-1.0
//! @file
//! The rates of run()'s candidates, by the library's own price_of().

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <gemm/gemm.cuh>

#include "../../examples/support/unread_product.cuh"
#include "calibrate.hpp"
#include "least_squares.hpp"

namespace bench {
namespace {

using gemm::detail::compiled_kernel;
using gemm::detail::plan_load;
using gemm::tables::device_rates;
using gemm::tables::policy_rates;

/// A measured plan, as the price sees it.
struct loaded {
  plan_load load;
  compiled_kernel const* kernel = nullptr;
  double tile_bytes = 0;  // as they are stored
};

/// The plan that was measured, if the library still makes it.
template <class Policy, gemm::detail::splits Splits, class Problem>
std::optional<loaded> load_of(measurement const& of, Problem const& p, gemm::detail::device_info const& device) {
  namespace detail = gemm::detail;
  compiled_kernel const& kernel = detail::compiled_kernel_of<Policy, Problem>;
  bool const stays = !kernel.uses_tma() && of.policy == kernel.direct_name;  // was measured where operands lie
  detail::repack_plan const packing = kernel.repacks && !stays ? detail::plan_repack(kernel, p) : detail::repack_plan{};
  if (of.policy != (packing.bytes > 0 ? kernel.name : kernel.direct_name)) {
    return {};
  }
  detail::slicing const slices{of.slices, of.in_cluster ? detail::reduction::cluster
                                          : of.stream_k ? detail::reduction::last_arriver
                                                        : detail::reduction::workspace};
  detail::split_plan const split = detail::plan_split(kernel, p, slices);
  if (split.slices != of.slices || (of.slices > 1 && !Splits.has(slices.mode))) {
    return {};
  }
  loaded result{detail::load_of(kernel, p, split, packing, device), &kernel};
  bool const sums = result.load.store >= gemm::tables::cluster_aligned;
  result.tile_bytes = result.load.tile * (sums ? sizeof(typename Problem::accum) : sizeof(typename Problem::output));
  return result;
}

template <class Element, class Storage>
std::optional<loaded> load_of(measurement const& of, gemm::detail::device_info const& device, Storage) {
  tools::unread_product<Element, Storage> const product{of.m, of.n, of.k, of.batch};
  auto const a = product.a();
  auto const loads = [&](auto const& p) {
    using problem = std::remove_cvref_t<decltype(p)>;
    std::optional<loaded> found;
    [&]<class... Policies, gemm::detail::splits... Splits>(
        gemm::detail::candidate_list<gemm::detail::candidate<Policies, Splits>...>) {
      ((found = found ? found : load_of<Policies, Splits>(of, p, device)), ...);
    }(gemm::detail::candidates<gemm::automatic, problem>{});
    return found;
  };
  using accum = typename gemm::element_traits<typename decltype(a)::value_type>::accum;
  return loads(gemm::detail::problem_of(a, product.b(), product.c(), accum(1), accum(0), gemm::identity{}));
}

template <class Element>
std::optional<loaded> load_of(measurement const& of, gemm::detail::device_info const& device) {
  return tools::with_storage(of.storage, [&](auto storage) { return load_of<Element>(of, device, storage); });
}

std::optional<loaded> load_of(measurement const& of, gemm::detail::device_info const& device) {
#ifdef GEMM_BENCH_BRIEF
  return load_of<tools::tf32>(of, device);
#else
  return of.input == "f32"    ? load_of<tools::f32>(of, device)
         : of.input == "tf32" ? load_of<tools::tf32>(of, device)
         : of.input == "bf16" ? load_of<tools::bf16>(of, device)
         : of.input == "f16"  ? load_of<tools::f16>(of, device)
         : of.input == "f64"  ? load_of<tools::f64>(of, device)
         : of.input == "e4m3" ? load_of<tools::e4m3>(of, device)
                              : load_of<tools::i8>(of, device);
#endif
}

/// The names of policies that the library chooses for what wgmma does not compute.
template <class... Rows>
std::vector<std::string> names_besides_wgmma(gemm::detail::type_list<Rows...>) {
  return {std::string(gemm::name<typename Rows::policy>())...};
}
struct rows_besides_wgmma {
  template <class Row>
  static constexpr bool accepts = Row::policy::info.options.besides_wgmma;
};

/// A policy's parameters: numbers of theirs, none where nothing measured has it.
constexpr std::size_t none = least_squares::none;
struct policy_parameters {
  std::size_t full = none, step = none, fixed = none;
  std::size_t memory[gemm::tables::cuts_count];
  std::size_t store[gemm::tables::stores_count], store_rate[gemm::tables::stores_count];  // of all policies of a family
  double tile_bytes[gemm::tables::stores_count]{};

  policy_parameters() {
    std::fill(std::begin(memory), std::end(memory), none);
    std::fill(std::begin(store), std::end(store), none);
    std::fill(std::begin(store_rate), std::end(store_rate), none);
  }
};

struct row {
  loaded of;
  std::size_t policy;
  observation seen;
  bool held_out;
};

/// Kernels that store a tile alike.
std::string family_of(compiled_kernel const& kernel, int store) {
  using gemm::math_op;
  std::string const name = kernel.op == math_op::mma     ? "mma"
                           : kernel.op == math_op::wgmma ? kernel.schedule == gemm::tile_schedule::ping_pong
                                                               ? "ping-pong"
                                                           : kernel.is_small_tile() ? "single"
                                                           : kernel.swap_ab         ? "swapped"
                                                                                    : "cooperative"
                           : kernel.is_skinny()          ? "skinny"
                           : kernel.products > 1         ? "small"
                           : kernel.uses_tma()           ? kernel.is_persistent() ? "persistent" : "by TMA"
                           : kernel.loader == gemm::operand_loader::cp_async ? "pipelined"
                                                                             : "direct";
  bool const is_wgmma = kernel.op == math_op::wgmma, is_aligned = store == gemm::tables::aligned;
  bool const own = store <= gemm::tables::singly;
  return name + ' ' + std::to_string(store) +
         (is_wgmma && own && (is_aligned ? kernel.stores_by_tma : kernel.stores_misaligned_rows) ? " coalesced" : "");
}

/// Seconds of a store, where nothing is known of it: an element at a time takes longest.
double first_store(compiled_kernel const& kernel, int store) {
  namespace tables = gemm::tables;
  bool const is_aligned = store == tables::aligned || store == tables::cluster_aligned || store == tables::as_slice;
  bool const scatters = kernel.op == gemm::math_op::wgmma && !kernel.stores_misaligned_rows && store <= tables::singly;
  return is_aligned ? 0.8e-6 : scatters ? 8e-6 : 3e-6;
}

/// By price_of(load) of plans.
class solver final : public least_squares {
 public:
  solver(std::vector<row> rows, std::size_t policies, double bandwidth)
      : least_squares(observations_of(rows)), rows_(std::move(rows)), policies_(policies), bandwidth_(bandwidth) {
    for (device_rate const& rate : of_device) {
      add(rate.start, rate.spread);
    }
    std::vector<std::vector<double>> ideal(policies);  // seconds of a step
    for (row const& r : rows_) {
      ideal[r.policy].push_back(r.of.load.tile * r.of.load.block_k / (0.7 * r.of.load.peak) + 40e-9);
    }
    std::map<std::string, std::pair<std::size_t, std::size_t>> families;
    for (row const& r : rows_) {
      policy_parameters& of = policies_[r.policy];
      if (of.full == none) {
        std::vector<double>& steps = ideal[r.policy];
        std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2), steps.end());
        of.full = add(0.78, 0.15);
        of.step = add(steps[steps.size() / 2], 0.5);
        of.fixed = add(1.2e-6, 0.4);
      }
      plan_load const& load = r.of.load;
      if (of.memory[load.cut] == none) {
        of.memory[load.cut] = add(1, 0.08);
      }
      if (of.store[load.store] == none) {
        auto const [at, is_new] = families.try_emplace(family_of(*r.of.kernel, load.store));
        if (is_new) {
          at->second = {add(first_store(*r.of.kernel, load.store), 0.7), add(60e9, 1)};
        }
        of.store[load.store] = at->second.first;
        of.store_rate[load.store] = at->second.second;
        of.tile_bytes[load.store] = r.of.tile_bytes;
      }
    }
  }

  double seconds(row const& r) const {
    policy_parameters const& of = policies_[r.policy];
    plan_load const& load = r.of.load;
    policy_rates rates;
    rates.full = value(of.full, 1);
    rates.step = value(of.step, 0);
    rates.fixed = value(of.fixed, 0);
    rates.memory[load.cut] = value(of.memory[load.cut], 1);
    rates.store[load.store] = value(of.store[load.store], 0) + r.of.tile_bytes / value(of.store_rate[load.store], 1);
    return price_of(load, rates, device(), bandwidth_).seconds();
  }

  device_rates device() const {
    device_rates d;
    for (std::size_t i = 0; i < device_count; ++i) {
      d.*of_device[i].member = value(i, 0);
    }
    return d;
  }

  policy_rates rates(std::size_t policy) const {
    policy_parameters const& of = policies_[policy];
    policy_rates r;
    r.full = value(of.full, r.full);
    r.step = value(of.step, r.step);
    r.fixed = value(of.fixed, r.fixed);
    for (std::size_t i = 0; i < std::size(r.memory); ++i) {
      r.memory[i] = value(of.memory[i], 1);
    }
    for (std::size_t i = 0; i < std::size(r.store); ++i) {
      if (of.store[i] != none) {
        r.store[i] = value(of.store[i], 0) + of.tile_bytes[i] / value(of.store_rate[i], 1);
      }
    }
    return r;
  }

  /// The names of a policy's rates that the measurements do not tell.
  std::vector<std::string> unknown(std::size_t policy) const {
    policy_parameters const& of = policies_[policy];
    std::vector<std::string> names;
    auto const name = [&](std::size_t index, std::string const& called) {
      if (index == none || !told(index)) {
        names.push_back(called);
      }
    };
    name(of.full, "full");
    name(of.step, "step");
    name(of.fixed, "fixed");
    for (std::size_t i = 0; i < std::size(of.store); ++i) {
      bool const exists = of.store[i] != none;
      if (exists ? !told(of.store[i]) && !told(of.store_rate[i]) : i <= gemm::tables::singly) {
        names.push_back("store[" + std::to_string(i) + "]");
      }
    }
    return names;
  }
  std::vector<std::string> unknown_of_device() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < device_count; ++i) {
      if (!told(i)) {
        names.emplace_back(of_device[i].name);
      }
    }
    return names;
  }

 private:
  double price(std::size_t row) const override { return seconds(rows_[row]); }

  std::vector<std::size_t> rates_of(std::size_t row) const override {
    policy_parameters const& of = policies_[rows_[row].policy];
    plan_load const& load = rows_[row].of.load;
    std::vector<std::size_t> result(device_count);
    std::iota(result.begin(), result.end(), std::size_t{0});
    for (std::size_t const i :
         {of.full, of.step, of.fixed, of.memory[load.cut], of.store[load.store], of.store_rate[load.store]}) {
      if (i != none) {
        result.push_back(i);
      }
    }
    return result;
  }

  /// No policy multiplies or reads faster than the device can.
  void keep_within() override {
    double const reached = logarithm(reached_index);
    for (policy_parameters const& of : policies_) {
      if (of.full != none) {
        logarithm(of.full) = std::min(logarithm(of.full), 0.0);
      }
      for (std::size_t const memory : of.memory) {
        if (memory != none) {
          logarithm(memory) = std::max(logarithm(memory), reached);
        }
      }
    }
  }

  std::vector<row> rows_;
  std::vector<policy_parameters> policies_;
  double bandwidth_;
};

/// "sm90_wgmma_64x64x64, 3 slices in a cluster: 12.1 us, priced 11.8".
std::string text_of(row const& r, solver const& s) {
  using gemm::tables::cuts;
  plan_load const& load = r.of.load;
  char text[256];
  std::snprintf(text, sizeof text, "%s%s, %g slices%s: %.1f us, priced %.1f",
                std::string(r.of.kernel->direct_name).c_str(), load.packed_bytes > 0 ? " packed" : "", load.slices,
                load.cut == cuts::by_cluster       ? " in a cluster"
                : load.cut == cuts::by_last_blocks ? " of the last tiles"
                                                   : "",
                r.seen.seconds * 1e6, s.seconds(r) * 1e6);
  return text;
}

/// A line for each product, the largest regret first.
std::vector<std::string> choices_of(std::vector<row> const& rows, std::vector<std::string> const& products,
                                    solver const& s) {
  std::vector<std::pair<double, std::string>> found;
  for (std::size_t i = 0; i < rows.size();) {
    row const *chosen = &rows[i], *fastest = &rows[i];
    for (std::size_t const product = rows[i].seen.product; i < rows.size() && rows[i].seen.product == product; ++i) {
      chosen = s.seconds(rows[i]) < s.seconds(*chosen) ? &rows[i] : chosen;
      fastest = rows[i].seen.seconds < fastest->seen.seconds ? &rows[i] : fastest;
    }
    found.emplace_back(chosen->seen.beyond, products[chosen->seen.product] + ": " + text_of(*chosen, s) + "; fastest " +
                                                text_of(*fastest, s));
  }
  std::sort(found.begin(), found.end(), std::greater<>());
  std::vector<std::string> lines;
  for (auto const& [beyond, line] : found) {
    char regret[32];
    std::snprintf(regret, sizeof regret, "%.3f ", std::exp(beyond));
    lines.push_back(regret + line);
  }
  return lines;
}

}  // namespace

solution solve(std::vector<measurement> const& measured, measured_gpu const& gpu, int steps) {
  gemm::detail::device_info const device = device_of(gpu);
  std::map<std::string, std::size_t> products;
  std::map<std::string_view, std::size_t> policies;
  solution result;
  std::vector<row> rows;
  for (measurement const& of : measured) {
    std::optional<loaded> const found = load_of(of, device);
    if (!found) {
      continue;
    }
    result.input = found->kernel->input;
    std::size_t const product = products.try_emplace(of.product(), products.size()).first->second,
                      policy = policies.try_emplace(found->kernel->direct_name, policies.size()).first->second;
    rows.push_back({*found, policy, {.product = product, .seconds = of.seconds}, of.held_out});
  }
  compare_within_products(rows, products.size());
  std::vector<row> fitted, held_out;
  for (row const& r : rows) {
    (r.held_out ? held_out : fitted).push_back(r);
  }
  solver s(fitted, policies.size(), gpu.bandwidth);
  s.solve(steps);
  for (auto const& [name, index] : policies) {
    result.policies.push_back({std::string(name), s.rates(index), s.unknown(index)});
  }
  result.unmeasured = names_besides_wgmma(gemm::detail::rows_of<rows_besides_wgmma>{});
  result.device = s.device();
  result.unknown = s.unknown_of_device();
  result.error = s.error();
  auto const seconds = [&](row const& r) { return s.seconds(r); };
  result.regret = regret_of(fitted, seconds).mean;
  regret const held = regret_of(held_out, seconds);
  result.held_out_regret = held.mean;
  result.held_out_worst = held.worst;
  result.measurements = fitted.size();
  for (std::size_t i = 0; i < fitted.size(); ++i) {
    result.products += i == 0 || fitted[i].seen.product != fitted[i - 1].seen.product;
  }
  result.held_out_products = products.size() - result.products;
  std::vector<std::string> names(products.size());
  for (auto const& [name, index] : products) {
    names[index] = name;
  }
  result.choices = choices_of(held_out, names, s);
  return result;
}

}  // namespace bench
