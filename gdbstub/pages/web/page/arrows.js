// SPDX-License-Identifier: Apache-2.0
// Requests between tiles as arrows: their numbers, which go to a worker as they are, and their drawing.

const HEAD = 6;
const BENDS = { write: 12, read: 20, atomic: 28 };
const FEW = 12; // that are bold
const NUMBERS = 7; // of an arrow
export const KINDS = ['write', 'read', 'atomic'];

// Add the numbers of an arrow to a list.
export function addArrow(list, [x1, y1], [x2, y2], kind, niu, bold) {
  list.push(x1, y1, x2, y2, KINDS.indexOf(kind), niu, Number(bold));
}

// An arrow between two points: a curve, so that networks and kinds are apart, and its head.
function arrow(pen, x1, y1, x2, y2, kind, niu) {
  const bend = niu ? -BENDS[KINDS[kind]] : BENDS[KINDS[kind]];
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [mx, my] = [(x1 + x2) / 2 - (bend * (y2 - y1)) / length, (y1 + y2) / 2 + (bend * (x2 - x1)) / length];
  const back = Math.atan2(my - y2, mx - x2);
  pen.moveTo(x1, y1);
  pen.quadraticCurveTo(mx, my, x2, y2);
  pen.moveTo(x2 + HEAD * Math.cos(back + 0.5), y2 + HEAD * Math.sin(back + 0.5));
  pen.lineTo(x2, y2);
  pen.lineTo(x2 + HEAD * Math.cos(back - 0.5), y2 + HEAD * Math.sin(back - 0.5));
}

// Draw those of a list that are wanted. `pixel` is one of the screen.
function stroke(pen, arrows, colour, width, alpha, isWanted = () => true) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.globalAlpha = alpha;
  pen.beginPath();
  for (let i = 0; i < arrows.length; i += NUMBERS) if (isWanted(arrows[i + 4], arrows[i + 6])) arrow(pen, ...arrows.subarray(i, i + 6));
  pen.stroke();
  pen.globalAlpha = 1;
}

// Many are thin and light: what they lie over is read first.
export function paintArrows(pen, arrows, colours, pixel) {
  let count = 0;
  for (let i = 6; i < arrows.length; i += NUMBERS) count += arrows[i];
  const many = Math.sqrt(Math.max(count / FEW, 1));
  for (const kind of KINDS.keys()) {
    for (const bold of [0, 1]) {
      // Lines of a pixel at most are drawn much faster.
      const width = (bold ? Math.max(2.5 / many, 0.6) : 1) * pixel;
      const alpha = bold ? Math.max(1 / many, 0.25) : 0.45;
      stroke(pen, arrows, colours[KINDS[kind]], width, alpha, (one, isBold) => one === kind && isBold === bold);
    }
  }
}

export const paintOwn = (pen, arrows, colours) => stroke(pen, arrows, colours.accent, 2, 1);
