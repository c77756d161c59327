// SPDX-License-Identifier: BSL-1.0
//! @file
//! Searches a family of policies for the fastest of each shape, float and row-major, and keeps what run() can follow.
//!
//!     tune_gemm                                      a few shapes; keeps nothing
//!     tune_gemm 4096x4096x4096 64x8192x8192x10       C of m x n, k deep, and how many of them
//!     tune_gemm --shapes shapes.txt                  the same from a file; # begins a remark
//!     tune_gemm --cache gemm.tuning --all            adds the plans to a cache; prints all that was measured
//!     tune_gemm --repetitions 3                      takes so many samples of each candidate, instead of 9
//!
//! Exit codes: 0; 1 where a candidate was wrong or nothing could be kept; 2 for bad arguments, of which nothing is
//! tuned.

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/tune.cuh>

#include "device_memory.hpp"
#include "support/arguments.hpp"
#include "support/progress.hpp"
#include "tune_gemm_options.hpp"

namespace {

using gemm::block;
using gemm::stages;
using gemm::thread;
using gemm::warp;
using gemm::warps;

// example-begin family
template <int M, int N, int K, int Stages>
using specialized = gemm::warp_specialized<block<M, N, K>, stages<Stages>>;
template <int M, int N, int K, int WarpM, int WarpN, int Stages>
using pipelined = gemm::pipelined<block<M, N, K>, warp<WarpM, WarpN>, thread<4, 4>, stages<Stages>>;
// example-end

/// What is searched: the policies that run() chooses from, and their neighbours in tile, depth and stages. Each one
/// costs three seconds of compile time.
template <class A, class B, class C>
gemm::tune_result search(A const& a, B const& b, C const& c, gemm::tune_options const& options) {
  return gemm::tune<
#if defined(__CUDACC__)
      gemm::repacked<gemm::warp_specialized_128x128x32>, gemm::repacked<gemm::persistent_128x64x32>,
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

using tools::shape;

struct arguments {
  std::vector<shape> shapes;
  gemm::tune_options options;
  bool all = false;
};

[[noreturn]] void refuse(std::string const& what) { throw tools::refused(what); }

/// Nothing where --help has been printed.
std::optional<arguments> parse(int count, char** values) {
  auto const given = example::read_tune_arguments(count, values);
  if (!given) {
    return {};
  }
  arguments result{.shapes = given->shapes, .options = {}, .all = given->all};
  result.options.cache = given->cache;
  if (given->repetitions > 0) {
    result.options.repetitions = given->repetitions;
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

/// Refuses what the device has no memory for: the operands, as many again to measure in, and a reference.
void refuse_too_large(std::vector<shape> const& shapes) {
  std::size_t free = 0, total = 0;
  example::require(cudaMemGetInfo(&free, &total));
  for (shape const& s : shapes) {
    double const needed = sizeof(float) * (2 * s.elements() + s.elements_of_c());
    if (needed > static_cast<double>(free)) {
      char text[120];
      std::snprintf(text, sizeof(text), " needs %.4g bytes of device memory to be tuned, and %.4g are free", needed,
                    static_cast<double>(free));
      refuse("the shape " + s.name() + text);
    }
  }
}

void print(shape const& s, char const* what, gemm::measurement const& m) {
  std::printf("%-18s %-9s %10.2f us %8.2f TFLOP/s  %4d  %s%s%s%s\n", s.name().c_str(), what, m.seconds * 1e6,
              s.flops() / m.seconds * 1e-12, m.slices, m.policy.c_str(),
              m.tail         ? ", the last tiles"
              : m.in_cluster ? ", in clusters"
                             : "",
              m.outcome ? "" : ": ", m.outcome.message());
}

/// Tunes a shape and prints what is best; returns whether all candidates were right.
bool tune(shape const& s, arguments const& arguments, tools::progress& bar) {
  auto const floats = [&](std::int64_t rows, std::int64_t columns) {
    return static_cast<std::size_t>(rows * columns * s.batch);
  };
  // tune() wants to know where matrices lie, not what is in them.
  example::device_memory<float> const a(floats(s.m, s.k)), b(floats(s.k, s.n)), c(floats(s.m, s.n));
  auto const x = gemm::batched(gemm::row_major(a.data(), s.m, s.k), s.batch);
  auto const y = gemm::batched(gemm::row_major(b.data(), s.k, s.n), s.batch);
  auto const z = gemm::batched(gemm::row_major(c.data(), s.m, s.n), s.batch);

  gemm::choice const before = gemm::chosen(x, y, z);
  gemm::tune_options options = arguments.options;
  options.progress = [&](int step, int total) { bar.show(step, total); };
  bar.begin(s.name());
  gemm::tune_result const found = search(x, y, z, options);
  bar.clear();
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

int run(int count, char** values) {
  std::optional<arguments> const parsed = parse(count, values);
  if (!parsed) {
    return tools::exit_done;
  }
  arguments const& given = *parsed;
  refuse_too_large(given.shapes);
  load_cache(given.options.cache);
  std::printf("%s; best: of all; run(): what it follows now; was: what it chose before\n",
              example::device_name().c_str());
  std::printf("%-18s %-9s %13s %16s  %4s  %s\n", "shape", "", "time", "", "cut", "policy");
  bool right = true;
  tools::progress bar(given.shapes.size());
  for (shape const& s : given.shapes) {
    right = tune(s, given, bar) && right;
  }
  return right ? tools::exit_done : tools::exit_failed;
}

}  // namespace

int main(int count, char** values) {
  return tools::run_main("tune_gemm", [&] { return run(count, values); });
}
