// SPDX-License-Identifier: BSL-1.0
//! @file
//! Errors and speed of the ways to multiply floats, ours and cuBLAS's, written as gemm_bench writes its results.
//! bench/README.md says how, and what the columns mean.

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <gemm/gemm.cuh>

#include "../support/cuda.hpp"
#include "../support/gauges.hpp"
#include "product.hpp"

namespace bench {

namespace {

constexpr char method[] =
    "errors of all elements against cublasDgemm; times of launches one behind the other for 0.25 s, after as long "
    "unmeasured";
constexpr double budget = 0.25;  // seconds

struct contender {
  std::string name;
  std::function<void(float_product const&)> run;
};

struct settings {
  cublasHandle_t handle;
  gemm::workspace workspace;
};

template <class Policy>
contender ours(settings const& s) {
  return {std::string(gemm::name<Policy>()), [s](float_product const& p) {
            gemm::status const status =
                gemm::run<Policy>(gemm::row_major(p.a(), p.m(), p.k()), gemm::col_major(p.b(), p.k(), p.n()),
                                  gemm::row_major(p.c(), p.m(), p.n()), {.workspace = s.workspace});
            if (!status) {
              throw failure(status.message());
            }
          }};
}

contender theirs(settings const& s, char const* name, cublasMath_t math) {
  return {name, [s, math](float_product const& p) {
            float const one = 1, zero = 0;
            if (cublasSetMathMode(s.handle, math) != CUBLAS_STATUS_SUCCESS ||
                cublasSgemm(s.handle, CUBLAS_OP_T, CUBLAS_OP_N, p.n(), p.m(), p.k(), &one, p.b(), p.k(), p.a(), p.k(),
                            &zero, p.c(), p.n()) != CUBLAS_STATUS_SUCCESS) {
              throw failure("cublasSgemm");
            }
          }};
}

/// Seconds of so many launches.
double time_of(contender const& c, float_product const& p, int launches) {
  event const begin = make_event(), end = make_event();
  require(cudaEventRecord(begin.get()), "cudaEventRecord");
  for (int i = 0; i < launches; ++i) {
    c.run(p);
  }
  require(cudaEventRecord(end.get()), "cudaEventRecord");
  require(cudaEventSynchronize(end.get()), c.name);
  float milliseconds = 0;
  require(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), "cudaEventElapsedTime");
  return milliseconds * 1e-3;
}

/// What is written of one contender, kind of elements and shape.
class table {
 public:
  explicit table(std::FILE* file) : file_(file) {}

  void add(contender const& c, char const* kind, float_product const& p, bool timed, gauges const& g) {
    p.clear();
    double seconds = time_of(c, p, 1);
    errors const found = p.measure();
    std::string extra;
    if (timed) {
      int const launches = static_cast<int>(budget / time_of(c, p, 1)) + 1;
      static_cast<void>(time_of(c, p, launches));
      seconds = time_of(c, p, launches) / launches;
      char text[160];
      std::snprintf(text, sizeof(text), ",\"tflops\":%.6g", 2e-12 * p.m() * p.n() * p.k() / seconds);
      extra = text;
      if (auto const now = g.read()) {
        std::snprintf(text, sizeof(text), ",\"sm_mhz\":%.6g,\"watts\":%.6g", now->sm_megahertz, now->watts);
        extra += text;
      }
    }
    char name[160];
    std::snprintf(name, sizeof(name), "%s/f32/nt/%dx%dx%d/elements:%s/manual_time", c.name.c_str(), p.m(), p.n(), p.k(),
                  kind);
    std::fprintf(file_, "%s\n{\"name\":\"%s\",\"run_name\":\"%s\",\"run_type\":\"iteration\",\"repetition_index\":0",
                 first_ ? "" : ",", name, name);
    if (std::isfinite(found.most)) {
      std::fprintf(file_, ",\"median_us\":%.6g,\"error_max\":%.6g,\"error_median\":%.6g%s", seconds * 1e6, found.most,
                   found.median, extra.c_str());
    } else {
      std::fprintf(file_, ",\"error_occurred\":true,\"error_message\":\"wrong result\"");
    }
    std::fprintf(file_, ",\"label\":\"%s\"}", kind);
    first_ = false;
  }

 private:
  std::FILE* file_;
  bool first_ = true;
};

void write_context(std::FILE* file, gauges const& g) {
  int device = 0, runtime = 0, cublas[3] = {};
  cudaDeviceProp properties{};
  require(cudaGetDevice(&device), "cudaGetDevice");
  require(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  require(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  for (int i = 0; i < 3; ++i) {
    static_cast<void>(cublasGetProperty(std::array{MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL}[i], &cublas[i]));
  }
  char date[40];
  std::time_t const now = std::time(nullptr);
  std::strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S+00:00", std::gmtime(&now));
  char const* const at_run_time = std::getenv("GEMM_COMMIT");
  std::fprintf(file,
               "{\n\"context\": {\"date\": \"%s\", \"executable\": \"gemm_accuracy\", \"gpu\": \"%s\", \"driver\": "
               "\"%s\", \"cuda_runtime\": \"%d.%d\", \"cublas\": \"%d.%d.%d\", \"commit\": \"%s\", \"method\": "
               "\"%s\"},\n\"benchmarks\": [",
               date, properties.name, g.driver_version().empty() ? "unknown" : g.driver_version().c_str(),
               runtime / 1000, runtime % 1000 / 10, cublas[0], cublas[1], cublas[2],
               at_run_time != nullptr && *at_run_time != '\0' ? at_run_time : GEMM_BENCH_COMMIT, method);
}

constexpr std::size_t workspace_bytes = std::size_t{3} << 30;

owned<cublasHandle_t, cublasDestroy> make_handle() {
  cublasHandle_t created = nullptr;
  if (cublasCreate(&created) != CUBLAS_STATUS_SUCCESS) {
    throw failure("cublasCreate");
  }
  return owned<cublasHandle_t, cublasDestroy>(created);
}

/// The kinds at 8192^3, with times, and at depths of C's that cuBLAS may split.
void measure_all(std::FILE* file, gauges const& g) {
  device_memory const memory(workspace_bytes);
  auto const handle = make_handle();
  settings const s{handle.get(), {memory.data(), workspace_bytes}};
  std::vector<contender> const contenders{
      ours<gemm::fp32_emulated>(s),
      ours<gemm::fp16x3_128x192x64_2x1>(s),
      ours<gemm::fp16x3_compensated_128x192x64_2x1>(s),
      ours<gemm::fp16x3_wide_128x192x64_2x1>(s),
      ours<gemm::bf16x6_128x128x64_2x1>(s),
      ours<gemm::tf32x3_128x128x64_2x1>(s),
      ours<gemm::automatic>(s),
      theirs(s, "cublas_sgemm", CUBLAS_DEFAULT_MATH),
      theirs(s, "cublas_tf32", CUBLAS_TF32_TENSOR_OP_MATH),
  };
  write_context(file, g);
  table rows(file);
  struct kind_of {
    elements kind;
    char const* name;
  };
  for (kind_of const& of : {kind_of{elements::uniform, "uniform"}, kind_of{elements::positive, "positive"},
                            kind_of{elements::wide, "wide"}}) {
    for (int const k : {0, 256, 1024, 4096, 16384, 65536}) {
      bool const timed = k == 0;
      float_product const p(handle.get(), of.kind, timed ? 8192 : 1024, timed ? 8192 : 2048, timed ? 8192 : k);
      for (contender const& c : contenders) {
        rows.add(c, of.name, p, timed, g);
      }
    }
  }
  std::fprintf(file, "\n]\n}\n");
}

/// What fp32_emulated and cublasSgemm are off by, of every kind, for C's and depths where either cuts k or not.
void measure_cells(std::FILE* file) {
  device_memory const memory(workspace_bytes);
  auto const handle = make_handle();
  settings const s{handle.get(), {memory.data(), workspace_bytes}};
  contender const both[] = {ours<gemm::fp32_emulated>(s), theirs(s, "cublas_sgemm", CUBLAS_DEFAULT_MATH)};
  std::fprintf(file, "m,n,k,inputs,chosen,max,median,cublas_max,cublas_median\n");
  constexpr char const* names[] = {"uniform",     "positive",    "wide",       "normal",        "scaled_lines",
                                   "scaled_k_12", "scaled_k_30", "cancelling", "near_overflow", "denormal"};
  constexpr int sides[][2] = {{512, 512},   {768, 768},  {1024, 1024}, {1024, 2048}, {1536, 1536},
                              {2048, 2048}, {256, 8192}, {512, 4096},  {4096, 1024}, {4096, 4096}};
  for (auto const& [m, n] : sides) {
    for (int const k : {256, 1024, 4096, 16384, 65536}) {
      for (int kind = 0; kind < static_cast<int>(std::size(names)); ++kind) {
        float_product const p(handle.get(), static_cast<elements>(kind), m, n, k);
        auto const a = gemm::row_major(p.a(), m, k);
        std::string const chosen(
            gemm::chosen<gemm::fp32_emulated>(a, gemm::col_major(p.b(), k, n), gemm::row_major(p.c(), m, n)).policy);
        std::fprintf(file, "%d,%d,%d,%s,\"%s\"", m, n, k, names[kind], chosen.c_str());
        for (contender const& c : both) {
          p.clear();
          c.run(p);
          errors const found = p.measure();
          std::fprintf(file, ",%.4g,%.4g", found.most, found.median);
        }
        std::fprintf(file, "\n");
      }
    }
  }
}

}  // namespace

}  // namespace bench

/// gemm_accuracy FILE: writes there, the errors of all cells where its name ends in .csv.
int main(int count, char** arguments) {
  if (count != 2 || arguments[1][0] == '-') {
    std::fprintf(stderr, "usage: gemm_accuracy FILE\n");
    return 2;
  }
  try {
    char bus[32] = "";
    bench::require(cudaDeviceGetPCIBusId(bus, sizeof(bus), 0), "there is no CUDA device to measure");
    bench::gauges const gauges(bus);
    std::FILE* const file = std::fopen(arguments[1], "w");
    if (file == nullptr) {
      throw bench::failure(std::string("cannot write ") + arguments[1]);
    }
    std::string_view(arguments[1]).ends_with(".csv") ? bench::measure_cells(file) : bench::measure_all(file, gauges);
    if (std::fclose(file) != 0) {
      throw bench::failure(std::string("cannot write ") + arguments[1]);
    }
  } catch (std::exception const& error) {
    std::fprintf(stderr, "gemm_accuracy: %s\n", error.what());
    return 1;
  }
  return 0;
}
