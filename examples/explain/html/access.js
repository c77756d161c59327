'use strict';
// SPDX-License-Identifier: BSL-1.0
// What a policy's threads ask of memory, from the owners and addresses that explain measured: the arithmetic of
// access.hpp and operand_maps.cpp. differences() compares its sums with those that explain counted.

/// first, step and count of arithmetic progressions, the way from one's first to the next one's, and how many come so
function expand(runs) {
  const numbers = [];
  for (let i = 0; i < runs.length; i += 5) {
    const [first, step, count, way, repeats] = runs.slice(i, i + 5);
    for (let n = 0; n < repeats; ++n) {
      for (let j = 0; j < count; ++j) numbers.push(first + n * way + j * step);
    }
  }
  return numbers;
}

function expandSets(encoded) {
  const sets = encoded.sets.map(expand);
  return expand(encoded.of).map(number => sets[number]);
}

/// Decodes a policy's numbers, once.
function prepare(p) {
  if (p.owner) return p;
  p.rows = expandSets(p.owned_rows);
  p.columns = expandSets(p.owned_columns);
  p.owner = new Int32Array(p.block_m * p.block_n).fill(-1);
  for (let thread = 0; thread < p.threads; ++thread) {
    for (const row of p.rows[thread]) {
      for (const column of p.columns[thread]) p.owner[row * p.block_n + column] = thread;
    }
  }
  for (const name of ['a', 'b']) {
    const o = p[name];
    o.name = name.toUpperCase();
    for (const numbers of ['chunk_outer', 'chunk_k', 'loads', 'shared']) o[numbers] = expand(o[numbers]);
    o.owned = name === 'a' ? p.rows : p.columns;
    o.addressOf = (outer, k) => (o.k_major ? outer * o.ld + k : k * o.ld + outer) * o.element_bytes;
    o.loader = loaders(p, o);
  }
  p.byTma = p.feed === 'tma' || p.feed === 'tensor cores';
  p.byTensorCores = p.feed === 'tensor cores';
  p.inShared = p.feed !== 'global';
  // What is drawn of A and B along k: a tile, or a sector of a row where threads load one element after the other.
  p.window = p.inShared ? p.block_k : 8;
  p.shown = p.inShared ? p.a.depth : p.window;
  return p;
}

/// The thread that copies each element of an operand's tile, where threads do.
function loaders(p, o) {
  const loader = new Int32Array(o.outer * o.depth).fill(-1);
  o.chunk_outer.forEach((outer, i) => {
    for (let e = 0; outer >= 0 && e < o.width; ++e) {
      const at = o.k_major ? outer * o.depth + o.chunk_k[i] + e : (outer + e) * o.depth + o.chunk_k[i];
      if (p.feed !== 'global') loader[at] = i % p.threads;
    }
  });
  return loader;
}

const sharedAddress = (o, outer, k) => o.shared[outer * o.depth + k];

/// One instruction of a warp: pieces(thread) is what a thread asks for, or null.
function instruction(warp, piece) {
  const pieces = [];
  for (let lane = 0; lane < 32; ++lane) {
    const asked = piece(warp * 32 + lane);
    if (asked) pieces.push({lane, ...asked});
  }
  return pieces;
}

/// The loads of a warp from global memory for the first tile of k, in order.
function loadsOf(p, o, warp) {
  const list = [];
  for (let i = 0; i < o.chunk_outer.length; i += p.threads) {
    for (let e = 0; e < o.width; e += o.load_width) {
      const pieces = instruction(warp, thread => {
        const outer = o.chunk_outer[i + thread], k = o.chunk_k[i + thread];
        if (!(outer >= 0)) return null;
        const at = o.k_major ? {outer, k: k + e} : {outer: outer + e, k};
        return {address: o.loads[i + thread] + e * o.element_bytes, bytes: o.load_width * o.element_bytes, ...at};
      });
      if (pieces.length) list.push(pieces);
    }
  }
  return list;
}

/// The writes of a warp to shared memory.
function writesOf(p, o, warp) {
  const list = [];
  for (let i = 0; p.inShared && i < o.chunk_outer.length; i += p.threads) {
    for (let e = 0; e < o.width; e += o.store_width) {
      const pieces = instruction(warp, thread => {
        const outer = o.chunk_outer[i + thread], k = o.chunk_k[i + thread];
        if (!(outer >= 0)) return null;
        const at = o.k_major ? {outer, k: k + e} : {outer: outer + e, k};
        return {address: sharedAddress(o, at.outer, at.k), bytes: o.store_width * o.shared_element_bytes, ...at};
      });
      if (pieces.length) list.push(pieces);
    }
  }
  return list;
}

/// The reads of a warp from shared memory at k, or for a whole tile.
function readsOf(p, o, warp, k = null) {
  const list = [], width = o.read_width;
  const stepK = o.k_major_shared ? width : 1, stepOuter = o.k_major_shared ? 1 : width;
  if (!p.inShared || p.byTensorCores) return list;
  const first = k === null ? 0 : Math.floor(k / stepK) * stepK, end = k === null ? o.depth : first + 1;
  for (let at = first; at < end; at += stepK) {
    for (let j = 0; j < o.owned[0].length; j += stepOuter) {
      const bytes = width * o.shared_element_bytes;
      list.push(instruction(warp, thread => {
        const outer = o.owned[thread][j];
        return {address: Math.floor(sharedAddress(o, outer, at) / bytes) * bytes, bytes, outer, k: at};
      }));
    }
  }
  return list;
}

/// Eight lanes that ask for 8 x 16 bytes, as the tensor cores take them: the rows around `outer`, at k.
function coreMatrixOf(o, outer, k) {
  const first = Math.floor(outer / 8) * 8,
        start = Math.floor(k * o.shared_element_bytes / 16) * 16 / o.shared_element_bytes;
  return Array.from(
      {length: 8},
      (_, lane) => ({lane, address: sharedAddress(o, first + lane, start), bytes: 16, outer: first + lane, k: start}));
}

/// Global memory moves in sectors of 32 bytes; a load goes once through the L1 for each line of 128 that it touches.
function globalCost(pieces) {
  const sectors = new Set(), lines = new Set(), bytes = new Set();
  for (const p of pieces) {
    for (let at = p.address; at < p.address + p.bytes; ++at) {
      bytes.add(at);
      sectors.add(Math.floor(at / 32));
      lines.add(Math.floor(at / 128));
    }
  }
  return {sectors, lines: lines.size, used: bytes.size};
}

function lanesTogether(pieces) {
  const address = new Array(32).fill(-1);
  let bytes = 4;
  for (const p of pieces) {
    bytes = Math.max(bytes, p.bytes);
    address[p.lane] = p.address;
  }
  const together = 128 / bytes, same = flip => address.every((at, lane) => at === address[lane ^ flip]);
  return together < 32 && (same(1) || same(2)) ? 2 * together : together;
}

/// The passes of an instruction over the 32 banks: in each, a bank serves one word, to any number of lanes.
function passesOf(pieces) {
  const passes = [], together = lanesTogether(pieces);
  for (let first = 0; first < 32; first += together) {
    const begin = passes.length;
    for (const p of pieces) {
      if (p.lane < first || p.lane >= first + together) continue;
      for (let at = p.address; at < p.address + p.bytes; at += 4) {
        const word = Math.floor(at / 4);
        let pass = begin;
        while (pass < passes.length && passes[pass].banks[word % 32] && passes[pass].banks[word % 32].word !== word)
          ++pass;
        if (pass === passes.length) passes.push({banks: new Array(32).fill(null), conflict: pass > begin});
        const bank = passes[pass].banks[word % 32] ??= {word, lanes: []};
        bank.lanes.push(p.lane);
      }
    }
  }
  return passes;
}

const leastPasses = passes => passes.filter(pass => !pass.conflict).length;

/// What of a policy's sums differs from what explain counted: nothing, if all is well.
function differences(policy) {
  const p = prepare(policy), found = [];
  const compare = (what, ours, theirs) => {
    if (ours !== theirs) found.push(`${p.policy}: ${what} is ${ours}, explain counted ${theirs}`);
  };
  if (p.owner.includes(-1)) found.push(`${p.policy}: an element of C has no owner`);
  for (const o of [p.a, p.b]) {
    const sum = {load_lines: 0, write_passes: 0, read_passes: 0, read_bytes: 0};
    for (let warp = 0; warp < p.threads / 32; ++warp) {
      for (const pieces of loadsOf(p, o, warp)) {
        sum.load_lines += globalCost(pieces).lines;
        for (const piece of pieces)
          compare(`an address of ${o.name}`, o.addressOf(piece.outer, piece.k), piece.address);
      }
      for (const pieces of writesOf(p, o, warp)) sum.write_passes += passesOf(pieces).length;
      for (const pieces of readsOf(p, o, warp)) {
        sum.read_passes += passesOf(pieces).length;
        sum.read_bytes += 32 * pieces[0].bytes;
      }
    }
    for (const name in sum) compare(`${name} of ${o.name}`, sum[name], o.counted[name]);
    if ('sectors' in o.counted) {
      const cost = globalCost(loadsOf(p, o, 0)[0]);
      compare(`sectors of ${o.name}`, cost.sectors.size, o.counted.sectors);
      compare(`used bytes of ${o.name}`, cost.used, o.counted.used_bytes);
    }
  }
  return found;
}
