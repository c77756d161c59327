// SPDX-License-Identifier: BSL-1.0
// What is seen at a k, by a thread and an element: texts, tables and the drawings beside them.

function viewed() {
  const p = state.p, tile = Math.floor(state.k / p.block_k), warp = state.thread >> 5, loads = {};
  for (const o of [p.a, p.b]) {
    const moved = o.addressOf(0, tile * p.block_k);
    const list = loadsOf(p, o, warp).map(pieces => pieces.map(piece => ({...piece, address: piece.address + moved})));
    loads[o.name] = list.length ? list[Math.min(state.load, list.length - 1)] : null;
    loads['all' + o.name] = list;
  }
  const ring = p.ring || {};
  const window = Math.floor(state.k / p.window) * p.window;
  return {
    ...state,
    tile,
    inner: state.k % p.block_k,
    window,
    warp,
    lane: state.thread & 31,
    loads,
    terms: ring.terms || 1,
    wgmma_k: ring.wgmma_k,
    tiles: Math.ceil(explained.k / p.block_k)
  };
}

/// The address of an element of what is drawn of A or B in global memory.
const globalAddress = (p, o, view, outer, k) => o.addressOf(outer, view.window + k % p.window);

function banksOf(address, count) {
  const first = Math.floor(address / 4) % 32, words = Math.max(1, Math.ceil(count / 4));
  return words > 1 ? `banks ${first}-${(first + words - 1) % 32}` : `bank ${first}`;
}

function stagesOf(p, view) {
  if (!p.inShared) return [];
  if (!p.stages) return [{tile: view.tile, state: 'read'}];
  return Array.from({length: p.stages}, (_, stage) => {
    const ahead = (stage - view.tile % p.stages + p.stages) % p.stages, tile = view.tile + ahead;
    return tile >= view.tiles ? {state: 'free'} : {tile, state: ahead ? 'coming' : 'read'};
  });
}

/// What is loaded while a tile is multiplied, or after it.
function upcoming(p, view, next) {
  if (next) {
    const by = p.byTma ? ', by TMA' : '';
    return ` The next ${plural(next, 'tile')} ${next === 1 ? 'is' : 'are'} loaded meanwhile${by}.`;
  }
  return p.stages || view.tile + 1 === view.tiles ?
      '' :
      ` Tile ${view.tile + 1} is loaded when all threads have read this one.`;
}

function showMemories(p, view) {
  const from = view.tile * p.block_k, to = Math.min(from + p.block_k, explained.k) - 1;
  $('where').textContent = `k = ${view.k}: element ${view.inner} of tile ${view.tile} of ${view.tiles}`;
  drawGlobal($('global'), p, view, explained);
  const first = o => o.addressOf(0, from);
  $('global-text').textContent =
      `The tiles of block 0: A[0-${p.block_m - 1}][${from}-${to}] from byte ${first(p.a)} on, ` +
      `B[${from}-${to}][0-${p.block_n - 1}] from byte ${first(p.b)} on.`;
  const stages = stagesOf(p, view);
  drawShared($('shared'), stages);
  const next = stages.filter(stage => stage.state === 'coming').length, kept = o => bytes(o.stage_bytes);
  $('shared-text').textContent = p.inShared ?
      `Tile ${view.tile}: ${kept(p.a)} of A, ${kept(p.b)} of B.${upcoming(p, view, next)}` :
      'Every thread loads what it multiplies from global memory itself.';
  drawRegisters($('registers'), p, view);
  const rows = p.rows[view.thread], columns = p.columns[view.thread];
  $('registers-text').textContent =
      `${plural(rows.length * columns.length, 'accumulator')}, the sums of k 0-${view.k}` +
      (p.byTensorCores ?
           '; wgmma reads A and B from shared memory itself.' :
           `; ${rows.length} ${rows.length === 1 ? 'value' : 'values'} of A and ${columns.length} of B for ` +
               `${plural(rows.length * columns.length, 'multiply-add')} at this k.`);
}

function loadText(p, o, view) {
  const mine = view.loads[o.name].find(piece => piece.lane === view.lane);
  if (!mine) return 'nothing in this load';
  const cost = globalCost(view.loads[o.name]), at = mine.address;
  return `${plural(mine.bytes, 'byte')} from byte ${at} on, sector ${Math.floor(at / 32)}; the warp: ` +
      `${plural(cost.sectors.size, 'sector')}, ${Math.floor(100 * cost.used / 32 / cost.sectors.size)} % used`;
}

function sharedText(pieces, lane) {
  const mine = pieces.find(piece => piece.lane === lane);
  if (!mine) return 'nothing in this one';
  return `${plural(mine.bytes, 'byte')} from byte ${mine.address} on, ${
             banksOf(mine.address, mine.bytes)}; the warp: ` +
      plural(passesOf(pieces).length, 'pass');
}

function showThread(p, view) {
  const {thread, warp, lane} = view, rows = p.rows[thread], columns = p.columns[thread];
  $('thread-title').textContent =
      `Thread ${thread}: warp ${warp}, lane ${lane}` + (p.ring ? ', of those that multiply' : '');
  const table = [['elements of C', `rows ${ranges(rows)}; columns ${ranges(columns)}`]];
  for (const o of [p.a, p.b]) {
    const count = view.loads['all' + o.name].length, k = view.inner;
    if (count) {
      table.push([
        `loads of ${o.name}`,
        `${count > 1 ? `${Math.min(view.load, count - 1) + 1} of ${count}: ` : ''}${loadText(p, o, view)}`
      ]);
      const writes = writesOf(p, o, warp), n = Math.floor(Math.min(view.load, count - 1) * writes.length / count);
      if (writes.length) table.push([`writes of ${o.name}`, sharedText(writes[n], lane)]);
    }
    const reads = readsOf(p, o, warp, k);
    if (reads.length) {
      table.push([
        `reads of ${o.name} at k`, `${reads.length > 1 ? `1 of ${reads.length}: ` : ''}${sharedText(reads[0], lane)}`
      ]);
    }
  }
  if (p.byTma) table.push(['loads', 'none: one thread of the others has whole tiles loaded, by TMA']);
  if (p.byTensorCores) table.push(['reads', 'none: wgmma reads A and B from shared memory']);
  fillTable($('thread-table'), table);
}

/// Which reads an element of C costs, over all of k.
function showElement(p, view) {
  const {row, column, inner} = view, k = explained.k, ring = p.ring || {};
  $('element-title').textContent = `C[${row}][${column}]: row ${row} of A, column ${column} of B`;
  const table = [['multiplies', `${k} elements of A by ${k} of B`]];
  const at = (o, outer) => {
    const loader = p.inShared ? o.loader[outer * o.depth + inner] : -1, global = o.addressOf(outer, view.k);
    const name = o.name === 'A' ? `A[${outer}][${view.k}]` : `B[${view.k}][${outer}]`;
    return `${name} is at byte ${global}` + (loader >= 0 ? `, loaded by thread ${loader}` : '') +
        (p.inShared ? `, then at byte ${sharedAddress(o, outer, inner)} of shared memory, ${
                          banksOf(sharedAddress(o, outer, inner), o.shared_element_bytes)}` :
                      '');
  };
  table.push(['at this k', `${at(p.a, row)}; ${at(p.b, column)}`]);
  if (!p.inShared) {
    const cost = o => globalCost(loadsOf(p, o, view.warp)[0]).sectors.size,
          per = loadsOf(p, p.a, view.warp)[0][0].bytes / p.a.element_bytes;
    const a = cost(p.a) / per, b = cost(p.b);
    table.push([
      'from global memory',
      `${2 * k} reads by its own thread; for each k its warp fetches ${digits(a)} + ${b} sectors for 32 elements of C`
    ]);
    table.push(['so it costs', `${digits((a + b) / 32 * k)} sectors, ${bytes((a + b) * k)}`]);
  } else {
    const acrossA = p.block_n * (ring.cluster_n || 1), acrossB = p.block_m * (ring.cluster_m || 1);
    table.push([
      'from global memory',
      `each element of A serves ${acrossA} of C, of B ${acrossB}: ` +
          `${digits(k / acrossA)} + ${digits(k / acrossB)} reads, ${
              bytes((k / acrossA + k / acrossB) * p.a.element_bytes)}`
    ]);
    if (p.byTensorCores) {
      table.push([
        'from shared memory',
        `an element of A serves ${p.block_n} of C, of B 64: ${digits(k / p.block_n)} + ${digits(k / 64)} reads by wgmma`
      ]);
    } else {
      table.push([
        'from shared memory',
        `a value of A serves ${p.thread_n} of C in its thread, of B ${p.thread_m}: ` +
            `${digits(k / p.thread_n)} + ${digits(k / p.thread_m)} reads`
      ]);
    }
  }
  if (view.operand) table.push(operandRow(p, view));
  fillTable($('element-table'), table);
}

/// What is pointed at in the tiles of A and B.
function operandRow(p, view) {
  const {where, row, column} = view.operand, o = p[where];
  const [outer, k] = where === 'a' ? [row, column] : [column, row], term = Math.floor(k / p.window);
  const atK = view.window + k % p.window, name = where === 'a' ? `A[${outer}][${atK}]` : `B[${atK}][${outer}]`;
  const loader = p.inShared ? o.loader[outer * o.depth + k] : -1,
        readers = o.owned.filter(owned => owned.includes(outer)).length;
  const part = view.terms > 1 ? ` (${term ? 'low' : 'high'} part)` : '';
  return [
    `${name}${part}`,
    `byte ${globalAddress(p, o, view, outer, k)} of ${o.name}` +
        (p.inShared ? `, byte ${sharedAddress(o, outer, k)} of shared memory, ${
                          banksOf(sharedAddress(o, outer, k), o.shared_element_bytes)}` :
                      '') +
        (loader >= 0 ? `; loaded by thread ${loader}` : '') +
        (p.byTensorCores ? '' : `; read by ${plural(readers, 'thread')}`)
  ];
}

function showSectors(p, view) {
  const count = Math.max(view.loads.allA.length, view.loads.allB.length);
  setOptions(
      $('load'), Array.from({length: count}, (_, i) => i), Math.min(view.load, count - 1), i => `${i + 1} of ${count}`);
  $('load').parentElement.hidden = count === 0;
  $('sectors-remark').textContent = count ? `of warp ${view.warp}, for this tile; the thread's own bytes are gold` :
                                            'TMA loads whole rows of a tile: every byte that is fetched is used.';
  for (const o of [p.a, p.b]) {
    const id = `sectors-${o.name.toLowerCase()}`, pieces = view.loads[o.name];
    $(id).hidden = !pieces;
    if (pieces) {
      const cost = globalCost(pieces);
      $(`${id}-title`).textContent =
          `${o.name}: ${plural(cost.sectors.size, 'sector')}, ${plural(cost.lines, 'line')} of 128 bytes`;
      drawSectors($(id), o, pieces, view.lane);
    } else {
      const row = (o.k_major ? p.block_k : p.block_n) * o.element_bytes, rows = o.k_major ? o.outer : p.block_k;
      $(`${id}-title`).textContent = `${o.name}: ${rows} rows of ${row} bytes, ${rows * row / 32} sectors`;
    }
  }
}

function showBanks(p, view) {
  $('banks').hidden = !p.inShared;
  if (!p.inShared) return;
  $('banks-remark').textContent = p.byTensorCores ?
      'As TMA swizzles them, 16 bytes each of eight rows lie in different banks: one pass. Here: around the element.' :
      `One instruction of warp ${
          view.warp} each; the thread's words are gold, a pass that only a conflict needs is red.`;
  for (const o of [p.a, p.b]) {
    const outer = o.name === 'A' ? view.row : view.column, n = Math.max(0, view.loads['all' + o.name].length);
    const writes = writesOf(p, o, view.warp), reads = readsOf(p, o, view.warp, view.inner);
    const write = writes.length ? writes[Math.floor(Math.min(view.load, n - 1) * writes.length / n)] : null;
    const read = p.byTensorCores ? coreMatrixOf(o, outer, view.inner) : reads[0];
    for (const [what, pieces] of [['write', write], ['read', read]]) {
      const id = `${what}-${o.name.toLowerCase()}`, chosen = p.byTensorCores ? outer % 8 : view.lane;
      $(id).parentElement.hidden = !pieces;
      if (!pieces) continue;
      const passes = passesOf(pieces), least = leastPasses(passes),
            name = p.byTensorCores ? '8 x 16 bytes of' :
          what === 'write'         ? 'writing' :
                                     'reading';
      $(`${id}-title`).textContent = `${name} ${o.name}: ${plural(passes.length, 'pass')}` +
          (passes.length > least ? `, ${least} without conflicts` : '');
      drawPasses($(id), pieces, chosen);
    }
  }
}

function showWgmmas(p, view) {
  const ring = p.ring;
  $('wgmma').hidden = !p.byTensorCores;
  if (!p.byTensorCores) return;
  const terms = ['high', 'low'], stages = ring.group_k / p.block_k;
  $('wgmma-text').textContent =
      `m64n${ring.wgmma_n}k${ring.wgmma_k}: ${plural(ring.wgmmas.length, 'instruction')} for ${ring.group_k} of k` +
      (stages > 1 ? `, ${stages} stages` : '') + '. Those of this k are gold.';
  const at = view.k % ring.group_k,
        first = Math.min(...p.rows.slice(view.thread & ~127, (view.thread & ~127) + 128).map(rows => rows[0]));
  $('wgmmas').replaceChildren(...ring.wgmmas.map(([row, k, a, b]) => {
    const item = document.createElement('li');
    item.textContent = (ring.terms > 1 ? `${terms[a]} x ${terms[b]}` : `rows ${first + row}-${first + row + 63}`) +
        `, k ${k}-${k + ring.wgmma_k - 1}`;
    const rows = ring.terms > 1 || (view.row >= first + row && view.row < first + row + 64);
    item.classList.toggle('now', rows && at >= k && at < k + ring.wgmma_k);
    return item;
  }));
}

/// The tiles of k that are copied while one of the first tile of C is multiplied.
function copiedMeanwhile(line, number) {
  const of = (kind, bar) => bar[0] === kind;
  const multiplied = line.bars.filter(bar => of(1, bar) && bar[2] === 0 && bar[3] === number);
  const from = Math.min(...multiplied.map(bar => bar[4])), until = Math.max(...multiplied.map(bar => bar[5]));
  return line.bars.filter(bar => of(0, bar) && bar[4] < until && bar[5] > from).map(bar => barText(line, bar));
}

function showTimeLine(p, view) {
  const line = p.time_line;
  $('time').hidden = !line;
  if (!line) return;
  line.tiles ??= 1 + Math.max(...line.bars.map(bar => bar[2]));
  const ofTile = 1 + Math.max(...line.bars.map(bar => bar[3])), known = view.tile < ofTile;
  $('time-title').textContent = line.tiles > 1 ?
      `Block 0 with ${line.tiles} tiles of C, ${ofTile} of k each: 1.2 is tile 2 of k of tile 1 of C` :
      `Block 0 with one tile of C: ${ofTile} tiles of k, by their numbers`;
  drawTimeLine($('time-line'), line, known ? view.tile : -1);
  fillLegend($('time-legend'), [
    [colours.copy, p.byTma ? 'loaded by TMA' : 'copied by cp.async'],
    [colours.multiply, p.byTensorCores ? 'multiplied by wgmma' : 'multiplied'], [colours.store, 'C stored']
  ]);
  const copied = copiedMeanwhile(line, known ? view.tile : 0), name = barText(line, [1, 0, 0, known ? view.tile : 0]);
  $('time-text').textContent = `While tile ${name} is multiplied, ` +
      (copied.length ? `${copied.join(', ')} ${copied.length > 1 ? 'are' : 'is'} copied.` : 'nothing is copied.') +
      (known ? '' : ` Of tiles of k after ${ofTile - 1} nothing is recorded.`);
}

function fillLegend(to, entries) {
  to.replaceChildren(...entries.map(([colour, text]) => {
    const entry = document.createElement('span'), mark = document.createElement('i');
    mark.style.background = colour;
    entry.append(mark, text);
    return entry;
  }));
}

function showLegend(p) {
  const entries = [[colours.chosen, 'the thread'], [laneColour(16), 'its warp, by lane']];
  if (!p.byTma) entries.push([colours.unused, 'fetched, not asked for']);
  entries.push(
      p.byTensorCores ? [colours.tile, 'what wgmma reads at this k'] : [colours.own, 'values of the thread at this k']);
  entries.push([colours.conflict, 'the element of C, its row and column']);
  fillLegend($('legend'), entries);
  $('tiles-title').textContent = `Tiles of A (${p.block_m} x ${p.shown}), B (${p.shown} x ${p.block_n}) and C (${
      p.block_m} x ${p.block_n})` +
      (p.ring && p.ring.terms > 1 ? `: ${p.ring.terms} terms of each element of A and B` : '');
}

function update() {
  const p = state.p, view = viewed();
  $('k').value = state.k;
  $('thread').value = state.thread;
  $('row').value = state.row;
  $('column').value = state.column;
  showMemories(p, view);
  showTimeLine(p, view);
  drawTiles($('tiles'), p, place, owners, view);
  showLegend(p);
  showThread(p, view);
  showElement(p, view);
  showSectors(p, view);
  showBanks(p, view);
  showWgmmas(p, view);
}
