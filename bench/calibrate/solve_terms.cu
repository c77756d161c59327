// SPDX-License-Identifier: BSL-1.0
//! @file
//! The rates of split terms, by the library's own price_of().

#include <cstddef>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gemm/choose/terms_load.hpp>
#include <gemm/gemm.cuh>

#include "../../examples/support/tuned/terms_policies.cuh"
#include "../../examples/support/unread_product.cuh"
#include "calibrate.hpp"
#include "least_squares.hpp"

namespace bench {
namespace {

using gemm::detail::terms_load;

/// A measured plan, as the price sees it.
struct row {
  terms_load load;
  std::size_t policy = 0;
  bool wanted = false;  // its way of adding, by run()
  bool held_out = false;
  observation seen{};
};

template <class Policy, class Problem>
std::optional<row> row_of(measurement const& of, Problem const& p, gemm::detail::device_info const& device) {
  namespace detail = gemm::detail;
  if (of.policy != gemm::name<Policy>()) {
    return {};
  }
  detail::call_plan plan = detail::plan_of_policy<Policy>(p, {}, {});
  detail::lay_out_terms_launch<Policy>(plan, p, device.multiprocessors);
  return row{.load = detail::load_of_terms<Policy>(p, device, plan.terms, plan.launch),
             .wanted = detail::adding_of<Policy> == detail::wanted_adding(p, device.multiprocessors),
             .held_out = of.held_out};
}

template <class... Policies>
std::optional<row> row_of(tools::policies<Policies...>, measurement const& of,
                          gemm::detail::device_info const& device) {
  return tools::with_storage(of.storage, [&]<class Storage>(Storage) {
    tools::unread_product<tools::f32, Storage> const product{of.m, of.n, of.k, of.batch};
    auto const p = gemm::detail::problem_of(product.a(), product.b(), product.c(), 1.0f, 0.0f, gemm::identity{});
    std::optional<row> found;
    ((found = found ? found : row_of<Policies>(of, p, device)), ...);
    return found;
  });
}

class solver final : public least_squares {
 public:
  solver(std::vector<row> rows, std::size_t policies, gemm::detail::device_info const& device)
      : least_squares(observations_of(rows)),
        rows_(std::move(rows)),
        launch_(device.rates_for("float").launch),
        bandwidth_(device.bandwidth) {
    gemm::tables::emulation_rates const start{};
    for (emulation_rate const& rate : of_emulation) {
      add(start.*rate.member, rate.spread);
    }
    for (std::size_t i = 0; i < policies; ++i) {
      add(0.6, 0.2);
    }
  }

  gemm::tables::emulation_rates rates() const {
    gemm::tables::emulation_rates result;
    for (std::size_t i = 0; i < std::size(of_emulation); ++i) {
      result.*of_emulation[i].member = value(i, 0);
    }
    return result;
  }
  double reached(std::size_t policy) const { return value(std::size(of_emulation) + policy, 0); }
  double seconds(row const& r) const {
    return price_of(r.load, reached(r.policy), rates(), launch_, bandwidth_).seconds();
  }

 private:
  double price(std::size_t i) const override { return seconds(rows_[i]); }
  std::vector<std::size_t> rates_of(std::size_t i) const override {
    std::vector<std::size_t> result(std::size(of_emulation));
    std::iota(result.begin(), result.end(), std::size_t{0});
    result.push_back(std::size(of_emulation) + rows_[i].policy);
    return result;
  }

  std::vector<row> rows_;
  double launch_, bandwidth_;
};

}  // namespace

terms_solution solve_terms(std::vector<measurement> const& measured, measured_gpu const& gpu, int steps) {
  gemm::detail::device_info const device = device_of(gpu);
  std::map<std::string, std::size_t> products, policies;
  std::vector<row> rows;
  for (measurement const& of : measured) {
    if (std::optional<row> found = row_of(tools::terms_policies{}, of, device)) {
      found->policy = policies.try_emplace(of.policy, policies.size()).first->second;
      // What adds in another way is never chosen beside the others: a product of its own.
      std::string const name = of.product() + (found->wanted ? "" : " " + of.policy);
      found->seen = {.product = products.try_emplace(name, products.size()).first->second, .seconds = of.seconds};
      rows.push_back(*found);
    }
  }
  compare_within_products(rows, products.size());
  std::vector<row> fitted, wanted, held_out;
  for (row const& r : rows) {
    if (!r.held_out) {
      fitted.push_back(r);
    }
    if (r.wanted) {
      (r.held_out ? held_out : wanted).push_back(r);
    }
  }
  solver s(fitted, policies.size(), device);
  s.solve(steps);
  terms_solution result;
  result.rates = s.rates();
  result.error = s.error();
  result.products = products.size();
  result.measurements = fitted.size();
  for (std::size_t i = 0; i < std::size(of_emulation); ++i) {
    if (!s.told(i)) {
      result.unknown.emplace_back(of_emulation[i].name);
    }
  }
  for (auto const& [name, index] : policies) {
    std::size_t const begin = name.find('<') + 1;  // of with_fallback<policy>; 0 of a policy by itself
    result.reached.emplace_back(name.substr(begin, name.find('>') - begin), s.reached(index));
  }
  auto const seconds = [&](row const& r) { return s.seconds(r); };
  result.fitted = regret_of(wanted, seconds);
  result.held_out = regret_of(held_out, seconds);
  return result;
}

}  // namespace bench
