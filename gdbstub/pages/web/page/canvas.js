// SPDX-License-Identifier: Apache-2.0
// A timeline on a canvas: rows of slices and of counts over cycles, and arrows between rows. The live
// page and the file of a run draw it. Scales and gestures are D3's.

/* global d3 */

const ROW = 17;
const LEFT = 150;
const TOP = 20;
const LEAST = 10; // cycles that are shown at least
const FILLS = { runs: '--runs', passes: '--passes', comes: '--passes', held: '--holds', busy: '--passes', waits: '--holds' };

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
const scaleOf = (canvas, view) => d3.scaleLinear([view.first, view.last], [LEFT, canvas.parentElement.clientWidth]);
const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}\u2026` : text);
const middleOfRow = (i) => TOP + i * ROW + ROW / 2;

// Draw the cycles of `view` ({ first, last }), and a line at `here`. An arrow has two ends, each a
// row's key and a cycle.
export function draw(canvas, rows, view, here, arrows = []) {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.parentElement.clientWidth;
  const height = TOP + rows.length * ROW + 4;
  canvas.style.height = `${height}px`;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const pen = canvas.getContext('2d');
  pen.scale(ratio, ratio);
  pen.font = '11px ui-monospace, Menlo, Consolas, monospace';
  pen.textBaseline = 'middle';
  const x = scaleOf(canvas, view);
  drawRuler(pen, x, height);
  rows.forEach((row, i) => {
    const y = TOP + i * ROW;
    if (i % 2) {
      pen.fillStyle = colour('--stripe');
      pen.fillRect(0, y, width, ROW);
    }
    pen.fillStyle = colour('--quiet');
    pen.fillText(cut(row.name, 21), 4, y + ROW / 2);
    if (row.values) drawCounts(pen, row.values, y, x, view);
    else drawSlices(pen, row.slices, y, x, width);
  });
  pen.strokeStyle = colour('--accent');
  pen.lineWidth = 1.5;
  pen.beginPath();
  if (here >= view.first && here <= view.last) {
    pen.moveTo(x(here), TOP - 4);
    pen.lineTo(x(here), height);
  }
  pen.stroke();
  pen.lineWidth = 1;
  for (const arrow of arrows) drawArrow(pen, arrow, rows, x, width);
}

function drawRuler(pen, x, height) {
  const marks = x.ticks(6);
  const format = x.tickFormat(6, ',d');
  pen.strokeStyle = colour('--grid');
  pen.fillStyle = colour('--quiet');
  pen.textAlign = 'center';
  let taken = 0; // up to where labels are
  for (const cycle of marks) {
    pen.beginPath();
    pen.moveTo(Math.round(x(cycle)) + 0.5, TOP - 4);
    pen.lineTo(Math.round(x(cycle)) + 0.5, height);
    pen.stroke();
    if (!Number.isInteger(cycle)) continue;
    const half = pen.measureText(format(cycle)).width / 2;
    const at = Math.min(x(cycle), x.range()[1] - half);
    if (at - half < taken) continue;
    pen.fillText(format(cycle), at, TOP / 2);
    taken = at + half + 6;
  }
  pen.textAlign = 'left';
}

function drawSlices(pen, slices, y, x, width) {
  const text = colour('--text');
  const [first, last] = x.domain();
  const fills = {};
  let drawn = LEFT; // slices below a pixel are drawn once
  const start = Math.max(d3.bisector(({ ts }) => ts).left(slices, first) - 1, 0);
  for (let i = start; i < slices.length && slices[i].ts <= last; i += 1) {
    const slice = slices[i];
    const from = Math.max(x(slice.ts), LEFT);
    const to = Math.min(x(slice.ts + slice.dur), width);
    if (to < LEFT || (to - from < 1 && to <= drawn)) continue;
    fills[slice.cat] ||= colour(FILLS[slice.cat] || '--idle');
    pen.fillStyle = fills[slice.cat];
    pen.fillRect(from, y + 1, Math.max(to - from - (to - from > 3 ? 1 : 0), 1), ROW - 2);
    drawn = Math.max(to, from + 1);
    const room = Math.floor((to - from - 6) / 6.6);
    if (room > 2) {
      pen.fillStyle = text;
      pen.fillText(cut(slice.name, room), from + 3, y + ROW / 2);
    }
  }
}

function drawCounts(pen, values, y, x, view) {
  const most = d3.max(values, ({ value }) => value) || 1;
  const high = (value) => y + ROW - 2 - (value / most) * (ROW - 4);
  pen.beginPath();
  pen.moveTo(LEFT, high(0));
  let now = 0;
  for (const { ts, value } of values) {
    const at = Math.max(Math.min(x(ts), x.range()[1]), LEFT);
    pen.lineTo(at, high(now));
    pen.lineTo(at, high(value));
    now = value;
    if (ts > view.last) break;
  }
  pen.lineTo(x.range()[1], high(now));
  pen.lineTo(x.range()[1], high(0));
  pen.fillStyle = colour('--counts');
  pen.fill();
}

function drawArrow(pen, { earlier, later, chosen }, rows, x, width) {
  // What another tile does is in no row here: its end is at the ruler.
  const indexOf = (end) => (end.row ? rows.findIndex(({ key }) => key === end.row) : -0.5);
  const place = (end) => [x(end.cycle), middleOfRow(indexOf(end))];
  const [[x1, y1], [x2, y2]] = [place(earlier), place(later)];
  const clipped = Math.max(x1, x2) < LEFT || Math.min(x1, x2) > width || Math.min(indexOf(earlier), indexOf(later)) === -1;
  if (clipped) return;
  pen.strokeStyle = colour('--race');
  pen.fillStyle = colour('--race');
  pen.lineWidth = chosen ? 3 : 1.5;
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const line = d3.line()([[x1, y1], [x2 - 6 * Math.cos(angle), y2 - 6 * Math.sin(angle)]]);
  pen.stroke(new Path2D(line));
  pen.beginPath();
  pen.arc(x1, y1, 3, 0, 2 * Math.PI);
  pen.moveTo(x2, y2);
  pen.lineTo(x2 - 9 * Math.cos(angle - 0.4), y2 - 9 * Math.sin(angle - 0.4));
  pen.lineTo(x2 - 9 * Math.cos(angle + 0.4), y2 - 9 * Math.sin(angle + 0.4));
  pen.fill();
  pen.lineWidth = 1;
}

// What is under the mouse: the cycle, the row, the slice.
export function at(canvas, rows, view, event) {
  const box = canvas.getBoundingClientRect();
  const cycle = Math.floor(scaleOf(canvas, view).invert(event.clientX - box.left));
  const row = rows[Math.floor((event.clientY - box.top - TOP) / ROW)];
  const slice = row && row.slices && row.slices.find(({ ts, dur }) => ts <= cycle && cycle < ts + dur);
  return { cycle, row, slice };
}

const HARTS = 1; // as the Trace Event file numbers its processes
const IN_WORDS = new Set(['passes', 'comes', 'held']); // kinds of slices that say where they come from
const said = (slice) => (slice ? `${slice.name} (${slice.cat}) ${slice.args ? slice.args.what : ''}`.trim() : '');
// The last of these that has begun.
const latest = (list, cycle) => list[d3.bisector(({ ts }) => ts).right(list, cycle) - 1];

// The cycle, what is there, and its line; where a row has no line of its own, those of all harts.
export function described({ cycle, row, slice }, rows = []) {
  const start = `cycle ${cycle}, ${row.name}: `;
  if (slice && row.places) return `${start}${said(slice)} at ${latest(row.places, cycle)?.text}`;
  if (slice?.cat && IN_WORDS.has(slice.cat)) return start + said(slice);
  const now = row.values ? String(latest(row.values, cycle)?.value || 0) : said(slice);
  const lines = rows.filter(({ pid, places }) => pid === HARTS && places && latest(places, cycle));
  return `${start}${now} [${lines.map(({ name, places }) => `${name} ${latest(places, cycle).text}`).join(', ')}]`.replace(' []', '');
}

// Wheel with Ctrl or Shift, pinch and drag: tell the view that they lead to. `view` gives the present one.
export function gestures(canvas, view, moved) {
  let scale = null;
  let from = null;
  const zoom = d3.zoom()
    .filter((event) => (event.type === 'wheel' ? event.ctrlKey || event.shiftKey || event.metaKey : !event.button))
    .on('start', ({ transform }) => {
      scale = scaleOf(canvas, view());
      from = transform;
    })
    .on('zoom', ({ transform, sourceEvent }) => {
      if (!sourceEvent) return;
      const k = transform.k / from.k;
      const [first, last] = scale.range().map((end) => scale.invert((end - transform.x + k * from.x) / k));
      moved(atLeast({ first: Math.max(first, 0), last }));
    });
  d3.select(canvas).call(zoom).on('dblclick.zoom', null);
}

function atLeast({ first, last }) {
  return { first, last: Math.max(last, first + LEAST) };
}

export function zoomed(view, factor, middle) {
  const length = Math.max((view.last - view.first) * factor, LEAST);
  const part = (middle - view.first) / (view.last - view.first);
  const first = Math.max(middle - length * part, 0);
  return { first, last: first + length };
}

export function moved(view, part) {
  const length = view.last - view.first;
  const first = Math.max(view.first + length * part, 0);
  return { first, last: first + length };
}

export const middleOf = (view) => (view.first + view.last) / 2;
