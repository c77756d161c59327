// SPDX-License-Identifier: BSL-1.0
//! @file
//! Searches for the fastest policy of each shape, and keeps what run() can follow.
//!
//!     tune_gemm                                      a few shapes, float and row-major; keeps nothing
//!     tune_gemm --type bf16 --storage nt             of other elements and storages of A and B
//!     tune_gemm 4096x4096x4096 64x8192x8192x10       C of m x n, k deep, and how many of them
//!     tune_gemm --shapes shapes.txt                  the same from a file; # begins a remark
//!     tune_gemm --cache gemm.tuning --all            adds the plans to a cache; prints all that was measured
//!     tune_gemm --repetitions 3                      takes so many samples of each candidate, instead of 9
//!
//! Exit codes: 0; 1 where a candidate was wrong or a plan could not be kept; 2 for bad arguments or a cache that cannot
//! be written, of which nothing is tuned.

#include <cuda_runtime.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <gemm/tune/load.hpp>

#include "../device_memory.hpp"
#include "../support/arguments.hpp"
#include "../support/progress.hpp"
#include "../support/tuned/tuned_products.hpp"
#include "../support/tuning_cache.hpp"
#include "family.hpp"
#include "options.hpp"

namespace {

using tools::shape;

struct arguments {
  tools::tuned_product product;
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
  arguments result{.product = tools::tuned_product_of(given->type, given->storage),
                   .shapes = given->shapes,
                   .options = {},
                   .all = given->all};
  result.options.cache = tools::writable_cache(given->cache);
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

/// Refuses what the device has no memory for: the operands, a result and a reference.
void refuse_too_large(tools::tuned_product const& of, std::vector<shape> const& shapes) {
  std::size_t free = 0, total = 0;
  example::require(cudaMemGetInfo(&free, &total));
  for (shape const& s : shapes) {
    double const needed = static_cast<double>(of.input_bytes) * (s.elements() - s.elements_of_c()) +
                          2 * static_cast<double>(of.output_bytes) * s.elements_of_c();
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

/// The outcome of the shapes so far.
struct tally {
  bool right = true;
  int kept = 0;  ///< plans
};

/// Adds measurements to a result, the fastest first.
void add_measured(gemm::tune_result& result, std::vector<gemm::measurement> const& more) {
  std::vector<gemm::measurement>& all = result.measured;
  std::string const followed = result.followed < 0 ? "" : all[static_cast<std::size_t>(result.followed)].policy;
  double const seconds = result.followed < 0 ? 0 : all[static_cast<std::size_t>(result.followed)].seconds;
  all.insert(all.end(), more.begin(), more.end());
  std::stable_sort(all.begin(), all.end(), [](gemm::measurement const& x, gemm::measurement const& y) {
    bool const right_x{x.outcome}, right_y{y.outcome};
    return right_x != right_y ? right_x : right_x && x.seconds < y.seconds;
  });
  for (std::size_t i = 0; i < all.size() && result.followed >= 0; ++i) {
    if (all[i].policy == followed && all[i].seconds == seconds) {
      result.followed = static_cast<int>(i);
    }
  }
}

/// Tunes a shape by the candidates of run(), of which the fastest is kept, and then measures the family.
tools::tuned search(shape const& s, arguments const& arguments, tools::progress const& bar) {
  example::family_function const family =
      arguments.product.type == "f32" ? example::family_of(arguments.product.storage) : nullptr;
  int const parts = family != nullptr ? 2 : 1;
  auto const part = [&](int number) {
    gemm::tune_options result = arguments.options;
    result.progress = [&bar, number, parts](int step, int total) { bar.show(number * total + step, parts * total); };
    return result;
  };
  tools::tuned result = arguments.product.tune(s, part(0));
  if (family != nullptr && !result.found.measured.empty()) {
    gemm::tune_options options = part(1);
    options.cache = {};
    add_measured(result.found, family(s, options).measured);
  }
  return result;
}

/// Tunes a shape and prints what is best.
void tune(shape const& s, arguments const& arguments, tools::progress& bar, tally& so_far) {
  bar.begin(s.name());
  auto const [before, found] = search(s, arguments, bar);
  bar.clear();
  bool const any = !found.measured.empty() && found.measured.front().outcome;
  if (any) {
    print(s, "best", found.measured.front());
  }
  if (found.followed >= 0) {
    print(s, "run()", found.measured[static_cast<std::size_t>(found.followed)]);
  } else if (any && found) {
    std::printf("%-18s run() can choose none of them, and follows none\n", s.name().c_str());
  }
  for (gemm::measurement const& m : found.measured) {
    bool const was_chosen = m.outcome && m.policy == before.policy && m.slices == before.slices &&
                            m.in_cluster == before.in_cluster && m.tail == before.tail;
    so_far.right = so_far.right && m.outcome;
    if (any && (was_chosen || arguments.all || !m.outcome)) {
      print(s, !m.outcome ? "FAILED" : was_chosen ? "was" : "", m);
    }
  }
  if (!found) {
    std::printf("%-18s %s\n", s.name().c_str(), found.status.message());
  }
  so_far.right = so_far.right && found;
  so_far.kept += found.cache.empty() ? 0 : 1;
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
  refuse_too_large(given.product, given.shapes);
  load_cache(given.options.cache);
  std::printf("%s %s on %s; best: of all; run(): what it follows now; was: what it chose before\n",
              given.product.type.data(), given.product.storage.data(), example::device_name().c_str());
  std::printf("%-18s %-9s %13s %16s  %4s  %s\n", "shape", "", "time", "", "cut", "policy");
  tally so_far;
  tools::progress bar(given.shapes.size());
  for (shape const& s : given.shapes) {
    tune(s, given, bar, so_far);
  }
  if (!given.options.cache.empty()) {
    std::printf("%s has %d of %zu plans\n", given.options.cache.c_str(), so_far.kept, given.shapes.size());
  }
  return so_far.right ? tools::exit_done : tools::exit_failed;
}

}  // namespace

int main(int count, char** values) {
  return tools::run_main("tune_gemm", [&] { return run(count, values); });
}
