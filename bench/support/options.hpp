// SPDX-License-Identifier: BSL-1.0
//! @file
//! The command line, as far as it is not Google Benchmark's.
#pragma once

#include <map>
#include <optional>
#include <regex>
#include <string>
#include <vector>

namespace bench {

enum class suite {
  policies,   ///< each beside the best of cublasLt
  epilogues,  ///< those of one policy, each beside the same policy without one
  few_rows,   ///< the library's choice, with and without a constant B, beside the time to read A and B
  scales,     ///< scaled products, each beside the best of cublasLt of the same scales, and beside one number each
};

struct options {
  std::vector<std::string> shapes;  ///< files
  bench::suite suite = suite::policies;
  std::regex policies{""};  ///< of names of policies, epilogues or scales; "" is found in all
  std::string policies_text;
  bool peers = true;
  double budget = 0.5;                               ///< seconds of a repetition
  double soak = 3;                                   ///< seconds of work before the first benchmark
  double warm = 0;                                   ///< seconds that each side works by itself before its samples
  double bandwidth = 4.27;                           ///< TB/s, a copy's read and write on an H200
  std::map<std::string, double, std::less<>> peaks;  ///< TFLOP/s by element type
  bool listing = false;                              ///< benchmarks are listed and not run
  bool profile = false;                              ///< launched once each, for a profiler, and not timed

  double peak(std::string const& dtype) const { return peaks.find(dtype)->second; }
};

/// Reads the arguments; `others` gets Google Benchmark's. Nothing where --help has been printed. Throws tools::refused.
std::optional<options> parse_options(int count, char** arguments, std::vector<std::string>& others);

}  // namespace bench
