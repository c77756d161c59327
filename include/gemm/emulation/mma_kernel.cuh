// SPDX-License-Identifier: BSL-1.0
//! @file
//! The kernel of fp16x3_mma and bf16x6_mma: terms of floats multiplied by mma.sync, for GPUs without wgmma (sm_80 on).
//!
//!     block      persistent; a tile of C at a time, 16 rows of it a warp
//!     stage      32 k: the tiles of each term of A, then of each of B, by cp.async, XOR-swizzled
//!     refusal    a policy with a fallback has each block read the facts of all rows first
//!     chunk      a stage: small products of all of it first, then the large one; a float addition adds it to the sums
//!     store      as wgmma's, whose accumulators lie so
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/cp_async.cuh>
#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/mma.cuh>
#include <gemm/arch/shared_load.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/mma_fragments.cuh>
#include <gemm/block/mma_tile.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/emulation/error_facts.cuh>
#include <gemm/emulation/mma_terms.cuh>
#include <gemm/emulation/split_formats.cuh>
#include <gemm/emulation/terms_parts.cuh>
#include <gemm/schedule/product.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// What such a policy's blocks have in shared memory: stages of 32 k.
template <class Policy>
struct mma_stage {
  using terms = typename Policy::terms;
  using element = typename terms::element;
  static constexpr int stage_k = 32, count = terms::count;
  using a = mma_tile<2, major::k, Policy::block_m, stage_k>;
  using b = mma_tile<2, major::k, Policy::block_n, stage_k>;
  static constexpr unsigned of_b = count * a::bytes, stage_bytes = of_b + count * b::bytes;

  union shared_storage {
    alignas(1024) unsigned char ring[Policy::stages * stage_bytes];
    warp_buffer<Policy::block_n> of_warp[Policy::threads / 32];
    std::uint32_t facts[Policy::threads / 32][2];
  };
};

/// A thread's copies of one operand's terms.
template <class Policy, class Tile>
class term_loader {
  using terms = typename Policy::terms;
  static constexpr int pieces = Tile::row_bytes / 16, at_once = Policy::threads / pieces;
  static_assert(Tile::rows % at_once == 0);

 public:
  /// Lines from `first` on, of `lines`.
  __device__ term_loader(void const* begin, std::int64_t ld, std::int64_t first, std::int64_t lines, int thread)
      : step_(at_once * ld * 2), piece_(thread % pieces), to_(Tile::offset(thread / pieces, piece_)) {
    left_ = static_cast<int>(lines - first < Tile::rows ? lines - first : Tile::rows) - thread / pieces;
    from_ = static_cast<unsigned char const*>(begin) + (first + thread / pieces) * ld * 2 + piece_ * 16;
  }

  /// Starts those of the index-th 32 k. Lines outside are left as they are: they add nothing to what is stored.
  __device__ void start(unsigned char* stage, int index) const {
#pragma unroll
    for (int term = 0; term < terms::count; ++term) {
      unsigned char const* const of_term = from_ + std::int64_t{offset_of_term<terms>(index * 32, term)} * 2;
#pragma unroll
      for (int i = 0; i < Tile::rows / at_once; ++i) {
        arch::cp_async_below<16>(i * at_once, left_, stage + term * Tile::bytes + to_ + i * at_once * Tile::row_bytes,
                                 of_term + i * step_);
      }
    }
  }

 private:
  unsigned char const* from_;
  std::int64_t step_;
  int left_, piece_, to_;
};

template <class Policy>
class terms_loads {
  using staged = mma_stage<Policy>;
  term_loader<Policy, typename staged::a> a_;
  term_loader<Policy, typename staged::b> b_;
  int stages_of_k_;

  template <class Operand>
  __device__ static void const* first_of(void const* terms, Operand const& operand, block_tile const& tile,
                                         std::int64_t lines, std::int64_t ld) {
    std::int64_t const batch = operand.batch_stride == 0 ? 0 : tile.batch;
    return static_cast<unsigned char const*>(terms) + batch * lines * ld * 2;
  }

 public:
  template <class Params, class Problem>
  __device__ terms_loads(Params const& io, Problem const& p, std::int64_t ld, block_tile const& tile, int stages_of_k,
                         int thread)
      : a_(first_of(io.terms_a, p.a, tile, p.m, ld), ld, tile.row, p.m, thread),
        b_(first_of(io.terms_b, p.b, tile, p.n, ld), ld, tile.column, p.n, thread),
        stages_of_k_(stages_of_k) {}

  /// Starts those of the index-th 32 k, if there are any.
  __device__ void start(unsigned char* stage, int index) const {
    if (index < stages_of_k_) {
      a_.start(stage, index);
      b_.start(stage + staged::of_b, index);
    }
    arch::cp_async_commit_group();  // empty ones at the end, so that counting them is enough
  }
};

/// A warp's products of a stage's terms, added to `chunk`. Transposed: as in mma_terms::multiply().
template <class Policy, bool Transposed, class ReaderA, class ReaderB>
__device__ void multiply_stage(ReaderA const& read_a, ReaderB const& read_b, unsigned stage,
                               float (&chunk)[Policy::accumulators]) {
  using staged = mma_stage<Policy>;
  using terms = typename staged::terms;
  using atom = arch::mma_atom<typename terms::element>;
  typename ReaderA::fragments a[terms::count];
  typename ReaderB::fragments b[terms::count];
  auto const multiply = [&](part_product const& product, int columns) {
    std::uint32_t words_a[atom::words_a], words_b[atom::words_b];
    a[Transposed ? product.b : product.a].get_a(words_a, 0);
#pragma unroll
    for (int j = columns * 2; j < columns * 2 + 2; ++j) {
      b[Transposed ? product.a : product.b].get_b(words_b, j);
      float c[4];
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        c[e] = chunk[4 * j + e];
      }
      arch::mma<atom>(c, words_a, words_b);
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        chunk[4 * j + e] = c[e];
      }
    }
  };
  auto const multiply_steps = [&](auto is_small) {
    constexpr int read = decltype(is_small)::value ? terms::count : 1;
#pragma unroll
    for (int step = 0; step < staged::stage_k / atom::k; ++step) {
#pragma unroll
      for (int term = 0; term < read; ++term) {
        read_a.read(a[term], stage + static_cast<unsigned>(term) * staged::a::bytes, step);
      }
#pragma unroll
      for (int columns = 0; columns < Policy::block_n / 16; ++columns) {
#pragma unroll
        for (int term = 0; term < read; ++term) {
          read_b.read(b[term], stage + static_cast<unsigned>(term) * staged::b::bytes, step, columns, columns + 1);
        }
        if constexpr (decltype(is_small)::value) {
#pragma unroll
          for (int i = 0; i < terms::small_count; ++i) {
            multiply(terms::small_product(i), columns);
          }
        } else {
          multiply({0, 0}, columns);
        }
      }
    }
  };
  multiply_steps(std::true_type{});
  multiply_steps(std::false_type{});
}

template <class Policy, class Problem>
__global__ void __launch_bounds__(Policy::threads, 1)
    emulated_mma_kernel(__grid_constant__ scheduled<terms_problem<Problem>> const params) {
  using staged = mma_stage<Policy>;
  using terms = typename staged::terms;
  using atom = arch::mma_atom<typename terms::element>;
  constexpr int ahead = Policy::stages - 1;
  auto const& io = product_of(params, 0);
  Problem const& p = problem_of(io);
  auto& shared = arch::dynamic_shared_memory<typename staged::shared_storage>();
  int const thread = static_cast<int>(threadIdx.x), warp = __shfl_sync(0xffffffffU, thread / 32, 0);
  arch::shared_address const ring = arch::shared_address_of(shared.ring);
  fragment_reader<atom, typename staged::a, 16, false> const read_a(ring, thread % 32, warp * 16);
  fragment_reader<atom, typename staged::b, Policy::block_n, true> const read_b(ring + staged::of_b, thread % 32, 0);
  std::int64_t const ld = line_of_terms<terms>(p.k);
  int const stages_of_k = params.order.k_tiles * (chunk_depth / staged::stage_k);
  arch::wait_for_dependency();  // for the terms
  arch::launch_dependents();
  if constexpr (Policy::info.with_fallback) {
    if (p.k > 0 && refuses<Policy::threads / 32>(io.facts_a, io.facts_b, p.k, shared.facts,
                                                 blockIdx.x == 0 ? io.refused : nullptr)) {
      return;  // the whole block, and all others
    }
  }

  auto const is_work = [&](unsigned index) {
    int columns = params.order.tiles_n;
    arch::make_opaque(columns);  // so that no register holds the number of works through the main loop
    return index < tiles_of(params.order, columns);
  };
#pragma unroll 1
  for (unsigned index = blockIdx.x; is_work(index); index += gridDim.x) {
    auto const find_tile = [&] {
      int of_tile = static_cast<int>(index);
      arch::make_opaque(of_tile);  // asked for again after the main loop, so that no register holds it meanwhile
      work w = whole_work(params.order);
      locate_tile(params.order, w, {static_cast<unsigned>(of_tile), 0, params.order.tiles_n});
      return block_tile{std::int64_t{w.tile_m} * Policy::block_m, std::int64_t{w.tile_n} * Policy::block_n, w.batch};
    };
    block_tile tile = find_tile();
    terms_loads<Policy> const loads(io, p, ld, tile, stages_of_k, thread);
#pragma unroll
    for (int i = 0; i < ahead; ++i) {
      loads.start(shared.ring + i * staged::stage_bytes, i);
    }
    float chunk[Policy::accumulators] = {}, accum[Policy::accumulators] = {};
    unsigned last = ahead * staged::stage_bytes, read = 0;  // what was multiplied is filled anew
    auto const next_of = [](unsigned stage) {
      return stage == ahead * staged::stage_bytes ? 0 : stage + staged::stage_bytes;
    };
    auto const multiply_all = [&](auto transposed) {
#pragma unroll 1
      for (int i = 0; i < stages_of_k; ++i, last = read, read = next_of(read)) {
        arch::cp_async_wait_group<ahead - 1>();
        __syncthreads();  // the stage is there, and nobody reads the one before it
        loads.start(shared.ring + last, i + ahead);
        multiply_stage<Policy, decltype(transposed)::value>(read_a, read_b, read, chunk);
        add_chunk<Policy>(chunk, accum);
      }
    };
    if (p.swapped_ab) {
      multiply_all(std::true_type{});
    } else {
      multiply_all(std::false_type{});
    }
    arch::cp_async_wait_group<0>();
    __syncthreads();  // nobody reads from the ring any more
    auto& buffer = shared.of_warp[warp];
    tile = find_tile();
    if (p.k > 0) {
      start_exponents<Policy>(p, buffer.exponents, tile, sources_of(io, tile.batch));
    }
    store_terms_accum<Policy, Problem>(io, accum, tile, buffer);
    __syncthreads();  // nobody needs the buffers, where the ring is
  }
}

}  // namespace gemm::detail
