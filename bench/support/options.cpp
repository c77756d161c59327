// SPDX-License-Identifier: BSL-1.0
//! @file
//! Parses the command line.

#include "options.hpp"

#include <charconv>
#include <stdexcept>
#include <string_view>
#include <tuple>

#include "elements.hpp"

namespace bench {

char const usage[] =
    "gemm_bench: times the policies of gemm beside cuBLAS\n"
    "\n"
    "  --shapes=FILE         problems, lines of: dtype storage m n k [kind] [batch=N]; may be repeated\n"
    "  --suite=policies      the policies, each beside the best of cuBLAS (the default), or\n"
    "  --suite=epilogues     the epilogues of one policy, each beside the same without one\n"
    "  --policies=REGEX      only the policies, or epilogues, in whose names it is found\n"
    "  --peers=on|off        whether cuBLAS is timed, too (on)\n"
    "  --budget=SECONDS      time of one repetition of a benchmark, at least one sample (0.5)\n"
    "  --soak=SECONDS        work before the first benchmark, for clocks to settle (3)\n"
    "  --warm=SECONDS        sustained: each side works as long unmeasured, then is sampled for half the budget (off)\n"
    "  --peak=DTYPE:TFLOPS   peak that bound_fraction is of; may be repeated (f32:65.2, f64:32.6, ...)\n"
    "  --bandwidth=TBPS      memory bandwidth that bound_fraction is of (4.27)\n"
    "  --profile             launch each once, between the profiler's start and stop, and time nothing\n"
    "\n"
    "The others are Google Benchmark's, of which --benchmark_repetitions is 5 unless given:\n"
    "\n";

namespace {

double number(std::string_view flag, std::string_view text, bool zero_allowed = false) {
  double value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value > 0 || (zero_allowed && value == 0))) {
    throw std::invalid_argument(std::string(flag) + " is \"" + std::string(text) + "\", must be a positive number");
  }
  return value;
}

bool on_or_off(std::string_view flag, std::string_view text) {
  if (text != "on" && text != "off") {
    throw std::invalid_argument(std::string(flag) + " is \"" + std::string(text) + "\", must be on or off");
  }
  return text == "on";
}

suite suite_of(std::string_view text) {
  if (text != "policies" && text != "epilogues") {
    throw std::invalid_argument("--suite is \"" + std::string(text) + "\", must be policies or epilogues");
  }
  return text == "policies" ? suite::policies : suite::epilogues;
}

void set_peak(options& o, std::string_view text) {
  std::size_t const colon = text.find(':');
  auto const known = colon == text.npos ? o.peaks.end() : o.peaks.find(text.substr(0, colon));
  if (known == o.peaks.end()) {
    throw std::invalid_argument("--peak is \"" + std::string(text) +
                                "\", must be DTYPE:TFLOPS of a type that is measured");
  }
  known->second = number("--peak", text.substr(colon + 1));
}

/// Whether the argument is one of ours; if so, it is taken in.
bool take(options& o, std::string_view argument) {
  std::size_t const equals = argument.find('=');
  std::string_view const flag = argument.substr(0, equals);
  std::string_view const value = equals == argument.npos ? std::string_view() : argument.substr(equals + 1);
  if (flag == "--shapes") {
    o.shapes.emplace_back(value);
  } else if (flag == "--suite") {
    o.suite = suite_of(value);
  } else if (flag == "--policies") {
    o.policies = std::regex(std::string(value));
  } else if (flag == "--peers") {
    o.peers = on_or_off(flag, value);
  } else if (flag == "--budget") {
    o.budget = number(flag, value);
  } else if (flag == "--soak") {
    o.soak = number(flag, value, true);
  } else if (flag == "--warm") {
    o.warm = number(flag, value, true);
  } else if (flag == "--bandwidth") {
    o.bandwidth = number(flag, value);
  } else if (flag == "--peak") {
    set_peak(o, value);
  } else if (argument == "--profile") {
    o.profile = true;
  } else {
    return false;
  }
  return true;
}

}  // namespace

options parse_options(std::vector<char*>& arguments) {
  options result;
  std::apply([&](auto const&... e) { ((result.peaks[std::string(e.name)] = e.peak), ...); }, elements);
  std::vector<char*> others;
  for (char* const argument : arguments) {
    std::string_view const text = argument;
    // std::regex_error is no std::invalid_argument.
    try {
      if (others.empty() || !take(result, text)) {  // the first is the program
        others.push_back(argument);
      }
    } catch (std::regex_error const&) {
      throw std::invalid_argument(std::string(text) + " is no regular expression");
    }
    if (text.starts_with("--benchmark_list_tests") && !text.ends_with("=false")) {
      result.listing = true;
    }
  }
  arguments = others;
  return result;
}

}  // namespace bench
