// SPDX-License-Identifier: BSL-1.0
//! @file
//! A line on a terminal that says how much of all the work is done, and how long the rest may take.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>

namespace tools {

/// "45 s", "3 min", "2 h 05 min".
inline std::string rough_time(double seconds) {
  auto const whole = static_cast<long long>(std::llround(std::max(seconds, 0.0)));
  char text[48];
  if (whole < 100) {
    std::snprintf(text, sizeof(text), "%lld s", whole);
  } else if (whole < 100 * 60) {
    std::snprintf(text, sizeof(text), "%lld min", (whole + 30) / 60);
  } else {
    std::snprintf(text, sizeof(text), "%lld h %02lld min", whole / 3600, whole % 3600 / 60);
  }
  return text;
}

/// A bar of `share` from 0 to 1, and what is left after `seconds`, if all of it takes as long as what is done.
inline std::string progress_line(double share, double seconds) {
  constexpr int width = 30;
  auto const full = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * width);
  std::string line(1, '[');
  line.append(full, '#').append(width - full, '.').append(1, ']');
  if (share > 0) {
    line += " about " + rough_time(seconds * (1 - share) / share) + " left";
  }
  return line;
}

/// The line for a number of pieces of work, one after the other; nothing where stderr is no terminal.
class progress {
 public:
  explicit progress(std::size_t pieces) : pieces_(pieces) {}
  progress(progress const&) = delete;
  progress& operator=(progress const&) = delete;
  ~progress() { clear(); }

  /// The next piece begins.
  void begin(std::string name) {
    name_ = std::move(name);
    ++begun_;
  }

  /// So much of the piece is done.
  void show(int step, int total) const {
    if (shown_ && begun_ > 0 && total > 0) {
      double const share =
          (static_cast<double>(begun_ - 1) + static_cast<double>(step) / total) / static_cast<double>(pieces_);
      double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
      std::fprintf(stderr, "\r\033[K%zu/%zu %s %d/%d %s", begun_, pieces_, name_.c_str(), step, total,
                   progress_line(share, seconds).c_str());
    }
  }

  /// Makes room for other output.
  void clear() const {
    if (shown_) {
      std::fprintf(stderr, "\r\033[K");
    }
  }

 private:
  std::size_t pieces_, begun_ = 0;
  std::string name_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool shown_ = isatty(STDERR_FILENO) != 0;
};

}  // namespace tools
