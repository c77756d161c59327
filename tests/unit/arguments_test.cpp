// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the tools read their arguments with, and the line that says what is left to do.

#include "../../examples/support/arguments.hpp"
#include "../../examples/support/progress.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

/// What is refused; empty if nothing.
template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (tools::refused const& reason) {
    return reason.what();
  }
  return {};
}

bool has(std::string const& text, std::string const& part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("the distance of two names counts letters that differ", "[tools]") {
  CHECK(tools::edit_distance("", "") == 0);
  CHECK(tools::edit_distance("abc", "") == 3);
  CHECK(tools::edit_distance("", "ab") == 2);
  CHECK(tools::edit_distance("policy", "policy") == 0);
  CHECK(tools::edit_distance("polcy", "policy") == 1);
  CHECK(tools::edit_distance("kitten", "sitting") == 3);
  CHECK(tools::edit_distance("ab", "ba") == 2);
}

TEST_CASE("the nearest name is suggested where it is near", "[tools]") {
  std::vector<std::string> const names{"--shapes", "--suite", "--soak"};
  CHECK(tools::suggestion("--shpaes", names) == "; did you mean --shapes?");
  CHECK(tools::suggestion("--suit", names) == "; did you mean --suite?");
  CHECK(tools::suggestion("--colour", names).empty());
  CHECK(tools::suggestion("--soak", {}).empty());
}

TEST_CASE("all names are suggested that begin so", "[tools]") {
  std::vector<std::string> const names{"--shapes", "pipelined_64x64x16", "--suite", "pipelined_32x64x32"};
  CHECK(tools::suggestion("pipelined", names) == "; did you mean pipelined_64x64x16 or pipelined_32x64x32?");
  CHECK(tools::suggestion("--s", names) == "; did you mean --shapes or --suite?");
  CHECK(tools::suggestion("pipelined_32x64x3", names) == "; did you mean pipelined_32x64x32?");
  CHECK(tools::suggestion("", names).empty());
  CHECK(tools::suggestion("ipelined", names).empty());
}

TEST_CASE("help fits a width, descriptions in their column", "[tools]") {
  std::string const option = "  --name VALUE                ";  // of 30 characters
  CHECK(tools::wrapped("short\n\n  is as it was\n") == "short\n\n  is as it was\n");
  CHECK(tools::wrapped("") == "");
  CHECK(tools::wrapped("one two three\n", 7) == "one two\nthree\n");
  CHECK(tools::wrapped("  one two three\n", 9) == "  one two\n  three\n");
  CHECK(tools::wrapped(option + "one two three four\n", 38) ==
        option + "one two\n" + std::string(30, ' ') + "three\n" + std::string(30, ' ') + "four\n");
  CHECK(tools::wrapped("unbreakable-word\n", 5) == "unbreakable-word\n");
  CHECK(tools::wrapped("a unbreakable-word b\n", 5) == "a\nunbreakable-word\nb\n");
  CHECK(tools::wrapped(option + "unbreakable-word\n", 35) == option + "unbreakable-word\n");
}

TEST_CASE("numbers are whole texts in their range", "[tools]") {
  CHECK(tools::parse_number<int>("--n", "7", 1, 9) == 7);
  CHECK(tools::parse_number<int>("--n", "1", 1, 9) == 1);
  CHECK(tools::parse_number<int>("--n", "9", 1, 9) == 9);
  CHECK(tools::parse_number<double>("--n", "2.5e-1", 0, 9) == 0.25);
  for (char const* const wrong : {"", "0", "10", "7x", " 7", "7 ", "+7", "0x7", "1e0", "99999999999999999999"}) {
    INFO(wrong);
    CHECK(refusal([&] { tools::parse_number<int>("--n", wrong, 1, 9); }) ==
          "--n is \"" + std::string(wrong) + "\", needs a number from 1 to 9");
  }
  for (char const* const wrong : {"", "nan", "inf", "-1", "1e999", "1.5.2"}) {
    INFO(wrong);
    CHECK(
        has(refusal([&] { tools::parse_number<double>("--n", wrong, 0, 1e300); }), "needs a number from 0 to 1e+300"));
  }
}

TEST_CASE("shapes are three sizes and perhaps a batch", "[tools]") {
  tools::shape const plain = tools::parse_shape("4x5x6"), batch = tools::parse_shape("4x5x6x7");
  CHECK(plain.m == 4);
  CHECK(plain.n == 5);
  CHECK(plain.k == 6);
  CHECK(plain.batch == 1);
  CHECK(plain.name() == "4x5x6");
  CHECK(plain.flops() == 240);
  CHECK(plain.elements() == 24 + 30 + 20);
  CHECK(batch.batch == 7);
  CHECK(batch.name() == "4x5x6x7");
  CHECK(batch.elements() == 7 * 74);
  CHECK(batch.elements_of_c() == 140);
  CHECK(tools::parse_shape("9223372036854775807x1x1").m == std::numeric_limits<std::int64_t>::max());
  for (char const* const wrong : {"", "4", "4x5", "4x5x", "x4x5", "4x5x6x", "4x5x6x7x8", "4x0x6", "-4x5x6", "4X5X6",
                                  "4x5x6 ", "4.0x5x6", "99999999999999999999x2x3", "9223372036854775808x1x1"}) {
    INFO(wrong);
    CHECK(has(refusal([&] { tools::parse_shape(wrong); }), "the shape is \"" + std::string(wrong) + "\", needs MxNxK"));
  }
}

TEST_CASE("what is done of all pieces says what is left", "[tools]") {
  CHECK(tools::progress_line(0, 5) == "[..............................]");
  CHECK(tools::progress_line(0.5, 30) == "[###############...............] about 30 s left");
  CHECK(tools::progress_line(0.1, 60) == "[###...........................] about 9 min left");
  CHECK(tools::progress_line(1, 60) == "[##############################] about 0 s left");
  CHECK(tools::rough_time(99) == "99 s");
  CHECK(tools::rough_time(100) == "2 min");
  CHECK(tools::rough_time(7500) == "2 h 05 min");
}
