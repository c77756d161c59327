// SPDX-License-Identifier: BSL-1.0
//! @file
//! Instantiating and launching graphs.

#include "graph.hpp"

#include "error.hpp"

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* instance, cudaGraph_t graph, unsigned long long) {
  if (instance == nullptr || graph == nullptr) {
    return cpu_device::remember(cudaErrorInvalidValue);
  }
  *instance = new CUgraphExec_st{graph->operations};
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t instance, cudaStream_t stream) {
  if (instance == nullptr) {
    return cpu_device::remember(cudaErrorInvalidValue);
  }
  // By value: a graph launched into a stream under capture becomes part of the new graph.
  return cpu_device::remember(cpu_device::enqueue(stream, [operations = instance->operations] {
    for (cpu_device::operation const& operation : operations) {
      operation();
    }
  }));
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t instance) {
  delete instance;
  return cudaSuccess;
}
