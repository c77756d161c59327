// SPDX-License-Identifier: BSL-1.0
//! @file
//! Times every candidate of run() over lists of problems and random ones, by gemm::tune(), and writes a CSV that the
//! choice is judged by (bench/README.md).
//!
//!     gemm_candidates --shapes bench/shapes/bf16.txt --random 50 --dtype bf16 > candidates.csv
//!
//! Exit codes: 0; 1 where a candidate was wrong or nothing could be measured; 2 for bad arguments.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../../examples/support/arguments.hpp"
#include "../../examples/support/command_line.hpp"
#include "../../examples/support/progress.hpp"
#include "../../examples/support/tuned/tuned_products.hpp"
#include "../../examples/support/tuning_cache.hpp"
#include "../support/elements.hpp"
#include "../support/problem.hpp"
#include "drawn_problems.hpp"

namespace {

using bench::problem;

struct arguments {
  std::vector<std::string> shapes, sizes;  ///< files; of the second, problems of all element types are taken
  std::string dtype = "f32";               ///< what is measured of them, and of random problems
  std::string storages = "nn,nt,tn,tt";
  int random = 0, general = 0;  ///< problems for each storage
  int layers = 0;               ///< problems
  std::uint32_t seed = 1;
  double most_flops = 4e11;  ///< of a problem that is drawn
  std::vector<std::int64_t> steps{64, 8, 1};
  gemm::tune_options options{};
};

std::vector<std::string> split(std::string const& text) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    std::size_t const end = std::min(text.find(',', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::optional<arguments> parse(int count, char** values) {
  arguments result;
  result.options.repetitions = 3;
  CLI::App app("gemm_candidates: times every candidate of run(), as CSV\n", "gemm_candidates");
  tools::add_list(app, "--shapes", "FILE", "problems, lines of: dtype storage m n k [kind] [batch=N]; may be repeated",
                  result.shapes);
  tools::add_list(app, "--sizes", "FILE", "problems of a list, whatever their element type; may be repeated",
                  result.sizes);
  tools::add_choice(app, "--dtype", result.dtype, {"f32", "tf32", "f16", "bf16", "f64", "i8", "e4m3", "fp16x3"},
                    "the element type, or float by split terms (f32)");
  tools::add_text(app, "--storages", "LIST", "of random problems, and of those of lists that are taken (nn,nt,tn,tt)",
                  [&](std::string const& text) {
                    for (std::string const& storage : split(text)) {
                      if (storage != "nn" && storage != "nt" && storage != "tn" && storage != "tt") {
                        throw tools::refused("--storages has \"" + storage + "\", needs nn, nt, tn or tt");
                      }
                    }
                    result.storages = text;
                  });
  tools::add_number(app, "--random", result.random, 0, 1000000, "random problems for each storage (0)");
  tools::add_number(app, "--general", result.general, 0, 1000000,
                    "problems for each storage with sizes that people choose (0)");
  tools::add_number(app, "--layers", result.layers, 0, 1000000, "linear layers of language models (0)");
  tools::add_number<std::uint32_t>(app, "--seed", result.seed, 0, 0xffffffff, "of the problems that are drawn (1)");
  tools::add_text(app, "--steps", "LIST", "of which a random problem's sizes are multiples, each of any (64,8,1)",
                  [&](std::string const& text) {
                    result.steps.clear();
                    for (std::string const& step : split(text)) {
                      result.steps.push_back(tools::parse_number<std::int64_t>("--steps", step, 1, 16384));
                    }
                  });
  tools::add_number(app, "--most-flops", result.most_flops, 1.0, 1e15, "operations of a problem that is drawn (4e11)");
  tools::add_number(app, "--within", result.options.within, 1.0, 1e9,
                    "candidates that are predicted to take longer than so many times the shortest are left out (3)");
  tools::add_text(app, "--cache", "FILE", "keep the fastest that run() can choose in this tuning cache",
                  [&](std::string const& text) { result.options.cache = text; });
  tools::add_number(app, "--repetitions", result.options.repetitions, 1, 1000,
                    "samples of each, whose median counts (3)");
  if (!tools::parse(app, count, values)) {
    return {};
  }
  return result;
}

std::string storage_of(problem const& p) { return {p.transposed_a ? 't' : 'n', p.transposed_b ? 't' : 'n'}; }

std::vector<problem> problems_of(arguments const& given) {
  std::vector<problem> result;
  std::vector<std::string> const storages = split(given.storages);
  auto const add = [&](problem const& p) {
    bool const is_known =  // by another list
        std::any_of(result.begin(), result.end(), [&](problem const& other) { return other.name() == p.name(); });
    if (!is_known && std::find(storages.begin(), storages.end(), storage_of(p)) != storages.end()) {
      result.push_back(p);
    }
  };
  for (std::string const& path : given.shapes) {
    for (problem const& p : bench::read_shapes(path)) {
      if (p.dtype == given.dtype) {
        add(p);
      }
    }
  }
  for (std::string const& path : given.sizes) {
    for (problem p : bench::read_shapes(path)) {
      p.dtype = given.dtype;
      add(p);
    }
  }
  // A seed for each kind, so that the number of one changes nothing of the others.
  auto const seeded = [&](std::uint32_t kind) {
    return bench::drawn_problems(given.dtype, given.seed + kind * 0x10000, given.most_flops);
  };
  bench::drawn_problems random = seeded(0), general = seeded(1), layers = seeded(2);
  for (std::string const& storage : storages) {
    for (int i = 0; i < given.random; ++i) {
      add(random.random(storage, given.steps));
    }
    for (int i = 0; i < given.general; ++i) {
      add(general.general(storage));
    }
  }
  for (int i = 0; i < given.layers; ++i) {
    add(layers.layer());
  }
  return result;
}

/// The current device, as gemm_calibrate reads it.
std::string device_facts() {
  cudaDeviceProp properties{};
  int device = 0, driver = 0, clock = 0, memory_clock = 0, bus = 0;
  if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
    throw std::runtime_error("there is no CUDA device");
  }
  cudaDriverGetVersion(&driver);
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device);
  cudaDeviceGetAttribute(&memory_clock, cudaDevAttrMemoryClockRate, device);
  cudaDeviceGetAttribute(&bus, cudaDevAttrGlobalMemoryBusWidth, device);
  std::time_t const now = std::time(nullptr);
  char text[512], date[16];
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  std::snprintf(text, sizeof text,
                "gpu=%s; compute_capability=%d.%d; multiprocessors=%d; shared_per_multiprocessor=%zu; "
                "shared_reserved=%zu; clock_mhz=%d; bandwidth_gbs=%.0f; origin=CUDA %d.%d, %s",
                properties.name, properties.major, properties.minor, properties.multiProcessorCount,
                properties.sharedMemPerMultiprocessor, properties.reservedSharedMemPerBlock, clock / 1000,
                2e3 * memory_clock * bus / 8 * 1e-9, driver / 1000, driver % 1000 / 10, date);
  return text;
}

int run(int count, char** values) {
  std::optional<arguments> const given = parse(count, values);
  if (!given) {
    return tools::exit_done;
  }
  std::vector<problem> const problems = problems_of(*given);
  gemm::tune_options options = given->options;
  options.cache = tools::writable_cache(options.cache);
  std::printf(
      "# %s; gemm_candidates --dtype %s --random %d --general %d --layers %d --seed %u --most-flops %g --within %g "
      "--repetitions %d\n",
      device_facts().c_str(), given->dtype.c_str(), given->random, given->general, given->layers, given->seed,
      given->most_flops, given->options.within, given->options.repetitions);
  std::puts("dtype,storage,m,n,k,batch,policy,slices,added_in,predicted_us,us");
  tools::progress bar(problems.size());
  options.progress = [&](int step, int total) { bar.show(step, total); };
  bool right = true;
  for (problem const& p : problems) {
    bar.begin(p.name());
    gemm::tune_result const found =
        tools::tuned_product_of(p.dtype, storage_of(p)).tune({p.m, p.n, p.k, p.batch}, options).found;
    bar.clear();
    if (!found) {
      std::fprintf(stderr, "%s: %s\n", p.name().c_str(), found.status.message());
      right = false;
    }
    for (gemm::measurement const& m : found.measured) {
      if (!m.outcome) {
        std::fprintf(stderr, "%s: %s\n", p.name().c_str(), m.outcome.message());
        right = false;
        continue;
      }
      std::printf("%s,%s,%lld,%lld,%lld,%lld,%s,%d,%s%s,%.3f,%.3f\n", p.dtype.c_str(), storage_of(p).c_str(),
                  static_cast<long long>(p.m), static_cast<long long>(p.n), static_cast<long long>(p.k),
                  static_cast<long long>(p.batch), m.policy.c_str(), m.slices,
                  m.slices == 1  ? ""
                  : m.in_cluster ? "cluster"
                                 : "kernel",
                  m.tail ? "_tail" : "", m.predicted * 1e6, m.seconds * 1e6);
    }
    std::fflush(stdout);
  }
  return right ? tools::exit_done : tools::exit_failed;
}

}  // namespace

int main(int count, char** values) {
  return tools::run_main("gemm_candidates", [&] { return run(count, values); });
}
