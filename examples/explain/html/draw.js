// SPDX-License-Identifier: BSL-1.0
// The drawings: each takes a canvas and what is to be seen on it.

const palettes = {
  light: {
    unused: '#f7c6c1',
    conflict: '#d7301f',
    idle: '#ededed',
    empty: '#f4f7fb',
    chosen: '#ffc61a',
    value: '#74a9cf',
    own: '#b8860b',
    remark: '#555555',
    rule: '#9db4cf',
    edge: '#666666',
    marked: '#000000',
    tile: '#1f5fa8',
    strip: '#cfe2f7',
    coming: '#dcefdc',
    copy: '#c9d8e6',
    multiply: '#a6d8a8',
    store: '#e3d5ee',
    warps: ['#dfe9f5', '#e8e3f1', '#dff0e6', '#f3ecdc'],
    lanes: ['#cfe2f7', '#084594'],
  },
  dark: {
    unused: '#6b3733',
    conflict: '#f0604f',
    idle: '#2b3037',
    empty: '#1d2229',
    chosen: '#e0ab17',
    value: '#4a86b5',
    own: '#f2cf63',
    remark: '#a9b1ba',
    rule: '#4d6079',
    edge: '#8b939c',
    marked: '#ffffff',
    tile: '#5c9fe0',
    strip: '#27405c',
    coming: '#274a30',
    copy: '#3a5269',
    multiply: '#2f6b3a',
    store: '#5c4570',
    warps: ['#25303c', '#2f2a3a', '#223329', '#37301f'],
    lanes: ['#24517f', '#b9d9f7'],
  },
};
/// Those of the palette that the reader prefers.
const colours = {};
const darkIsPreferred = window.matchMedia('(prefers-color-scheme: dark)');
const choosePalette = () => Object.assign(colours, darkIsPreferred.matches ? palettes.dark : palettes.light);
choosePalette();

/// Red, green and blue of '#rrggbb'.
const channels = colour => [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));

/// Black or white, whichever is read more easily on a colour.
function inkOn(colour) {
  const [red, green, blue] = channels(colour);
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? '#16181b' : '#ffffff';
}

/// Lane 0 to 31, from near the background to far from it.
function laneColour(lane) {
  const [first, last] = colours.lanes.map(channels);
  const mixed = first.map((from, i) => Math.round(from + (last[i] - from) * lane / 31));
  return '#' + mixed.map(value => value.toString(16).padStart(2, '0')).join('');
}

/// A canvas as wide as its column and as high as asked for, in CSS pixels.
function surface(canvas, height, width = canvas.parentElement.clientWidth) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = width + 'px';
  canvas.style.height = height + 'px';
  const to = canvas.getContext('2d');
  to.setTransform(ratio, 0, 0, ratio, 0, 0);
  to.font = '11px Helvetica, Arial, sans-serif';
  return Object.assign(to, {wide: width, high: height});
}

function box(to, x, y, w, h, fill, stroke = null) {
  if (fill) {
    to.fillStyle = fill;
    to.fillRect(x, y, w, h);
  }
  if (stroke) {
    to.strokeStyle = stroke;
    to.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
  }
}

function label(to, what, x, y, align = 'left', colour = colours.remark) {
  to.fillStyle = colour;
  to.textAlign = align;
  to.fillText(what, x, y);
}

/// Written into a box of this colour where there is room.
function inscribe(to, what, x, y, w, h, fill) {
  if (to.measureText(what).width <= w - 2 && h >= 10) label(to, what, x + w / 2, y + h / 2 + 4, 'center', inkOn(fill));
}

/// Where A, B and C lie on the canvas of tiles: B above C, A beside it.
function placeTiles(p, width) {
  const gap = 12, margin = 16, across = width - gap - 2, down = 600 - gap - margin;
  const scale = Math.min(14, across / (p.shown + p.block_n), down / (p.shown + p.block_m));
  const x = p.shown * scale + gap, y = margin + p.shown * scale + gap;
  return {
    scale,
    width: x + p.block_n * scale + 2,
    height: y + p.block_m * scale + 2,
    a: {x: 0, y, columns: p.shown, rows: p.block_m},
    b: {x, y: margin, columns: p.block_n, rows: p.shown},
    c: {x, y, columns: p.block_n, rows: p.block_m},
  };
}

/// Which element is at a point: {where: 'a', 'b' or 'c', row, column}, or null.
function elementAt(place, x, y) {
  for (const where of ['a', 'b', 'c']) {
    const r = place[where], column = Math.floor((x - r.x) / place.scale), row = Math.floor((y - r.y) / place.scale);
    if (column >= 0 && column < r.columns && row >= 0 && row < r.rows) return {where, row, column};
  }
  return null;
}

/// The part of the tiles that does not change with what is pointed at.
function drawOwners(p, place) {
  const canvas = document.createElement('canvas'), ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(place.width * ratio);
  canvas.height = Math.round(place.height * ratio);
  const to = canvas.getContext('2d');
  to.setTransform(ratio, 0, 0, ratio, 0, 0);
  to.font = '11px Helvetica, Arial, sans-serif';
  const {scale, c} = place;
  for (let row = 0; row < p.block_m; ++row) {
    for (let begin = 0; begin < p.block_n;) {
      const warp = p.owner[row * p.block_n + begin] >> 5;
      let end = begin + 1;
      while (end < p.block_n && p.owner[row * p.block_n + end] >> 5 === warp) ++end;
      box(to, c.x + begin * scale, c.y + row * scale, (end - begin) * scale + 0.3, scale + 0.3,
          colours.warps[(warp + (warp >> 2)) % 4]);
      begin = end;
    }
  }
  for (const r of [place.a, place.b]) box(to, r.x, r.y, r.columns * scale, r.rows * scale, colours.empty);
  label(to, 'A', place.a.x, place.a.y - 4);
  label(to, 'B', place.b.x, place.b.y - 4);
  label(to, 'C', place.c.x + 3, place.c.y - 2);
  return canvas;
}

/// Calls paint(outer, k, lane or -1) for the elements of the sectors that a load fetches, of those that are drawn.
function forFetched(p, o, pieces, window, paint) {
  const asked = new Map();
  for (const piece of pieces) {
    for (let at = piece.address; at < piece.address + piece.bytes; at += o.element_bytes) {
      if (!asked.has(at)) asked.set(at, piece.lane);
    }
  }
  for (const sector of globalCost(pieces).sectors) {
    for (let at = sector * 32; at < sector * 32 + 32; at += o.element_bytes) {
      const index = at / o.element_bytes, line = Math.floor(index / o.ld), along = index % o.ld;
      const [outer, k] = o.k_major ? [line, along - window] : [along, line - window];
      if (outer < o.outer && k >= 0 && k < p.shown) paint(outer, k, asked.has(at) ? asked.get(at) : -1);
    }
  }
}

function drawTiles(canvas, p, place, owners, view) {
  const to = surface(canvas, place.height, place.width), {scale, a, b, c} = place, warp = view.thread >> 5;
  to.drawImage(owners, 0, 0, to.wide, place.height);
  const fill = (r, row, column, colour, rows = 1, columns = 1) =>
      box(to, r.x + column * scale, r.y + row * scale, Math.max(columns * scale, 1), Math.max(rows * scale, 1), colour);
  for (let row = 0; row < p.block_m; ++row) {
    for (let column = 0; column < p.block_n; ++column) {
      const owner = p.owner[row * p.block_n + column];
      if (owner >> 5 === warp) fill(c, row, column, owner === view.thread ? colours.chosen : laneColour(owner & 31));
    }
  }
  const paintA = (outer, k, colour) => fill(a, outer, k, colour),
        paintB = (outer, k, colour) => fill(b, k, outer, colour);
  for (const [o, paint] of [[p.a, paintA], [p.b, paintB]]) {
    if (view.loads[o.name]) {
      forFetched(
          p, o, view.loads[o.name], view.window,
          (outer, k, lane) => paint(
              outer, k,
              lane < 0                        ? colours.unused :
                  lane === (view.thread & 31) ? colours.chosen :
                                                laneColour(lane)));
    }
  }
  // What is multiplied at this k: a column of A and a row of B; the thread's own values of them.
  to.lineWidth = 1;
  for (let term = 0; term < view.terms; ++term) {
    const k = view.k - view.window + term * p.block_k;
    if (p.byTensorCores) {
      const first = Math.floor(k / view.wgmma_k) * view.wgmma_k, rows = Math.floor(view.row / 64) * 64;
      box(to, a.x + first * scale, a.y + rows * scale, view.wgmma_k * scale, Math.min(64, p.block_m) * scale, null,
          colours.tile);
      box(to, b.x, b.y + first * scale, p.block_n * scale, view.wgmma_k * scale, null, colours.tile);
    } else {
      box(to, a.x + k * scale, a.y, Math.max(scale, 2), p.block_m * scale, null, colours.tile);
      box(to, b.x, b.y + k * scale, p.block_n * scale, Math.max(scale, 2), null, colours.tile);
      for (const row of p.rows[view.thread]) fill(a, row, k, colours.own);
      for (const column of p.columns[view.thread]) fill(b, k, column, colours.own);
    }
  }
  // The element of C, its row of A and its column of B.
  to.lineWidth = 1.5;
  const thick = Math.max(scale, 3);
  box(to, a.x, a.y + view.row * scale, a.columns * scale, thick, null, colours.conflict);
  box(to, b.x + view.column * scale, b.y, thick, b.rows * scale, null, colours.conflict);
  box(to, c.x + view.column * scale, c.y + view.row * scale, Math.max(scale, 4), Math.max(scale, 4), null,
      colours.conflict);
  if (view.operand) {
    const r = place[view.operand.where];
    box(to, r.x + view.operand.column * scale, r.y + view.operand.row * scale, Math.max(scale, 4), Math.max(scale, 4),
        null, colours.marked);
  }
}

/// One load of a warp: the sectors of each row (column) of the matrix that it touches.
function drawSectors(canvas, o, pieces, chosen) {
  const rowBytes = o.ld * o.element_bytes, lines = new Map();
  let first = rowBytes, last = 0;
  for (const sector of globalCost(pieces).sectors) {
    const line = Math.floor(sector * 32 / rowBytes);
    lines.set(line, [...(lines.get(line) || []), sector]);
    first = Math.min(first, sector * 32 - line * rowBytes);
    last = Math.max(last, sector * 32 + 32 - line * rowBytes);
  }
  const order = [...lines.keys()].sort((x, y) => x - y), height = Math.min(16, Math.max(7, 220 / order.length));
  const to = surface(canvas, order.length * height + 4), begin = 70;
  const byte = Math.min(2.6, (to.wide - begin - 2) / (last - first));
  const named = (o.name === 'A') === o.k_major ? 'row' : 'column';
  order.forEach((line, i) => {
    const y = i * height + 1, at = address => begin + (address - line * rowBytes - first) * byte;
    if (height >= 11 || i % 4 === 0) label(to, `${named} ${line}`, begin - 6, y + height / 2 + 4, 'right');
    for (const sector of lines.get(line))
      box(to, at(sector * 32), y, 32 * byte, height - 1, colours.unused, colours.edge);
    for (const piece of pieces) {
      if (Math.floor(piece.address / rowBytes) !== line) continue;
      const w = Math.max(piece.bytes * byte, 1.5);
      box(to, at(piece.address), y + 1, w, height - 3, piece.lane === chosen ? colours.chosen : laneColour(piece.lane));
    }
    const mine = pieces.find(piece => piece.lane === chosen && Math.floor(piece.address / rowBytes) === line);
    if (mine) box(to, at(mine.address), y + 1, Math.max(mine.bytes * byte, 1.5), height - 3, colours.chosen);
  });
}

/// The passes of an instruction over the banks, with the lanes that each word is for.
function drawPasses(canvas, pieces, chosen) {
  const passes = passesOf(pieces), height = passes.length > 12 ? 8 : 16, begin = 52;
  const to = surface(canvas, passes.length * height + 16), bank = (to.wide - begin) / 32;
  to.font = '10px Helvetica, Arial, sans-serif';  // so that numbers of neighbours are apart
  for (const i of [0, 8, 16, 24, 31]) label(to, i ? `${i}` : 'bank 0', begin + bank * (i + 0.5), 10, 'center');
  passes.forEach((pass, n) => {
    const y = 14 + n * height;
    if (height > 10 || n % 4 === 0) {
      label(
          to, `pass ${n + 1}`, begin - 5, y + height / 2 + 4, 'right',
          pass.conflict ? colours.conflict : colours.remark);
    }
    pass.banks.forEach((word, i) => {
      const mine = word && word.lanes.includes(chosen);
      const fill = !word ? colours.idle :
          mine           ? colours.chosen :
          pass.conflict  ? colours.conflict :
                           laneColour(word.lanes[0]);
      box(to, begin + i * bank, y, bank - 0.7, height - 1.5, fill);
      if (word && word.lanes.length === 1) inscribe(to, `${word.lanes[0]}`, begin + i * bank, y, bank, height, fill);
    });
  });
}

/// A, B and C in global memory: what the block needs of them, and its tiles at this k.
function drawGlobal(canvas, p, view, size) {
  const gap = 8, to = surface(canvas, 214), side = Math.min((to.wide - gap - 14) / 2, 96);
  const x = 14 + side + gap, y = 12 + side + gap - 8, scale = n => side / n;
  const part = (left, top, along, down, fill) => box(to, left, top, Math.max(along, 2), Math.max(down, 2), fill);
  for (const [left, top, name] of [[14, y, 'A'], [x, 4, 'B'], [x, y, 'C']]) {
    box(to, left, top, side, side, colours.empty, colours.rule);
    label(to, name, left + side - 4, top + side - 5, 'right');
  }
  const height = p.block_m * scale(size.m), width = p.block_n * scale(size.n),
        k0 = view.tile * p.block_k * scale(size.k);
  part(14, y, side, height, colours.strip);
  part(x, 4, width, side, colours.strip);
  part(14 + k0, y, p.block_k * scale(size.k), height, colours.tile);
  part(x, 4 + k0, width, p.block_k * scale(size.k), colours.tile);
  part(x, y, width, height, colours.chosen);
}

/// The stages of shared memory and the tiles in them.
function drawShared(canvas, stages) {
  const to = surface(canvas, 214), columns = Math.max(stages.length, 1), w = to.wide / columns;
  if (!stages.length) {
    box(to, 0, 0, to.wide, 60, colours.idle, colours.rule);
    inscribe(to, 'not used', 0, 0, to.wide, 60, colours.idle);
    return;
  }
  stages.forEach((stage, i) => {
    const fill = {read: colours.chosen, coming: colours.coming, free: colours.idle}[stage.state];
    ['A', 'B'].forEach((name, j) => {
      box(to, i * w, j * 74, w - 3, 70, fill, colours.rule);
      inscribe(to, `${name} ${stage.tile ?? ''}`, i * w, j * 74, w - 3, 58, fill);
      inscribe(to, stage.state === 'coming' ? 'next' : stage.state, i * w, j * 74 + 18, w - 3, 58, fill);
    });
    label(to, stages.length > 1 ? `${w > 50 ? 'stage ' : ''}${i}` : 'one stage', i * w + (w - 3) / 2, 162, 'center');
  });
}

/// Accumulators alone, 16 side by side.
function drawAccumulators(canvas, rows, columns, view) {
  const to = surface(canvas, 214), all = rows.flatMap(row => columns.map(column => [row, column]));
  const cell = Math.min(18, to.wide / 16, 210 / Math.ceil(all.length / 16));
  all.forEach(
      ([row, column], i) =>
          box(to, (i % 16) * cell, Math.floor(i / 16) * cell, cell - 1, cell - 1,
              row === view.row && column === view.column ? colours.conflict : colours.chosen));
}

/// Accumulators between the values that are multiplied; tensor cores read those themselves.
function drawRegisters(canvas, p, view) {
  const rows = p.rows[view.thread], columns = p.columns[view.thread];
  if (p.byTensorCores) {
    drawAccumulators(canvas, rows, columns, view);
    return;
  }
  const to = surface(canvas, 214), cell = Math.min(18, (to.wide - 34) / (columns.length + 1), 196 / (rows.length + 1));
  const x = cell + 10, y = cell + 10, size = Math.max(cell - 1, 1);
  rows.forEach((row, i) => {
    box(to, 2, y + i * cell, size, size, row === view.row ? colours.conflict : colours.value);
    columns.forEach(
        (column, j) =>
            box(to, x + j * cell, y + i * cell, size, size,
                row === view.row && column === view.column ? colours.conflict : colours.chosen));
  });
  columns.forEach((column, j) => {
    box(to, x + j * cell, 2, size, size, column === view.column ? colours.conflict : colours.value);
  });
  label(to, 'A', 2, Math.min(y + rows.length * cell + 11, 212));
  label(to, 'B', Math.min(x + columns.length * cell + 4, to.wide - 10), 12);
}

const barKinds = ['copy', 'multiply', 'store'];

/// The tile of C and of k that a bar is of; where the block has one tile of C alone, that of k.
const barText = (line, [kind, , tile, number]) =>
    kind === 2 ? `C ${tile}` : line.tiles > 1 ? `${tile}.${number}` : `${number}`;

/// What a block copies, multiplies and stores, a lane for whoever does it. Those of a tile of k of the first tile of C
/// are framed.
function drawTimeLine(canvas, line, chosen) {
  const height = 22, gap = 6, begin = 84, to = surface(canvas, line.lanes.length * (height + gap));
  const end = Math.max(...line.bars.map(bar => bar[5])), unit = (to.wide - begin - 1) / end;
  line.lanes.forEach((lane, i) => label(to, lane, begin - 8, i * (height + gap) + height / 2 + 4, 'right'));
  for (const bar of line.bars) {
    const [kind, lane, tile, number, from, until] = bar, fill = colours[barKinds[kind]];
    const x = begin + from * unit, y = lane * (height + gap), w = (until - from) * unit;
    const framed = kind < 2 && tile === 0 && number === chosen;
    to.lineWidth = framed ? 2 : 1;
    box(to, x, y, w - 1, height, fill, framed ? colours.conflict : null);
    inscribe(to, barText(line, bar), x, y, w - 1, height, fill);
  }
}
