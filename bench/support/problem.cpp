// SPDX-License-Identifier: BSL-1.0
//! @file
//! Reads lists of shapes.

#include "problem.hpp"

#include <cstdio>
#include <limits>
#include <set>
#include <string_view>

#include "../../examples/support/arguments.hpp"
#include "elements.hpp"

namespace bench {

namespace {

std::int64_t extent_of(std::string const& word, char const* name) {
  return tools::parse_number<std::int64_t>(name, word, 1, std::numeric_limits<std::int64_t>::max());
}

problem parse(std::vector<std::string> words) {
  constexpr std::string_view batch_is = "batch=";
  std::int64_t batch = 1;
  if (!words.empty() && words.back().starts_with(batch_is)) {
    batch = extent_of(words.back().substr(batch_is.size()), "batch");
    words.pop_back();
  }
  if (words.size() != 5 && words.size() != 6) {
    throw tools::refused("has " + std::to_string(words.size()) +
                         " words, must be: dtype storage m n k [kind] [batch=N]");
  }
  std::string const& storage = words[1];
  if (storage != "nn" && storage != "nt" && storage != "tn" && storage != "tt") {
    throw tools::refused("storage is \"" + storage + "\", must be nn, nt, tn or tt");
  }
  problem const result{.dtype = words[0],
                       .transposed_a = storage[0] == 't',
                       .transposed_b = storage[1] == 't',
                       .m = extent_of(words[2], "m"),
                       .n = extent_of(words[3], "n"),
                       .k = extent_of(words[4], "k"),
                       .batch = batch,
                       .kind = words.size() > 5 ? words[5] : ""};
  tools::shape const size{result.m, result.n, result.k, result.batch};
  if (constexpr double most = 1e17; size.elements() > most) {
    throw tools::refused("the shape " + size.name() + " has more elements than any memory holds");
  }
  return result;
}

}  // namespace

std::string problem::name() const {
  return dtype + '/' + (transposed_a ? 't' : 'n') + (transposed_b ? 't' : 'n') + '/' + std::to_string(m) + 'x' +
         std::to_string(n) + 'x' + std::to_string(k) + (batch > 1 ? "/batch:" + std::to_string(batch) : "");
}

double problem::flops() const {
  return 2.0 * static_cast<double>(batch) * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

double problem::bytes() const {
  double result = 0;
  with_element(dtype, [&]<class Element>(Element const&) {
    auto const inputs = static_cast<double>(batch) * static_cast<double>(k) * static_cast<double>(m + n);
    result = inputs * sizeof(typename Element::input) + bytes_of_c();
  });
  return result;
}

double problem::bytes_of_c() const {
  double result = 0;
  with_element(dtype, [&]<class Element>(Element const&) {
    auto const outputs = static_cast<double>(batch) * static_cast<double>(m) * static_cast<double>(n);
    result = outputs * sizeof(typename Element::output);
  });
  return result;
}

std::vector<problem> read_shapes(std::string const& path) {
  std::vector<problem> result;
  std::set<std::string> seen, unknown;
  tools::for_each_line(path, [&](std::vector<std::string> const& words) {
    problem const p = parse(words);
    if (!with_element(p.dtype, [](auto const&) {})) {
      if (unknown.insert(p.dtype).second) {
        std::fprintf(stderr, "%s: skipping what is of type %s, which is not measured\n", path.c_str(), p.dtype.c_str());
      }
    } else if (seen.insert(p.name()).second) {
      result.push_back(p);
    }
  });
  return result;
}

}  // namespace bench
