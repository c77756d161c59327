// SPDX-License-Identifier: BSL-1.0
//! @file
//! What explain, tune_gemm, gemm_bench and gemm_accuracy share of reading arguments: numbers, shapes, files of them,
//! near names, exit codes. command_line.hpp, beside it, has what needs CLI11.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tools {

/// Exit codes of all tools.
inline constexpr int exit_done = 0, exit_failed = 1, exit_refused = 2;

/// Bad arguments: says in one sentence which, and what the rule is.
struct refused : std::runtime_error {
  using runtime_error::runtime_error;
};

/// The body of a main(): body() returns the exit code; what it throws goes to stderr, in one line.
template <class Body>
int run_main(char const* program, Body body) {
  try {
    return body();
  } catch (refused const& reason) {
    std::fprintf(stderr, "%s: %s\n", program, reason.what());
    return exit_refused;
  } catch (std::exception const& reason) {
    std::fprintf(stderr, "%s: %s\n", program, reason.what());
    return exit_failed;
  }
}

/// How many letters must be inserted, left out or replaced to make one name of the other (Levenshtein).
inline std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      std::size_t const replaced = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j - 1] + 1, row[j] + 1});
    }
  }
  return row.back();
}

/// The names of which a third of the letters at most differ, the nearest first, no more than `most`.
inline std::vector<std::string> near_names(std::string_view given, std::vector<std::string> const& names,
                                           std::size_t most) {
  std::vector<std::string> near;
  std::copy_if(names.begin(), names.end(), std::back_inserter(near),
               [&](std::string const& name) { return 3 * edit_distance(given, name) <= name.size(); });
  std::stable_sort(near.begin(), near.end(), [&](std::string const& x, std::string const& y) {
    return edit_distance(given, x) < edit_distance(given, y);
  });
  near.resize(std::min(near.size(), most));
  return near;
}

/// The names that begin with `given`, in their order.
inline std::vector<std::string> names_from(std::string_view given, std::vector<std::string> const& names) {
  std::vector<std::string> result;
  std::copy_if(names.begin(), names.end(), std::back_inserter(result),
               [&](std::string const& name) { return !given.empty() && name.starts_with(given); });
  return result;
}

/// "; did you mean NAME, NAME or NAME?" for the nearest names, `most` of them, or for all that begin as `given` does.
/// "" where there are none.
inline std::string suggestion(std::string_view given, std::vector<std::string> const& names, std::size_t most = 1) {
  std::vector<std::string> near = names_from(given, names);
  if (near.empty()) {
    near = near_names(given, names, most);
  }
  std::string list;
  for (std::size_t i = 0; i < near.size(); ++i) {
    list += (i == 0 ? "" : i + 1 == near.size() ? " or " : ", ") + near[i];
  }
  return list.empty() ? "" : "; did you mean " + list + "?";
}

/// The text of --help in lines of at most `most` characters. A continued line is indented as its description is, which
/// has a column of its own, or else as the line is.
inline std::string wrapped(std::string_view text, std::size_t most = 100) {
  constexpr std::size_t column = 30;  // where CLI11 puts descriptions
  std::string result;
  while (!text.empty()) {
    std::string line(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    bool const describes = line.size() > column && line[column - 1] == ' ';
    std::string const indent(describes ? column : std::min(line.find_first_not_of(' '), line.size()), ' ');
    while (line.size() > most) {
      std::size_t blank = line.rfind(' ', most);
      blank = blank == line.npos || blank < indent.size() ? line.find(' ', most) : blank;  // behind a long word
      if (blank == line.npos) {
        break;
      }
      result.append(line, 0, blank).append("\n");
      line = indent + line.substr(blank + 1);
    }
    result.append(line).append("\n");
  }
  return result;
}

/// A number, where the whole text is one in the type's range; reals must be finite.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number value{};
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return {};
  }
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) {
      return {};
    }
  }
  return value;
}

/// Likewise, from least to most; throws `refused` for `name` where it is not.
template <class Number>
Number parse_number(std::string const& name, std::string_view text, Number least, Number most) {
  std::optional<Number> const value = number_in<Number>(text);
  if (!value || *value < least || *value > most) {
    std::ostringstream rule;
    rule << name << " is \"" << text << "\", needs a number from " << least << " to " << most;
    throw refused(rule.str());
  }
  return *value;
}

/// C (m x n) = A (m x k) B (k x n), or a batch of these.
struct shape {
  std::int64_t m = 0, n = 0, k = 0, batch = 1;

  std::string name() const {
    std::string const size = std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
    return batch > 1 ? size + "x" + std::to_string(batch) : size;
  }
  double flops() const {
    return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) * static_cast<double>(batch);
  }
  /// Elements of C, and of A, B and C; as doubles, since they may be more than any integer holds.
  double elements_of_c() const { return static_cast<double>(batch) * static_cast<double>(m) * static_cast<double>(n); }
  double elements() const {
    double const x = static_cast<double>(m), y = static_cast<double>(n), z = static_cast<double>(k);
    return static_cast<double>(batch) * (x * z + z * y) + elements_of_c();
  }
};

/// MxNxK or MxNxKxBATCH; throws `refused`.
inline shape parse_shape(std::string const& text) {
  std::vector<std::int64_t> values;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    std::size_t const end = std::min(text.find('x', begin), text.size());
    std::optional<std::int64_t> const value =
        number_in<std::int64_t>(std::string_view(text).substr(begin, end - begin));
    values.push_back(value.value_or(0));
    begin = end + 1;
  }
  bool const sizes = values.size() == 3 || values.size() == 4;
  if (!sizes || *std::min_element(values.begin(), values.end()) < 1) {
    throw refused("the shape is \"" + text + "\", needs MxNxK or MxNxKxBATCH, each a number from 1 to " +
                  std::to_string(std::numeric_limits<std::int64_t>::max()));
  }
  return {values[0], values[1], values[2], values.size() == 4 ? values[3] : 1};
}

/// Calls action(words) for each line that has any; # begins a remark. What action refuses names file and line.
template <class Action>
void for_each_line(std::string const& path, Action action) {
  std::ifstream file(path);
  if (!file) {
    throw refused("cannot read the shapes in " + path);
  }
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    std::istringstream text(line.substr(0, line.find('#')));
    std::vector<std::string> words;
    for (std::string word; text >> word;) {
      words.push_back(word);
    }
    if (words.empty()) {
      continue;
    }
    try {
      action(words);
    } catch (refused const& reason) {
      throw refused(path + ":" + std::to_string(number) + ": " + reason.what());
    }
  }
  if (file.bad()) {  // a folder opens, and cannot be read
    throw refused("cannot read the shapes in " + path);
  }
}

/// The shapes of a file, one or more a line.
inline std::vector<shape> read_shapes(std::string const& path) {
  std::vector<shape> result;
  for_each_line(path, [&](std::vector<std::string> const& words) {
    for (std::string const& word : words) {
      result.push_back(parse_shape(word));
    }
  });
  return result;
}

}  // namespace tools
