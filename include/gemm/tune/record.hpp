// SPDX-License-Identifier: BSL-1.0
//! @file
//! A line of a tuning cache: what it says, printed and parsed.
//!
//! A cache is a text file, empty or with a first line "gemm-tuning 1", the format's version. Each line after it has the
//! plan for one problem: fields, each a name, = and a value, in any order, one blank between them; the last line ends
//! like all others. Empty lines and those that begin with # mean nothing. Of two lines for one problem the later one
//! holds.
//!
//!     gpu              the device's name, blanks as _
//!     multiprocessors  that the device has
//!     in, out          float, tf32, double, half, bfloat16, int8, int32
//!     storage          of A and B for a row-major C: nn, nt, tn or tt
//!     aligned          1 if all rows of A and B begin at multiples of 16 bytes, else 0
//!     m, n, k, batch   the sizes, as kernels see them
//!     policy           its name
//!     slices           that k is cut into; 1 where it is not said
//!     in_cluster       1 if a cluster adds the slices; 0 where it is not said
//!     tail             1 if k is cut for the last tiles alone; 0 where it is not said
//!     nanoseconds      that it took
//!
//! A line with a field that is not listed, twice there, missing or without a legal value is ignored and
//! reported. It may be of a later version, which is why it stays in the file.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

#include <gemm/choose/tuned.hpp>

namespace gemm::detail {

inline constexpr std::string_view tuning_header = "gemm-tuning 1";

using recorded_plan = tuned_plan_of<std::string>;

struct tuning_record {
  std::string gpu{};
  int multiprocessors = 0;
  tuned_problem problem{};
  recorded_plan plan{};
};

/// The one list of fields: visit(name, value, whether a line must have it).
template <class Record, class Visit>
void visit_fields(Record& r, Visit visit) {
  visit("gpu", r.gpu, true);
  visit("multiprocessors", r.multiprocessors, true);
  visit("in", r.problem.input, true);
  visit("out", r.problem.output, true);
  visit("storage", r.problem.storage, true);
  visit("aligned", r.problem.aligned, true);
  visit("m", r.problem.m, true);
  visit("n", r.problem.n, true);
  visit("k", r.problem.k, true);
  visit("batch", r.problem.batch, true);
  visit("policy", r.plan.policy, true);
  visit("slices", r.plan.slices, false);
  visit("in_cluster", r.plan.in_cluster, false);
  visit("tail", r.plan.tail, false);
  visit("nanoseconds", r.plan.nanoseconds, true);
}

// Values of each kind of field; false where the text is not one.
inline bool read_value(std::string_view text, std::string& value) {
  value = text;
  return !text.empty();
}
inline bool read_value(std::string_view text, std::string_view& value) {
  for (std::string_view const word :
       {"float", "tf32", "double", "half", "bfloat16", "int8", "int32", "nn", "nt", "tn", "tt"}) {  // live long enough
    if (word == text) {
      value = word;
      return true;
    }
  }
  return false;
}
inline bool read_value(std::string_view text, bool& value) {
  value = text == "1";
  return text == "0" || text == "1";
}
template <class Integer>
bool read_value(std::string_view text, Integer& value) {
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value >= 1;
}

template <class T>
std::string value_text(T const& value) {
  if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else {
    return std::string(value);
  }
}

/// The record's line, without its end.
inline std::string print_record(tuning_record const& r) {
  std::string line;
  visit_fields(r, [&](char const* name, auto const& value, bool) {
    line += line.empty() ? "" : " ";
    line += name;
    line += '=';
    line += value_text(value);  // by itself: g++ 12 warns of "=" + its result
  });
  return line;
}

/// Reads a line into r. Returns what is wrong with it; empty if nothing is.
inline std::string parse_record(std::string_view line, tuning_record& r) {
  std::string wrong;
  unsigned seen = 0;
  while (!line.empty() && wrong.empty()) {
    std::string_view const field = line.substr(0, line.find(' '));
    line.remove_prefix(field.size() == line.size() ? field.size() : field.size() + 1);
    std::string_view const name = field.substr(0, field.find('='));
    std::string_view const value = field.substr(name.size() == field.size() ? name.size() : name.size() + 1);
    bool known = false;
    unsigned bit = 1;
    visit_fields(r, [&](std::string_view candidate, auto& to, bool) {
      if (candidate == name) {
        known = true;
        if ((seen & bit) != 0) {
          wrong = "the field " + std::string(name) + " is there twice";
        } else if (!read_value(value, to)) {
          wrong = "the value of " + std::string(field) + " is not legal";
        }
        seen |= bit;
      }
      bit *= 2;
    });
    if (!known) {
      wrong = "the field " + std::string(name) + " is not known";
    }
  }
  unsigned bit = 1;
  visit_fields(r, [&](char const* name, auto const&, bool required) {
    if (wrong.empty() && required && (seen & bit) == 0) {
      wrong = "the field ";
      wrong += name;
      wrong += " is missing";
    }
    bit *= 2;
  });
  return wrong;
}

/// Whether a line says something, rather than nothing on purpose.
inline bool has_record(std::string_view line) { return !line.empty() && line.front() != '#'; }

}  // namespace gemm::detail
