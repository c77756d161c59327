// SPDX-License-Identifier: BSL-1.0
//! @file
//! What run() chooses on GPUs that nobody has measured: on paper, by their attributes.

#define CPU_DEVICE_EVERY_GPU

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gemm/gemm.cuh>

#include "../../examples/support/gpus.hpp"
#include "../support/device.hpp"

#if defined(GEMM_TEST_CPU_DEVICE)

namespace {

using tools::gpu;

template <class T>
using output_of = std::conditional_t<std::is_same_v<T, std::int8_t>, std::int32_t,
                                     std::conditional_t<std::is_same_v<T, gemm::tf32>, float, T>>;

template <class T>
gemm::choice choice_for(std::int64_t m, std::int64_t n, std::int64_t k) {
  T* const any = reinterpret_cast<T*>(256);
  return gemm::chosen(gemm::row_major(any, m, k), gemm::row_major(any, k, n),
                      gemm::row_major(reinterpret_cast<output_of<T>*>(512), m, n));
}

/// What of the chosen kernel a device must have room for.
struct needs {
  std::size_t shared_bytes = 0;
  int registers = 0;  // of a block, at what its launch bounds leave a thread
  bool sm90a = false;
  double blocks = 0;
  gemm::math_op op{};
  int block_m = 0, block_n = 0;
};

template <class T>
needs needs_of(gemm::choice const& c, std::int64_t m, std::int64_t n) {
  using problem = gemm::detail::plain_problem<T, output_of<T>, gemm::nn, gemm::identity>;
  needs found;
  [&]<class... Policies, gemm::detail::splits... Splits>(
      gemm::detail::candidate_list<gemm::detail::candidate<Policies, Splits>...>) {
    auto const take = [&](gemm::detail::compiled_kernel const& kernel) {
      if (kernel.name == c.policy || kernel.direct_name == c.policy) {
        double const tiles = static_cast<double>(gemm::detail::tiles(m, kernel.block_m)) *
                             static_cast<double>(gemm::detail::tiles(n, kernel.block_n));
        found = {kernel.shared_bytes,
                 65536 / kernel.resident,
                 kernel.arch == gemm::architecture::sm_90a,
                 tiles * c.slices,
                 kernel.op,
                 kernel.block_m,
                 kernel.block_n};
      }
    };
    (take(gemm::detail::compiled_kernel_of<Policies, problem>), ...);
  }(gemm::detail::candidates<gemm::automatic, problem>{});
  return found;
}

template <class T>
void check_choices(gpu const& of) {
  for (std::int64_t const m : {1, 7, 16, 64, 100, 512, 1024, 1500, 4096, 16384}) {
    for (std::int64_t const n : {1, 16, 48, 129, 1024, 4096, 8192}) {
      for (std::int64_t const k : {1, 16, 255, 1024, 4096, 65536}) {
        gemm::choice const c = choice_for<T>(m, n, k);
        CAPTURE(m, n, k, c.policy, c.slices);
        REQUIRE(c.policy != "");
        needs const kernel = needs_of<T>(c, m, n);
        REQUIRE(kernel.shared_bytes > 0);
        CHECK(kernel.shared_bytes <= static_cast<std::size_t>(of.shared_kib - 1) * 1024);
        CHECK(kernel.registers <= 65536);
        CHECK((!kernel.sm90a || (of.major == 9 && of.minor == 0)));
        bool const is_deep = k >= 4096 && m <= 128 && n <= 128 && m * n >= 16 * 16;
        CHECK((!is_deep || c.slices > 1));
        bool const fills = m * n >= 1024 * 1024 && k * sizeof(T) >= 2048;  // of less k, stores are most of the time
        CHECK((!fills || kernel.blocks >= 0.45 * of.multiprocessors));
      }
    }
  }
}

/// The cells of a GPU's row in the README's table; none without such a row.
std::vector<std::string> readme_row(std::string_view gpu) {
  std::string_view const model = gpu.substr(gpu.rfind(' ') + 1);  // rows name several
  std::ifstream file(GEMM_TEST_RESULTS "/../../README.md");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("| ") && line.find(model) < line.find(" | ")) {
      std::vector<std::string> cells;
      for (std::size_t at = 1; at < line.size(); at = line.find('|', at) + 1) {
        cells.push_back(line.substr(at, line.find('|', at) - at));
      }
      return cells;
    }
  }
  return {};
}

template <class T>
std::string_view instruction_for(std::int64_t size) {
  gemm::math_op const op = needs_of<T>(choice_for<T>(size, size, size), size, size).op;
  return op == gemm::math_op::wgmma ? "wgmma" : op == gemm::math_op::mma ? "mma.sync" : "FMA";
}

/// What multiplies few rows on a GPU without wgmma, in at most so many slices a multiprocessor; and products between.
template <class T>
void check_tiles(gpu const& of) {
  for (std::int64_t const m : {2, 8, 16, 24, 32}) {
    for (std::int64_t const n : {4096, 14336}) {
      gemm::choice const c = choice_for<T>(m, n, 4096);
      CAPTURE(m, n, c.policy, c.slices);
      needs const kernel = needs_of<T>(c, m, n);
      CHECK(kernel.op == gemm::math_op::mma);
      CHECK(kernel.block_m <= (m <= 16 ? 16 : 32));
      CHECK(kernel.blocks >= 0.45 * of.multiprocessors);
    }
  }
  auto const tile_of = [](std::int64_t size) {
    needs const kernel = needs_of<T>(choice_for<T>(size, size, size), size, size);
    return kernel.block_m * kernel.block_n;
  };
  CAPTURE(gemm::element_traits<T>::name, choice_for<T>(512, 512, 512).policy, choice_for<T>(8192, 8192, 8192).policy);
  CHECK(tile_of(512) <= 64 * 64);
  CHECK(tile_of(8192) >= (gemm::detail::is_fp8<T> ? 64 * 128 : 128 * 128));
}

/// TFLOP/s (int8: TOP/s) that are predicted of size^3.
template <class T>
double predicted_rate(std::int64_t size) {
  double const each = static_cast<double>(size);
  return 2e-12 * each * each * each / choice_for<T>(size, size, size).seconds;
}

/// The same of one policy, chosen or not.
template <class T>
double predicted_rate_of(std::string_view policy, std::int64_t size) {
  using problem = gemm::detail::plain_problem<T, output_of<T>, gemm::nn, gemm::identity>;
  T* const any = reinterpret_cast<T*>(256);
  auto const a = gemm::row_major(any, size, size);
  auto const p = gemm::detail::problem_of_call<gemm::automatic>(
      a, gemm::row_major(any, size, size), gemm::row_major(reinterpret_cast<output_of<T>*>(512), size, size),
      gemm::detail::options_for<decltype(a)>{}, gemm::identity{});
  gemm::detail::device_info device;
  REQUIRE(gemm::detail::current_device_info(device));
  double const each = static_cast<double>(size);
  for (auto const& of : gemm::detail::listed_kernels<problem>(gemm::detail::candidates<gemm::automatic, problem>{})) {
    if (of.kernel->direct_name == policy) {
      return 2e-12 * each * each * each / gemm::detail::best_plan_of(of, p, device, std::size_t{1} << 30, {}).seconds;
    }
  }
  return 0;
}

}  // namespace

TEST_CASE("the README says what multiplies on each GPU", "[choice][no_sanitizer]") {
  for (gpu const& of : tools::gpus) {
    CAPTURE(of.name);
    cpu_device::scoped_options with;
    tools::pretend(of, with->device);
    std::vector<std::string> const row = readme_row(of.name);
    REQUIRE(row.size() == 9);  // name, architecture, six types, measured
    for (std::int64_t const size : {1024, 4096}) {
      CHECK(row[2].find(instruction_for<float>(size)) != row[2].npos);
      CHECK(row[3].find(instruction_for<__half>(size)) != row[3].npos);
      CHECK(row[3].find(instruction_for<__nv_bfloat16>(size)) != row[3].npos);
      CHECK(row[4].find(instruction_for<gemm::tf32>(size)) != row[4].npos);
      CHECK(row[5].find(instruction_for<std::int8_t>(size)) != row[5].npos);
      if (row[6].find("none") == row[6].npos) {
        CHECK(row[6].find(instruction_for<__nv_fp8_e4m3>(size)) != row[6].npos);
      }
      CHECK(row[7].find(instruction_for<double>(size)) != row[7].npos);
    }
  }
}

TEST_CASE("what is chosen for a GPU fits it and fills it", "[choice][no_sanitizer]") {
  for (gpu const& of : tools::gpus) {
    CAPTURE(of.name);
    cpu_device::scoped_options with;
    tools::pretend(of, with->device);
    check_choices<float>(of);
    check_choices<__nv_bfloat16>(of);
    check_choices<double>(of);
    check_choices<std::int8_t>(of);
    if (of.major * 10 + of.minor >= 89) {
      check_choices<__nv_fp8_e4m3>(of);
    }
  }
}

TEST_CASE("without wgmma few rows have tiles of their own, and large products large ones", "[choice][no_sanitizer]") {
  for (gpu const& of : tools::gpus) {
    CAPTURE(of.name);
    cpu_device::scoped_options with;
    tools::pretend(of, with->device);
    if (of.major == 9) {  // where wgmma multiplies, these are no candidates
      CHECK(needs_of<__nv_bfloat16>(choice_for<__nv_bfloat16>(16, 4096, 4096), 16, 4096).op == gemm::math_op::wgmma);
      CHECK(predicted_rate_of<__nv_bfloat16>("sm80_mma_16x64x64", 4096) == 0);
      continue;
    }
    check_tiles<__nv_bfloat16>(of);
    check_tiles<gemm::tf32>(of);
    check_tiles<std::int8_t>(of);
    if (of.major * 10 + of.minor >= 89) {
      check_tiles<__nv_fp8_e4m3>(of);
    }
  }
}

TEST_CASE("large products are predicted near the peak of GPUs that nobody has measured", "[choice][no_sanitizer]") {
  struct data_sheet {
    std::string_view option;
    double bf16, tf32, int8;  // dense; a GeForce card adds 16-bit products at this rate in half alone
  };
  for (data_sheet const& of :
       {data_sheet{"a100", 312, 156, 624}, {"l40s", 362, 183, 733}, {"rtx5090", 419, 210, 838}}) {
    CAPTURE(of.option);
    cpu_device::scoped_options with;
    tools::pretend(tools::gpu_of(of.option), with->device);
    auto const is_near = [](double rate, double peak) { return rate > 0.6 * peak && rate < 0.95 * peak; };
    CHECK(is_near(predicted_rate<__nv_bfloat16>(4096), of.bf16));
    CHECK(is_near(predicted_rate<gemm::tf32>(4096), of.tf32));
    CHECK(is_near(predicted_rate<std::int8_t>(4096), of.int8));
  }
}

TEST_CASE("mma.sync is predicted as it was measured where there is wgmma", "[choice][no_sanitizer]") {
  for (std::string_view const option : {"h100", "h200"}) {
    CAPTURE(option);
    cpu_device::scoped_options with;
    tools::pretend(tools::gpu_of(option), with->device);
    CHECK(predicted_rate_of<__nv_bfloat16>("sm80_mma_128x128x32", 4096) == 0);  // which wgmma beats everywhere
    double const tf32 = predicted_rate_of<gemm::tf32>("sm80_mma_tf32_128x128x16", 4096);
    CAPTURE(tf32);
    CHECK(tf32 > 170);
    CHECK(tf32 < 230);
  }
}

TEST_CASE("where a GPU cannot multiply a type, the message says what it lacks", "[choice][no_sanitizer]") {
  auto const can_run = [] {
    auto* const any = reinterpret_cast<__nv_fp8_e4m3*>(256);
    return gemm::can_run(gemm::row_major(any, 64, 64), gemm::row_major(any, 64, 64),
                         gemm::row_major(reinterpret_cast<__nv_bfloat16*>(512), 64, 64));
  };
  for (gpu const& of : tools::gpus) {
    CAPTURE(of.name);
    cpu_device::scoped_options with;
    tools::pretend(of, with->device);
    gemm::status const s = can_run();
    bool const runs = of.major * 10 + of.minor >= 89;
    CHECK(static_cast<bool>(s) == runs);
    CHECK(std::string(s.message()) == (runs ? "" : "fp8 needs a device of compute capability 8.9 or more"));
  }
}

TEST_CASE("floats are split for mma.sync where tensor cores promise more than FMA units", "[choice][no_sanitizer]") {
  auto const chosen = [](std::int64_t size, std::int64_t k) {
    float* const any = reinterpret_cast<float*>(256);
    return gemm::chosen<gemm::fp32_emulated>(gemm::row_major(any, size, k), gemm::row_major(any, k, size),
                                             gemm::row_major(reinterpret_cast<float*>(512), size, size))
        .policy;
  };
  for (tools::gpu const& of : tools::gpus) {
    CAPTURE(of.name);
    cpu_device::scoped_options with;
    tools::pretend(of, with->device);
    bool const more = of.name.ends_with("A100") || of.name.ends_with("B200");
    CHECK((chosen(8192, 8192) == "with_fallback<bf16x6_mma_128x128x64>") == more);
    CHECK(chosen(8192, 64) !=
          "with_fallback<bf16x6_mma_128x128x64>");  // of which its error bound says less than float's
    CHECK(chosen(64, 8192) != "with_fallback<bf16x6_mma_128x128x64>");
  }
}

#endif
