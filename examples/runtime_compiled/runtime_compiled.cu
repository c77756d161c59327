// SPDX-License-Identifier: BSL-1.0
//! @file
//! A kernel with an epilogue that is known at run time alone: compiled by NVRTC, kept on disk, launched by the driver.
//!
//!     runtime_compiled [EXPRESSION]
//!
//! The expression is of value, row, column and factor. Without a GPU the kernel is compiled for sm_90a and stored.

#include <cuda.h>
#include <cuda_bf16.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include <gemm/launch/compiled_kernel_of.hpp>
#include <gemm/launch/driver.hpp>
#include <gemm/launch/launch_plan.cuh>
#include <gemm/launch/make_problem.hpp>
#include <gemm/mma_policies.cuh>
#include <gemm/version.hpp>

#include "../device_memory.hpp"
#include "cubin_cache.hpp"
#include "nvrtc.hpp"

namespace {

// example-begin parameter
/// The epilogue's members, as the source below has them: the host fills them without knowing what it computes.
struct epilogue_members {
  float factor;
};

using policy = gemm::sm80_mma_128x128x32;
using problem = gemm::problem<gemm::operand<__nv_bfloat16, gemm::major::k>,
                              gemm::operand<__nv_bfloat16, gemm::major::mn>, float, epilogue_members>;
using parameter = gemm::detail::scheduled<problem>;
// example-end

constexpr char const* default_expression = "(value > 0 ? value : factor * value) + (row == column ? 1 : 0)";
constexpr char const* kernel_expression = "policy::kernel<policy, problem, true>()";

// example-begin source
std::string source_of(std::string const& expression) {
  return R"(#include <gemm/mma_policies.cuh>
struct epilogue {
  float factor;
  float operator()(float value, long row, long column) const { return )" +
         expression + R"(; }
};
using policy = gemm::sm80_mma_128x128x32;
using problem = gemm::problem<gemm::operand<__nv_bfloat16, gemm::major::k>,
                              gemm::operand<__nv_bfloat16, gemm::major::mn>, float, epilogue>;
static_assert(sizeof(gemm::detail::scheduled<problem>) == )" +
         std::to_string(sizeof(parameter)) + R"(, "the host's parameter is another one");
)";
}
// example-end

/// Milliseconds since a time.
double since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// The GPU to compile for; empty where there is none.
std::string architecture_of_device() {
  int device = 0, major = 0, minor = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess) {
    return {};
  }
  std::string const name = "sm_" + std::to_string(10 * major + minor);
  return name == "sm_90" ? "sm_90a" : name;
}

/// From the cache, or else compiled and stored there; no code where it cannot be compiled.
example::cubin load_or_compile(std::string const& expression, std::string const& architecture) {
  auto const begin = std::chrono::steady_clock::now();
  example::cubin_key const key{
      GEMM_VERSION_STRING,   example::nvrtc_version(),
      architecture,          example::nvrtc_options(EXAMPLE_GEMM_INCLUDE, EXAMPLE_CUDA_INCLUDE, architecture),
      source_of(expression), kernel_expression};
  example::cubin_cache const cache(example::cubin_folder());
  if (auto const found = cache.find(key)) {
    std::printf("runtime_compiled: for %s from the cache in %.2f ms\n", architecture.c_str(), since(begin));
    return *found;
  }
  example::compilation const made = example::compile(key.source, {key.kernel}, key.options);
  if (!made.succeeded) {
    std::printf("%s\n", made.log.c_str());
    return {};
  }
  std::printf("runtime_compiled: for %s compiled by NVRTC %s in %.0f ms\n", architecture.c_str(), key.compiler.c_str(),
              since(begin));
  example::cubin const result{made.code, made.kernels[0]};
  if (std::error_code const error = cache.store(key, result)) {
    std::printf("runtime_compiled: not stored: %s\n", error.message().c_str());
  } else {
    std::printf("runtime_compiled: stored in %s\n", cache.file_of(key).c_str());
  }
  return result;
}

/// Ends the program where the driver refuses a call.
void require(CUresult error, char const* call) {
  if (error != CUDA_SUCCESS) {
    std::fprintf(stderr, "%s returns %d\n", call, static_cast<int>(error));
    std::exit(1);
  }
}

// example-begin launch
/// C = epilogue(A B) for whole tiles, planned as run() does it.
void multiply(example::cubin const& compiled, __nv_bfloat16 const* a, __nv_bfloat16 const* b, float* c, int n,
              epilogue_members const& members) {
  gemm::detail::compiled_kernel const& facts = gemm::detail::compiled_kernel_of<policy, problem>;
  parameter x{.io = gemm::detail::problem_of(gemm::row_major(a, n, n), gemm::row_major(b, n, n),
                                             gemm::row_major(c, n, n), 1.0f, 0.0f, members),
              .order = {}};
  x.order = gemm::detail::schedule_of(facts, x.io, {}, false);
  x.io.tiles_m = x.order.tiles_m;
  x.io.tiles_n = x.order.tiles_n;
  x.io.vector_c = gemm::detail::allows_vectors<gemm::detail::widest<float>>(x.io.c);
  dim3 const grid = gemm::detail::grid_of_works(x.order, 1, {}, false);

  using gemm::detail::driver_function;
  auto* const load = driver_function<decltype(cuLibraryLoadData)>("cuLibraryLoadData", 12000);
  auto* const find = driver_function<decltype(cuLibraryGetKernel)>("cuLibraryGetKernel", 12000);
  auto* const grant = driver_function<decltype(cuKernelSetAttribute)>("cuKernelSetAttribute", 12000);
  auto* const launch = driver_function<decltype(cuLaunchKernel)>("cuLaunchKernel", 4000);
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  require(load(&library, compiled.code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0), "cuLibraryLoadData");
  require(find(&kernel, library, compiled.kernel.c_str()), "cuLibraryGetKernel");
  int device = 0;
  example::require(cudaGetDevice(&device));
  require(grant(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(facts.shared_bytes), kernel, device),
          "cuKernelSetAttribute");
  void* arguments[] = {&x};
  require(launch(reinterpret_cast<CUfunction>(kernel), grid.x, grid.y, grid.z, static_cast<unsigned>(facts.threads), 1,
                 1, static_cast<unsigned>(facts.shared_bytes), nullptr, arguments, nullptr),
          "cuLaunchKernel");
}
// example-end

/// Multiplies small integers, whose products are exact, and compares with the default expression's values.
int count_wrong(example::cubin const& compiled, int n, epilogue_members const& members) {
  auto const size = static_cast<std::size_t>(n);
  std::vector<float> a(size * size), b(size * size);
  std::vector<__nv_bfloat16> narrow_a, narrow_b;
  for (std::size_t i = 0; i < size * size; ++i) {
    a[i] = static_cast<float>(i * 7 % 13) - 6;
    b[i] = static_cast<float>(i * 5 % 11) - 5;
    narrow_a.push_back(__float2bfloat16(a[i]));
    narrow_b.push_back(__float2bfloat16(b[i]));
  }
  example::device_memory const d_a(narrow_a), d_b(narrow_b);
  example::device_memory<float> const d_c(size * size);
  d_c.fill(0xff);
  multiply(compiled, d_a.data(), d_b.data(), d_c.data(), n, members);
  auto const c = d_c.values();
  int wrong = 0;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      float value = 0;
      for (std::size_t k = 0; k < size; ++k) {
        value += a[i * size + k] * b[k * size + j];
      }
      wrong += c[i * size + j] != (value > 0 ? value : members.factor * value) + (i == j ? 1.0f : 0.0f);
    }
  }
  return wrong;
}

}  // namespace

int main(int count, char** arguments) {
  std::string const expression = count > 1 ? arguments[1] : default_expression;
  std::string const device = architecture_of_device();
  example::cubin const compiled = load_or_compile(expression, device.empty() ? "sm_90a" : device);
  if (compiled.code.empty()) {
    return 1;
  }
  if (device.empty()) {
    std::printf("runtime_compiled: there is no GPU, so nothing is multiplied\n");
    return 0;
  }
  int const n = 256;
  int const wrong = count_wrong(compiled, n, {.factor = 0.5f});
  if (expression != default_expression) {
    std::printf("runtime_compiled: multiplied\n");
    return 0;
  }
  std::printf("runtime_compiled: %d of %d elements wrong\n", wrong, n * n);
  return wrong == 0 ? 0 : 1;
}
