// SPDX-License-Identifier: BSL-1.0
//! @file
//! Reads lists of shapes.

#include "problem.hpp"

#include <charconv>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "elements.hpp"

namespace bench {

namespace {

std::int64_t extent_of(std::string const& word, char const* name) {
  std::int64_t value = 0;
  auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || value < 1) {
    throw std::runtime_error(std::string(name) + " is \"" + word + "\", must be a positive number");
  }
  return value;
}

problem parse(std::vector<std::string> words) {
  constexpr std::string_view batch_is = "batch=";
  std::int64_t batch = 1;
  if (!words.empty() && words.back().starts_with(batch_is)) {
    batch = extent_of(words.back().substr(batch_is.size()), "batch");
    words.pop_back();
  }
  if (words.size() != 5 && words.size() != 6) {
    throw std::runtime_error("has " + std::to_string(words.size()) +
                             " words, must be: dtype storage m n k [kind] [batch=N]");
  }
  std::string const& storage = words[1];
  if (storage != "nn" && storage != "nt" && storage != "tn" && storage != "tt") {
    throw std::runtime_error("storage is \"" + storage + "\", must be nn, nt, tn or tt");
  }
  return {.dtype = words[0],
          .transposed_a = storage[0] == 't',
          .transposed_b = storage[1] == 't',
          .m = extent_of(words[2], "m"),
          .n = extent_of(words[3], "n"),
          .k = extent_of(words[4], "k"),
          .batch = batch,
          .kind = words.size() > 5 ? words[5] : ""};
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
  std::ifstream file(path);
  if (!file) {
    throw std::runtime_error("cannot read the list of shapes " + path);
  }
  std::vector<problem> result;
  std::set<std::string> seen, unknown;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    std::istringstream text(line.substr(0, line.find('#')));
    std::vector<std::string> words;
    for (std::string word; text >> word;) {
      words.push_back(word);
    }
    if (words.empty()) {
      continue;
    }
    problem p;
    try {
      p = parse(words);
    } catch (std::runtime_error const& error) {
      throw std::runtime_error(path + ':' + std::to_string(number) + ": " + error.what());
    }
    if (!with_element(p.dtype, [](auto const&) {})) {
      if (unknown.insert(p.dtype).second) {
        std::fprintf(stderr, "%s:%d: skipping what is of type %s, which is not measured\n", path.c_str(), number,
                     p.dtype.c_str());
      }
    } else if (seen.insert(p.name()).second) {
      result.push_back(p);
    }
  }
  return result;
}

}  // namespace bench
