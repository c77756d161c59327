// SPDX-License-Identifier: BSL-1.0
//! @file
//! Solves for a GPU's rates, of what gemm_candidates measured there, and writes include/gemm/tables/<gpu>.hpp.
//!
//!     gemm_calibrate --out include/gemm/tables f32.csv bf16.csv tf32.csv
//!
//! Element types without measurements keep the rates of the library's own table for this GPU, if it has one.
//!
//! Exit codes: 0; 1 where nothing could be solved or written; 2 for bad arguments.

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../examples/support/arguments.hpp"
#include "../../examples/support/command_line.hpp"
#include "calibrate.hpp"

#include <gemm/tables/all.hpp>

namespace {

struct arguments {
  std::vector<std::string> files, held_out;
  std::string out = ".";
  int steps = 100, choices = 0;
};

std::optional<arguments> parse(int count, char** values) {
  arguments result;
  CLI::App app("gemm_calibrate: a GPU's rates, of the CSV files of gemm_candidates\n", "gemm_calibrate");
  tools::add_text(app, "--out", "FOLDER", "where the table goes (.)",
                  [&](std::string const& text) { result.out = text; });
  tools::add_number(app, "--steps", result.steps, 1, 100000, "of the solution, at most (100)");
  tools::add_number(app, "--choices", result.choices, 0, 1000000,
                    "what is chosen for so many of the products held out, the worst first (0)");
  tools::add_list(app, "--held-out", "FILE", "measurements to judge the rates by; may be repeated", result.held_out);
  app.add_option("FILES", result.files, "what gemm_candidates wrote")->required();
  return tools::parse(app, count, values) ? std::optional(result) : std::nullopt;
}

std::vector<std::string> fields_of(std::string const& line, char separator) {
  std::vector<std::string> fields;
  std::istringstream text(line);
  for (std::string field; std::getline(text, field, separator);) {
    fields.push_back(field);
  }
  return fields;
}

/// The comment that gemm_candidates begins with: # gpu=...; multiprocessors=...; ...
void read_gpu(std::string const& comment, bench::measured_gpu& gpu) {
  for (std::string field : fields_of(comment.substr(1), ';')) {
    field.erase(0, field.find_first_not_of(' '));
    std::size_t const at = field.find('=');
    if (at == std::string::npos) {
      continue;
    }
    std::string const name = field.substr(0, at), value = field.substr(at + 1);
    if (name == "gpu") {
      gpu.name = value;
    } else if (name == "compute_capability") {
      gpu.major = std::stoi(value);
      gpu.minor = std::stoi(value.substr(value.find('.') + 1));
    } else if (name == "multiprocessors") {
      gpu.multiprocessors = std::stoi(value);
    } else if (name == "shared_per_multiprocessor") {
      gpu.shared_per_multiprocessor = std::stoi(value);
    } else if (name == "shared_reserved") {
      gpu.shared_reserved = std::stoi(value);
    } else if (name == "clock_mhz") {
      gpu.clock = std::stod(value) * 1e6;
    } else if (name == "bandwidth_gbs") {
      gpu.bandwidth = std::stod(value) * 1e9;
    } else if (name == "origin") {
      gpu.origin = value;
    }
  }
}

void read(std::string const& path, bool held_out, bench::measured_gpu& gpu, std::vector<bench::measurement>& measured) {
  std::ifstream file(path);
  if (!file) {
    throw std::runtime_error("cannot read " + path);
  }
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) {
      read_gpu(line, gpu);
      continue;
    }
    std::vector<std::string> const f = fields_of(line, ',');
    if (f.size() != 11 || f[0] == "dtype") {
      continue;
    }
    measured.push_back({.input = f[0],
                        .storage = f[1],
                        .m = std::stoll(f[2]),
                        .n = std::stoll(f[3]),
                        .k = std::stoll(f[4]),
                        .batch = std::stoll(f[5]),
                        .policy = f[6],
                        .slices = std::stoi(f[7]),
                        .in_cluster = f[8] == "cluster",
                        .stream_k = f[8] == "kernel_tail",
                        .seconds = std::stod(f[10]) * 1e-6,
                        .held_out = held_out});
  }
}

/// NVIDIA H200 as a name in C++.
std::string identifier_of(std::string const& gpu) {
  std::string result;
  for (char const c : gpu) {
    auto const u = static_cast<unsigned char>(c);
    if (std::isalnum(u) != 0) {
      result += static_cast<char>(std::tolower(u));
    } else if (!result.empty() && result.back() != '_') {
      result += '_';
    }
  }
  return result;
}

std::string text_of(char const* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// Adds what the library has for this GPU of other element types; returns their names, each behind a blank.
std::string keep_others(std::string const& gpu, std::vector<bench::solution>& solutions) {
  std::string names;
  for (gemm::tables::gpu_table const* const table : gemm::tables::all) {
    for (std::size_t i = 0; table->gpu == gpu && i < table->device_count; ++i) {
      bench::solution kept;
      kept.device = table->device[i];
      kept.input = kept.device.input;
      if (std::any_of(solutions.begin(), solutions.end(), [&](auto const& s) { return s.input == kept.input; })) {
        continue;
      }
      for (std::size_t j = 0; j < table->policy_count; ++j) {
        gemm::tables::policy_rates const& row = table->policies[j];
        if (row.input == kept.input) {
          kept.policies.push_back({std::string(row.policy), row, {}});
        }
      }
      names += ' ' + kept.input;
      solutions.push_back(std::move(kept));
    }
  }
  return names;
}

/// Adds the rows that the library has for this GPU of policies that are not measured.
void keep_unmeasured(std::string const& gpu, bench::solution& s) {
  for (gemm::tables::gpu_table const* const table : gemm::tables::all) {
    for (std::size_t i = 0; table->gpu == gpu && i < table->policy_count; ++i) {
      gemm::tables::policy_rates const& row = table->policies[i];
      if (row.input == s.input &&
          std::find(s.unmeasured.begin(), s.unmeasured.end(), row.policy) != s.unmeasured.end()) {
        s.policies.push_back({std::string(row.policy), row, {}, true});
      }
    }
  }
}

/// The rates of split terms: measured, else the library's for this GPU, else none.
std::optional<bench::terms_solution> terms_or_kept(std::string const& gpu, std::optional<bench::terms_solution> terms,
                                                   std::string& kept) {
  for (gemm::tables::gpu_table const* const table : gemm::tables::all) {
    if (!terms && table->gpu == gpu && table->terms_count > 0) {
      terms.emplace().rates = table->emulation;
      for (std::size_t i = 0; i < table->terms_count; ++i) {
        terms->reached.emplace_back(table->terms[i].policy, table->terms[i].reached);
      }
      kept += " split terms";
    }
  }
  return terms;
}

/// "{1, 0.98, 1.2}"
template <std::size_t Count>
std::string list_of(double const (&values)[Count]) {
  std::string result = "{";
  for (std::size_t i = 0; i < Count; ++i) {
    result += (i > 0 ? ", " : "") + text_of("%.3g", values[i]);
  }
  return result + "}";
}

std::string comment_of(std::vector<std::string> const& unknown) {
  constexpr std::size_t longest = 116;
  std::string result, row;
  for (std::string const& name : unknown) {
    bool const fits = row.size() + name.size() + 2 <= longest;
    result += fits ? "" : row + ",\n";
    row = row.empty() ? "    // Not known: " + name : fits ? row + ", " + name : "    // " + name;
  }
  return row.empty() ? row : result + row + ".\n";
}

/// Adds "name = value" to a list that begins with `row`, in as few rows as hold it.
void add_value(std::ostream& out, std::string& row, std::string const& indent, char const* name, double value) {
  std::string const text = std::string(".") + name + " = " + text_of("%.3g", value);
  bool const begins = row.ends_with('{'), fits = row.size() + text.size() + 5 <= 120;
  out << (fits ? "" : row + ",\n");
  row = fits ? row + (begins ? "" : ", ") + text : indent + text;
}

/// The rates of split terms as a list of terms_rate, and what gpu_table says of them.
std::string terms_list_of(std::string const& name, bench::terms_solution const& terms) {
  std::ostringstream out;
  out << "inline constexpr terms_rate " << name << "_terms[] = {\n";
  for (auto const& [policy, reached] : terms.reached) {
    out << "    {\"" << policy << "\", " << text_of("%.3g", reached) << "},\n";
  }
  out << "};\n\n";
  return out.str();
}
std::string terms_fields_of(std::string const& name, bench::terms_solution const& terms) {
  std::ostringstream out;
  out << ",\n";
  std::string row = "    .emulation = {";
  for (bench::emulation_rate const& rate : bench::of_emulation) {
    add_value(out, row, "                  ", rate.name, terms.rates.*rate.member);
  }
  out << row << "},\n    .terms = " << name << "_terms, .terms_count = sizeof(" << name
      << "_terms) / sizeof(terms_rate)";
  return out.str();
}

std::string table_of(bench::measured_gpu const& gpu, std::vector<bench::solution> solutions,
                     std::optional<bench::terms_solution> terms) {
  std::string const name = identifier_of(gpu.name);
  std::size_t products = 0, measurements = 0;
  for (bench::solution const& s : solutions) {
    products += s.products;
    measurements += s.measurements;
  }
  if (terms) {
    products += terms->products;
    measurements += terms->measurements;
  }
  std::string kept = keep_others(gpu.name, solutions);
  terms = terms_or_kept(gpu.name, std::move(terms), kept);
  // bfloat16 comes first, by which half is priced.
  std::sort(solutions.begin(), solutions.end(), [](auto const& a, auto const& b) { return a.input < b.input; });
  std::ostringstream out;
  out << "// SPDX-License-Identifier: BSL-1.0\n//! @file\n//! Rates of an " << gpu.name << "; " << gpu.origin << ".\n"
      << "//! Written by gemm_calibrate, of " << measurements << " times of candidates for " << products
      << " products; do not edit.\n"
      << "//! Not known: from these measurements. Such a rate is about what it began with.\n"
      << (kept.empty() ? "" : "//! Kept from an earlier run:" + kept + ".\n")
      << "#pragma once\n\n#include <gemm/tables/rates.hpp>\n\n// clang-format off\n"
      << "namespace gemm::tables {\n\ninline constexpr policy_rates " << name << "_policies[] = {\n";
  for (bench::solution& s : solutions) {
    keep_unmeasured(gpu.name, s);
    std::sort(s.policies.begin(), s.policies.end(), [](auto const& a, auto const& b) { return a.policy < b.policy; });
    for (bench::solved_policy const& of : s.policies) {
      gemm::tables::policy_rates const& r = of.rates;
      out << (of.kept ? "    // Kept from an earlier run.\n" : comment_of(of.unknown)) << "    {\"" << of.policy
          << "\", \"" << s.input << "\", " << text_of("%.3g", r.full) << ", " << text_of("%.3g", r.step) << ", "
          << text_of("%.3g", r.fixed) << ",\n     " << list_of(r.memory) << ", " << list_of(r.store) << "},\n";
    }
  }
  out << "};\n\ninline constexpr device_rates " << name << "_device[] = {\n";
  for (bench::solution const& s : solutions) {
    out << comment_of(s.unknown);
    std::string row = "    {.input = \"" + s.input + '"';
    for (bench::device_rate const& rate : bench::of_device) {
      add_value(out, row, "     ", rate.name, s.device.*rate.member);
    }
    out << row << "},\n";
  }
  out << "};\n\n" << (terms ? comment_of(terms->unknown) + terms_list_of(name, *terms) : "");
  out << "inline constexpr gpu_table " << name << "{\n    .gpu = \"" << gpu.name << "\", .major = " << gpu.major
      << ", .minor = " << gpu.minor << ", .multiprocessors = " << gpu.multiprocessors
      << ",\n    .clock = " << text_of("%.4g", gpu.clock) << ", .bandwidth = " << text_of("%.4g", gpu.bandwidth)
      << ",\n    .device = " << name << "_device, .policies = " << name << "_policies,\n    .device_count = sizeof("
      << name << "_device) / sizeof(device_rates),\n    .policy_count = sizeof(" << name
      << "_policies) / sizeof(policy_rates)" << (terms ? terms_fields_of(name, *terms) : "")
      << "};\n\n}  // namespace gemm::tables\n// clang-format on\n";
  return out.str();
}

int run(int count, char** values) {
  std::optional<arguments> const given = parse(count, values);
  if (!given) {
    return tools::exit_done;
  }
  bench::measured_gpu gpu;
  std::vector<bench::measurement> measured;
  for (std::string const& path : given->files) {
    read(path, false, gpu, measured);
  }
  for (std::string const& path : given->held_out) {
    read(path, true, gpu, measured);
  }
  if (measured.empty() || gpu.multiprocessors == 0 || gpu.bandwidth == 0) {
    throw std::runtime_error("no measurements, or none that say on which GPU");
  }
  std::map<std::string, std::vector<bench::measurement>> by_input;
  for (bench::measurement const& m : measured) {
    by_input[m.input].push_back(m);
  }
  std::vector<bench::solution> solutions;
  std::optional<bench::terms_solution> terms;
  for (auto const& [input, some] : by_input) {
    if (input == "fp16x3") {
      terms = bench::solve_terms(some, gpu, given->steps);
      std::printf("fp16x3: %zu products, regret %.4f, error %.3f; held out: %.4f, worst %.2f\n", terms->products,
                  terms->fitted.mean, terms->error, terms->held_out.mean, terms->held_out.worst);
      continue;
    }
    bench::solution s = bench::solve(some, gpu, given->steps);
    std::printf("%s: %zu products, regret %.4f, error %.3f; held out: %zu, %.4f, worst %.2f\n", input.c_str(),
                s.products, s.regret, s.error, s.held_out_products, s.held_out_regret, s.held_out_worst);
    for (std::size_t i = 0; i < s.choices.size() && i < static_cast<std::size_t>(given->choices); ++i) {
      std::printf("  %s\n", s.choices[i].c_str());
    }
    if (!s.policies.empty()) {
      solutions.push_back(std::move(s));
    }
  }
  if (solutions.empty() && !terms) {
    throw std::runtime_error("none of what was measured is a candidate of run()");
  }
  std::string name = identifier_of(gpu.name);
  name = name.starts_with("nvidia_") ? name.substr(7) : name;
  std::filesystem::path const path = std::filesystem::path(given->out) / (name + ".hpp");
  std::ofstream file(path);
  file << table_of(gpu, solutions, terms);
  file.close();
  if (!file) {
    throw std::runtime_error("cannot write " + path.string());
  }
  std::printf("%s\n", path.string().c_str());
  return tools::exit_done;
}

}  // namespace

int main(int count, char** values) {
  return tools::run_main("gemm_calibrate", [&] { return run(count, values); });
}
