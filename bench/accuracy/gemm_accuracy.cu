// SPDX-License-Identifier: BSL-1.0
//! @file
//! Errors and speed of the ways to multiply floats, ours and cuBLAS's, on Google Benchmark as gemm_bench is.
//! bench/README.md says how, and what the columns mean.

#include <benchmark/benchmark.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gemm/gemm.cuh>

#include "../../examples/support/arguments.hpp"
#include "../support/benchmark_main.hpp"
#include "../support/context.hpp"
#include "../support/cuda.hpp"
#include "../support/gauges.hpp"
#include "contender.cuh"
#include "errors.hpp"
#include "options.hpp"
#include "product.hpp"

namespace bench {

namespace {

constexpr char method[] =
    "errors of all elements against cublasDgemm; times of launches one behind the other for 0.25 s, after as long "
    "unmeasured";
constexpr double budget = 0.25;  // seconds

/// A benchmark: a contender, a kind of elements, and a size. What is `timed` is launched over and over.
struct row {
  contender<float> what;
  elements kind;
  char const* label;
  int m, n, k;
  bool timed;

  std::string name() const {
    return what.name + "/f32/nt/" + std::to_string(m) + 'x' + std::to_string(n) + 'x' + std::to_string(k) +
           "/elements:" + label;
  }
};

/// What all benchmarks of a run share: the device, and the product at hand, which neighbours have in common.
class laboratory {
 public:
  explicit laboratory(bench::gauges const& g) : gauges_(g) {}

  void measure(row const& r, benchmark::State& state) {
    float_product const& p = product_of(r);
    p.clear();
    double seconds = time_of(r.what, settings_, p, 1);
    errors const found = p.measure();
    if (!std::isfinite(found.most)) {
      throw failure("wrong result");
    }
    if (r.timed) {
      int const launches = static_cast<int>(budget / time_of(r.what, settings_, p, 1)) + 1;
      static_cast<void>(time_of(r.what, settings_, p, launches));
      seconds = time_of(r.what, settings_, p, launches) / launches;
      state.counters["tflops"] = 2e-12 * p.m() * p.n() * p.k() / seconds;
      if (auto const now = gauges_.read()) {
        state.counters["sm_mhz"] = now->sm_megahertz;
        state.counters["watts"] = now->watts;
      }
    }
    state.counters["median_us"] = seconds * 1e6;
    state.counters["error_max"] = found.most;
    state.counters["error_median"] = found.median;
    state.SetLabel(r.label);
    for ([[maybe_unused]] auto _ : state) {
      state.SetIterationTime(seconds);
    }
  }

 private:
  float_product const& product_of(row const& r) {
    auto const key = std::tuple(r.kind, r.m, r.n, r.k);
    if (!product_ || key != key_) {
      product_.reset();  // before the next one is allocated
      product_.emplace(settings_.handle, r.kind, r.m, r.n, r.k);
      key_ = key;
    }
    return *product_;
  }

  bench::gauges const& gauges_;
  settings settings_;
  std::optional<float_product> product_;
  std::tuple<elements, int, int, int> key_{};
};

/// The kinds at 8192^3, with times, and at depths of C's that cuBLAS may split.
std::vector<row> all_rows() {
  contender<float> const contenders[] = {
      ours<gemm::fp32_emulated>(),
      ours<gemm::fp16x3_128x192x64_2x1>(),
      ours<gemm::fp16x3_compensated_128x192x64_2x1>(),
      ours<gemm::fp16x3_wide_128x192x64_2x1>(),
      ours<gemm::bf16x6_128x128x64_2x1>(),
      ours<gemm::automatic>(),
      cublas_sgemm("cublas_sgemm", CUBLAS_DEFAULT_MATH),
      cublas_sgemm("cublas_tf32", CUBLAS_TF32_TENSOR_OP_MATH),
  };
  constexpr std::pair<elements, char const*> kinds[] = {
      {elements::uniform, "uniform"}, {elements::positive, "positive"}, {elements::wide, "wide"}};
  std::vector<row> result;
  for (auto const& [kind, label] : kinds) {
    for (int const k : {0, 256, 1024, 4096, 16384, 65536}) {
      for (contender<float> const& c : contenders) {
        result.push_back(k == 0 ? row{c, kind, label, 8192, 8192, 8192, true}
                                : row{c, kind, label, 1024, 2048, k, false});
      }
    }
  }
  return result;
}

/// Registers the rows and runs them; returns the exit code.
int measure_all(std::vector<std::string> const& flags) {
  initialize("gemm_accuracy", {"--benchmark_counters_tabular=true"}, flags);
  std::optional<gauges> readings;
  std::optional<laboratory> shared;
  if (!lists_only(flags)) {
    readings.emplace(current_pci_bus_id());
    add_device_context(*readings, method);
    shared.emplace(*readings);
  }
  int failures = 0;
  for (row const& r : all_rows()) {
    auto const body = [r, &shared, &failures](benchmark::State& state) {
      try {
        shared->measure(r, state);
      } catch (unsupported const& reason) {
        state.SkipWithError((std::string(left_out) + reason.what()).c_str());
      } catch (failure const& reason) {
        ++failures;
        state.SkipWithError(reason.what());
      }
    };
    benchmark::RegisterBenchmark(r.name().c_str(), body)->UseManualTime()->Unit(benchmark::kMicrosecond);
  }
  bool const ran = run_registered();
  return ran && failures == 0 ? tools::exit_done : tools::exit_failed;
}

}  // namespace

void measure_cells(std::FILE* file) {
  settings const s;
  contender<float> const both[] = {ours<gemm::fp32_emulated>(), cublas_sgemm("cublas_sgemm", CUBLAS_DEFAULT_MATH)};
  std::fprintf(file, "m,n,k,inputs,chosen,max,median,cublas_max,cublas_median\n");
  constexpr int sides[][2] = {{512, 512},   {768, 768},  {1024, 1024}, {1024, 2048}, {1536, 1536},
                              {2048, 2048}, {256, 8192}, {512, 4096},  {4096, 1024}, {4096, 4096}};
  for (auto const& [m, n] : sides) {
    for (int const k : {256, 1024, 4096, 16384, 65536}) {
      for (int kind = 0; kind < static_cast<int>(std::size(element_kinds)); ++kind) {
        float_product const p(s.handle, static_cast<elements>(kind), m, n, k);
        std::string const policy(chosen<gemm::fp32_emulated>(s, p).policy);
        std::fprintf(file, "%d,%d,%d,%s,\"%s\"", m, n, k, element_kinds[kind], policy.c_str());
        for (contender<float> const& c : both) {
          p.clear();
          c.run(s, p);
          errors const found = p.measure();
          std::fprintf(file, ",%.4g,%.4g", found.most, found.median);
        }
        std::fprintf(file, "\n");
      }
    }
  }
}

void measure_deep(std::FILE* file) {
  std::fprintf(file, "dtype,m,n,k,inputs,contender,chosen,slices,max,median,of_bound,us\n");
  measure_deep_f16(file);
  measure_deep_bf16(file);
}

namespace {

int run(int count, char** arguments) {
  std::optional<accuracy_options> const given = read_accuracy_options(count, arguments);
  if (!given) {
    return tools::exit_done;
  }
  if (given->files.empty()) {
    return measure_all(given->flags);
  }
  require_device();
  for (auto const& [measure, path] : given->files) {
    std::FILE* const file = std::fopen(path.c_str(), "w");
    if (file == nullptr) {
      throw tools::refused("cannot write " + path);
    }
    measure(file);
    if (std::fclose(file) != 0) {
      throw failure("cannot write " + path);
    }
  }
  return tools::exit_done;
}

}  // namespace

}  // namespace bench

int main(int count, char** arguments) {
  return tools::run_main("gemm_accuracy", [&] { return bench::run(count, arguments); });
}
