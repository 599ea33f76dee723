// SPDX-License-Identifier: Apache-2.0
// A timeline on a canvas: rows of slices over cycles. The live page and the file of a run draw it.

const ROW = 16;
const LEFT = 150;
const TOP = 18;
const FILLS = { runs: '--moves', passes: '--busy', comes: '--busy', held: '--held', busy: '--busy', waits: '--held' };

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);

// Draw the cycles of `view` ({ first, last }), and a line at `here`.
export function draw(canvas, rows, view, here) {
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
  const scale = (width - LEFT) / (view.last - view.first);
  const x = (cycle) => LEFT + (cycle - view.first) * scale;
  rows.forEach((row, i) => {
    const y = TOP + i * ROW;
    pen.fillStyle = colour('--quiet');
    pen.fillText(row.name.slice(0, 22), 2, y + ROW / 2);
    drawSlices(pen, row.slices, y, x, width);
  });
  drawRuler(pen, view, x, width);
  pen.strokeStyle = colour('--accent');
  pen.beginPath();
  pen.moveTo(x(here), TOP - 4);
  pen.lineTo(x(here), height);
  pen.stroke();
}

function drawSlices(pen, slices, y, x, width) {
  const edge = colour('--edge');
  const text = colour('--text');
  for (const slice of slices) {
    const start = Math.max(x(slice.ts), LEFT);
    const end = Math.min(x(slice.ts + slice.dur), width);
    if (end < start) continue;
    pen.fillStyle = colour(FILLS[slice.cat] || '--idle');
    pen.fillRect(start, y + 1, Math.max(end - start, 1), ROW - 2);
    pen.strokeStyle = edge;
    if (end - start > 3) pen.strokeRect(start, y + 1, end - start, ROW - 2);
    const room = Math.floor((end - start - 6) / 6.6);
    if (room > 2) {
      pen.fillStyle = text;
      pen.fillText(slice.name.slice(0, room), start + 3, y + ROW / 2);
    }
  }
}

function drawRuler(pen, view, x, width) {
  pen.fillStyle = colour('--quiet');
  for (let i = 0; i <= 4; i += 1) {
    const cycle = Math.round(view.first + ((view.last - view.first) * i) / 4);
    pen.textAlign = i === 4 ? 'right' : 'left';
    pen.fillText(cycle, Math.min(x(cycle), width - 2), TOP / 2);
  }
  pen.textAlign = 'left';
}

// What is under the mouse: the cycle, the row, the slice.
export function at(canvas, rows, view, event) {
  const box = canvas.getBoundingClientRect();
  const part = (event.clientX - box.left - LEFT) / (box.width - LEFT);
  const cycle = Math.round(view.first + part * (view.last - view.first));
  const row = rows[Math.floor((event.clientY - box.top - TOP) / ROW)];
  const slice = row && row.slices.find(({ ts, dur }) => ts <= cycle && cycle < ts + dur);
  return { cycle, row, slice };
}

export function described({ cycle, row, slice }) {
  const what = slice ? `${slice.name} (${slice.cat}) ${slice.args ? slice.args.what : ''}` : '';
  return `cycle ${cycle}, ${row.name}: ${what}`;
}

export function zoomed(view, factor, middle) {
  const length = (view.last - view.first) * factor;
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
