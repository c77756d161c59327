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

/// A line of five fields: storage, m, n, k and batch.
struct product {
  std::string storage;
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
    if (f.size() == 5) {
      result.emplace_back(product{f[0], std::stoll(f[1]), std::stoll(f[2]), std::stoll(f[3]), std::stoll(f[4])},
                          std::vector<measured>{});
      continue;
    }
    REQUIRE(f.size() == 4);
    REQUIRE_FALSE(result.empty());
    result.back().second.push_back(
        {f[0], std::stoi(f[1]), f[2].starts_with("cluster"), f[2].ends_with("_tail"), std::stod(f[3])});
  }
  REQUIRE(result.size() >= 40);
  return result;
}

template <class Element>
gemm::choice choice_of(product const& p) {
  return tools::with_storage(p.storage, [&]<class Storage>(Storage) {
    tools::unread_product<Element, Storage> const product{p.m, p.n, p.k, p.batch};
    return gemm::chosen(product.a(), product.b(), product.c());
  });
}

/// The names of the candidates for a type and storage, as gemm_candidates writes them.
template <class Element, class Storage>
std::vector<std::string> candidates_of() {
  using problem = gemm::problem<typename Element::input, typename Element::output, Storage, gemm::identity>;
  return []<class... Policies, gemm::detail::splits... Splits>(
             gemm::detail::candidate_list<gemm::detail::candidate<Policies, Splits>...>) {
    return std::vector<std::string>{std::string(gemm::name<gemm::detail::direct<Policies>>())...};
  }(gemm::detail::candidates<gemm::automatic, problem>{});
}

template <class Element>
std::vector<std::string> const& candidates_of(product const& p) {
  return tools::with_storage(p.storage, []<class Storage>(Storage) -> std::vector<std::string> const& {
    static std::vector<std::string> const names = candidates_of<Element, Storage>();
    return names;
  });
}

std::string without_repacked(std::string_view name) {
  constexpr std::string_view prefix = "repacked<";
  return std::string(name.starts_with(prefix) ? name.substr(prefix.size(), name.size() - prefix.size() - 1) : name);
}

struct regret {
  double mean = 1;    ///< geometric, of the choice's time over the fastest candidate's
  double beyond = 0;  ///< the part of the products for which the choice is not in the table
};

/// What is not in the table was expected to take more than twice the best, and counts as 1.25 times the fastest.
template <class Element>
regret regret_of(std::string const& table) {
  double logarithms = 0, beyond = 0, count = 0;
  for (auto const& [p, rows] : read_table(table)) {
    std::vector<std::string> const& names = candidates_of<Element>(p);
    double fastest = 0, chosen = 1.25 * rows.front().microseconds;
    gemm::choice const c = choice_of<Element>(p);
    bool found = false;
    // Kernels of mma.sync were measured packed and not, or only where operands lie.
    bool const packs = c.policy.starts_with("repacked<sm80_mma");
    if (packs && std::none_of(rows.begin(), rows.end(), [&](measured const& row) { return row.policy == c.policy; })) {
      continue;
    }
    for (measured const& row : rows) {
      if (std::find(names.begin(), names.end(), without_repacked(row.policy)) == names.end()) {
        continue;
      }
      fastest = fastest > 0 ? fastest : row.microseconds;
      if (row.policy == (packs ? c.policy : without_repacked(c.policy)) && row.slices == c.slices &&
          (row.slices == 1 || (row.in_cluster == c.in_cluster && row.tail == c.tail))) {
        chosen = row.microseconds;
        found = true;
      }
    }
    if (fastest > 0) {
      logarithms += std::log(std::max(1.0, chosen / fastest));
      beyond += !found;
      ++count;
    }
  }
  return {std::exp(logarithms / count), beyond / count};
}

template <class Element>
void check_regret(char const* table, double most, double most_beyond) {
  gemm::detail::device_info device;
  REQUIRE(gemm::detail::current_device_info(device));
  if (device.table != &gemm::tables::nvidia_h200 || device.predicted()) {
    SKIP("the measurements are an H200's");
  }
  test::need_sm90a();
  regret const found = regret_of<Element>(table);
  CAPTURE(table, found.mean, found.beyond);
  CHECK(found.mean < most);
  CHECK(found.beyond < most_beyond);
}

}  // namespace

TEST_CASE("the choice costs little over the best candidate", "[choice][no_sanitizer]") {
  check_regret<tools::f32>("held_out_f32.csv", 1.04, 0.01);
  check_regret<tools::bf16>("held_out_bf16.csv", 1.045, 0.01);
  check_regret<tools::tf32>("held_out_tf32.csv", 1.045, 0.01);
  check_regret<tools::f64>("held_out_f64.csv", 1.05, 0.01);
  check_regret<tools::i8>("held_out_i8.csv", 1.04, 0.01);
  check_regret<tools::e4m3>("held_out_e4m3.csv", 1.05, 0.01);
}

// On a GPU, plans of another one may pack other operands.
#if defined(GEMM_TEST_CPU_DEVICE)

TEST_CASE("run() follows every shipped plan of its GPU", "[tune][no_sanitizer]") {
  std::string const path = GEMM_TEST_TUNING;
  gemm::tuning_report report;
  REQUIRE(gemm::load_tuning(path, &report));
  CAPTURE(report.first_wrong);
  CHECK(report.ignored == 0);
  CHECK(report.plans + report.foreign >= 150);
  gemm::detail::cache_lines lines;
  REQUIRE(gemm::detail::read_cache(path, lines));
  for (std::string const& line : lines.whole) {
    gemm::detail::tuning_record record;
    if (!gemm::detail::has_record(line) || !gemm::detail::parse_record(line, record).empty() ||
        record.gpu != "NVIDIA_H200") {
      continue;
    }
    gemm::detail::tuned_problem const& of = record.problem;
    gemm::detail::add_plan(0, gemm::detail::plan_table::any_code, of, record.plan);
    product const p{std::string(of.storage), of.m, of.n, of.k, of.batch};
    gemm::choice const c = of.input == "float"      ? choice_of<tools::f32>(p)
                           : of.input == "bfloat16" ? choice_of<tools::bf16>(p)
                           : of.input == "half"     ? choice_of<tools::f16>(p)
                           : of.input == "tf32"     ? choice_of<tools::tf32>(p)
                           : of.input == "double"   ? choice_of<tools::f64>(p)
                                                    : choice_of<tools::i8>(p);
    CAPTURE(line);
    CHECK(c.source == gemm::choice_source::tuned);
    CHECK(c.policy == record.plan.policy);
  }
}

#endif
