// SPDX-License-Identifier: BSL-1.0
//! @file
//! Searches a family of policies for the fastest of each shape, float and row-major, and keeps what run() can follow.
//!
//!     tune_gemm                                      a few shapes; keeps nothing
//!     tune_gemm 4096x4096x4096 64x8192x8192x10       C of m x n, k deep, and how many of them
//!     tune_gemm --shapes shapes.txt                  the same from a file, one a line; # begins a remark
//!     tune_gemm --cache gemm.tuning --all            adds the plans to a cache; prints all that was measured
//!     tune_gemm --repetitions 3                      takes so many samples of each candidate, instead of 9

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/tune.cuh>

#include "device_memory.hpp"

namespace {

using gemm::block;
using gemm::stages;
using gemm::thread;
using gemm::warp;
using gemm::warps;

template <int M, int N, int K, int Stages>
using specialized = gemm::warp_specialized<block<M, N, K>, stages<Stages>>;
template <int M, int N, int K, int WarpM, int WarpN, int Stages>
using pipelined = gemm::pipelined<block<M, N, K>, warp<WarpM, WarpN>, thread<4, 4>, stages<Stages>>;

/// What is searched: the policies that run() chooses from, and their neighbours in tile, depth and stages. Each one
/// costs three seconds of compile time.
template <class A, class B, class C>
gemm::tune_result search(A const& a, B const& b, C const& c, gemm::tune_options const& options) {
  return gemm::tune<
#if defined(__CUDACC__)
      gemm::repacked<gemm::warp_specialized_128x128x32>, gemm::repacked<gemm::warp_specialized_128x64x32>,
      gemm::repacked<gemm::warp_specialized_64x64x32>, specialized<128, 256, 32, 3>,  //
      gemm::pipelined_64x128x16, gemm::pipelined_64x64x16, gemm::pipelined_32x64x32, gemm::pipelined_16x64x32,
      pipelined<128, 64, 16, 64, 32, 3>, pipelined<32, 128, 16, 32, 32, 3>, pipelined<64, 64, 32, 32, 32, 2>,
      pipelined<64, 32, 32, 32, 16, 3>,  //
      gemm::skinny_1x32x512, gemm::skinny_32x1x512
#else  // the CPU device, where time says nothing
      gemm::pipelined_16x64x32, pipelined<32, 32, 8, 16, 32, 2>
#endif
      >(a, b, c, options);
}

struct shape {
  std::int64_t m, n, k, batch = 1;

  double flops() const {
    return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) * static_cast<double>(batch);
  }
  std::string name() const {
    std::string const size = std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
    return batch > 1 ? size + "x" + std::to_string(batch) : size;
  }
};

struct arguments {
  std::vector<shape> shapes;
  gemm::tune_options options;
  bool all = false;
};

[[noreturn]] void refuse(std::string const& what) {
  std::fprintf(stderr, "tune_gemm: %s\n", what.c_str());
  std::exit(2);
}

shape parse_shape(std::string const& text) {
  char end = 0;
  long long values[4] = {0, 0, 0, 1};
  int const count =
      std::sscanf(text.c_str(), "%lldx%lldx%lldx%lld%c", &values[0], &values[1], &values[2], &values[3], &end);
  if (count < 3 || count > 4 || *std::min_element(values, values + 4) < 1) {
    refuse("the shape is \"" + text + "\", needs MxNxK or MxNxKxBATCH, numbers from 1");
  }
  return {values[0], values[1], values[2], values[3]};
}

void read_shapes(std::string const& path, std::vector<shape>& shapes) {
  std::ifstream file(path);
  if (!file) {
    refuse("cannot read the shapes in " + path);
  }
  for (std::string line; std::getline(file, line);) {
    line = line.substr(0, line.find('#'));
    line.erase(std::remove(line.begin(), line.end(), ' '), line.end());
    if (!line.empty()) {
      shapes.push_back(parse_shape(line));
    }
  }
}

arguments parse(int count, char** values) {
  arguments result;
  for (int i = 1; i < count; ++i) {
    std::string const argument = values[i];
    auto const value = [&] { return i + 1 < count ? values[++i] : (refuse(argument + " needs a value"), ""); };
    if (argument == "--cache") {
      result.options.cache = value();
    } else if (argument == "--shapes") {
      read_shapes(value(), result.shapes);
    } else if (argument == "--repetitions") {
      result.options.repetitions = std::atoi(value());
    } else if (argument == "--all") {
      result.all = true;
    } else if (argument.starts_with("-")) {
      refuse("there is no " + argument + ", but --cache FILE, --shapes FILE, --repetitions N, --all, and shapes");
    } else {
      result.shapes.push_back(parse_shape(argument));
    }
  }
  if (result.shapes.empty()) {
#if defined(__CUDACC__)
    result.shapes = {{512, 512, 512},    {1000, 1000, 1000}, {1024, 1024, 1024}, {2048, 2048, 2048},
                     {4096, 4096, 4096}, {128, 128, 65536},  {65536, 64, 64},    {64, 8192, 8192},
                     {16, 4096, 4096},   {1, 4096, 4096},    {256, 256, 256, 64}};
#else
    result.shapes = {{40, 70, 64}, {33, 31, 100, 2}};
    result.options.repetitions = 1;
    result.options.rotate = false;
#endif
  }
  return result;
}

/// A line that is drawn over, on a terminal.
class progress_bar {
 public:
  explicit progress_bar(std::string title) : title_(std::move(title)) {}
  ~progress_bar() {
    if (shown_) {
      std::fprintf(stderr, "\r\033[K");
    }
  }

  void operator()(int step, int total) {
    constexpr int width = 40;
    if (shown_) {
      int const done = step * width / total;
      std::fprintf(stderr, "\r%-22s [%s%s] %d/%d", title_.c_str(), std::string(done, '#').c_str(),
                   std::string(width - done, '.').c_str(), step, total);
    }
  }

 private:
  std::string title_;
  bool shown_ = isatty(STDERR_FILENO) != 0;
};

void print(shape const& s, char const* what, gemm::measurement const& m) {
  std::printf("%-18s %-9s %10.2f us %8.2f TFLOP/s  %4d  %s%s%s%s\n", s.name().c_str(), what, m.seconds * 1e6,
              s.flops() / m.seconds * 1e-12, m.slices, m.policy.c_str(),
              m.tail         ? m.in_cluster ? ", the last tiles in clusters" : ", the last tiles"
              : m.in_cluster ? ", in clusters"
                             : "",
              m.outcome ? "" : ": ", m.outcome.message());
}

/// Tunes a shape and prints what is best; returns whether all candidates were right.
bool tune(shape const& s, arguments const& arguments) {
  auto const floats = [&](std::int64_t rows, std::int64_t columns) {
    return std::vector<float>(static_cast<std::size_t>(rows * columns * s.batch));
  };
  // tune() wants to know where matrices lie, not what is in them.
  example::device_memory<float> const a(floats(s.m, s.k)), b(floats(s.k, s.n)), c(floats(s.m, s.n));
  auto const x = gemm::batched(gemm::row_major(a.data(), s.m, s.k), s.batch);
  auto const y = gemm::batched(gemm::row_major(b.data(), s.k, s.n), s.batch);
  auto const z = gemm::batched(gemm::row_major(c.data(), s.m, s.n), s.batch);

  gemm::choice const before = gemm::chosen(x, y, z);
  gemm::tune_result found;
  {
    progress_bar bar(s.name());
    gemm::tune_options options = arguments.options;
    options.progress = [&](int step, int total) { bar(step, total); };
    found = search(x, y, z, options);
  }
  if (found.measured.empty() || !found.measured.front().outcome) {
    std::printf("%-18s %s\n", s.name().c_str(), found.status.message());
    return false;
  }
  print(s, "best", found.measured.front());
  if (found.followed >= 0) {
    print(s, "run()", found.measured[static_cast<std::size_t>(found.followed)]);
  }
  bool right = true;
  for (gemm::measurement const& m : found.measured) {
    bool const was_chosen = m.outcome && m.policy == before.policy && m.slices == before.slices &&
                            m.in_cluster == before.in_cluster && m.tail == before.tail;
    right = right && m.outcome;
    if (was_chosen || arguments.all || !m.outcome) {
      print(s, !m.outcome ? "FAILED" : was_chosen ? "was" : "", m);
    }
  }
  if (!found) {
    std::printf("%-18s %s\n", s.name().c_str(), found.status.message());
  }
  return right && found;
}

/// Has run() follow the plans of a cache, if it is there, and says which of its lines it cannot read.
void load_cache(std::string const& cache) {
  if (access(cache.c_str(), F_OK) != 0) {
    return;
  }
  gemm::tuning_report report;
  if (gemm::status const loaded = gemm::load_tuning(cache, &report); !loaded) {
    refuse(loaded.message());
  }
  if (report.ignored > 0) {
    std::fprintf(stderr, "tune_gemm: lines of %s that cannot be read: %d; the first is %s\n", report.path.c_str(),
                 report.ignored, report.first_wrong.c_str());
  }
}

}  // namespace

int main(int count, char** values) {
  arguments const given = parse(count, values);
  load_cache(given.options.cache);
  std::printf("%s; best: of all; run(): what it follows now; was: what it chose before\n",
              example::device_name().c_str());
  std::printf("%-18s %-9s %13s %16s  %4s  %s\n", "shape", "", "time", "", "cut", "policy");
  bool right = true;
  for (shape const& s : given.shapes) {
    right = tune(s, given) && right;
  }
  return right ? 0 : 1;
}
