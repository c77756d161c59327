// SPDX-License-Identifier: BSL-1.0
//! @file
//! What {.constant_b = true} gains: a CUDA graph of linear layers, one behind the other, with and without it.
//!
//!     gemm_layers --hidden 4096 --inner 11008 --rows 1 --rows 16 --rows 64
//!
//! Layers go from `hidden` columns to `inner` and back. Replays with and without the promise alternate, and their
//! results must have the same bits. Prints a table: microseconds of a layer, the median of the samples. Exit code 1:
//! they have not, or something could not be measured; 2: bad arguments.

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>

#include "../examples/support/command_line.hpp"
#include "support/benchmark_main.hpp"
#include "support/cuda.hpp"
#include "support/stopwatch.hpp"

namespace bench {

namespace {

using bf16 = __nv_bfloat16;
constexpr std::int64_t most_extent = 1 << 17;

struct layers_options {
  std::int64_t hidden = 4096, inner = 11008;
  int layers = 10, samples = 51;
  std::vector<std::int64_t> rows{1, 8, 16, 32, 64};
};

/// Uniform in [-s, s): with s = sqrt(3 / k) a product has elements as large as its input's.
__global__ void fill_kernel(bf16* data, std::int64_t count, float s) {
  std::int64_t const stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    data[i] = static_cast<bf16>(s * gemm::uniform_from<float>(gemm::random_bits(0, static_cast<std::uint64_t>(i))));
  }
}

/// The weights of all layers, of each the transpose of B, and the activations between them.
class network {
 public:
  network(layers_options const& o, cudaStream_t stream)
      : o_(o),
        stream_(stream),
        elements_(o.hidden * o.inner),
        weights_(static_cast<std::size_t>(o.layers * elements_) * sizeof(bf16)),
        workspace_(std::size_t{64} << 20) {
    for (int layer = 0; layer < o.layers; ++layer) {
      launch(&fill_kernel, 1024, 256, stream, weights_.as<bf16>() + layer * elements_, elements_,
             std::sqrt(3.0F / static_cast<float>(columns_before(layer))));
    }
    require(cudaStreamSynchronize(stream), "filling the weights");
  }

  /// Enqueues the layers; activations[i] is the input of layer i.
  void enqueue(std::int64_t rows, std::vector<bf16*> const& activations, bool constant) const {
    for (int layer = 0; layer < o_.layers; ++layer) {
      auto const at = static_cast<std::size_t>(layer);
      std::int64_t const k = columns_before(layer), n = columns_before(layer + 1);
      gemm::status const status = gemm::run(gemm::row_major<bf16 const>(activations[at], rows, k),
                                            gemm::col_major<bf16 const>(weights_.as<bf16>() + layer * elements_, k, n),
                                            gemm::row_major(activations[at + 1], rows, n),
                                            {.stream = stream_,
                                             .workspace = {.data = workspace_.data(), .bytes = std::size_t{64} << 20},
                                             .constant_b = constant});
      if (!status) {
        throw failure(status.message());
      }
    }
  }

  std::int64_t columns_before(int layer) const { return layer % 2 == 0 ? o_.hidden : o_.inner; }

 private:
  layers_options const& o_;
  cudaStream_t stream_;
  std::int64_t elements_;
  device_memory weights_, workspace_;
};

using graph_handle = owned<cudaGraph_t, cudaGraphDestroy>;
using executable_graph = owned<cudaGraphExec_t, cudaGraphExecDestroy>;

/// A graph of the layers, and its activations.
class replay {
 public:
  replay(network const& layers, layers_options const& o, std::int64_t rows, bool constant, cudaStream_t stream)
      : stream_(stream),
        begin_(make_event()),
        end_(make_event()),
        elements_(rows * std::max(o.hidden, o.inner)),
        memory_(static_cast<std::size_t>((o.layers + 1) * elements_) * sizeof(bf16)) {
    std::vector<bf16*> activations;
    for (int layer = 0; layer <= o.layers; ++layer) {
      activations.push_back(memory_.as<bf16>() + layer * elements_);
    }
    last_ = activations.back();
    results_ = rows * layers.columns_before(o.layers);
    launch(&fill_kernel, 1024, 256, stream, activations.front(), elements_, 1.0F);
    layers.enqueue(rows, activations, constant);  // what a first call allocates is not for a capture
    cudaGraph_t graph = nullptr;
    require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    layers.enqueue(rows, activations, constant);
    require(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    graph_handle const captured(graph);
    cudaGraphExec_t instance = nullptr;
    require(cudaGraphInstantiate(&instance, graph), "cudaGraphInstantiate");
    graph_.reset(instance);
  }

  /// Seconds of one replay, of several one behind the other.
  double sample() const {
    constexpr int replays = 5;
    require(cudaEventRecord(begin_.get(), stream_), "cudaEventRecord");
    for (int i = 0; i < replays; ++i) {
      require(cudaGraphLaunch(graph_.get(), stream_), "cudaGraphLaunch");
    }
    require(cudaEventRecord(end_.get(), stream_), "cudaEventRecord");
    require(cudaEventSynchronize(end_.get()), "the graphs that were timed");
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, begin_.get(), end_.get()), "cudaEventElapsedTime");
    return milliseconds * 1e-3 / replays;
  }

  /// The bits of the last layer's result.
  std::vector<std::uint16_t> result() const {
    std::vector<std::uint16_t> bits(static_cast<std::size_t>(results_));
    require(cudaMemcpy(bits.data(), last_, bits.size() * sizeof(bf16), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return bits;
  }

 private:
  cudaStream_t stream_;
  event begin_, end_;
  std::int64_t elements_, results_ = 0;
  device_memory memory_;
  bf16* last_ = nullptr;
  executable_graph graph_;
};

int run(int argc, char** argv) {
  layers_options o;
  std::vector<std::string> rows;
  CLI::App app("gemm_layers: times a graph of linear layers with and without constant_b\n", "gemm_layers");
  tools::add_number<std::int64_t>(app, "--hidden", o.hidden, 1, most_extent, "columns of the first activation (4096)");
  tools::add_number<std::int64_t>(app, "--inner", o.inner, 1, most_extent, "columns of every second one (11008)");
  tools::add_number(app, "--layers", o.layers, 1, 1000, "linear layers of the graph (10)");
  tools::add_number(app, "--samples", o.samples, 1, 100000, "samples of each graph, of five replays (51)");
  tools::add_list(app, "--rows", "NUMBER", "rows of the activations; may be repeated (1, 8, 16, 32, 64)", rows);
  if (!tools::parse(app, argc, argv)) {
    return tools::exit_done;
  }
  if (!rows.empty()) {
    o.rows.clear();
  }
  for (std::string const& one : rows) {
    o.rows.push_back(tools::parse_number<std::int64_t>("--rows", one, 1, most_extent));
  }
  require_device();
  stream const on = make_stream();
  network const layers(o, on.get());
  std::printf("| rows | layers | us a layer | with constant_b | times as fast |\n|---:|---|---:|---:|---:|\n");
  bool same = true;
  for (std::int64_t const count : o.rows) {
    replay const plain(layers, o, count, false, on.get()), constant(layers, o, count, true, on.get());
    std::vector<double> plain_seconds, constant_seconds, ratios;
    for (int sample = -3; sample < o.samples; ++sample) {
      double const without = plain.sample(), with = constant.sample();
      if (sample >= 0) {  // after three to warm up
        plain_seconds.push_back(without);
        constant_seconds.push_back(with);
        ratios.push_back(without / with);
      }
    }
    std::printf("| %lld | %d of %lldx%lld bf16 | %.2f | %.2f | %.3f |\n", static_cast<long long>(count), o.layers,
                static_cast<long long>(o.hidden), static_cast<long long>(o.inner),
                median(plain_seconds) / o.layers * 1e6, median(constant_seconds) / o.layers * 1e6, median(ratios));
    if (plain.result() != constant.result()) {
      std::fprintf(stderr, "gemm_layers: with %lld rows the results differ\n", static_cast<long long>(count));
      same = false;
    }
  }
  return same ? tools::exit_done : tools::exit_failed;
}

}  // namespace

}  // namespace bench

int main(int argc, char** argv) {
  return tools::run_main("gemm_layers", [&] { return bench::run(argc, argv); });
}
