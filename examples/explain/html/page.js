// The page: what is chosen and pointed at, and what then stands where.

const $ = id => document.getElementById(id);
const choices = ['block_m', 'block_n', 'block_k', 'thread_m', 'thread_n'];
const rungs = [...new Set(explained.policies.map(p => p.rung))];
const state = {p: null, k: 0, thread: 0, row: 0, column: 0, load: 0, kept: false, operand: null, timer: 0};
let place = null, owners = null;

const plural = (count, what) => `${count} ${what}${count === 1 ? '' : what.endsWith('s') ? 'es' : 's'}`;
const digits = value => value >= 1000 ? Math.round(value).toString() : Number(value.toPrecision(3)).toString();
const seconds = s => s >= 1 ? `${digits(s)} s` : s >= 1e-3 ? `${digits(s * 1e3)} ms` : `${digits(s * 1e6)} us`;
const bytes = n => n >= 1e6 ? `${digits(n / 1e6)} MB` : n >= 1e4 ? `${digits(n / 1e3)} kB` : plural(Number(digits(n)), 'byte');

/// 0, 1, 2, 3, 64, 65 as "0-3, 64-65", no more than `most` pieces of it.
function ranges(numbers, most = 6) {
  const pieces = [];
  for (let i = 0; i < numbers.length;) {
    let end = i;
    while (end + 1 < numbers.length && numbers[end + 1] === numbers[end] + 1) ++end;
    pieces.push(end > i ? `${numbers[i]}-${numbers[end]}` : `${numbers[i]}`);
    i = end + 1;
  }
  return pieces.length > most ? `${pieces.slice(0, most - 1).join(', ')}, ... ${pieces.at(-1)}` : pieces.join(', ');
}

function fillTable(table, rows) {
  table.replaceChildren(...rows.map(([head, text]) => {
    const row = document.createElement('tr'), th = document.createElement('th'), td = document.createElement('td');
    th.textContent = head;
    td.textContent = text;
    row.append(th, td);
    return row;
  }));
}

// ---- The ladder's bars

function drawBars() {
  const titles = {
    'f32 nn 4096x4096x4096': 'Float, 4096 x 4096 x 4096',
    'f32 nn 65536x64x64': 'Float, 65536 x 64 x 64, where blocks persist',
    'bf16 nt 4096x4096x4096': 'Bfloat16 on tensor cores, 4096 x 4096 x 4096',
    'f32 nt 4096x4096x4096': 'Float by three products of halves, 4096 x 4096 x 4096',
  };
  for (const group of new Set(measured.map(bar => bar.group))) {
    const column = document.createElement('div'), title = document.createElement('h3');
    title.textContent = titles[group] || group;
    column.append(title);
    const bars = measured.filter(bar => bar.group === group).map(bar => {
      const known = explained.policies.find(p => p.policy === bar.contender);
      return {...bar, rung: bar.contender.startsWith('cublas') ? 0 : bar.rung || (known ? known.rung : 0)};
    });
    const most = Math.max(...bars.map(bar => Number(bar.tflops)));
    bars.sort((x, y) => (x.rung || 99) - (y.rung || 99));
    for (const bar of bars) {
      const policy = explained.policies.find(p => p.rung === bar.rung), button = document.createElement('button');
      const cublas = bar.contender.startsWith('cublas'), of = cublas ? '' : `, ${bar.of_cublas} of cuBLAS`;
      button.className = cublas ? 'bar cublas' : 'bar';
      button.type = 'button';
      button.disabled = !policy;
      button.dataset.rung = bar.rung;
      button.innerHTML = '<span class="name"></span><span class="track"><span class="fill"></span><span class="figure"></span></span>';
      const name = cublas ? 'cuBLAS' : policy ? `${bar.rung}. ${policy.title}` : bar.contender;
      button.querySelector('.name').textContent = name;
      button.querySelector('.fill').style.width = `${Math.max(0.4, 56 * bar.tflops / most)}%`;
      button.querySelector('.figure').textContent = `${bar.tflops}${of}`;
      button.title = `${bar.contender}: ${bar.us} us, ${bar.tflops} TFLOP/s${of}`;
      if (policy) button.addEventListener('click', () => choose(policy));
      column.append(button);
    }
    $('bars').append(column);
  }
}

// ---- Choosing a policy

/// The policy of the rung with this value, and as many of the other numbers as may be.
function nearest(rung, changed, value) {
  const of = explained.policies.filter(p => p.rung === rung && (!changed || p[changed] === value));
  const common = p => choices.filter(name => p[name] === state.p[name]).length;
  return of.reduce((best, p) => common(p) > common(best) ? p : best);
}

function setOptions(select, values, chosen, text = String) {
  select.replaceChildren(...values.map(value => {
    const option = document.createElement('option');
    option.value = value;
    option.textContent = text(value);
    option.selected = value === chosen;
    return option;
  }));
  select.disabled = values.length < 2;
}

function choose(p) {
  state.p = prepare(p);
  Object.assign(state, {load: 0, operand: null, kept: false});
  state.row = Math.min(state.row, p.block_m - 1);
  state.column = Math.min(state.column, p.block_n - 1);
  state.thread = p.owner[state.row * p.block_n + state.column];
  const all = explained.policies.filter(other => other.rung === p.rung);
  for (const name of choices) {
    setOptions($(name), [...new Set(all.map(other => other[name]))].sort((x, y) => x - y), p[name]);
  }
  // Two policies may have a rung in common, which the sizes tell apart.
  setOptions($('rung'), rungs, p.rung, rung => `${rung}. ${explained.policies.find(other => other.rung === rung).title}`);
  for (const bar of document.querySelectorAll('.bar')) bar.classList.toggle('chosen', Number(bar.dataset.rung) === p.rung);
  $('title').textContent = `Rung ${p.rung}: ${p.title}`;
  $('idea').textContent = p.idea;
  $('policy').textContent = `${p.policy}, ${p.type}, ${p.storage}`;
  showFacts(p);
  $('k').max = explained.k - 1;
  $('thread').max = p.threads - 1;
  $('row').max = p.block_m - 1;
  $('column').max = p.block_n - 1;
  layOut();
}

function showFacts(p) {
  const ring = p.ring, facts = [
    ['threads of a block', ring ? `${ring.producer_threads} that load, ${p.threads} that multiply` : p.threads],
    ['elements of a thread', `${p.thread_m} x ${p.thread_n}`],
    ['registers of a thread', ring ? `${ring.launch_registers}, then ${ring.producer_registers} and ${ring.consumer_registers}` : p.registers],
    ['shared memory of a block', plural(p.shared_bytes, 'byte') + (p.stages ? `, ${p.stages} stages` : '')],
    ['blocks on a multiprocessor', `${p.resident.blocks}, limited by ${p.resident.limited_by}`],
  ];
  if (ring && ring.cluster_m * ring.cluster_n > 1) facts.push(['cluster', `${ring.cluster_m} x ${ring.cluster_n} blocks`]);
  if (ring) {
    facts.push(['a full stage', `${plural(ring.full_arrivals, 'arrival')} and ${ring.stage_bytes} bytes`]);
    facts.push(['an empty stage', plural(ring.empty_arrivals, 'arrival')]);
  }
  if (ring && ring.wgmma_n) facts.push(['wgmma', `m64n${ring.wgmma_n}k${ring.wgmma_k}`]);
  if (p.least_passes) facts.push(['least time for L1 and shared memory', seconds(p.least_passes)]);
  if (p.least_arithmetic) facts.push(['least time for the arithmetic', seconds(p.least_arithmetic)]);
  $('facts').replaceChildren(...facts.map(([name, value]) => {
    const entry = document.createElement('div'), dt = document.createElement('dt'), dd = document.createElement('dd');
    dt.textContent = name;
    dd.textContent = value;
    entry.append(dt, dd);
    return entry;
  }));
}

/// Everything whose size depends on the window's.
function layOut() {
  place = placeTiles(state.p, $('tiles').parentElement.clientWidth);
  owners = drawOwners(state.p, place);
  update();
}

// ---- What is seen at this k, by this thread

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
  return {...state, tile, inner: state.k % p.block_k, window, warp, lane: state.thread & 31, loads, terms: ring.terms || 1,
          wgmma_k: ring.wgmma_k, tiles: Math.ceil(explained.k / p.block_k)};
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

function showMemories(p, view) {
  const from = view.tile * p.block_k, to = Math.min(from + p.block_k, explained.k) - 1;
  $('where').textContent = `k = ${view.k}: element ${view.inner} of tile ${view.tile} of ${view.tiles}`;
  drawGlobal($('global'), p, view, explained);
  const first = o => o.addressOf(0, from);
  $('global-text').textContent = `The tiles of block 0: A[0-${p.block_m - 1}][${from}-${to}] from byte ${first(p.a)} on, ` +
      `B[${from}-${to}][0-${p.block_n - 1}] from byte ${first(p.b)} on.`;
  const stages = stagesOf(p, view);
  drawShared($('shared'), stages);
  const next = stages.filter(stage => stage.state === 'coming').length, kept = o => bytes(o.stage_bytes);
  $('shared-text').textContent = !p.inShared ? 'Every thread loads what it multiplies from global memory itself.' :
      `Tile ${view.tile}: ${kept(p.a)} of A, ${kept(p.b)} of B.` +
      (next ? ` The next ${plural(next, 'tile')} ${next === 1 ? 'is' : 'are'} loaded meanwhile${p.byTma ? ', by TMA' : ''}.` :
       p.stages ? '' : ' Tile ' + (view.tile + 1) + ' is loaded when all threads have read this one.');
  drawRegisters($('registers'), p, view);
  const rows = p.rows[view.thread], columns = p.columns[view.thread];
  $('registers-text').textContent = `${plural(rows.length * columns.length, 'accumulator')}, the sums of k 0-${view.k}` +
      (p.byTensorCores ? '; wgmma reads A and B from shared memory itself.' :
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
  return `${plural(mine.bytes, 'byte')} from byte ${mine.address} on, ${banksOf(mine.address, mine.bytes)}; the warp: ` +
      plural(passesOf(pieces).length, 'pass');
}

function showThread(p, view) {
  const {thread, warp, lane} = view, rows = p.rows[thread], columns = p.columns[thread];
  $('thread-title').textContent = `Thread ${thread}: warp ${warp}, lane ${lane}` + (p.ring ? ', of those that multiply' : '');
  const table = [['elements of C', `rows ${ranges(rows)}; columns ${ranges(columns)}`]];
  for (const o of [p.a, p.b]) {
    const count = view.loads['all' + o.name].length, k = view.inner;
    if (count) {
      table.push([`loads of ${o.name}`, `${count > 1 ? `${Math.min(view.load, count - 1) + 1} of ${count}: ` : ''}${loadText(p, o, view)}`]);
      const writes = writesOf(p, o, warp), n = Math.floor(Math.min(view.load, count - 1) * writes.length / count);
      if (writes.length) table.push([`writes of ${o.name}`, sharedText(writes[n], lane)]);
    }
    const reads = readsOf(p, o, warp, k);
    if (reads.length) {
      table.push([`reads of ${o.name} at k`, `${reads.length > 1 ? `1 of ${reads.length}: ` : ''}${sharedText(reads[0], lane)}`]);
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
    return `${name} is at byte ${global}` + (loader >= 0 ? `, loaded by thread ${loader}` : '') + (p.inShared ?
        `, then at byte ${sharedAddress(o, outer, inner)} of shared memory, ${banksOf(sharedAddress(o, outer, inner), o.shared_element_bytes)}` : '');
  };
  table.push(['at this k', `${at(p.a, row)}; ${at(p.b, column)}`]);
  if (!p.inShared) {
    const cost = o => globalCost(loadsOf(p, o, view.warp)[0]).sectors.size, per = loadsOf(p, p.a, view.warp)[0][0].bytes / p.a.element_bytes;
    const a = cost(p.a) / per, b = cost(p.b);
    table.push(['from global memory', `${2 * k} reads by its own thread; for each k its warp fetches ${digits(a)} + ${b} sectors for 32 elements of C`]);
    table.push(['so it costs', `${digits((a + b) / 32 * k)} sectors, ${bytes((a + b) * k)}`]);
  } else {
    const acrossA = p.block_n * (ring.cluster_n || 1), acrossB = p.block_m * (ring.cluster_m || 1);
    table.push(['from global memory', `each element of A serves ${acrossA} of C, of B ${acrossB}: ` +
        `${digits(k / acrossA)} + ${digits(k / acrossB)} reads, ${bytes((k / acrossA + k / acrossB) * p.a.element_bytes)}`]);
    if (p.byTensorCores) {
      table.push(['from shared memory', `an element of A serves ${p.block_n} of C, of B 64: ${digits(k / p.block_n)} + ${digits(k / 64)} reads by wgmma`]);
    } else {
      table.push(['from shared memory', `a value of A serves ${p.thread_n} of C in its thread, of B ${p.thread_m}: ` +
          `${digits(k / p.thread_n)} + ${digits(k / p.thread_m)} reads`]);
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
  const loader = p.inShared ? o.loader[outer * o.depth + k] : -1, readers = o.owned.filter(owned => owned.includes(outer)).length;
  const part = view.terms > 1 ? ` (${term ? 'low' : 'high'} part)` : '';
  return [`${name}${part}`, `byte ${globalAddress(p, o, view, outer, k)} of ${o.name}` +
      (p.inShared ? `, byte ${sharedAddress(o, outer, k)} of shared memory, ${banksOf(sharedAddress(o, outer, k), o.shared_element_bytes)}` : '') +
      (loader >= 0 ? `; loaded by thread ${loader}` : '') +
      (p.byTensorCores ? '' : `; read by ${plural(readers, 'thread')}`)];
}

function showSectors(p, view) {
  const count = Math.max(view.loads.allA.length, view.loads.allB.length);
  setOptions($('load'), Array.from({length: count}, (_, i) => i), Math.min(view.load, count - 1), i => `${i + 1} of ${count}`);
  $('load').parentElement.hidden = count === 0;
  $('sectors-remark').textContent = count ? `of warp ${view.warp}, for this tile; the thread's own bytes are gold` :
      'TMA loads whole rows of a tile: every byte that is fetched is used.';
  for (const o of [p.a, p.b]) {
    const id = `sectors-${o.name.toLowerCase()}`, pieces = view.loads[o.name];
    $(id).hidden = !pieces;
    if (pieces) {
      const cost = globalCost(pieces);
      $(`${id}-title`).textContent = `${o.name}: ${plural(cost.sectors.size, 'sector')}, ${plural(cost.lines, 'line')} of 128 bytes`;
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
      'As TMA swizzles them, 16 bytes each of eight rows lie in different banks: one pass. Those around the element are shown.' :
      `One instruction of warp ${view.warp} each; the thread's words are gold, a pass that only a conflict needs is red.`;
  for (const o of [p.a, p.b]) {
    const outer = o.name === 'A' ? view.row : view.column, n = Math.max(0, view.loads['all' + o.name].length);
    const writes = writesOf(p, o, view.warp), reads = readsOf(p, o, view.warp, view.inner);
    const write = writes.length ? writes[Math.floor(Math.min(view.load, n - 1) * writes.length / n)] : null;
    const read = p.byTensorCores ? coreMatrixOf(o, outer, view.inner) : reads[0];
    for (const [what, pieces] of [['write', write], ['read', read]]) {
      const id = `${what}-${o.name.toLowerCase()}`, chosen = p.byTensorCores ? outer % 8 : view.lane;
      $(id).parentElement.hidden = !pieces;
      if (!pieces) continue;
      const passes = passesOf(pieces), least = leastPasses(passes), name = p.byTensorCores ? '8 x 16 bytes of' : what === 'write' ? 'writing' : 'reading';
      $(`${id}-title`).textContent = `${name} ${o.name}: ${plural(passes.length, 'pass')}` + (passes.length > least ? `, ${least} without conflicts` : '');
      drawPasses($(id), pieces, chosen);
    }
  }
}

function showWgmmas(p, view) {
  const ring = p.ring;
  $('wgmma').hidden = !p.byTensorCores;
  if (!p.byTensorCores) return;
  const terms = ['high', 'low'], stages = ring.group_k / p.block_k;
  $('wgmma-text').textContent = `m64n${ring.wgmma_n}k${ring.wgmma_k}: ${plural(ring.wgmmas.length, 'instruction')} for ${ring.group_k} of k` +
      (stages > 1 ? `, ${stages} stages` : '') + '. Those of this k are gold.';
  const at = view.k % ring.group_k, first = Math.min(...p.rows.slice(view.thread & ~127, (view.thread & ~127) + 128).map(rows => rows[0]));
  $('wgmmas').replaceChildren(...ring.wgmmas.map(([row, k, a, b]) => {
    const item = document.createElement('li');
    item.textContent = (ring.terms > 1 ? `${terms[a]} x ${terms[b]}` : `rows ${first + row}-${first + row + 63}`) + `, k ${k}-${k + ring.wgmma_k - 1}`;
    const rows = ring.terms > 1 || (view.row >= first + row && view.row < first + row + 64);
    item.classList.toggle('now', rows && at >= k && at < k + ring.wgmma_k);
    return item;
  }));
}

function showLegend(p) {
  const entries = [[colours.chosen, 'the thread'], [laneColour(16), 'its warp, by lane']];
  if (!p.byTma) entries.push([colours.unused, 'fetched, not asked for']);
  entries.push(p.byTensorCores ? [colours.tile, 'what wgmma reads at this k'] : ['#b8860b', 'values of the thread at this k']);
  entries.push([colours.conflict, 'the element of C, its row and column']);
  $('legend').replaceChildren(...entries.map(([colour, text]) => {
    const entry = document.createElement('span'), mark = document.createElement('i');
    mark.style.background = colour;
    entry.append(mark, text);
    return entry;
  }));
}

function update() {
  const p = state.p, view = viewed();
  $('k').value = state.k;
  $('thread').value = state.thread;
  $('row').value = state.row;
  $('column').value = state.column;
  showMemories(p, view);
  drawTiles($('tiles'), p, place, owners, view);
  showLegend(p);
  showThread(p, view);
  showElement(p, view);
  showSectors(p, view);
  showBanks(p, view);
  showWgmmas(p, view);
}

// ---- Events

function pointAt(row, column) {
  Object.assign(state, {row, column, thread: state.p.owner[row * state.p.block_n + column], operand: null});
  update();
}

function pointer(event) {
  const bounds = $('tiles').getBoundingClientRect();
  return elementAt(place, event.clientX - bounds.left, event.clientY - bounds.top);
}

function hover(event) {
  const at = state.kept && event.type !== 'click' ? null : pointer(event);
  if (!at) return;
  if (at.where === 'c') {
    pointAt(at.row, at.column);
  } else {
    state.operand = at;
    update();
  }
}

function setK(k) {
  state.k = Math.max(0, Math.min(explained.k - 1, k));
  update();
}

function stepBy(direction) {
  const size = $('step').value === 'tile' ? state.p.block_k : 1;
  setK(state.k + direction * size);
}

function play() {
  const running = state.timer !== 0;
  clearInterval(state.timer);
  state.timer = running ? 0 : setInterval(() => state.k + 1 < explained.k ? stepBy(1) : play(), 400);
  $('play').setAttribute('aria-pressed', String(!running));
  $('play').textContent = running ? 'play' : 'stop';
}

/// The number in a field, from 0 to its maximum.
const numberIn = field => Math.max(0, Math.min(Number(field.max), Math.round(Number(field.value)) || 0));

function listen() {
  $('tiles').addEventListener('pointermove', hover);
  $('tiles').addEventListener('click', event => {
    const kept = state.kept;
    hover(event);
    state.kept = !kept;
  });
  $('tiles').addEventListener('keydown', event => {
    const by = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[event.key];
    if (!by) return;
    event.preventDefault();
    const within = (value, count) => (value + count) % count;
    pointAt(within(state.row + by[0], state.p.block_m), within(state.column + by[1], state.p.block_n));
  });
  $('k').addEventListener('input', () => setK(Number($('k').value)));
  $('back').addEventListener('click', () => stepBy(-1));
  $('forward').addEventListener('click', () => stepBy(1));
  $('play').addEventListener('click', play);
  $('thread').addEventListener('change', () => {
    const thread = numberIn($('thread'));
    pointAt(state.p.rows[thread][0], state.p.columns[thread][0]);
  });
  for (const field of ['row', 'column']) {
    $(field).addEventListener('change', () => pointAt(numberIn($('row')), numberIn($('column'))));
  }
  $('load').addEventListener('change', () => {
    state.load = Number($('load').value);
    update();
  });
  $('rung').addEventListener('change', () => choose(nearest(Number($('rung').value))));
  for (const name of choices) {
    $(name).addEventListener('change', () => choose(nearest(state.p.rung, name, Number($(name).value))));
  }
  window.addEventListener('resize', layOut);
}

$('problem').textContent = `C (${explained.m} x ${explained.n}) = A (${explained.m} x ${explained.k}) B (${explained.k} x ${explained.n}), on ${explained.device}: who computes what, and what that asks of memory.`;
drawBars();
listen();
const named = decodeURIComponent(location.hash.slice(1)); // page.html#POLICY
choose(explained.policies.find(p => p.policy === named) || explained.policies[0]);
