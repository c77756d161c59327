// SPDX-License-Identifier: BSL-1.0
//! @file
//! Formatting, where a compiler may not have std::format yet.
#pragma once

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <string>

namespace explain {

/// As std::printf, into a string.
[[gnu::format(printf, 1, 2)]] inline std::string text(char const* format, ...) {
  char buffer[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(buffer, sizeof(buffer), format, arguments);
  va_end(arguments);
  return buffer;
}

/// As printf knows it.
inline long long wide(std::int64_t value) { return static_cast<long long>(value); }

/// Three digits of a number: 0.125, 8, 32.5, 683.
inline std::string three_digits(double value) { return value < 999.5 ? text("%.3g", value) : text("%.0f", value); }

}  // namespace explain
