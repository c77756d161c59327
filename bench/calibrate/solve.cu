// SPDX-License-Identifier: BSL-1.0
//! @file
//! Robust least squares of the library's own price_of().

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <gemm/gemm.cuh>

#include "../../examples/support/unread_product.cuh"
#include "calibrate.hpp"

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

/// A rate that is solved for: a logarithm, where it begins, and how far from there is unlikely.
struct parameter {
  double at = 0, start = 0, spread = 1;
};

/// A policy's parameters: numbers of theirs, none where nothing measured has it.
constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
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
  std::size_t product, policy;
  double seconds, beyond = 0, weight = 1;  // measured; its logarithm over the fastest's
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

class solver {
 public:
  solver(std::vector<row> rows, std::size_t policies, double bandwidth)
      : rows_(std::move(rows)), policies_(policies), bandwidth_(bandwidth) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (i == 0 || rows_[i].product != rows_[i - 1].product) {
        begins_.push_back(i);
      }
    }
    begins_.push_back(rows_.size());
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
    weigh();
  }

  /// Until a step is worth nothing.
  void solve(int steps) {
    std::vector<double> error = errors();
    double cost = cost_of(error), damping = 1e-2;
    for (int step = 0; step < steps; ++step) {
      linearise(error);
      bool better = false;
      std::vector<parameter> const before = parameters_;
      for (int attempt = 0; attempt < 8 && !better; ++attempt) {
        std::vector<double> const change = solution_of(damping);
        for (std::size_t i = 0; i < parameters_.size(); ++i) {
          parameters_[i].at = before[i].at + std::clamp(change[i], -1.0, 1.0);
        }
        keep_below_peaks();
        std::vector<double> const now = errors();
        double const now_cost = cost_of(now);
        better = now_cost < cost;
        if (better) {
          bool const done = cost - now_cost < 5e-5 * cost;
          error = now;
          cost = now_cost;
          damping = std::max(damping / 5, 1e-6);
          if (done) {
            find_spreads(error);
            return;
          }
        } else {
          damping *= 5;
          parameters_ = before;
        }
      }
      if (!better) {
        break;
      }
    }
    find_spreads(error);
  }

  double seconds(row const& r) const { return seconds(r, device()); }

  device_rates device() const {
    device_rates d;
    for (std::size_t i = 0; i < device_count; ++i) {
      d.*of_device[i].member = std::exp(parameters_[i].at);
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

  std::vector<row> const& rows() const { return rows_; }

 private:
  static constexpr double near = 0.15, floor = 0.1, width = 0.1, common = 0.4, strength = 20;

  std::size_t add(double start, double spread) {
    parameters_.push_back({std::log(start), std::log(start), spread});
    return parameters_.size() - 1;
  }
  double value(std::size_t index, double otherwise) const {
    return index == none ? otherwise : std::exp(parameters_[index].at);
  }
  /// Whether the measurements have made a rate at least 1.4 times as certain as it began.
  bool told(std::size_t index) const { return certainty_[index] < 0.5; }

  /// No policy multiplies or reads faster than the device can.
  void keep_below_peaks() {
    double const reached = parameters_[reached_index].at;
    for (policy_parameters const& of : policies_) {
      if (of.full != none) {
        parameters_[of.full].at = std::min(parameters_[of.full].at, 0.0);
      }
      for (std::size_t const memory : of.memory) {
        if (memory != none) {
          parameters_[memory].at = std::max(parameters_[memory].at, reached);
        }
      }
    }
  }

  /// Plans near a product's fastest count more, and products alike.
  void weigh() {
    for (std::size_t q = 0; q + 1 < begins_.size(); ++q) {
      double sum = 0;
      for (std::size_t i = begins_[q]; i < begins_[q + 1]; ++i) {
        rows_[i].weight = floor + std::exp(-rows_[i].beyond / near);
        sum += rows_[i].weight;
      }
      for (std::size_t i = begins_[q]; i < begins_[q + 1]; ++i) {
        rows_[i].weight /= sum;
      }
    }
  }

  double seconds(row const& r, device_rates const& d) const {
    policy_parameters const& of = policies_[r.policy];
    plan_load const& load = r.of.load;
    policy_rates rates;
    rates.full = value(of.full, 1);
    rates.step = value(of.step, 0);
    rates.fixed = value(of.fixed, 0);
    rates.memory[load.cut] = value(of.memory[load.cut], 1);
    rates.store[load.store] = value(of.store[load.store], 0) + r.of.tile_bytes / value(of.store_rate[load.store], 1);
    return price_of(load, rates, d, bandwidth_).seconds();
  }

  std::vector<double> errors() const {
    device_rates const d = device();
    std::vector<double> result(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      result[i] = std::log(seconds(rows_[i], d) / rows_[i].seconds);
    }
    return result;
  }

  /// The error that all plans of a product have in common counts less: it changes no choice.
  std::vector<double> centred(std::vector<double> values) const {
    for (std::size_t q = 0; q + 1 < begins_.size(); ++q) {
      double mean = 0;
      for (std::size_t i = begins_[q]; i < begins_[q + 1]; ++i) {
        mean += rows_[i].weight * values[i];
      }
      for (std::size_t i = begins_[q]; i < begins_[q + 1]; ++i) {
        values[i] -= (1 - common) * mean;
      }
    }
    return values;
  }

  double cost_of(std::vector<double> const& error) const {
    std::vector<double> const c = centred(error);
    double sum = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      sum += strength * rows_[i].weight * 2 * (std::sqrt(1 + c[i] * c[i] / (width * width)) - 1);
    }
    for (parameter const& p : parameters_) {
      double const off = (p.at - p.start) / p.spread;
      sum += off * off;
    }
    return sum;
  }

  /// The parameters that a row depends on.
  std::vector<std::size_t> parameters_of(row const& r) const {
    policy_parameters const& of = policies_[r.policy];
    plan_load const& load = r.of.load;
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < device_count; ++i) {
      result.push_back(i);
    }
    for (std::size_t const i :
         {of.full, of.step, of.fixed, of.memory[load.cut], of.store[load.store], of.store_rate[load.store]}) {
      if (i != none) {
        result.push_back(i);
      }
    }
    return result;
  }

  /// Half of the cost's second and first derivatives.
  void linearise(std::vector<double> const& error) {
    constexpr double step = 1e-4;
    std::size_t const n = parameters_.size();
    hessian_.assign(n * n, 0);
    gradient_.assign(n, 0);
    std::vector<double> const c = centred(error);
    std::vector<double> jacobian, mean(n);
    for (std::size_t q = 0; q + 1 < begins_.size(); ++q) {
      std::size_t const begin = begins_[q], count = begins_[q + 1] - begin;
      jacobian.assign(count * n, 0);
      mean.assign(n, 0);
      for (std::size_t i = 0; i < count; ++i) {
        row const& r = rows_[begin + i];
        for (std::size_t const j : parameters_of(r)) {
          double const at = parameters_[j].at;
          parameters_[j].at += step;
          jacobian[i * n + j] = (std::log(seconds(r, device()) / r.seconds) - error[begin + i]) / step;
          parameters_[j].at = at;
          mean[j] += r.weight * jacobian[i * n + j];
        }
      }
      std::vector<std::size_t> used;
      for (std::size_t j = 0; j < n; ++j) {
        if (mean[j] != 0) {
          used.push_back(j);
        }
      }
      for (std::size_t i = 0; i < count; ++i) {
        double* const of = &jacobian[i * n];
        double const e = c[begin + i];
        double const robust =
            strength * rows_[begin + i].weight / std::sqrt(1 + e * e / (width * width)) / (width * width);
        for (std::size_t const j : used) {
          of[j] -= (1 - common) * mean[j];
        }
        for (std::size_t const j : used) {
          gradient_[j] += robust * e * of[j];
          for (std::size_t const l : used) {
            if (l > j) {
              break;
            }
            hessian_[j * n + l] += robust * of[j] * of[l];
          }
        }
      }
    }
    for (std::size_t j = 0; j < n; ++j) {
      parameter const& p = parameters_[j];
      hessian_[j * n + j] += 1 / (p.spread * p.spread);
      gradient_[j] += (p.at - p.start) / (p.spread * p.spread);
    }
  }

  /// The lower triangle of Cholesky's factor of the second derivatives, whose diagonal is so much larger.
  std::vector<double> factor(double damping) const {
    std::size_t const n = parameters_.size();
    std::vector<double> l = hessian_;
    for (std::size_t j = 0; j < n; ++j) {
      l[j * n + j] *= 1 + damping;
    }
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = j; i < n; ++i) {
        double sum = l[i * n + j];
        for (std::size_t k = 0; k < j; ++k) {
          sum -= l[i * n + k] * l[j * n + k];
        }
        l[i * n + j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / l[j * n + j];
      }
    }
    return l;
  }

  static std::vector<double> solved(std::vector<double> const& l, std::vector<double> x) {
    std::size_t const n = x.size();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        x[i] -= l[i * n + k] * x[k];
      }
      x[i] /= l[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) {
        x[i] -= l[k * n + i] * x[k];
      }
      x[i] /= l[i * n + i];
    }
    return x;
  }

  std::vector<double> solution_of(double damping) const {
    std::vector<double> right = gradient_;
    for (double& x : right) {
      x = -x;
    }
    return solved(factor(damping), std::move(right));
  }

  /// What is left of each parameter's variance, by the second derivatives at the solution.
  void find_spreads(std::vector<double> const& error) {
    linearise(error);
    std::vector<double> const l = factor(0);
    std::size_t const n = parameters_.size();
    certainty_.assign(n, 1);
    for (std::size_t j = 0; j < n; ++j) {
      std::vector<double> unit(n);
      unit[j] = 1;
      certainty_[j] = solved(l, std::move(unit))[j] / (parameters_[j].spread * parameters_[j].spread);
    }
  }

  std::vector<row> rows_;
  std::vector<policy_parameters> policies_;
  double bandwidth_;
  std::vector<parameter> parameters_;
  std::vector<std::size_t> begins_;  // of a product's rows
  std::vector<double> hessian_, gradient_, certainty_;
};

struct regret {
  double mean = 1, worst = 1;
};

/// Of rows in the order of their products.
regret regret_of(std::vector<row> const& rows, solver const& s) {
  double sum = 0, worst = 0;
  std::size_t products = 0;
  for (std::size_t i = 0; i < rows.size(); ++products) {
    double least = std::numeric_limits<double>::infinity(), beyond = 0;
    for (std::size_t const product = rows[i].product; i < rows.size() && rows[i].product == product; ++i) {
      double const predicted = s.seconds(rows[i]);
      if (predicted < least) {
        least = predicted;
        beyond = rows[i].beyond;
      }
    }
    sum += beyond;
    worst = std::max(worst, beyond);
  }
  return products > 0 ? regret{std::exp(sum / static_cast<double>(products)), std::exp(worst)} : regret{};
}

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
                r.seconds * 1e6, s.seconds(r) * 1e6);
  return text;
}

/// A line for each product, the largest regret first.
std::vector<std::string> choices_of(std::vector<row> const& rows, std::vector<std::string> const& products,
                                    solver const& s) {
  std::vector<std::pair<double, std::string>> found;
  for (std::size_t i = 0; i < rows.size();) {
    row const *chosen = &rows[i], *fastest = &rows[i];
    for (std::size_t const product = rows[i].product; i < rows.size() && rows[i].product == product; ++i) {
      chosen = s.seconds(rows[i]) < s.seconds(*chosen) ? &rows[i] : chosen;
      fastest = rows[i].seconds < fastest->seconds ? &rows[i] : fastest;
    }
    found.emplace_back(chosen->beyond,
                       products[chosen->product] + ": " + text_of(*chosen, s) + "; fastest " + text_of(*fastest, s));
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

/// The standard deviation of log(price / measured) of the plans within 10 % of their products' fastest.
double error_of(solver const& s) {
  double sum = 0, squares = 0, count = 0;
  for (row const& r : s.rows()) {
    if (r.beyond < std::log(1.1)) {
      double const error = std::log(s.seconds(r) / r.seconds);
      sum += error;
      squares += error * error;
      ++count;
    }
  }
  return count > 0 ? std::sqrt(std::max(squares / count - sum * sum / count / count, 0.0)) : 0;
}

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
    std::string const key = of.input + of.storage + ' ' + std::to_string(of.m) + ' ' + std::to_string(of.n) + ' ' +
                            std::to_string(of.k) + ' ' + std::to_string(of.batch);
    std::size_t const product = products.try_emplace(key, products.size()).first->second,
                      policy = policies.try_emplace(found->kernel->direct_name, policies.size()).first->second;
    rows.push_back({*found, product, policy, of.seconds, 0, 1, of.held_out});
  }
  std::stable_sort(rows.begin(), rows.end(), [](row const& a, row const& b) { return a.product < b.product; });
  std::vector<double> fastest(products.size(), std::numeric_limits<double>::infinity());
  for (row const& r : rows) {
    fastest[r.product] = std::min(fastest[r.product], r.seconds);
  }
  std::vector<row> fitted, held_out;
  for (row& r : rows) {
    r.beyond = std::log(r.seconds / fastest[r.product]);
    (r.held_out ? held_out : fitted).push_back(r);
  }
  solver s(fitted, policies.size(), gpu.bandwidth);
  s.solve(steps);
  for (auto const& [name, index] : policies) {
    result.policies.push_back({std::string(name), s.rates(index), s.unknown(index)});
  }
  result.device = s.device();
  result.unknown = s.unknown_of_device();
  result.error = error_of(s);
  result.regret = regret_of(fitted, s).mean;
  regret const held = regret_of(held_out, s);
  result.held_out_regret = held.mean;
  result.held_out_worst = held.worst;
  result.measurements = fitted.size();
  for (std::size_t i = 0; i < fitted.size(); ++i) {
    result.products += i == 0 || fitted[i].product != fitted[i - 1].product;
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
