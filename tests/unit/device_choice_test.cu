// SPDX-License-Identifier: BSL-1.0
//! @file
//! What run() chooses on GPUs that nobody has measured: on paper, by their attributes.

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <gemm/gemm.cuh>

#include "../support/device.hpp"

#if defined(GEMM_TEST_CPU_DEVICE)

namespace {

struct gpu {
  std::string_view name;
  int major, minor, multiprocessors, shared_kib, clock_mhz, memory_mhz, bus_bits;
};

/// NVIDIA's data sheets; shared memory: CUDA C++ Programming Guide, technical specifications.
constexpr gpu gpus[] = {
    {"A100", 8, 0, 108, 164, 1410, 1593, 5120},      {"RTX A6000", 8, 6, 84, 100, 1800, 8001, 384},
    {"RTX 4090", 8, 9, 128, 100, 2520, 10501, 384},  {"L40S", 8, 9, 142, 100, 2520, 9001, 384},
    {"RTX 5090", 12, 0, 170, 100, 2407, 14001, 512}, {"B200", 10, 0, 148, 228, 1965, 3996, 8192},
    {"H100", 9, 0, 132, 228, 1980, 2619, 5120},
};

void pretend(gpu const& of, cpu_device::device_model& device) {
  device.compute_capability_major = of.major;
  device.compute_capability_minor = of.minor;
  device.multiprocessors = of.multiprocessors;
  device.shared_memory_per_multiprocessor = static_cast<std::size_t>(of.shared_kib) * 1024;
  device.shared_memory_per_block_optin = device.shared_memory_per_multiprocessor - 1024;
  device.clock_khz = of.clock_mhz * 1000;
  device.memory_clock_khz = of.memory_mhz * 1000;
  device.memory_bus_bits = of.bus_bits;
}

template <class T>
using output_of = std::conditional_t<std::is_same_v<T, std::int8_t>, std::int32_t, T>;

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
};

template <class T>
needs needs_of(gemm::choice const& c, std::int64_t m, std::int64_t n) {
  using problem = gemm::problem<T, output_of<T>, gemm::nn, gemm::identity>;
  needs found;
  [&]<class... Policies, gemm::detail::splits... Splits>(
      gemm::detail::candidate_list<gemm::detail::candidate<Policies, Splits>...>) {
    auto const take = [&](gemm::detail::compiled_kernel const& of) {
      if (of.name == c.policy || of.direct_name == c.policy) {
        double const tiles = static_cast<double>(gemm::detail::tiles(m, of.block_m)) *
                             static_cast<double>(gemm::detail::tiles(n, of.block_n));
        found = {of.shared_bytes, 65536 / of.resident, of.arch == gemm::architecture::sm_90a, tiles * c.slices};
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
        CAPTURE(m, n, k);
        gemm::choice const c = choice_for<T>(m, n, k);
        REQUIRE(c.policy != "");
        needs const kernel = needs_of<T>(c, m, n);
        REQUIRE(kernel.shared_bytes > 0);
        CHECK(kernel.shared_bytes <= static_cast<std::size_t>(of.shared_kib - 1) * 1024);
        CHECK(kernel.registers <= 65536);
        CHECK((!kernel.sm90a || (of.major == 9 && of.minor == 0)));
        bool const is_deep = k >= 4096 && m <= 128 && n <= 128 && m * n >= 16 * 16;
        CHECK((!is_deep || c.slices > 1));
        bool const fills = m * n >= 1024 * 1024 && k >= 1024;
        CHECK((!fills || kernel.blocks >= 0.66 * of.multiprocessors));
      }
    }
  }
}

}  // namespace

TEST_CASE("what is chosen for a GPU fits it and fills it", "[choice][no_sanitizer]") {
  for (gpu const& of : gpus) {
    CAPTURE(of.name);
    cpu_device::scoped_options with;
    pretend(of, with->device);
    check_choices<float>(of);
    check_choices<__nv_bfloat16>(of);
    check_choices<double>(of);
    check_choices<std::int8_t>(of);
  }
}

TEST_CASE("floats are split for mma.sync where tensor cores promise more than FMA units", "[choice][no_sanitizer]") {
  auto const chosen = [](std::int64_t size, std::int64_t k) {
    float* const any = reinterpret_cast<float*>(256);
    return gemm::chosen<gemm::fp32_emulated>(gemm::row_major(any, size, k), gemm::row_major(any, k, size),
                                             gemm::row_major(reinterpret_cast<float*>(512), size, size))
        .policy;
  };
  for (gpu const& of : gpus) {
    CAPTURE(of.name);
    cpu_device::scoped_options with;
    pretend(of, with->device);
    bool const more = of.name == "A100" || of.name == "B200";
    CHECK((chosen(8192, 8192) == "bf16x6_mma_128x128x64") == more);
    CHECK(chosen(8192, 64) != "bf16x6_mma_128x128x64");  // of which its error bound says less than float's
    CHECK(chosen(64, 8192) != "bf16x6_mma_128x128x64");
  }
}

#endif
