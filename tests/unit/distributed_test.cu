// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products of several ranks that share a device, each on a host thread: results, their bits, what is refused, and
//! ranks that do not come.

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <barrier>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <gemm/block/sharded_problem.cuh>
#include <gemm/distributed.hpp>
#include <gemm/distributed/exchange_price.hpp>
#include <gemm/epilogue.hpp>
#include <gemm/matrix.hpp>
#include <gemm/peers.hpp>
#include <gemm/policies.cuh>
#include <gemm/schedule/ragged.cuh>
#include <gemm/tables/links.hpp>

#include "../support/cpu_options.hpp"
#include "../support/device.hpp"
#include "../support/sm90a.hpp"
#include "../support/tier.hpp"

namespace {

using Catch::Matchers::Equals;
using Catch::Matchers::StartsWith;
using bf16 = __nv_bfloat16;

/// Small integers, all sums of which are exact.
template <class T>
std::vector<T> integers(std::int64_t count, unsigned seed) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (T& value : values) {
    seed = seed * 1664525U + 1013904223U;
    value = static_cast<T>(static_cast<float>(static_cast<int>(seed >> 24U) % 5 - 2));
  }
  return values;
}

/// Ranks that share a device, with memory and signals of their own.
class ranks_of_one_device {
 public:
  ranks_of_one_device(int ranks, std::size_t bytes) {
    for (int rank = 0; rank < ranks; ++rank) {
      memory_.emplace_back(std::vector<unsigned char>(bytes + (bytes == 0), 0xee));
      signals_.emplace_back(std::vector<gemm::peer_signals>(1));
    }
    for (int rank = 0; rank < ranks; ++rank) {
      gemm::peers own{.rank = rank, .ranks = ranks, .bytes = bytes};
      for (int other = 0; other < ranks; ++other) {
        own.pointers[other] = memory_[static_cast<std::size_t>(other)].data();
        own.flags[other] = signals_[static_cast<std::size_t>(other)].data();
      }
      all_.push_back(own);
    }
  }
  gemm::peers const& operator[](int rank) const { return all_[static_cast<std::size_t>(rank)]; }
  int count() const { return static_cast<int>(all_.size()); }

  /// Makes every rank's call on a thread and a stream of its own. What the first says that is refused. `reset`: what
  /// calls before have written.
  ///
  /// Queues of a GPU that ranks share may let one wait for another that is behind it. A call that has ended so by its
  /// time-out is made again, twice at most, with signals of zero.
  template <class Call, class Reset>
  std::string run(Call const& call, Reset const& reset) {
    if (test::on_cpu_device) {
      return run_once(call);
    }
    prepare(call);
    std::string message;
    for (int attempt = 0; attempt < 3; ++attempt) {
      reset();
      message = run_once(call);
      if (!message.empty() || all_came()) {
        break;
      }
      for (test::device_array<gemm::peer_signals>& signals : signals_) {
        signals.upload(std::vector<gemm::peer_signals>(1));
      }
    }
    return message;
  }
  template <class Call>
  std::string run(Call const& call) {
    return run(call, [] {});
  }

 private:
  bool all_came() const {
    for (gemm::peers const& own : all_) {
      if (!gemm::peer_status(own)) {
        return false;
      }
    }
    return true;
  }

  /// To make a stream, or to end with one, may wait for the device, where other ranks may wait for this one.
  template <class Call>
  std::string run_once(Call const& call) const {
    std::vector<std::string> messages(all_.size());
    std::vector<std::thread> threads;
    std::barrier<> meeting(count());
    for (int rank = 0; rank < count(); ++rank) {
      threads.emplace_back([&, rank] {
        test::stream const stream;
        static_cast<void>(gemm::detail::side_stream::of_current_device());
        meeting.arrive_and_wait();
        gemm::status const status = call(rank, all_[static_cast<std::size_t>(rank)], time_out_, stream.get());
        messages[static_cast<std::size_t>(rank)] = status.message();
        stream.synchronize();
        meeting.arrive_and_wait();
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
    for (std::string const& message : messages) {
      if (!message.empty()) {
        return message;
      }
    }
    return {};
  }

  /// Has all loaded and allocated that the calls will need: a first launch may wait for the kernels that run, and those
  /// of ranks for one another. They are made one after the other, by ranks that wait for others almost no time.
  template <class Call>
  void prepare(Call const& call) const {
    ranks_of_one_device others(count(), all_[0].bytes);
    others.time_out_ = 1e-6;
    for (int rank = 0; rank < count(); ++rank) {
      std::thread([&] {
        test::stream const stream;
        static_cast<void>(call(rank, others[rank], others.time_out_, stream.get()));
        stream.synchronize();
      }).join();
    }
  }

  std::vector<test::device_array<unsigned char>> memory_;
  std::vector<test::device_array<gemm::peer_signals>> signals_;
  std::vector<gemm::peers> all_;
  double time_out_ = test::on_cpu_device ? 10 : 1;  // seconds after which a rank has waited in vain
};

/// alpha A B + beta C + bias, row by row, in double.
template <class In, class Out>
std::vector<Out> reference(std::vector<In> const& a, std::vector<In> const& b, std::vector<Out> const& c,
                           std::vector<float> const& bias, std::int64_t m, std::int64_t n, std::int64_t k, float alpha,
                           float beta) {
  std::vector<Out> result(c);
  for (std::int64_t row = 0; row < m; ++row) {
    for (std::int64_t column = 0; column < n; ++column) {
      double sum = 0;
      for (std::int64_t i = 0; i < k; ++i) {
        sum += static_cast<double>(static_cast<float>(a[static_cast<std::size_t>(row * k + i)])) *
               static_cast<float>(b[static_cast<std::size_t>(i * n + column)]);
      }
      auto const at = static_cast<std::size_t>(row * n + column);
      double const old = beta == 0 ? 0 : beta * static_cast<double>(static_cast<float>(c[at]));
      result[at] = static_cast<Out>(static_cast<float>(alpha * sum + old + bias[static_cast<std::size_t>(column)]));
    }
  }
  return result;
}

template <class T>
std::vector<T> rows_of(std::vector<T> const& all, gemm::peer_rows const& rows, std::int64_t length) {
  return {all.begin() + rows.first * length, all.begin() + (rows.first + rows.count) * length};
}
template <class T>
std::vector<T> columns_of(std::vector<T> const& all, std::int64_t rows, std::int64_t length, std::int64_t first,
                          std::int64_t count) {
  std::vector<T> result;
  for (std::int64_t row = 0; row < rows; ++row) {
    result.insert(result.end(), all.begin() + row * length + first, all.begin() + row * length + first + count);
  }
  return result;
}
template <class T>
bool same(std::vector<T> const& a, std::vector<T> const& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(static_cast<float>(a[i]) == static_cast<float>(b[i]))) {
      return false;
    }
  }
  return a.size() == b.size();
}

struct shape {
  std::int64_t m, n, k;
};
shape const shapes[] = {{1, 8, 40}, {3, 17, 8}, {130, 72, 64}, {257, 136, 33}, {64, 264, 1}, {5, 8, 0}};
/// Of shards that are copied in pieces by slow_link.
shape const of_pieces{test::value_by_tier(260, 600, 600), 24, 40};

/// A link so slow that a piece has the least rows.
constexpr gemm::tables::link_rates slow_link{.gpu = "slow", .copy = 1, .copy_start = 1e-9};

/// How the ranks exchange: alike, or every other one otherwise, which the others need not know.
enum class paths : unsigned char { automatic, overlapped, sequential, mixed };
gemm::exchange path_of(paths chosen, int rank) {
  bool const overlapped = chosen == paths::overlapped || (chosen == paths::mixed && rank % 2 == 0);
  return chosen == paths::automatic ? gemm::exchange::automatic
         : overlapped               ? gemm::exchange::peer_memory
                                    : gemm::exchange::peer_memory_sequential;
}

/// A row of every rank's shard lies at its place in `in_place` calls, else elsewhere.
template <class Policy, class In, class Out>
void check_all_gather(int ranks, shape const& s, bool in_place, float beta, paths chosen) {
  ranks_of_one_device all(ranks, gemm::all_gather_bytes<In>(s.m, s.k));
  auto const a = integers<In>(s.m * s.k, 1);
  std::vector<float> const bias = integers<float>(s.n, 2);
  std::vector<std::vector<In>> b;
  std::vector<std::vector<Out>> before;
  std::vector<test::device_array<In>> a_of, b_of;
  std::vector<test::device_array<Out>> c_of;
  test::device_array<float> const bias_of(bias);
  for (int rank = 0; rank < ranks; ++rank) {
    auto const seed = static_cast<unsigned>(rank);
    b.push_back(integers<In>(s.k * s.n, 10 + seed));
    before.push_back(integers<Out>(s.m * s.n, 20 + seed));
    a_of.emplace_back(rows_of(a, gemm::rows_of_rank(s.m, ranks, rank), s.k));
    b_of.emplace_back(b.back());
    c_of.emplace_back(before.back());
  }
  for (int rank = 0; rank < ranks && in_place && s.k > 0; ++rank) {
    auto const place = gemm::shard_in_place<In>(all[rank], s.m, s.k);
    std::size_t const row = static_cast<std::size_t>(s.k) * sizeof(In);
    test::require_success(
        cudaMemcpy2D(place.data, static_cast<std::size_t>(place.ld) * sizeof(In),
                     a_of[static_cast<std::size_t>(rank)].data(), row, row,
                     static_cast<std::size_t>(gemm::rows_of_rank(s.m, ranks, rank).count), cudaMemcpyDefault),
        "cudaMemcpy2D");
  }
  for (int round = 0; round < 2; ++round) {  // signals are not reset in between
    auto const call = [&](int rank, gemm::peers const& own, double time_out, cudaStream_t stream) {
      auto const i = static_cast<std::size_t>(rank);
      gemm::peer_rows const rows = gemm::rows_of_rank(s.m, ranks, rank);
      auto const place = gemm::shard_in_place<In>(own, s.m, s.k);
      auto const shard = in_place ? gemm::row_major<In const>(place.data, rows.count, s.k, place.ld)
                                  : gemm::row_major<In const>(a_of[i].data(), rows.count, s.k);
      return gemm::all_gather_product<Policy>(shard, gemm::row_major<In const>(b_of[i].data(), s.k, s.n),
                                              gemm::row_major(c_of[i].data(), s.m, s.n), own,
                                              {.alpha = 2,
                                               .beta = beta,
                                               .stream = stream,
                                               .time_out = time_out,
                                               .path = path_of(chosen, rank),
                                               .link = round == 0 ? &slow_link : nullptr},
                                              gemm::bias(bias_of.data()));
    };
    auto const reset = [&] {
      for (std::size_t i = 0; i < before.size(); ++i) {
        c_of[i].upload(before[i]);
      }
    };
    REQUIRE(all.run(call, reset) == "");
    for (int rank = 0; rank < ranks; ++rank) {
      auto const i = static_cast<std::size_t>(rank);
      before[i] = reference(a, b[i], before[i], bias, s.m, s.n, s.k, 2, beta);
      CHECK(same(c_of[i].download(), before[i]));
      CHECK_THAT(gemm::peer_status(all[rank]).message(), Equals(""));
    }
  }
}

/// The parts of k of all ranks: some have less, or none.
std::int64_t part_of_k(std::int64_t k, int rank) { return rank == 1 ? k / 2 : rank == 2 ? 0 : k; }

/// The rows that a rank has summed early, at most.
template <class Policy, class In, class Out>
std::int64_t check_sums(int ranks, shape const& s, float beta, bool of_all_rows, paths chosen) {
  ranks_of_one_device all(ranks, of_all_rows ? gemm::all_reduce_bytes<In, Out>(s.m, s.n, ranks)
                                             : gemm::reduce_scatter_bytes<In, Out>(s.m, s.n, ranks));
  std::int64_t k = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    k += part_of_k(s.k, rank);
  }
  auto const a = integers<In>(s.m * k, 1), b = integers<In>(k * s.n, 2);
  auto const bias = integers<float>(s.n, 3);
  auto const before = integers<Out>(s.m * s.n, 4);
  auto const expected = reference(a, b, before, bias, s.m, s.n, k, 0.5F, beta);
  test::device_array<float> const bias_of(bias);
  std::vector<test::device_array<In>> a_of, b_of;
  std::vector<test::device_array<Out>> c_of;
  std::int64_t first = 0;
  auto const rows_of_c = [&](std::vector<Out> const& all_rows, int rank) {
    return of_all_rows ? all_rows : rows_of(all_rows, gemm::rows_of_rank(s.m, ranks, rank), s.n);
  };
  for (int rank = 0; rank < ranks; ++rank) {
    std::int64_t const part = part_of_k(s.k, rank);
    a_of.emplace_back(columns_of(a, s.m, k, first, part));
    b_of.emplace_back(rows_of(b, {first, part}, s.n));
    c_of.emplace_back(rows_of_c(before, rank));
    first += part;
  }
  gemm::exchange_choice choices[4];
  auto const call = [&](int rank, gemm::peers const& own, double time_out, cudaStream_t stream) {
    auto const i = static_cast<std::size_t>(rank);
    std::int64_t const part = part_of_k(s.k, rank);
    auto const of_a = gemm::row_major<In const>(a_of[i].data(), s.m, part);
    auto const of_b = gemm::row_major<In const>(b_of[i].data(), part, s.n);
    gemm::peer_options<float> const options{.alpha = 0.5F,
                                            .beta = beta,
                                            .stream = stream,
                                            .time_out = time_out,
                                            .path = path_of(chosen, rank),
                                            .chosen = &choices[rank]};
    if (of_all_rows) {
      return gemm::product_all_reduce<Policy>(of_a, of_b, gemm::row_major(c_of[i].data(), s.m, s.n), own, options,
                                              gemm::bias(bias_of.data()));
    }
    return gemm::product_reduce_scatter<Policy>(
        of_a, of_b, gemm::row_major(c_of[i].data(), gemm::rows_of_rank(s.m, ranks, rank).count, s.n), own, options,
        gemm::bias(bias_of.data()));
  };
  auto const reset = [&] {
    for (int rank = 0; rank < ranks; ++rank) {
      c_of[static_cast<std::size_t>(rank)].upload(rows_of_c(before, rank));
    }
  };
  REQUIRE(all.run(call, reset) == "");
  for (int rank = 0; rank < ranks; ++rank) {
    CHECK(same(c_of[static_cast<std::size_t>(rank)].download(), rows_of_c(expected, rank)));
    CHECK_THAT(gemm::peer_status(all[rank]).message(), Equals(""));
  }
  std::int64_t early = 0;
  for (gemm::exchange_choice const& choice : choices) {
    early = choice.summed_early > early ? choice.summed_early : early;
  }
  return early;
}

/// All shapes by 1 to 4 ranks, each in one of the paths; under sanitizers one by 3.
template <class Policy, class In, class Out>
void check_all() {
  constexpr paths all_paths[] = {paths::automatic, paths::overlapped, paths::mixed, paths::sequential};
  int count = 0;
  for (int ranks = 1; ranks <= 4; ++ranks) {
    for (shape const& s : shapes) {
      paths const chosen = all_paths[count++ % 4];
      if (test::under_sanitizers && (ranks != 3 || s.m != 130)) {
        continue;
      }
      CAPTURE(ranks, s.m, s.n, s.k, static_cast<int>(chosen));
      check_all_gather<Policy, In, Out>(ranks, s, ranks % 2 == 0, ranks == 3 ? -1.0F : 0.0F, chosen);
      check_sums<Policy, In, Out>(ranks, s, ranks == 3 ? -1.0F : 0.0F, false, chosen);
      check_sums<Policy, In, Out>(ranks, s, ranks == 2 ? 1.0F : 0.0F, true, chosen);
    }
  }
}

/// What the walk reads of a product of shards.
struct some_shards {
  static constexpr bool of_columns = false;
  [[maybe_unused]] static constexpr gemm::detail::shards_of shards = gemm::detail::shards_of::a;
  std::int64_t m, rows;
  int ranks, first;

  __host__ __device__ gemm::detail::line_range range(int product) const {
    return gemm::detail::range_of_shard(*this, product, m);
  }
};
static_assert(gemm::detail::awaits_a<some_shards>);

}  // namespace

TEST_CASE("Rows of ranks cover all rows once, and may be none", "[distributed]") {
  for (std::int64_t const rows : {0, 1, 3, 7, 8, 4097}) {
    for (int ranks = 1; ranks <= gemm::most_peers; ++ranks) {
      std::int64_t next = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        gemm::peer_rows const own = gemm::rows_of_rank(rows, ranks, rank);
        CHECK(own.first == next);
        CHECK(own.count >= 0);
        next += own.count;
      }
      CHECK(next == rows);
    }
  }
}

TEST_CASE("Tiles of shards come in the order of the ranks from the given one on", "[distributed]") {
  constexpr int extent = 16, columns = 3;
  for (int ranks = 1; ranks <= 5; ++ranks) {
    for (std::int64_t const m : {1, 16, 70, 129}) {
      for (int first = 0; first < ranks; ++first) {
        some_shards const p{m, gemm::rows_of_shard(m, ranks), ranks, first};
        gemm::detail::schedule const s{.order = gemm::detail::tile_order::persistent,
                                       .mode = gemm::detail::reduction::none,
                                       .tiles_m = static_cast<int>((m + extent - 1) / extent),
                                       .tiles_n = columns,
                                       .batches = ranks,
                                       .band = 2,
                                       .k_tiles = 7};
        gemm::detail::ragged_walk walk(s, p, extent);
        gemm::detail::work w;
        std::set<std::tuple<int, int, int>> found;
        int position = 0, step = 0;
        for (; walk.next({.cluster = 0, .clusters = 1, .rank = 0}, step, w); ++step) {
          found.insert({w.batch, w.tile_m, w.tile_n});
          int const now = (w.batch - first + ranks) % ranks;
          CHECK(now >= position);
          CHECK(std::int64_t{w.tile_m} * extent < gemm::rows_of_rank(m, ranks, w.batch).count);
          position = now;
        }
        std::int64_t tiles = 0;
        for (int rank = 0; rank < ranks; ++rank) {
          tiles += (gemm::rows_of_rank(m, ranks, rank).count + extent - 1) / extent * columns;
        }
        CHECK(found.size() == static_cast<std::size_t>(tiles));
        CHECK(step == tiles);
      }
    }
  }
}

#if !defined(GEMM_TEST_THREAD_SANITIZER)  // it sees the kernels in the next ones, and the choice in the bits of sums
TEST_CASE("Ranks multiply by the kernel that the library chooses", "[distributed]") {
  check_all<gemm::automatic, bf16, float>();
}
#endif

TEST_CASE("Ranks multiply by wgmma", "[distributed]") {
  test::need_sm90a();
  check_all<gemm::sm90_wgmma_64x128x64, bf16, bf16>();
}

TEST_CASE("Ranks multiply by mma.sync", "[distributed]") { check_all<gemm::sm80_mma_64x64x64, bf16, bf16>(); }

TEST_CASE("Ranks exchange in pieces of a shard, and each as it likes", "[distributed]") {
  for (paths const chosen : {paths::overlapped, paths::sequential, paths::mixed}) {
    if (test::under_sanitizers && chosen != paths::mixed) {
      continue;
    }
    CAPTURE(static_cast<int>(chosen));
    check_all_gather<gemm::sm80_mma_64x64x64, bf16, float>(2, of_pieces, false, 0, chosen);
    check_sums<gemm::sm80_mma_64x64x64, bf16, float>(2, of_pieces, 0, false, chosen);
  }
}

TEST_CASE("Ranks sum their first rows while the last ones are multiplied", "[distributed]") {
  // Of few multiprocessors, of whose last wave a part is free.
  test::cpu_options const few([](auto& options) { options.device.multiprocessors = 10; });
  if (test::on_cpu_device) {
    if (!test::under_sanitizers) {
      CHECK(check_sums<gemm::automatic, bf16, float>(2, {1400, 200, 24}, 0, false, paths::overlapped) > 0);
    }
    CHECK(check_sums<gemm::automatic, bf16, float>(2, {1400, 200, 24}, -1, true, paths::mixed) > 0);
  } else {
    check_sums<gemm::automatic, bf16, float>(2, {4096, 4352, 24}, 0, false,
                                             paths::overlapped);  // if it has such a wave
  }
}

TEST_CASE("A rank without columns of B serves the others", "[distributed]") {
  constexpr std::int64_t m = 20, n = 16, k = 8;
  ranks_of_one_device all(2, gemm::all_gather_bytes<bf16>(m, k));
  auto const a = integers<bf16>(m * k, 1), b = integers<bf16>(k * n, 2);
  test::device_array<bf16> const a_of(a), b_of(b);
  test::device_array<float> const c_of(std::vector<float>(static_cast<std::size_t>(m * n)));
  std::string const message = all.run([&](int rank, gemm::peers const& own, double time_out, cudaStream_t stream) {
    gemm::peer_rows const rows = gemm::rows_of_rank(m, 2, rank);
    std::int64_t const columns = rank == 0 ? n : 0;
    return gemm::all_gather_product(gemm::row_major<bf16 const>(a_of.data() + rows.first * k, rows.count, k),
                                    gemm::row_major<bf16 const>(b_of.data(), k, columns, n),
                                    gemm::row_major(c_of.data(), m, columns, n), own,
                                    {.stream = stream, .time_out = time_out});
  });
  REQUIRE(message.empty());
  CHECK(same(c_of.download(), reference(a, b, std::vector<float>(static_cast<std::size_t>(m * n)),
                                        std::vector<float>(n), m, n, k, 1, 0)));
}

TEST_CASE("Calls of ranks say which path they have taken, and why", "[distributed]") {
  constexpr std::int64_t m = 64, n = 32, k = 16;
  ranks_of_one_device all(2, gemm::reduce_scatter_bytes<bf16, float>(m, n, 2));
  test::device_array<bf16> const a(integers<bf16>(m * k, 1)), b(integers<bf16>(k * n, 2));
  test::device_array<float> const c(static_cast<std::size_t>(m * n));
  for (gemm::exchange const path :
       {gemm::exchange::automatic, gemm::exchange::peer_memory, gemm::exchange::peer_memory_sequential}) {
    gemm::exchange_choice chosen[2];
    std::string const message = all.run([&](int rank, gemm::peers const& own, double time_out, cudaStream_t stream) {
      return gemm::product_reduce_scatter(
          gemm::row_major<bf16 const>(a.data(), m, k), gemm::row_major<bf16 const>(b.data(), k, n),
          gemm::row_major(c.data() + rank * (m / 2) * n, m / 2, n), own,
          {.stream = stream, .time_out = time_out, .path = path, .chosen = &chosen[rank]});
    });
    REQUIRE(message.empty());
    for (gemm::exchange_choice const& choice : chosen) {
      bool const named = path != gemm::exchange::automatic;
      CHECK((named ? choice.path == path : choice.path != gemm::exchange::automatic));
      CHECK((choice.why == "the options name it") == named);
      for (gemm::exchange const other : {gemm::exchange::peer_memory, gemm::exchange::peer_memory_sequential}) {
        CHECK(choice.of(other) > 0);
        CHECK((named || choice.of(choice.path) <= choice.of(other)));
      }
    }
  }
}

TEST_CASE("A sum of ranks has the same bits in every run", "[distributed]") {
  constexpr int ranks = 4;
  constexpr std::int64_t m = 70, n = 40, k = 96;
  ranks_of_one_device all(ranks, gemm::reduce_scatter_bytes<bf16, float>(m, n, ranks));
  std::vector<float> first;
  for (int round = 0; round < 3; ++round) {
    std::vector<test::device_array<bf16>> a_of, b_of;
    test::device_array<float> const c_of(static_cast<std::size_t>(m * n));
    for (unsigned rank = 0; rank < ranks; ++rank) {
      auto a = integers<bf16>(m * k, rank), b = integers<bf16>(k * n, 9 + rank);
      for (bf16& element : a) {
        element = static_cast<bf16>(static_cast<float>(element) * (1.1F + static_cast<float>(rank)));
      }
      a_of.emplace_back(a);
      b_of.emplace_back(b);
    }
    std::string const message = all.run([&](int rank, gemm::peers const& own, double time_out, cudaStream_t stream) {
      auto const i = static_cast<std::size_t>(rank);
      gemm::peer_rows const rows = gemm::rows_of_rank(m, ranks, rank);
      return gemm::product_reduce_scatter(
          gemm::row_major<bf16 const>(a_of[i].data(), m, k), gemm::row_major<bf16 const>(b_of[i].data(), k, n),
          gemm::row_major(c_of.data() + rows.first * n, rows.count, n), own, {.stream = stream, .time_out = time_out});
    });
    REQUIRE(message.empty());
    first = round == 0 ? c_of.download() : first;
    CHECK(first == c_of.download());
  }
}

TEST_CASE("A rank that does not come is named after the time-out", "[distributed]") {
  constexpr std::int64_t m = 20, n = 16, k = 8;
  ranks_of_one_device all(3, gemm::all_gather_bytes<bf16>(m, k));
  test::device_array<bf16> const a(integers<bf16>(m * k, 1)), b(integers<bf16>(k * n, 2));
  test::device_array<float> const c(static_cast<std::size_t>(m * n));
  std::vector<std::thread> threads;
  for (int const rank : {0, 2}) {
    threads.emplace_back([&, rank] {
      test::stream const stream;
      gemm::status const status = gemm::all_gather_product(
          gemm::row_major<bf16 const>(a.data(), gemm::rows_of_rank(m, 3, rank).count, k),
          gemm::row_major<bf16 const>(b.data(), k, n), gemm::row_major(c.data(), rank == 0 ? m : m, n), all[rank],
          {.stream = stream.get(), .time_out = 0.05});
      stream.synchronize();
      static_cast<void>(status);
    });
    threads.back().join();  // one after the other: they write one C
  }
  CHECK_THAT(gemm::peer_status(all[0]).message(), StartsWith("rank 0 waited for rank "));
  CHECK_THAT(gemm::peer_status(all[2]).message(), Equals("rank 2 waited for rank 1 to come, until the time-out"));
  CHECK_THAT(gemm::peer_status(all[1]).message(), Equals(""));
}

TEST_CASE("Calls of ranks say what they refuse", "[distributed]") {
  constexpr std::int64_t m = 20, n = 16, k = 8;
  ranks_of_one_device all(2, gemm::all_reduce_bytes<bf16, float>(m, n, 2));
  test::device_array<bf16> const a(integers<bf16>(m * k, 1)), b(integers<bf16>(k * n, 2));
  test::device_array<float> const c(static_cast<std::size_t>(m * n));
  auto const of_b = gemm::row_major<bf16 const>(b.data(), k, n);
  auto const of_c = gemm::row_major(c.data(), m, n);
  auto const gather = [&](gemm::peers const& own, std::int64_t rows, gemm::peer_options<float> const& options = {}) {
    return std::string(
        gemm::all_gather_product(gemm::row_major<bf16 const>(a.data(), rows, k), of_b, of_c, own, options).message());
  };
  gemm::peers own = all[0];
  CHECK(gather(own, 9) == "A has 9 rows, needs 10: rank 0 of 2 has these of 20");
  CHECK(gather(own, 10, {.time_out = -1}) == "time_out is -1 seconds, needs 0 to 10^9");
  own.ranks = 0;
  CHECK(gather(own, 10) == "peers.ranks is 0, needs 1 to 32");
  own = all[0];
  CHECK(gather(own, 10, {.path = gemm::exchange::collectives}) ==
        "path is one of NCCL's collectives, needs a communicator: give a gemm::nccl_peers");
  own.rank = 2;
  CHECK(gather(own, 10) == "peers.rank is 2, needs 0 to 1");
  own = all[0];
  own.bytes = 100;
  CHECK(gather(own, 10) == "peers.bytes is 100, needs 2560");
  own = all[0];
  own.flags[1] = nullptr;
  CHECK_THAT(gather(own, 10), StartsWith("peers.flags[1] is "));
  own = all[0];
  own.pointers[1] = static_cast<unsigned char*>(own.pointers[1]) + 8;
  CHECK_THAT(gather(own, 10), StartsWith("peers.pointers[1] is "));
  auto const of_a = gemm::row_major<bf16 const>(a.data(), m, k);
  CHECK_THAT(gemm::product_reduce_scatter(of_a, of_b, of_c, all[0]).message(),
             Equals("C has 20 rows, needs 10: rank 0 of 2 has these of 20"));
  CHECK_THAT(gemm::product_all_reduce(gemm::row_major<bf16 const>(a.data(), m - 1, k), of_b, of_c, all[0]).message(),
             Equals("A has 19 rows, needs 20, those of C"));
  CHECK_THAT(gemm::product_all_reduce(gemm::batched(of_a, 2, 0), of_b, of_c, all[0]).message(),
             Equals("A is a batch of 2, needs one matrix: ranks share its rows"));
  CHECK_THAT(gemm::peer_status(all[0]).message(), Equals(""));
}
