// SPDX-License-Identifier: BSL-1.0
//! @file
//! The descent, on the library's own price_of().

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <gemm/gemm.cuh>

#include "../../examples/support/unread_product.cuh"
#include "calibrate.hpp"

namespace bench {
namespace {

using gemm::detail::plan_load;
using gemm::tables::device_rates;
using gemm::tables::kernel_rates;

struct loaded {
  plan_load load;
  int operands;
  std::string_view policy, input;
};

/// The plan that was measured, if the library still makes it.
template <class Policy, class Problem>
std::optional<loaded> load_of(measurement const& of, Problem const& p, gemm::detail::device_info const& device) {
  namespace detail = gemm::detail;
  detail::compiled_kernel const& kernel = detail::compiled_kernel_of<Policy, Problem>;
  bool const stays = !kernel.uses_tma() && of.policy == kernel.direct_name;  // was measured where operands lie
  detail::repack_plan const packing = kernel.repacks && !stays ? detail::plan_repack(kernel, p) : detail::repack_plan{};
  if (of.policy != (packing.bytes > 0 ? kernel.name : kernel.direct_name)) {
    return {};
  }
  detail::slicing const slices{of.slices, of.in_cluster ? detail::reduction::cluster
                                          : of.stream_k ? detail::reduction::last_arriver
                                                        : detail::reduction::workspace};
  detail::split_plan const split = detail::plan_split(kernel, p, slices);
  if (split.slices != of.slices) {
    return {};
  }
  return loaded{detail::load_of(kernel, p, split, packing, device), detail::operand_class(kernel, p, split, packing),
                kernel.direct_name, kernel.input};
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
      ((found = found ? found : load_of<Policies>(of, p, device)), ...);
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

/// The parameters are logarithms, so that rates stay positive.
using logarithms = std::array<double, 3>;

kernel_rates rates_at(logarithms const& x) { return {std::exp(x[0]), std::exp(x[1]), std::exp(x[2])}; }

using device_rate = double device_rates::*;
constexpr device_rate of_device[] = {
    &device_rates::launch,   &device_rates::second_kernel,     &device_rates::workspace_bandwidth,
    &device_rates::cluster,  &device_rates::cluster_slice,     &device_rates::stream_k,
    &device_rates::packing,  &device_rates::packing_bandwidth, &device_rates::element_copy,
    &device_rates::in_flight};
constexpr std::size_t of_device_count = std::size(of_device);

struct row {
  plan_load load;
  std::size_t product, rates;
  double seconds, beyond, weight, of_product;  // measured; logarithm over the fastest's
  bool held_out;
};

/// Adam (Kingma and Ba, 2015) for one parameter.
struct descent {
  double mean = 0, square = 0;

  void step(double& x, double gradient, int number, double rate) {
    mean = 0.9 * mean + 0.1 * gradient;
    square = 0.99 * square + 0.01 * gradient * gradient;
    double const m = mean / (1 - std::pow(0.9, number)), s = square / (1 - std::pow(0.99, number));
    x -= rate * m / (std::sqrt(s) + 1e-9);
  }
};

class solver {
 public:
  solver(std::vector<row> rows, std::vector<std::size_t> policies, double bandwidth, int multiprocessors)
      : rows_(std::move(rows)),
        policies_(std::move(policies)),
        bandwidth_(bandwidth),
        multiprocessors_(multiprocessors),
        x_(policies_.size(), {std::log(0.7), std::log(0.4), std::log(1.5e-6)}) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (i == 0 || rows_[i].product != rows_[i - 1].product) {
        begins_.push_back(i);
      }
    }
    begins_.push_back(rows_.size());
    for (std::size_t i = 0; i < of_device_count; ++i) {
      device_x_[i] = std::log(device_rates{.element_copy = 1e-11}.*of_device[i]);
    }
  }

  void descend(int steps) {
    std::vector<std::array<descent, 3>> rates(x_.size());
    std::array<descent, of_device_count> device{};
    for (int number = 1; number <= steps; ++number) {
      double const rate = 0.05 * (1 - 0.95 * number / steps);
      find_gradients();
      for (std::size_t i = 0; i < x_.size(); ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
          rates[i][j].step(x_[i][j], gradients_[i][j], number, rate);
          x_[i][j] = std::min(x_[i][j], 0.0);  // no rate is beyond the peak, no overhead a second
        }
      }
      for (std::size_t i = 0; i < of_device_count; ++i) {
        device[i].step(device_x_[i], device_gradients_[i], number, rate);
      }
    }
  }

  kernel_rates rates(std::size_t index) const { return rates_at(x_[index]); }
  device_rates device() const {
    device_rates d;
    for (std::size_t i = 0; i < of_device_count; ++i) {
      d.*of_device[i] = std::exp(device_x_[i]);
    }
    return d;
  }

  /// Of rows of these rates, in the order of their products.
  double regret(std::vector<row> const& rows) const {
    device_rates const d = device();
    double sum = 0;
    std::size_t products = 0;
    for (std::size_t i = 0; i < rows.size(); ++products) {
      double least = std::numeric_limits<double>::infinity(), beyond = 0;
      for (std::size_t const product = rows[i].product; i < rows.size() && rows[i].product == product; ++i) {
        double const predicted = seconds(rows[i], rates(rows[i].rates), d);
        if (predicted < least) {
          least = predicted;
          beyond = rows[i].beyond;
        }
      }
      sum += beyond;
    }
    return products > 0 ? std::exp(sum / static_cast<double>(products)) : 1;
  }

 private:
  double seconds(row const& r, kernel_rates const& rates, device_rates const& d) const {
    return price_of(r.load, rates, d, bandwidth_, multiprocessors_).seconds();
  }

  /// Of: the mean regret where plans are chosen with probability ~ price^(-1 / temperature), plus the weighted squared
  /// error of logarithms, plus a pull of each class towards the mean of its policy's.
  void find_gradients() {
    constexpr double temperature = 0.04, step = 1e-4, pull = 2e-3, worst = 0.47, accuracy = 3;
    device_rates const d = device();
    std::vector<double> error(rows_.size()), slope(rows_.size());
    double weights = 0;
    for (row const& r : rows_) {
      weights += r.weight;
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      row const& r = rows_[i];
      error[i] = std::log(seconds(r, rates(r.rates), d) / r.seconds);
      slope[i] = accuracy * r.weight / weights * std::clamp(2 * error[i], -1.0, 1.0);
    }
    for (std::size_t q = 0; q + 1 < begins_.size(); ++q) {
      double least = 1e9, sum = 0, regret = 0;
      for (std::size_t i = begins_[q]; i < begins_[q + 1]; ++i) {
        least = std::min(least, error[i] + rows_[i].beyond);
      }
      auto const chance = [&](std::size_t i) { return std::exp((least - error[i] - rows_[i].beyond) / temperature); };
      for (std::size_t i = begins_[q]; i < begins_[q + 1]; ++i) {
        sum += chance(i);
        regret += chance(i) * std::min(rows_[i].beyond, worst);
      }
      for (std::size_t i = begins_[q]; i < begins_[q + 1]; ++i) {
        slope[i] -= chance(i) / sum * (std::min(rows_[i].beyond, worst) - regret / sum) / temperature *
                    rows_[i].of_product / static_cast<double>(begins_.size() - 1);
      }
    }
    gradients_.assign(x_.size(), {});
    device_gradients_ = {};
    std::array<device_rates, of_device_count> moved;
    moved.fill(d);
    for (std::size_t j = 0; j < of_device_count; ++j) {
      moved[j].*of_device[j] *= std::exp(step);
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      row const& r = rows_[i];
      kernel_rates const own = rates(r.rates);
      auto const change = [&](kernel_rates const& rates, device_rates const& device) {
        return slope[i] * (std::log(seconds(r, rates, device) / r.seconds) - error[i]) / step;
      };
      for (std::size_t j = 0; j < 3; ++j) {
        logarithms x = x_[r.rates];
        x[j] += step;
        gradients_[r.rates][j] += change(rates_at(x), d);
      }
      for (std::size_t j = 0; j < of_device_count; ++j) {
        device_gradients_[j] += change(own, moved[j]);
      }
    }
    std::map<std::size_t, std::pair<logarithms, double>> sums;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      auto& [sum, count] = sums[policies_[i]];
      for (std::size_t j = 0; j < 3; ++j) {
        sum[j] += x_[i][j];
      }
      ++count;
    }
    for (std::size_t i = 0; i < x_.size(); ++i) {
      auto const& [sum, count] = sums[policies_[i]];
      for (std::size_t j = 0; j < 3; ++j) {
        gradients_[i][j] += 2 * pull * (x_[i][j] - sum[j] / count);
      }
    }
  }

  std::vector<row> rows_;
  std::vector<std::size_t> policies_;  // of the rates
  double bandwidth_;
  int multiprocessors_;
  std::vector<logarithms> x_;
  std::array<double, of_device_count> device_x_{};
  std::vector<std::size_t> begins_;  // of a product's rows
  std::vector<logarithms> gradients_;
  std::array<double, of_device_count> device_gradients_{};
};

}  // namespace

solution solve(std::vector<measurement> const& measured, measured_gpu const& gpu, int steps) {
  gemm::detail::device_info device;
  device.major = gpu.major;
  device.minor = gpu.minor;
  device.multiprocessors = gpu.multiprocessors;
  device.clock = gpu.clock;
  device.bandwidth = gpu.bandwidth;
  device.shared_per_multiprocessor = gpu.shared_per_multiprocessor;
  device.shared_reserved = gpu.shared_reserved;
  device = gemm::detail::with_tables(device);
  std::map<std::tuple<std::string, std::string, int>, std::size_t> indices;
  std::map<std::string, std::size_t> policy_indices;
  std::map<std::string, std::size_t> products;
  solution result;
  std::vector<std::size_t> policies;
  std::vector<row> rows;
  for (measurement const& of : measured) {
    std::optional<loaded> const found = load_of(of, device);
    if (!found) {
      continue;
    }
    std::string const policy(found->policy), input(found->input);
    result.input = input;
    auto const [at, is_new] = indices.try_emplace({input, policy, found->operands}, indices.size());
    if (is_new) {
      result.rates.push_back({policy, input, found->operands, {}, 0});
      policies.push_back(policy_indices.try_emplace(input + policy, policy_indices.size()).first->second);
    }
    ++result.rates[at->second].measurements;
    std::string const key = of.input + of.storage + ' ' + std::to_string(of.m) + ' ' + std::to_string(of.n) + ' ' +
                            std::to_string(of.k) + ' ' + std::to_string(of.batch);
    rows.push_back({found->load, products.try_emplace(key, products.size()).first->second, at->second, of.seconds, 0, 1,
                    1, of.held_out});
  }
  std::stable_sort(rows.begin(), rows.end(), [](row const& a, row const& b) { return a.product < b.product; });
  std::vector<double> fastest(products.size(), 1e9);
  for (row const& r : rows) {
    fastest[r.product] = std::min(fastest[r.product], r.seconds);
  }
  for (row& r : rows) {
    r.beyond = std::log(r.seconds / fastest[r.product]);
    double const of_product = std::clamp(1 + std::log10(fastest[r.product] / 10e-6), 1.0, 4.0);  // long ones count more
    r.weight = of_product / (1 + r.beyond * r.beyond / 0.0625);
    r.of_product = of_product;
  }
  std::vector<row> solved, held_out;
  for (row const& r : rows) {
    (r.held_out ? held_out : solved).push_back(r);
  }
  solver s(solved, std::move(policies), gpu.bandwidth, gpu.multiprocessors);
  s.descend(steps);
  for (std::size_t i = 0; i < result.rates.size(); ++i) {
    result.rates[i].rates = s.rates(i);
  }
  result.device = s.device();
  if (std::none_of(solved.begin(), solved.end(), [](row const& r) { return r.load.copied > 0; })) {
    result.device.element_copy = 0;
  }
  result.regret = s.regret(solved);
  result.held_out_regret = s.regret(held_out);
  for (std::size_t i = 0; i < solved.size(); ++i) {
    result.products += i == 0 || solved[i].product != solved[i - 1].product;
  }
  result.held_out_products = products.size() - result.products;
  return result;
}

}  // namespace bench
