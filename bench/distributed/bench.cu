// SPDX-License-Identifier: BSL-1.0
//! @file
//! Times of products of several GPUs of this host beside cuBLAS and then NCCL: a process a GPU, a JSON object a line.
//!
//!     gemm_distributed [--ranks=N] [--calls=N] [--memory=windows|ipc] [--link=measured] [PART...]
//!
//! Parts: check links calls graph targets layers scaling reduce timeline; without one all but the time line. `calls`
//! are of changing sizes, 1000 by default. `links` prints a row of include/gemm/tables/links.hpp; --link=measured has
//! the calls follow what is measured, not the table.

#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <nccl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <gemm/distributed.hpp>
#include <gemm/matrix.hpp>
#include <gemm/nccl.hpp>
#include <gemm/run.cuh>
#include <gemm/tables/links.hpp>

#include "../../examples/support/count_devices.hpp"
#include "context.cuh"
#include "links.cuh"
#include "timeline.cuh"

namespace {

using namespace bench;
using gemm::exchange;

enum class product { gather, scatter, reduce };
constexpr char const* names[] = {"all_gather_product", "product_reduce_scatter", "product_all_reduce"};

struct shape {
  std::int64_t m, n, k;  // of all ranks
};

constexpr exchange paths[] = {exchange::peer_memory, exchange::peer_memory_sequential, exchange::collectives,
                              exchange::collectives_sequential, exchange::automatic};
constexpr char const* path_names[] = {"automatic", "peer_memory", "peer_memory_sequential", "collectives",
                                      "collectives_sequential"};

/// One product of all ranks, by each path and by the libraries; what a rank has of it.
class contest {
 public:
  contest(rank_context const& own, product which, shape const& s, gemm::tables::link_rates const* link)
      : own_(own), which_(which), s_(s), link_(link) {
    bool const gathers = which == product::gather;
    n_ = gathers ? s.n / own.ranks : s.n;
    k_ = gathers ? s.k : s.k / own.ranks;
    shard_ = s.m / own.ranks;
    place_ = gemm::shard_in_place<bf16>(own.memory->get(), s.m, k_);
    own.fill(own.a, (gathers ? shard_ : s.m) * k_, static_cast<unsigned>(own.rank));
    own.fill(own.b, n_ * k_, 100U + static_cast<unsigned>(own.rank));
  }

  /// By a path, to own.c.
  void call(exchange path, gemm::exchange_choice* chosen = nullptr,
            gemm::tables::link_rates const* link = nullptr) const {
    auto const b = gemm::col_major<bf16 const>(own_.b, k_, n_);
    auto const a = gemm::row_major<bf16 const>(own_.a, s_.m, k_);
    gemm::peer_options<float> const options{
        .stream = own_.stream, .time_out = 20, .path = path, .link = link != nullptr ? link : link_, .chosen = chosen};
    gemm::nccl_peers const& ranks = *own_.memory;
    gemm::status const result =
        which_ == product::gather
            ? gemm::all_gather_product(gemm::row_major<bf16 const>(place_.data, shard_, k_, place_.ld), b,
                                       gemm::row_major(own_.c, s_.m, n_), ranks, options)
        : which_ == product::scatter
            ? gemm::product_reduce_scatter(a, b, gemm::row_major(own_.c, shard_, n_), ranks, options)
            : gemm::product_all_reduce(a, b, gemm::row_major(own_.c, s_.m, n_), ranks, options);
    require(result, names[static_cast<int>(which_)]);
  }
  /// A gathered A lies in the ranks' memory, where sums have had their parts.
  void put_shard() const {
    if (which_ == product::gather) {
      auto const row = static_cast<std::size_t>(k_) * 2;
      require(cudaMemcpy2DAsync(place_.data, static_cast<std::size_t>(place_.ld) * 2, own_.a, row, row,
                                static_cast<std::size_t>(shard_), cudaMemcpyDefault, own_.stream),
              "copy");
    }
  }

  bf16* operand() const { return which_ == product::gather ? own_.gathered : own_.a; }
  bf16* product_of_rank() const { return which_ == product::gather ? own_.other : own_.gathered; }
  void multiply_by_cublas() const { own_.multiply(operand(), product_of_rank(), s_.m, n_, k_); }
  void multiply() const {
    require(gemm::run(gemm::row_major<bf16 const>(operand(), s_.m, k_), gemm::col_major<bf16 const>(own_.b, k_, n_),
                      gemm::row_major(product_of_rank(), s_.m, n_), {.stream = own_.stream}),
            "run");
  }
  void exchange_by_nccl() const {
    auto const rows_of_a = static_cast<std::size_t>(shard_ * k_), rows_of_c = static_cast<std::size_t>(shard_ * n_);
    require(which_ == product::gather
                ? ncclAllGather(own_.a, own_.gathered, rows_of_a, ncclBfloat16, own_.communicator, own_.stream)
            : which_ == product::scatter
                ? ncclReduceScatter(own_.gathered, own_.other, rows_of_c, ncclBfloat16, ncclSum, own_.communicator,
                                    own_.stream)
                : ncclAllReduce(own_.gathered, own_.other, rows_of_c * static_cast<std::size_t>(own_.ranks),
                                ncclBfloat16, ncclSum, own_.communicator, own_.stream),
            "a collective");
  }
  /// cuBLAS and NCCL, one after the other, to own.other.
  void call_libraries() const {
    if (which_ == product::gather) {
      exchange_by_nccl();
      multiply_by_cublas();
    } else {
      multiply_by_cublas();
      exchange_by_nccl();
    }
  }
  std::int64_t results() const { return which_ == product::scatter ? shard_ * n_ : s_.m * n_; }

  /// The greatest difference from the libraries' result, and how many elements two runs of a path have unlike.
  difference check(exchange path) const {
    put_shard();
    require(cudaMemsetAsync(own_.c, 0xff, static_cast<std::size_t>(results()) * 2, own_.stream), "memset");
    call(path);
    call_libraries();
    difference result = own_.compare(own_.c, own_.other, results());
    require(
        cudaMemcpyAsync(own_.reduced, own_.c, static_cast<std::size_t>(results()) * 2, cudaMemcpyDefault, own_.stream),
        "copy");
    put_shard();
    call(path);
    result.differ = own_.compare(own_.c, own_.reduced, results()).differ;
    require(gemm::peer_status(own_.memory->get()), "peer_status");
    return result;
  }

  void time(stopwatch& watch) const {
    std::vector<std::function<void()>> contenders;
    put_shard();
    for (exchange const path : paths) {
      contenders.emplace_back([this, path] { call(path); });
    }
    gemm::tables::link_rates late = link_ != nullptr ? *link_ : gemm::tables::links[0];
    late.last_wave = 0;
    contenders.emplace_back([this, &late] { call(exchange::peer_memory, nullptr, &late); });
    contenders.emplace_back([this] { call_libraries(); });
    contenders.emplace_back([this] { multiply_by_cublas(); });
    contenders.emplace_back([this] { exchange_by_nccl(); });
    contenders.emplace_back([this] { multiply(); });
    std::vector<double> const seconds = watch.seconds(own_, contenders);
    gemm::exchange_choice chosen;
    call(exchange::automatic, &chosen);
    require(cudaStreamSynchronize(own_.stream), "synchronize");
    require(gemm::peer_status(own_.memory->get()), "peer_status");
    if (own_.rank == 0) {
      print(seconds, chosen);
    }
    watch.meet();
  }

 private:
  void print(std::vector<double> const& seconds, gemm::exchange_choice const& chosen) const {
    std::printf("{\"product\": \"%s\", \"ranks\": %d, \"m\": %lld, \"n\": %lld, \"k\": %lld",
                names[static_cast<int>(which_)], own_.ranks, static_cast<long long>(s_.m), static_cast<long long>(s_.n),
                static_cast<long long>(s_.k));
    for (std::size_t i = 0; i < std::size(paths); ++i) {
      std::printf(", \"%s_us\": %.2f", path_names[static_cast<int>(paths[i])], seconds[i] * 1e6);
    }
    std::printf(", \"late_sum_us\": %.2f, \"summed_early\": %lld", seconds[std::size(paths)] * 1e6,
                static_cast<long long>(chosen.summed_early));
    double const* const rest = seconds.data() + std::size(paths) + 1;
    double const automatic = rest[-2], exposed = automatic - rest[3];
    std::printf(
        ", \"libraries_us\": %.2f, \"cublas_us\": %.2f, \"nccl_us\": %.2f, \"run_us\": %.2f, \"ratio\": %.3f, "
        "\"linear\": %.3f, \"exposed\": %.3f, \"chosen\": \"%s\", \"why\": \"%.*s\"",
        rest[0] * 1e6, rest[1] * 1e6, rest[2] * 1e6, rest[3] * 1e6, rest[0] / automatic, rest[3] / automatic,
        exposed / rest[2], path_names[static_cast<int>(chosen.path)], static_cast<int>(chosen.why.size()),
        chosen.why.data());
    for (std::size_t i = 0; i + 1 < std::size(paths); ++i) {
      std::printf(", \"%s_predicted_us\": %.2f", path_names[static_cast<int>(paths[i])], chosen.of(paths[i]) * 1e6);
    }
    std::printf("}\n");
    std::fflush(stdout);
  }

  rank_context const& own_;
  product which_;
  shape s_;
  gemm::tables::link_rates const* link_;
  std::int64_t n_, k_, shard_;
  gemm::matrix<bf16, gemm::order::row> place_{};
};

/// Each path of each product: whether it agrees with the libraries, and with itself bit by bit.
bool check(rank_context const& own, gemm::tables::link_rates const* link, stopwatch& watch) {
  bool good = true;
  for (product const which : {product::gather, product::scatter, product::reduce}) {
    for (shape const& s : {shape{2048, 2048, 4096}, shape{256, 1024, 8192}, shape{4096, 8192, 2048}}) {
      for (exchange const path : paths) {
        difference const d = contest(own, which, s, link).check(path);
        float const most = 0.06F * std::sqrt(static_cast<float>(s.k));  // roundings of parts and of sums of them
        bool const right = d.greatest <= most && d.differ == 0;
        good = good && right;
        std::printf(
            "{\"check\": \"%s\", \"path\": \"%s\", \"rank\": %d, \"m\": %lld, \"n\": %lld, \"k\": %lld, "
            "\"difference\": %g, \"differ\": %llu, \"right\": %s}\n",
            names[static_cast<int>(which)], path_names[static_cast<int>(path)], own.rank, static_cast<long long>(s.m),
            static_cast<long long>(s.n), static_cast<long long>(s.k), static_cast<double>(d.greatest), d.differ,
            right ? "true" : "false");
        std::fflush(stdout);
        watch.meet();
      }
    }
  }
  return good;
}

/// The same call out of a graph, many times: whether all results have the bits of the first.
void check_graph(rank_context const& own, shape const& s, stopwatch& watch) {
  constexpr int launches = 50;
  std::int64_t const k = s.k / own.ranks, m = s.m / own.ranks;
  gemm::peers const& all = own.memory->get();
  own.fill(own.a, s.m * k, static_cast<unsigned>(own.rank));
  own.fill(own.b, s.n * k, 7U + static_cast<unsigned>(own.rank));
  auto const call = [&] {
    require(gemm::product_reduce_scatter(gemm::row_major<bf16 const>(own.a, s.m, k),
                                         gemm::col_major<bf16 const>(own.b, k, s.n), gemm::row_major(own.c, m, s.n),
                                         all, {.stream = own.stream, .time_out = 20}),
            "product_reduce_scatter");
    require(
        gemm::all_gather_product(gemm::row_major<bf16 const>(own.c, m, s.n), gemm::col_major<bf16 const>(own.b, s.n, k),
                                 gemm::row_major(own.gathered, s.m, k), all, {.stream = own.stream, .time_out = 20}),
        "all_gather_product");
  };
  call();
  require(cudaStreamSynchronize(own.stream), "synchronize");
  require(
      cudaMemcpyAsync(own.other, own.gathered, static_cast<std::size_t>(s.m * k) * 2, cudaMemcpyDefault, own.stream),
      "copy");
  require(cudaStreamSynchronize(own.stream), "synchronize");
  watch.meet();
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  require(cudaStreamBeginCapture(own.stream, cudaStreamCaptureModeThreadLocal), "begin of the capture");
  call();
  require(cudaStreamEndCapture(own.stream, &graph), "end of the capture");
  require(cudaGraphInstantiate(&executable, graph, 0), "instantiation");
  unsigned long long differ = 0;
  for (int i = 0; i < launches; ++i) {
    watch.meet();
    require(cudaMemsetAsync(own.gathered, 0xff, static_cast<std::size_t>(s.m * k) * 2, own.stream), "memset");
    require(cudaGraphLaunch(executable, own.stream), "launch of the graph");
    differ += own.compare(own.gathered, own.other, s.m * k).differ;
  }
  require(gemm::peer_status(all), "peer_status");
  require(cudaGraphExecDestroy(executable), "graph");
  require(cudaGraphDestroy(graph), "graph");
  std::printf("{\"graph\": %d, \"rank\": %d, \"launches\": %d, \"differ\": %llu}\n", own.ranks, own.rank, launches,
              differ);
  std::fflush(stdout);
  watch.meet();
}

/// Calls of changing sizes without a pause between them.
void check_many(rank_context const& own, int calls, stopwatch& watch) {
  gemm::peers const& all = own.memory->get();
  own.fill(own.a, 4096 * 1024, static_cast<unsigned>(own.rank));
  own.fill(own.b, 4096 * 1024, 7U);
  unsigned seed = 1;
  std::size_t before = 0, after = 0, all_memory = 0;
  for (int i = 0; i < calls; ++i) {
    seed = seed * 1664525U + 1013904223U;
    std::int64_t const m = 1 + (seed >> 8U) % 2048, n = 8 + (seed >> 20U) % 512, k = 8 + (seed >> 12U) % 512;
    if (i == calls / 2) {
      require(cudaDeviceSynchronize(), "synchronize");
      require(cudaMemGetInfo(&before, &all_memory), "memory");
    }
    std::int64_t const rows = gemm::rows_of_rank(m, own.ranks, own.rank).count;
    gemm::peer_options<float> const options{.stream = own.stream, .time_out = 20};
    require(i % 2 == 0 ? gemm::all_gather_product(gemm::row_major<bf16 const>(own.a, rows, k),
                                                  gemm::col_major<bf16 const>(own.b, k, n),
                                                  gemm::row_major(own.c, m, n), all, options)
                       : gemm::product_reduce_scatter(gemm::row_major<bf16 const>(own.a, m, k),
                                                      gemm::col_major<bf16 const>(own.b, k, n),
                                                      gemm::row_major(own.c, rows, n), all, options),
            "a call");
  }
  require(gemm::peer_status(all), "peer_status");
  require(cudaDeviceSynchronize(), "synchronize");
  require(cudaMemGetInfo(&after, &all_memory), "memory");
  std::printf("{\"calls\": %d, \"ranks\": %d, \"rank\": %d, \"leaked\": %lld}\n", calls, own.ranks, own.rank,
              static_cast<long long>(before) - static_cast<long long>(after));
  std::fflush(stdout);
  watch.meet();
}

/// Of the published overlaps.
constexpr shape target{8192, 8192, 29568}, target_of_gather{8192, 29568, 8192};
/// Layers of a model of 70 x 10^9 parameters: columns of QKV and of gate and up, rows of the output and down ones.
constexpr std::int64_t tokens[] = {1024, 2048, 4096, 8192, 16384, 32768};
constexpr shape of_gather[] = {{0, 10240, 8192}, {0, 57344, 8192}};
constexpr shape of_scatter[] = {{0, 8192, 8192}, {0, 8192, 28672}};

/// What the processes are asked to do.
struct request {
  int ranks = 1, calls = 1000;
  gemm::peer_allocation memory = gemm::peer_allocation::automatic;
  bool measured = false;
  std::vector<std::string> parts;

  bool wants(std::string_view part) const {
    if (parts.empty()) {
      return part != "timeline";
    }
    for (std::string const& wanted : parts) {
      if (wanted == part) {
        return true;
      }
    }
    return false;
  }
};

/// Whether all results are right.
bool run_parts(rank_context const& own, request const& asked, stopwatch& watch) {
  gemm::tables::link_rates row;
  if (asked.wants("links") || asked.measured) {
    links measured(own, watch);
    row = measured.measure();
    cudaDeviceProp properties{};
    require(cudaGetDeviceProperties(&properties, own.rank), "properties");
    double const few = measured.stores(8), some = measured.stores(16), more = measured.stores(32);
    if (own.rank == 0) {
      print(row, properties.name, own.ranks);
      std::printf("{\"stores\": %d, \"blocks_8\": %.4g, \"blocks_16\": %.4g, \"blocks_32\": %.4g}\n", own.ranks, few,
                  some, more);
    }
    watch.meet();
  }
  gemm::tables::link_rates const* const link = asked.measured ? &row : nullptr;
  bool const good = !asked.wants("check") || check(own, link, watch);
  if (asked.wants("calls")) {
    check_many(own, asked.calls, watch);
  }
  if (asked.wants("graph")) {
    check_graph(own, {2048, 2048, 4096}, watch);
  }
  if (asked.wants("targets")) {
    contest(own, product::gather, target_of_gather, link).time(watch);
    contest(own, product::scatter, target, link).time(watch);
  }
  if (asked.wants("scaling")) {
    contest(own, product::gather, {8192, std::int64_t{8192} * own.ranks, 8192}, link).time(watch);
    contest(own, product::scatter, {8192, 8192, std::int64_t{8192} * own.ranks}, link).time(watch);
  }
  if (asked.wants("layers")) {
    for (std::int64_t const m : tokens) {
      for (shape const& s : of_gather) {
        contest(own, product::gather, {m, s.n, s.k}, link).time(watch);
      }
      for (shape const& s : of_scatter) {
        contest(own, product::scatter, {m, s.n, s.k}, link).time(watch);
      }
    }
  }
  if (asked.wants("reduce")) {
    for (shape const& s : {target, shape{1024, 8192, 28672}, shape{4096, 4096, 8192}}) {
      contest(own, product::reduce, s, link).time(watch);
    }
  }
  if (asked.wants("timeline")) {
    print_timeline(own, 8192, 29568 / own.ranks / 8 * 8, 8192, watch);
  }
  return good;
}

int run_rank(int rank, request const& asked, shared_state& shared) {
  stopwatch watch(shared, asked.ranks);
  require(cudaSetDevice(rank), "cudaSetDevice");
  if (rank == 0) {
    require(ncclGetUniqueId(&shared.id), "ncclGetUniqueId");
  }
  watch.meet();
  ncclComm_t communicator = nullptr;
  require(ncclCommInitRank(&communicator, asked.ranks, shared.id, rank), "ncclCommInitRank");
  rank_context own{.rank = rank, .ranks = asked.ranks, .communicator = communicator};
  std::size_t const bytes = std::size_t{1} << 30U, of_buffer = std::size_t{4} << 30U;
  require(cudaStreamCreateWithFlags(&own.stream, cudaStreamNonBlocking), "stream");
  require(cublasCreate(&own.cublas), "cublasCreate");
  require(cublasSetStream(own.cublas, own.stream), "cublasSetStream");
  require(cudaEventCreate(&own.begin), "event");
  require(cudaEventCreate(&own.end), "event");
  for (bf16** memory : {&own.a, &own.b, &own.c, &own.other, &own.gathered, &own.reduced}) {
    require(cudaMalloc(memory, of_buffer), "cudaMalloc");
  }
  require(cudaMalloc(&own.greatest, sizeof(int)), "cudaMalloc");
  require(cudaMalloc(&own.differ, sizeof(unsigned long long)), "cudaMalloc");
  bool good = false;
  {
    gemm::nccl_peers memory;
    require(memory.open(communicator, bytes, asked.memory), "nccl_peers");
    if (rank == 0) {
      std::printf("{\"ranks\": %d, \"windows\": %s, \"reach\": %s, \"nccl\": %d}\n", asked.ranks,
                  memory.has_window() ? "true" : "false", memory.reach() ? "true" : "false", NCCL_VERSION_CODE);
    }
    own.memory = &memory;
    watch.meet();
    good = run_parts(own, asked, watch);
    require(cudaDeviceSynchronize(), "synchronize");
    watch.meet();
  }
  watch.meet();
  require(ncclCommDestroy(communicator), "ncclCommDestroy");
  return good ? 0 : 1;
}

request parse(int argc, char** argv, int devices) {
  request asked;
  asked.ranks = devices;
  for (int i = 1; i < argc; ++i) {
    std::string const argument = argv[i];
    std::string const value = argument.substr(argument.find('=') + 1);
    if (argument.starts_with("--ranks=")) {
      asked.ranks = std::atoi(value.c_str());
    } else if (argument.starts_with("--calls=")) {
      asked.calls = std::atoi(value.c_str());
    } else if (argument == "--memory=windows" || argument == "--memory=ipc") {
      asked.memory = value == "ipc" ? gemm::peer_allocation::ipc : gemm::peer_allocation::windows;
    } else if (argument == "--link=measured") {
      asked.measured = true;
    } else {
      require(!argument.starts_with("-"), argument.c_str(), "is no option");
      asked.parts.push_back(argument);
    }
  }
  require(asked.ranks >= 1 && asked.ranks <= devices && asked.ranks <= gemm::most_peers, "ranks",
          "needs 1 to the number of devices");
  return asked;
}

}  // namespace

int main(int argc, char** argv) {
  request const asked = parse(argc, argv, example::count_devices());
  void* const memory = mmap(nullptr, sizeof(shared_state), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  require(memory != MAP_FAILED, "mmap", "no memory");
  auto& shared = *static_cast<shared_state*>(memory);
  pthread_barrierattr_t attributes;
  require(pthread_barrierattr_init(&attributes) == 0 &&
              pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) == 0 &&
              pthread_barrier_init(&shared.barrier, &attributes, static_cast<unsigned>(asked.ranks)) == 0,
          "pthread_barrier_init", "failed");
  std::vector<pid_t> processes;
  for (int rank = 1; rank < asked.ranks; ++rank) {
    pid_t const child = fork();
    if (child == 0) {
      std::exit(run_rank(rank, asked, shared));
    }
    processes.push_back(child);
  }
  int failed = run_rank(0, asked, shared);
  for (pid_t const process : processes) {
    int result = 0;
    waitpid(process, &result, 0);
    failed += WIFEXITED(result) && WEXITSTATUS(result) == 0 ? 0 : 1;
  }
  return failed == 0 ? 0 : 1;
}
