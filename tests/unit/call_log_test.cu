// SPDX-License-Identifier: BSL-1.0
//! @file
//! What is said of a call: its line in the log, the note on code that the program lacks, and calls without options.

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <thread>
#include <vector>

#include <gemm/gemm.cuh>

#include "../support/device.hpp"

namespace {

using gemm::row_major;

std::string line_of(gemm::detail::logged_call const& call, gemm::choice const& chosen, gemm::status const& result) {
  char text[640];
  gemm::detail::format_call(text, sizeof(text), call, chosen, result);
  return text;
}

gemm::detail::logged_call call_of(std::int64_t batch) {
  return {512, 384, 4096, batch, "half", "half", "float", gemm::order::row, gemm::order::column, gemm::order::row};
}

}  // namespace

TEST_CASE("a line of the log has sizes, types, policy, time and note", "[log]") {
  using gemm::choice;
  CHECK(line_of(call_of(1), {.policy = "tile", .seconds = 12.5e-6}, {}) ==
        "gemm: 512x384x4096, half x half -> float, row x column -> row: tile, 12.5 us predicted");
  choice const split{.policy = "tile",
                     .seconds = 3e-3,
                     .slices = 4,
                     .in_cluster = true,
                     .packs_a = true,
                     .source = gemm::choice_source::tuned,
                     .note = "a note"};
  CHECK(line_of(call_of(16), split, {}) ==
        "gemm: 512x384x4096 x 16, half x half -> float, row x column -> row: tile, k in 4 slices in clusters, packs A, "
        "3000 us measured; a note");
  CHECK(
      line_of(call_of(1), {.policy = "tile", .seconds = 1e-3, .slices = 2, .tail = true}, {}) ==
      "gemm: 512x384x4096, half x half -> float, row x column -> row: tile, k in 2 slices for the last tiles, 1000 us "
      "predicted");
  CHECK(line_of(call_of(1), {.policy = "named"}, {}) ==
        "gemm: 512x384x4096, half x half -> float, row x column -> row: named");
  CHECK(line_of(call_of(1), {}, {}) ==
        "gemm: 512x384x4096, half x half -> float, row x column -> row: nothing to compute");
  CHECK(line_of(call_of(1), {.policy = "tile"},
                {gemm::status_code::invalid_argument, cudaSuccess, "lda is %d, needs at least %d", 1, 2}) ==
        "gemm: 512x384x4096, half x half -> float, row x column -> row: refused: lda is 1, needs at least 2");
}

TEST_CASE("an epilogue may come without options", "[log]") {
  test::device_array<float> const a(std::vector<float>{1, -2}), b(std::vector<float>{3}), c(2);
  auto const x = row_major(a.data(), 2, 1), y = row_major(b.data(), 1, 1), z = row_major(c.data(), 2, 1);
  using policy = gemm::naive_32x4;
  REQUIRE(gemm::can_run<policy>(x, y, z, gemm::relu{}));
  REQUIRE(gemm::run<policy>(x, y, z, gemm::relu{}));
  CHECK(c.download() == std::vector<float>{3, 0});
  REQUIRE(gemm::run<policy>(x, y, z, gemm::scale(2) | gemm::relu{}));
  CHECK(c.download() == std::vector<float>{6, 0});
  CHECK(gemm::workspace_size<policy>(x, y, z, gemm::relu{}) == 0);
  CHECK(gemm::chosen(x, y, z, gemm::relu{}).policy == gemm::chosen(x, y, z, {}, gemm::relu{}).policy);
  std::string const refused = gemm::run<policy>(x, y, z, gemm::bias(static_cast<float const*>(nullptr), 1)).message();
  CHECK(refused == gemm::run<policy>(x, y, z, {}, gemm::bias(static_cast<float const*>(nullptr), 1)).message());
  CHECK(refused != "");
}

#if defined(GEMM_TEST_CPU_DEVICE)
TEST_CASE("a choice notes that the program lacks the code for the device's tensor cores", "[log][choice]") {
  cpu_device::scoped_options with;
  auto const note = [](auto element) {
    using T = decltype(element);
    std::string found;
    // What code the device runs is remembered for each thread.
    std::thread([&] {
      T *const any = reinterpret_cast<T*>(256), *const result = reinterpret_cast<T*>(512);
      auto const view = row_major(any, 512, 512);
      gemm::choice const chosen = gemm::chosen(view, view, row_major(result, 512, 512));
      CHECK_FALSE(chosen.policy.empty());
      found = chosen.note;
    }).join();
    return found;
  };
  CHECK(note(0.0F) == "");
  with->device.kernel_threads = gemm::detail::plain_probe_threads;
  CHECK(note(0.0F) ==
        "compiled without sm_90a, which TMA and tensor cores need: add -gencode arch=compute_90a,code=sm_90a");
  CHECK(note(__nv_bfloat16()) == note(0.0F));
  CHECK(note(0.0) == "");  // nothing of double needs it
  with->device.compute_capability_major = 8;
  CHECK(note(0.0F) == "");
}
#endif
