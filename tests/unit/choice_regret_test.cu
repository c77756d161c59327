// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the choice of run() costs: its time over that of the fastest candidate, by measurements of all candidates. And
//! whether it follows the plans that are shipped.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/tune/cache_file.hpp>
#include <gemm/tune/load.hpp>
#include <gemm/tune/record.hpp>

#include "../../examples/support/gpus.hpp"
#include "../../examples/support/unread_product.cuh"
#include "../support/device.hpp"
#include "../support/sm90a.hpp"

namespace {

struct measured {
  std::string policy;
  int slices;
  bool in_cluster, tail;
  double microseconds;
};

/// A line of six fields: kind, storage, m, n, k and batch.
struct product {
  std::string kind, storage;
  std::int64_t m, n, k, batch;
};

/// The products of a file in their order, with their candidates. The lines behind a product's have four fields: policy,
/// slices, what adds these, microseconds.
std::vector<std::pair<product, std::vector<measured>>> read_table(std::string const& name) {
  std::ifstream file(std::filesystem::path(GEMM_TEST_RESULTS) / name);
  REQUIRE(file);
  std::vector<std::pair<product, std::vector<measured>>> result;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') {
      continue;
    }
    std::vector<std::string> f;
    std::istringstream text(line);
    for (std::string field; std::getline(text, field, ',');) {
      f.push_back(field);
    }
    if (f.size() == 6) {
      result.emplace_back(product{f[0], f[1], std::stoll(f[2]), std::stoll(f[3]), std::stoll(f[4]), std::stoll(f[5])},
                          std::vector<measured>{});
      continue;
    }
    REQUIRE(f.size() == 4);
    REQUIRE_FALSE(result.empty());
    result.back().second.push_back(
        {f[0], std::stoi(f[1]), f[2].starts_with("cluster"), f[2].ends_with("_tail"), std::stod(f[3])});
  }
  return result;
}

template <class Element>
gemm::choice choice_of(product const& p) {
  return tools::with_storage(p.storage, [&]<class Storage>(Storage) {
    tools::unread_product<Element, Storage> const product{p.m, p.n, p.k, p.batch};
    return gemm::chosen(product.a(), product.b(), product.c());
  });
}

/// The candidates for a type and storage, and how they split k.
template <class Element, class Storage>
std::map<std::string, gemm::detail::splits> candidates_of() {
  using problem =
      gemm::detail::plain_problem<typename Element::input, typename Element::output, Storage, gemm::identity>;
  return []<class... Policies, gemm::detail::splits... Splits>(
             gemm::detail::candidate_list<gemm::detail::candidate<Policies, Splits>...>) {
    return std::map<std::string, gemm::detail::splits>{
        {std::string(gemm::name<gemm::detail::direct<Policies>>()), Splits}...};
  }(gemm::detail::candidates<gemm::automatic, problem>{});
}

template <class Element>
std::map<std::string, gemm::detail::splits> const& candidates_of(product const& p) {
  return tools::with_storage(p.storage,
                             []<class Storage>(Storage) -> std::map<std::string, gemm::detail::splits> const& {
                               static auto const found = candidates_of<Element, Storage>();
                               return found;
                             });
}

std::string without_repacked(std::string_view name) {
  constexpr std::string_view prefix = "repacked<";
  return std::string(name.starts_with(prefix) ? name.substr(prefix.size(), name.size() - prefix.size() - 1) : name);
}

/// Whether run() still makes a plan that was measured.
bool is_made(measured const& row, std::map<std::string, gemm::detail::splits> const& candidates) {
  using gemm::detail::reduction;
  auto const found = candidates.find(without_repacked(row.policy));
  return found != candidates.end() && (row.slices == 1 || found->second.has(row.tail         ? reduction::last_arriver
                                                                            : row.in_cluster ? reduction::cluster
                                                                                             : reduction::workspace));
}

/// Whether it is the one that was chosen. Kernels of mma.sync were measured with operands packed, and as they lie.
bool is_chosen(measured const& row, gemm::choice const& c) {
  bool const same = row.policy.starts_with("repacked<sm80_mma") || c.policy.starts_with("repacked<sm80_mma")
                        ? row.policy == c.policy
                        : without_repacked(row.policy) == without_repacked(c.policy);
  return same && row.slices == c.slices && (c.slices == 1 || (row.in_cluster == c.in_cluster && row.tail == c.tail));
}

/// Of the products of a kind.
struct regret {
  double logarithms = 0;  ///< of the choice's time over that of the fastest candidate
  double worst = 1;
  double of_list = 0;            ///< logarithms of that over the fastest of all policies measured
  int products = 0, beyond = 0;  ///< those whose choice is not in the table do not count

  double mean() const { return std::exp(logarithms / products); }
  double mean_of_list() const { return std::exp(of_list / products); }
};

/// What is not in the table took more than one and a half times the fastest, or was not measured.
template <class Element>
std::map<std::string, regret> regrets_of(std::string const& table) {
  std::map<std::string, regret> result;
  for (auto const& [p, rows] : read_table(table)) {
    auto const& candidates = candidates_of<Element>(p);
    gemm::choice const c = choice_of<Element>(p);
    double fastest = 0, chosen = 0;
    for (measured const& row : rows) {
      if (is_made(row, candidates)) {
        fastest = fastest > 0 ? fastest : row.microseconds;
        chosen = is_chosen(row, c) && chosen == 0 ? row.microseconds : chosen;
      }
    }
    regret& of = result[p.kind];
    if (chosen == 0) {
      ++of.beyond;
      continue;
    }
    ++of.products;
    double const times = std::max(1.0, chosen / fastest);
    of.logarithms += std::log(times);
    of.worst = std::max(of.worst, times);
    of.of_list += std::log(fastest / rows.front().microseconds);
  }
  return result;
}

/// The most that the choice may cost for linear layers, sizes that people choose and random ones.
struct bounds {
  double layers, general, random;
};

/// `most_beyond`: products of a kind whose choice is not in the table.
template <class Element>
void check_regrets(std::string const& table, bounds const& most, int most_beyond) {
  for (auto const& [kind, found] : regrets_of<Element>(table)) {
    CAPTURE(table, kind, found.products, found.beyond, found.worst, found.mean_of_list());
    CHECK(found.products >= 18);
    CHECK(found.beyond <= most_beyond);
    CHECK(found.mean() < (kind == "layers" ? most.layers : kind == "general" ? most.general : most.random));
  }
}

void check_h200() {
  check_regrets<tools::f32>("h200/held_out_f32.csv", {1.0075, 1.008, 1.027}, 1);
  check_regrets<tools::bf16>("h200/held_out_bf16.csv", {1.009, 1.015, 1.022}, 0);
  check_regrets<tools::tf32>("h200/held_out_tf32.csv", {1.017, 1.015, 1.0445}, 0);
  check_regrets<tools::f64>("h200/held_out_f64.csv", {1.018, 1.026, 1.035}, 0);
  check_regrets<tools::i8>("h200/held_out_i8.csv", {1.0145, 1.0225, 1.0195}, 0);
  check_regrets<tools::e4m3>("h200/held_out_e4m3.csv", {1.007, 1.025, 1.021}, 0);
}

/// Products whose choice would be of blocks that are fewer than multiprocessors do not count: when these were measured,
/// they gathered.
void check_h100() {
  check_regrets<tools::f32>("h100/held_out_f32.csv", {0, 1.003, 1.016}, 1);
  check_regrets<tools::bf16>("h100/held_out_bf16.csv", {1.017, 1.038, 1.058}, 24);
  check_regrets<tools::e4m3>("h100/held_out_e4m3.csv", {1.007, 0, 1.052}, 23);
}

}  // namespace

#if defined(GEMM_TEST_CPU_DEVICE)

TEST_CASE("the choice costs little over the best candidate", "[choice][no_sanitizer]") {
  for (tools::gpu const& of : tools::gpus) {
    bool const h200 = of.name.ends_with("H200"), h100 = of.name.ends_with("H100");
    if (h200 || h100) {
      cpu_device::scoped_options with;
      tools::pretend(of, with->device);
      if (h200) {
        check_h200();
      } else {
        check_h100();
      }
    }
  }
}

// Not on a GPU, where plans of another one may pack other operands.
TEST_CASE("run() follows every shipped plan of its GPU", "[tune][no_sanitizer]") {
  std::string const path = GEMM_TEST_TUNING;
  gemm::tuning_report report;
  REQUIRE(gemm::load_tuning(path, &report));
  CAPTURE(report.first_wrong);
  CHECK(report.ignored == 0);
  CHECK(report.plans + report.foreign >= 100);
  gemm::detail::cache_lines lines;
  REQUIRE(gemm::detail::read_cache(path, lines));
  for (std::string const& line : lines.whole) {
    gemm::detail::tuning_record record;
    if (!gemm::detail::has_record(line) || !gemm::detail::parse_record(line, record).empty() ||
        record.gpu != "NVIDIA_H200") {
      continue;
    }
    gemm::detail::tuned_problem const& problem = record.problem;
    gemm::detail::add_plan(0, gemm::detail::plan_table::any_code, problem, record.plan);
    product const p{"", std::string(problem.storage), problem.m, problem.n, problem.k, problem.batch};
    gemm::choice const c = problem.input == "float"      ? choice_of<tools::f32>(p)
                           : problem.input == "bfloat16" ? choice_of<tools::bf16>(p)
                           : problem.input == "half"     ? choice_of<tools::f16>(p)
                           : problem.input == "tf32"     ? choice_of<tools::tf32>(p)
                           : problem.input == "double"   ? choice_of<tools::f64>(p)
                                                         : choice_of<tools::i8>(p);
    CAPTURE(line);
    CHECK(c.source == gemm::choice_source::tuned);
    CHECK(c.policy == record.plan.policy);
  }
}

#else

TEST_CASE("the choice costs little over the best candidate", "[choice][no_sanitizer]") {
  test::need_sm90a();
  gemm::detail::device_info device;
  REQUIRE(gemm::detail::current_device_info(device));
  if (device.predicted()) {
    SKIP("there are no measurements of this GPU");
  }
  if (device.table == &gemm::tables::nvidia_h200) {
    check_h200();
  } else {
    check_h100();
  }
}

#endif
