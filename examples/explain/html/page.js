// SPDX-License-Identifier: BSL-1.0
// The page: what is chosen and pointed at, and what then stands where.

const $ = id => document.getElementById(id);
const choices = ['block_m', 'block_n', 'block_k', 'thread_m', 'thread_n'];
const rungs = [...new Set(explained.policies.map(p => p.rung))];
const state = {
  p: null,
  k: 0,
  thread: 0,
  row: 0,
  column: 0,
  load: 0,
  kept: false,
  operand: null,
  timer: 0
};
let place = null, owners = null;

const plural = (count, what) => `${count} ${what}${count === 1 ? '' : what.endsWith('s') ? 'es' : 's'}`;
const digits = value => value >= 1000 ? Math.round(value).toString() : Number(value.toPrecision(3)).toString();
const seconds = s => s >= 1 ? `${digits(s)} s` : s >= 1e-3 ? `${digits(s * 1e3)} ms` : `${digits(s * 1e6)} us`;
const bytes = n => n >= 1e6 ? `${digits(n / 1e6)} MB` :
    n >= 1e4 ? `${digits(n / 1e3)} kB` :
               plural(Number(digits(n)), 'byte');

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
    const ofGroup = measured.filter(bar => bar.group === group), isCublas = bar => bar.contender.startsWith('cublas');
    // Of two that are equal in pairs of samples, cublasLt's.
    const faster = ofGroup.filter(isCublas).reduce(
        (best, bar) => parseFloat(bar.share) >= parseFloat(best.share) ? bar : best);
    const bars = ofGroup.filter(bar => !isCublas(bar) || bar === faster).map(bar => {
      const known = explained.policies.find(p => p.policy === bar.contender);
      return {...bar, rung: isCublas(bar) ? 0 : bar.rung || (known ? known.rung : 0)};
    });
    const most = Math.max(...bars.map(bar => Number(bar.tflops)));
    bars.sort((x, y) => (x.rung || 99) - (y.rung || 99));
    for (const bar of bars) {
      const policy = explained.policies.find(p => p.policy === bar.contender) || measuredOf(bar.rung);
      const button = document.createElement('button');
      const cublas = isCublas(bar), of = cublas ? '' : `, ${bar.share} of cuBLAS`;
      button.className = cublas ? 'bar cublas' : 'bar';
      button.type = 'button';
      button.disabled = !policy;
      button.dataset.rung = bar.rung;
      button.innerHTML =
          '<span class="name"></span><span class="track"><span class="fill"></span><span class="figure"></span></span>';
      const name = cublas ? 'cuBLAS' : policy ? `${bar.rung}. ${policy.title}` : bar.contender;
      button.querySelector('.name').textContent = name;
      button.querySelector('.fill').style.width = `${Math.max(0.4, 56 * bar.tflops / most)}%`;
      button.querySelector('.figure').textContent = `${bar.tflops}${of}`;
      button.title = `${bar.contender}: ${bar.us} us, ${bar.tflops} TFLOP/s${of}`;
      if (policy) button.addEventListener('click', () => visit(policy));
      column.append(button);
    }
    $('bars').append(column);
  }
}

// ---- Choosing a policy

/// The policy that was measured for a rung; where the measured kernel was the library's choice, its first.
function measuredOf(rung) {
  const of = explained.policies.filter(p => p.rung === rung);
  return of.find(p => measured.some(bar => bar.contender === p.policy)) || of[0];
}

/// The policy of the rung with this value, and as many of the other numbers as may be.
function nearest(rung, changed, value) {
  const of = explained.policies.filter(p => p.rung === rung && p[changed] === value);
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

/// Shows a policy and has the address say so: the way back leads to the one before.
function visit(p) {
  choose(p);
  if (named() !== p.policy) location.hash = encodeURIComponent(p.policy);
}

/// What the address names, as page.html#POLICY.
function named() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return location.hash;  // no text in this encoding, so no policy
  }
}

/// Shows what the address names; without a name the first policy. An address that names none changes nothing.
function follow() {
  const p = explained.policies.find(policy => policy.policy === named());
  if (p ? p !== state.p : !state.p || !named()) choose(p || explained.policies[0]);
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
  setOptions(
      $('rung'), rungs, p.rung, rung => `${rung}. ${explained.policies.find(other => other.rung === rung).title}`);
  for (const bar of document.querySelectorAll('.bar'))
    bar.classList.toggle('chosen', Number(bar.dataset.rung) === p.rung);
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
    [
      'registers of a thread',
      ring ? `${ring.launch_registers}, then ${ring.producer_registers} and ${ring.consumer_registers}` : p.registers
    ],
    ['shared memory of a block', plural(p.shared_bytes, 'byte') + (p.stages ? `, ${p.stages} stages` : '')],
    ['blocks on a multiprocessor', `${p.resident.blocks}, limited by ${p.resident.limited_by}`],
  ];
  if (ring && ring.cluster_m * ring.cluster_n > 1)
    facts.push(['cluster', `${ring.cluster_m} x ${ring.cluster_n} blocks`]);
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
  $('rung').addEventListener('change', () => visit(measuredOf(Number($('rung').value))));
  for (const name of choices) {
    $(name).addEventListener('change', () => visit(nearest(state.p.rung, name, Number($(name).value))));
  }
  window.addEventListener('resize', layOut);
  window.addEventListener('hashchange', follow);
  darkIsPreferred.addEventListener('change', () => {
    choosePalette();
    layOut();
  });
}

$('problem').textContent = `C (${explained.m} x ${explained.n}) = A (${explained.m} x ${explained.k}) B (${
    explained.k} x ${explained.n}), on ${explained.device}: who computes what, and what that asks of memory.`;
drawBars();
listen();
follow();
