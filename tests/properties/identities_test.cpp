// SPDX-License-Identifier: BSL-1.0
//! @file
//! What must be bitwise the same: every storage, parts of a product against the whole, run after run, stream beside
//! stream, and a graph's replay.

#include <catch2/catch_template_test_macros.hpp>
#include <cstring>
#include <deque>
#include <thread>

#include "../support/device.hpp"
#include "../support/for_each_subject.hpp"
#include "../support/product.hpp"
#include "../support/tier.hpp"

namespace {

using gemm::order;
using test::for_each_subject;
using test::host_matrix;
using test::operands;
using test::product;
using test::same_bits;
using test::subject;

template <class T>
bool same_element(T const& x, T const& y) {
  return std::memcmp(&x, &y, sizeof(T)) == 0;
}

template <class T>
bool same_elements(host_matrix<T> const& x, host_matrix<T> const& y) {
  for (std::int64_t batch = 0; batch < x.batch_count(); ++batch) {
    for (std::int64_t i = 0; i < x.rows(); ++i) {
      for (std::int64_t j = 0; j < x.columns(); ++j) {
        if (!same_element(x.at(batch, i, j), y.at(batch, i, j))) {
          return false;
        }
      }
    }
  }
  return true;
}

/// More than one block in each direction, and a partial tile along k.
template <class Types>
product medium(subject<Types> const& s) {
  return {.m = s.block_m + 5,
          .n = 2 * s.block_n + 3,
          .k = (s.stages + 1) * s.block_k + 1,
          .data = test::data_kind::uniform};
}

/// A product that stays on the device: operands, result, and the call that computes it.
template <class Types>
struct resident {
  using input = typename Types::input;
  using output = typename Types::output;
  product p;
  operands<Types> on;
  test::device_array<input> a, b;
  test::device_array<output> c;
  test::call<Types> x;

  explicit resident(product const& p)
      : p(p),
        on(p),
        a(on.a.memory()),
        b(on.b.memory()),
        c(on.c.memory()),
        x{.a = on.a.view(static_cast<input const*>(a.data())),
          .b = on.b.view(static_cast<input const*>(b.data())),
          .c = on.c.view(c.data())} {}
};

}  // namespace

TEMPLATE_TEST_CASE("all storages give the same bits", "[identities][no_sanitizer]", GEMM_TEST_ALL_TYPES) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    product p = medium(s);
    operands<TestType> const plain(p);
    auto const want = test::compute(s, p, plain);
    for (order const a : {order::row, order::column}) {
      for (order const b : {order::row, order::column}) {
        for (order const c : {order::row, order::column}) {
          if (test::on_cpu_device && c != b) {
            continue;  // half of all, each order of each matrix among them
          }
          p.a.layout = a;
          p.b.layout = b;
          p.c.layout = c;
          operands<TestType> on(p);
          on.a.fill([&](auto... at) { return plain.a.at(at...); });
          on.b.fill([&](auto... at) { return plain.b.at(at...); });
          CHECK(same_elements(test::compute(s, p, on), want));
        }
      }
    }
  });
}

TEMPLATE_TEST_CASE("rows, columns and products do not depend on their neighbours", "[identities][no_sanitizer]",
                   GEMM_TEST_WIDE_TYPES, GEMM_TEST_NARROW_TYPES) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    product const p = medium(s);
    resident<TestType> whole(p), part(p);
    REQUIRE(s.run(whole.x));
    std::int64_t const row = 3, rows = 2, column = s.block_n - 1, columns = 3;
    part.x.a.data += row * part.x.a.ld;
    part.x.a.rows = rows;
    part.x.b.data += column;
    part.x.b.columns = columns;
    part.x.c.data += row * part.x.c.ld + column;
    part.x.c.rows = rows;
    part.x.c.columns = columns;
    REQUIRE(s.run(part.x));
    host_matrix<typename TestType::output> all = whole.on.c, few = part.on.c;
    all.memory() = whole.c.download();
    few.memory() = part.c.download();
    for (std::int64_t i = row; i < row + rows; ++i) {
      for (std::int64_t j = column; j < column + columns; ++j) {
        CHECK(same_element(all.at(0, i, j), few.at(0, i, j)));
      }
    }

    product batched = p;
    batched.batch = test::batch_kind::strided;
    operands<TestType> on(batched);
    on.a.fill([&](std::int64_t, std::int64_t i, std::int64_t l) { return whole.on.a.at(0, i, l); });
    on.b.fill([&](std::int64_t, std::int64_t l, std::int64_t j) { return whole.on.b.at(0, l, j); });
    auto const three = test::compute(s, batched, on);
    std::int64_t different = 0;
    for (std::int64_t batch = 0; batch < 3; ++batch) {
      for (std::int64_t i = 0; i < p.m; ++i) {
        for (std::int64_t j = 0; j < p.n; ++j) {
          different += !same_element(three.at(batch, i, j), all.at(0, i, j));
        }
      }
    }
    CHECK(different == 0);
  });
}

namespace {

// Sanitizers take long, and that of threads sees a race between two launches whatever their order. The CPU device's
// launches do not overlap.
constexpr std::size_t launches = test::on_cpu_device ? 4 : 20;
constexpr int calls_of_a_thread = test::under_sanitizers ? 1 : 3;

}  // namespace

TEMPLATE_TEST_CASE("many launches on several streams give the same bits", "[identities][no_sanitizer]",
                   GEMM_TEST_WIDE_TYPES, GEMM_TEST_NARROW_TYPES) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    resident<TestType> first(medium(s));
    REQUIRE(s.run(first.x));
    auto const want = first.c.download();
    std::deque<resident<TestType>> runs;
    std::deque<test::stream> streams(3);
    for (std::size_t i = 0; i < launches; ++i) {
      runs.emplace_back(first.p);
      runs.back().x.stream = streams[i % streams.size()].get();
    }
    for (auto& run : runs) {  // with nothing in between, so that they overlap
      REQUIRE(s.run(run.x));
    }
    for (auto& run : runs) {
      CHECK(same_bits(run.c.download(), want));
    }
  });
}

TEMPLATE_TEST_CASE("a captured call can be replayed with other data", "[identities][graph][no_thread_sanitizer]",
                   GEMM_TEST_WIDE_TYPES, GEMM_TEST_NARROW_TYPES) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    resident<TestType> captured(medium(s)), direct(medium(s));
    test::stream stream;
    captured.x.stream = stream.get();
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    test::require_success(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal), "begin capture");
    CHECK(s.run(captured.x));
    test::require_success(cudaStreamEndCapture(stream.get(), &graph), "end capture");
    CHECK(same_bits(captured.c.download(), captured.on.c.memory()));  // captured, not run
    test::require_success(cudaGraphInstantiate(&executable, graph, 0), "instantiate");
    for (std::uint64_t seed : {1, 2, 3}) {
      product p = captured.p;
      p.seed = seed;
      operands<TestType> const on(p);
      captured.a.upload(on.a.memory());
      captured.b.upload(on.b.memory());
      direct.a.upload(on.a.memory());
      direct.b.upload(on.b.memory());
      test::require_success(cudaGraphLaunch(executable, stream.get()), "launch graph");
      REQUIRE(s.run(direct.x));
      CHECK(same_bits(captured.c.download(), direct.c.download()));
    }
    test::require_success(cudaGraphExecDestroy(executable), "destroy");
    test::require_success(cudaGraphDestroy(graph), "destroy");
  });
}

TEMPLATE_TEST_CASE("two host threads may call at once", "[identities][threads]", GEMM_TEST_WIDE_TYPES,
                   GEMM_TEST_NARROW_TYPES) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    product p = medium(s);
    if (test::under_thread_sanitizer) {
      if (s.threads > 256) {
        return;  // each host thread needs the sanitizer's memory for every thread of a block
      }
      p.m = s.block_m;  // a tile says as much of what two calls share as many do
      p.n = s.block_n;
    }
    resident<TestType> first(p);
    REQUIRE(s.run(first.x));
    auto const want = first.c.download();
    bool same[2] = {false, false};
    auto const work = [&](std::size_t index) {
      test::stream stream;
      resident<TestType> mine(first.p);
      mine.x.stream = stream.get();
      bool all = true;
      for (int i = 0; i < calls_of_a_thread; ++i) {
        mine.c.upload(mine.on.c.memory());
        all = all && s.run(mine.x);
        stream.synchronize();
        all = all && same_bits(mine.c.download(), want);
      }
      same[index] = all;
    };
    std::thread one(work, 0), two(work, 1);
    one.join();
    two.join();
    CHECK(same[0]);
    CHECK(same[1]);
  });
}
