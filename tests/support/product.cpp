// SPDX-License-Identifier: BSL-1.0
//! @file
//! Makes products and checks them.

#include "product.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <tuple>
#include <type_traits>

#include "device.hpp"

namespace test {

namespace {

char const* name(gemm::order o) { return o == gemm::order::row ? "row" : "column"; }

std::string describe(char const* matrix, placement const& p) {
  char text[140];
  std::snprintf(text, sizeof(text), ", %s %s-major padded by %lld%s misaligned by %lld%s", matrix, name(p.layout),
                static_cast<long long>(p.padding), p.aligned ? " and to 16 bytes" : "",
                static_cast<long long>(p.misalignment), p.guarded ? "" : " unguarded");
  return text;
}

template <class Types>
call<Types> call_of(product const& p, operands<Types> const& on, typename Types::input const* a,
                    typename Types::input const* b, typename Types::output* c) {
  call<Types> x{.a = on.a.view(a), .b = on.b.view(b), .c = on.c.view(c)};
  if (p.batch == batch_kind::broadcast_b) {
    x.b.batch_count = x.c.batch_count;  // the same matrix for all
    x.b.batch_stride = 0;
  }
  x.alpha = static_cast<typename Types::accum>(p.alpha);
  x.beta = static_cast<typename Types::accum>(p.beta);
  x.epilogue = p.epilogue;
  return x;
}

/// Values of the chain's bias, of which the result must depend on column, not on row.
template <class T>
std::vector<T> bias_of(product const& p) {
  std::vector<T> bias(static_cast<std::size_t>(p.n));
  for (std::size_t i = 0; i < bias.size(); ++i) {
    bias[i] = static_cast<T>(static_cast<float>(i * 7 % 23) - 11.0f);
  }
  return bias;
}

/// Where the chain stores what it has before relu.
template <class Types>
host_matrix<typename Types::output> second_of(product const& p) {
  return {p.m, p.n, p.epilogue == epilogue_kind::none ? 0 : p.batches_of_c(), {.layout = chain_second, .padding = 3}};
}

/// Fills A or B, element by element; a property of a line is a function of its index, so that batches and storages
/// agree on it.
template <class T>
class element_source {
 public:
  /// `narrow`: half is an operand or the result, whose exponents go from -14 to 15.
  element_source(product const& p, gemm::random_numbers& random, bool narrow)
      : p_(p), random_(random), narrow_(narrow) {}

  T element(std::int64_t line) {
    auto const of_line = [&] { return gemm::random_numbers(p_.seed * 1000003 + static_cast<std::uint64_t>(line)); };
    auto const power = [](std::int64_t exponent) { return std::ldexp(1.0, static_cast<int>(exponent)); };
    if (p_.data == data_kind::integers) {
      return static_cast<T>(static_cast<float>(random_.integer(-8, 8)));
    }
    if constexpr (std::is_integral_v<T>) {
      std::int64_t const value = random_.integer(-128, 127);
      switch (p_.data) {
        case data_kind::zero_lines:
          return static_cast<T>(of_line().integer(0, 3) == 0 ? 0 : value);
        case data_kind::scaled_lines:
          return static_cast<T>(value >> of_line().integer(0, 7));
        case data_kind::wide:
          return static_cast<T>(value >> random_.integer(0, 7));
        default:
          return static_cast<T>(value);
      }
    } else {
      double const value = random_.uniform();
      switch (p_.data) {
        case data_kind::zero_lines:
          return rounded<T>(of_line().integer(0, 3) == 0 ? 0.0 : value);
        case data_kind::scaled_lines:
          return rounded<T>(value * power(narrow_ ? of_line().integer(-5, 5) : of_line().integer(-30, 30)));
        case data_kind::wide:
          return rounded<T>(value * power(narrow_ ? random_.integer(-5, 5) : random_.integer(-15, 15)));
        default:
          return rounded<T>(value);
      }
    }
  }

  /// An element that nearly equals another one.
  static T near(T x) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(x ^ 1);
    } else {
      double const unit = gemm::element_traits<T>::unit;
      return rounded<T>(static_cast<double>(number(x)) * (1 + std::max(1e-3, 2 * unit)));
    }
  }

 private:
  product const& p_;
  gemm::random_numbers& random_;
  bool narrow_;
};

template <class T>
T negated(T x) {
  return rounded<T>(-number(x));
}

}  // namespace

std::int64_t product::batches_of_a() const {
  return batch == batch_kind::single || batch == batch_kind::broadcast_a ? 1 : batch_count;
}
std::int64_t product::batches_of_b() const {
  return batch == batch_kind::single || batch == batch_kind::broadcast_b ? 1 : batch_count;
}
std::int64_t product::batches_of_c() const { return batch == batch_kind::single ? 1 : batch_count; }

std::string product::describe() const {
  char text[200];
  std::snprintf(text, sizeof(text),
                "%lld x %lld x %lld, alpha %g, beta %g, data %d, batch %d of %lld, epilogue %d, seed %llu",
                static_cast<long long>(m), static_cast<long long>(n), static_cast<long long>(k), alpha, beta,
                static_cast<int>(data), static_cast<int>(batch), static_cast<long long>(batch_count),
                static_cast<int>(epilogue), static_cast<unsigned long long>(seed));
  return text + test::describe("A", a) + test::describe("B", b) + test::describe("C", c);
}

template <class Types>
void operands<Types>::fill(product const& p) {
  using input = typename Types::input;
  using output = typename Types::output;
  gemm::random_numbers random(p.seed);
  constexpr bool narrow = std::is_same_v<input, half> || std::is_same_v<output, half>;
  element_source<input> source(p, random, narrow);
  a.fill([&](std::int64_t, std::int64_t row, std::int64_t) { return source.element(row); });
  b.fill([&](std::int64_t, std::int64_t, std::int64_t column) { return source.element(column); });
  if (p.data == data_kind::cancelling) {
    for (std::int64_t batch = 0; batch < a.batch_count(); ++batch) {
      for (std::int64_t row = 0; row < p.m; ++row) {
        for (std::int64_t l = 0; l + 1 < p.k; l += 2) {
          a.at(batch, row, l + 1) = negated(a.at(batch, row, l));
        }
      }
    }
    for (std::int64_t batch = 0; batch < b.batch_count(); ++batch) {
      for (std::int64_t l = 0; l + 1 < p.k; l += 2) {
        for (std::int64_t column = 0; column < p.n; ++column) {
          b.at(batch, l + 1, column) = source.near(b.at(batch, l, column));
        }
      }
    }
  }
  if (p.beta != 0) {  // else C is poison throughout, which must not show
    bool const whole = p.data == data_kind::integers || std::is_integral_v<output>;
    c.fill([&](std::int64_t, std::int64_t, std::int64_t) {
      return rounded<output>(whole ? static_cast<double>(random.integer(-8, 8)) : random.uniform());
    });
  }
}

namespace {

/// What a call has written.
template <class Types>
struct computed {
  host_matrix<typename Types::output> c, second;
};

template <class Types>
computed<Types> compute_all(subject<Types> const& s, product const& p, operands<Types> const& on, cudaStream_t stream) {
  using input = typename Types::input;
  using output = typename Types::output;
  computed<Types> result{.c = on.c, .second = second_of<Types>(p)};
  device_array<input> const a(on.a.memory()), b(on.b.memory()), bias(bias_of<input>(p));
  device_array<output> const c(on.c.memory()), second(result.second.memory());
  call<Types> x = call_of(p, on, static_cast<input const*>(a.data()), static_cast<input const*>(b.data()), c.data());
  x.stream = stream;
  x.bias = bias.data();
  x.second = result.second.view(second.data());
  if (gemm::status const status = s.run(x); !status) {
    throw std::runtime_error(s.name + " refused " + p.describe() + ": " + status.message());
  }
  result.c.memory() = c.download();
  result.second.memory() = second.download();
  bool const kept_a = same_bits(a.download(), on.a.memory()), kept_b = same_bits(b.download(), on.b.memory());
  if (!kept_a || !kept_b) {
    throw std::runtime_error(s.name + " wrote to " + (kept_a ? "B: " : "A: ") + p.describe());
  }
  return result;
}

}  // namespace

template <class Types>
host_matrix<typename Types::output> compute(subject<Types> const& s, product const& p, operands<Types> const& on,
                                            cudaStream_t stream) {
  return compute_all(s, p, on, stream).c;
}

template <class Types>
std::string check_product(subject<Types> const& s, product const& p, cudaStream_t stream) {
  using input = typename Types::input;
  using accum = typename Types::accum;
  operands<Types> const on(p);
  computed<Types> const got = compute_all(s, p, on, stream);
  std::vector<typename Types::output> old_c = on.c.memory();
  auto const host = call_of(p, on, on.a.memory().data(), on.b.memory().data(), old_c.data());
  auto want = reference_of(host);
  if (s.splits_floats) {
    allow_for_parts(want, host);
  }
  auto const whole = [](double x) { return std::is_integral_v<accum> || x == 0 || x == 1; };
  bool const exact = p.data == data_kind::integers && whole(p.alpha) && whole(p.beta);

  std::string wrong;
  auto const check = [&](char const* name, auto const& matrix, auto const& before, std::int64_t roundings) {
    verdict const found = compare(matrix, want, roundings, exact);
    std::string const trespass = before.trespass(matrix.memory());
    if (!found.passed() || !trespass.empty()) {
      wrong += std::string("\n  ") + name + ": " + std::to_string(found.wrong) + " wrong elements" + found.report +
               (trespass.empty() ? "" : "\n  " + trespass);
    }
  };
  if (p.epilogue == epilogue_kind::chain) {
    add_bias(want, p.n, bias_of<input>(p).data());
    check("the second output", got.second, second_of<Types>(p), p.k + 1);
    finish_chain(want, p.m, p.n);
  }
  // The chain rounds three times more.
  check("C", got.c, on.c, p.epilogue == epilogue_kind::chain ? p.k + 3 : p.k);
  if (wrong.empty()) {
    return {};
  }
  return s.name + ", " + name_of<input>() + " to " + name_of<typename Types::output>() + ", " + p.describe() + wrong;
}

namespace {

template <class... Types>
constexpr auto addresses(std::tuple<Types...> const*) {
  return std::tuple{&operands<Types>::fill..., &compute<Types>..., &check_product<Types>...};
}

/// What has an address is compiled.
[[gnu::used]] constexpr auto compiled = addresses(static_cast<all_types const*>(nullptr));

}  // namespace

}  // namespace test
