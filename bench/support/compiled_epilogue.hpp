// SPDX-License-Identifier: BSL-1.0
//! @file
//! A product by the templates beside the same one by the compiled library: the same bits, and their times.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace bench {

inline void require(bool right, char const* what) {
  if (!right) {
    std::fprintf(stderr, "%s\n", what);
    std::exit(1);
  }
}
inline void require(cudaError_t error, char const* what) { require(error == cudaSuccess, what); }

/// Elements in device memory, random but always the same, from low to high.
template <class T>
class random_array {
 public:
  random_array(std::int64_t count, float low, float high) : count_(static_cast<std::size_t>(count)) {
    std::vector<T> values(count_);
    std::uint32_t state = 1;
    for (T& value : values) {
      state = state * 1664525 + 1013904223;
      value = T(low + static_cast<float>(state >> 8) / 16777216 * (high - low));
    }
    require(cudaMalloc(&memory_, count_ * sizeof(T)), "no memory");
    require(cudaMemcpy(memory_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "a copy failed");
  }
  random_array(random_array const&) = delete;
  random_array& operator=(random_array const&) = delete;
  ~random_array() { cudaFree(memory_); }

  T* data() const { return static_cast<T*>(memory_); }
  void clear() const { require(cudaMemset(memory_, 0, count_ * sizeof(T)), "no memset"); }
  std::vector<unsigned char> bytes() const {
    std::vector<unsigned char> result(count_ * sizeof(T));
    require(cudaMemcpy(result.data(), memory_, result.size(), cudaMemcpyDeviceToHost), "no result");
    return result;
  }

 private:
  std::size_t count_;
  void* memory_ = nullptr;
};

/// Seconds of a launch, of so many.
template <class Call>
double sample(Call const& call, int launches) {
  cudaEvent_t begin, end;
  require(cudaEventCreate(&begin), "no event");
  require(cudaEventCreate(&end), "no event");
  require(cudaEventRecord(begin), "no event");
  for (int i = 0; i < launches; ++i) {
    call();
  }
  require(cudaEventRecord(end), "no event");
  require(cudaEventSynchronize(end), "a launch failed");
  float milliseconds = 0;
  require(cudaEventElapsedTime(&milliseconds, begin, end), "no time");
  require(cudaEventDestroy(begin), "no event");
  require(cudaEventDestroy(end), "no event");
  return 1e-3 * milliseconds / launches;
}

inline double median(std::vector<double>& values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// Times both calls, which write c, and prints a row. Samples of about 2 ms lie between two events, by turns; the
/// median of 15. The cost is that over the templates' time. Ends the program with 1 where the results are not the same
/// bits.
template <class T, class Templates, class Library>
void compare(char const* name, std::int64_t m, std::int64_t n, std::int64_t k, random_array<T> const& c,
             Templates const& templates, Library const& library) {
  auto const by_templates = [&] { require(templates(), "the templates refused"); };
  auto const by_library = [&] { require(library(), "the library refused"); };
  by_templates();
  std::vector<unsigned char> const expected = c.bytes();
  c.clear();
  by_library();
  require(c.bytes() == expected, "the results differ");

  int const launches = std::max(1, static_cast<int>(2e-3 / sample(by_templates, 3)));
  std::vector<double> of_templates, of_library;
  for (int i = 0; i < 15; ++i) {
    of_templates.push_back(sample(by_templates, launches));
    of_library.push_back(sample(by_library, launches));
  }
  double const one = median(of_templates), other = median(of_library);
  std::printf("%lldx%lldx%lld %s: %.2f us by the templates, %.2f by the library, cost %+.1f %%\n",
              static_cast<long long>(m), static_cast<long long>(n), static_cast<long long>(k), name, 1e6 * one,
              1e6 * other, 100 * (other / one - 1));
}

}  // namespace bench
