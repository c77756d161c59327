// SPDX-License-Identifier: BSL-1.0
//! @file
//! Makes products and checks them.

#include "product.hpp"

#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "device.hpp"

namespace test {

namespace {

char const* name(gemm::order o) { return o == gemm::order::row ? "row" : "column"; }

std::string describe(char const* matrix, placement const& p) {
  char text[120];
  std::snprintf(text, sizeof(text), ", %s %s-major padded by %lld misaligned by %lld%s", matrix, name(p.layout),
                static_cast<long long>(p.padding), static_cast<long long>(p.misalignment),
                p.guarded ? "" : " unguarded");
  return text;
}

std::int64_t count_a(product const& p) {
  return p.batch == batch_kind::single || p.batch == batch_kind::broadcast_a ? 1 : 3;
}
std::int64_t count_b(product const& p) {
  return p.batch == batch_kind::single || p.batch == batch_kind::broadcast_b ? 1 : 3;
}
std::int64_t count_c(product const& p) { return p.batch == batch_kind::single ? 1 : 3; }

template <class T>
call<T> call_of(product const& p, operands<T> const& on, T const* a, T const* b, T* c, T const* bias) {
  call<T> x{.a = on.a.view(a), .b = on.b.view(b), .c = on.c.view(c)};
  if (p.batch == batch_kind::broadcast_b) {
    x.b.batch_count = x.c.batch_count;  // the same matrix, three times
    x.b.batch_stride = 0;
  }
  x.alpha = static_cast<T>(p.alpha);
  x.beta = static_cast<T>(p.beta);
  x.epilogue = p.epilogue;
  x.bias = bias;
  return x;
}

/// Values of the chain's bias, of which the result must depend on column, not on row.
template <class T>
std::vector<T> bias_of(product const& p) {
  std::vector<T> bias(static_cast<std::size_t>(p.n));
  for (std::size_t i = 0; i < bias.size(); ++i) {
    bias[i] = static_cast<T>(static_cast<int>(i * 7 % 23) - 11);
  }
  return bias;
}

}  // namespace

std::string product::describe() const {
  char text[200];
  std::snprintf(text, sizeof(text), "%lld x %lld x %lld, alpha %g, beta %g, data %d, batch %d, epilogue %d, seed %llu",
                static_cast<long long>(m), static_cast<long long>(n), static_cast<long long>(k), alpha, beta,
                static_cast<int>(data), static_cast<int>(batch), static_cast<int>(epilogue),
                static_cast<unsigned long long>(seed));
  return text + test::describe("A", a) + test::describe("B", b) + test::describe("C", c);
}

template <class T>
operands<T>::operands(product const& p)
    : a(p.m, p.k, count_a(p), p.a), b(p.k, p.n, count_b(p), p.b), c(p.m, p.n, count_c(p), p.c) {
  random_numbers random(p.seed);
  auto const power = [](std::int64_t exponent) { return std::ldexp(1.0, static_cast<int>(exponent)); };
  // A property of a line of A or B is a function of its index, so that batches and storages agree on it.
  auto const line = [&](std::int64_t index) {
    return random_numbers(p.seed * 1000003 + static_cast<std::uint64_t>(index));
  };
  auto const element = [&](std::int64_t outer, double value) {
    switch (p.data) {
      case data_kind::integers:
        return static_cast<double>(random.integer(-8, 8));
      case data_kind::zero_lines:
        return line(outer).integer(0, 3) == 0 ? 0.0 : value;
      case data_kind::scaled_lines:
        return value * power(line(outer).integer(-30, 30));
      case data_kind::wide:
        return value * power(random.integer(-15, 15));
      case data_kind::uniform:
      case data_kind::cancelling:
        return value;
    }
    return value;
  };
  a.fill([&](std::int64_t, std::int64_t row, std::int64_t) { return element(row, random.uniform()); });
  b.fill([&](std::int64_t, std::int64_t, std::int64_t column) { return element(column, random.uniform()); });
  if (p.data == data_kind::cancelling) {
    for (std::int64_t batch = 0; batch < a.batch_count(); ++batch) {
      for (std::int64_t row = 0; row < p.m; ++row) {
        for (std::int64_t l = 0; l + 1 < p.k; l += 2) {
          a.at(batch, row, l + 1) = -a.at(batch, row, l);
        }
      }
    }
    for (std::int64_t batch = 0; batch < b.batch_count(); ++batch) {
      for (std::int64_t l = 0; l + 1 < p.k; l += 2) {
        for (std::int64_t column = 0; column < p.n; ++column) {
          b.at(batch, l + 1, column) = b.at(batch, l, column) * static_cast<T>(1 + 1e-3);
        }
      }
    }
  }
  if (p.beta != 0) {  // else C is NaN throughout, which must not show
    c.fill([&](std::int64_t, std::int64_t, std::int64_t) {
      return p.data == data_kind::integers ? static_cast<double>(random.integer(-8, 8)) : random.uniform();
    });
  }
}

template <class T>
host_matrix<T> compute(subject<T> const& s, product const& p, operands<T> const& on, cudaStream_t stream) {
  device_array<T> const a(on.a.memory()), b(on.b.memory()), c(on.c.memory()), bias(bias_of<T>(p));
  call<T> x = call_of(p, on, static_cast<T const*>(a.data()), static_cast<T const*>(b.data()), c.data(),
                      static_cast<T const*>(bias.data()));
  x.stream = stream;
  if (gemm::status const status = s.run(x); !status) {
    throw std::runtime_error(s.name + " refused " + p.describe() + ": " + status.message());
  }
  host_matrix<T> result = on.c;
  result.memory() = c.download();
  bool const kept_a = same_bits(a.download(), on.a.memory()), kept_b = same_bits(b.download(), on.b.memory());
  if (!kept_a || !kept_b) {
    throw std::runtime_error(s.name + " wrote to " + (kept_a ? "B: " : "A: ") + p.describe());
  }
  return result;
}

template <class T>
std::string check_product(subject<T> const& s, product const& p, cudaStream_t stream) {
  operands<T> const on(p);
  host_matrix<T> const got = compute(s, p, on, stream);
  std::vector<T> old_c = on.c.memory();
  call<T> const host =
      call_of(p, on, on.a.memory().data(), on.b.memory().data(), old_c.data(), static_cast<T*>(nullptr));
  auto want = reference_of(host);
  if (p.epilogue == epilogue_kind::chain) {
    apply_chain(want, p.m, p.n, bias_of<T>(p).data());
  }
  auto const simple = [](double x) { return x == 0 || x == 1; };
  bool const exact = p.data == data_kind::integers && simple(p.alpha) && simple(p.beta);
  // The chain rounds three times more.
  std::int64_t const roundings = p.epilogue == epilogue_kind::chain ? p.k + 3 : p.k;
  verdict const found = compare(got, want, roundings, exact);
  std::string const trespass = on.c.trespass(got.memory());
  if (found.passed() && trespass.empty()) {
    return {};
  }
  return s.name + (sizeof(T) == 4 ? ", float, " : ", double, ") + p.describe() + ": " + std::to_string(found.wrong) +
         " wrong elements" + found.report + (trespass.empty() ? "" : "\n  " + trespass);
}

template struct operands<float>;
template struct operands<double>;
template host_matrix<float> compute(subject<float> const&, product const&, operands<float> const&, cudaStream_t);
template host_matrix<double> compute(subject<double> const&, product const&, operands<double> const&, cudaStream_t);
template std::string check_product(subject<float> const&, product const&, cudaStream_t);
template std::string check_product(subject<double> const&, product const&, cudaStream_t);

}  // namespace test
