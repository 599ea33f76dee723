// SPDX-License-Identifier: Apache-2.0
// The drawing of a chip, on one canvas without a hole: a browser that has no GPU copies it to the screen as
// it is, where several layers over each other were most of the work of a picture. What stands is kept in two
// drawings, the grounds and what is over the arrows; a picture is a copy of the first, what each tile has sent,
// the arrows, and a copy of the names and letters.

import { KINDS, paintArrows, paintOwn } from './arrows.js';

export const WIDTH = 72;
export const HEIGHT = 54;
export const GAP = 10;
const CELL = { width: 11.4, height: 16, apart: 12.6, left: 5, top: 22 }; // of a hart, in its tile
const SENT = { left: 5, top: HEIGHT - 9, width: WIDTH - 10, height: 4 };
const DOING = { K: 'kernel', f: 'firmware', '-': 'other', '.': 'reset', p: 'reset', w: 'waits', '!': 'fault' };
const BRIGHT = ['kernel', 'waits', 'fault']; // below a letter
const FRAMES = { kernel: ['kernel', 2], fault: ['fault', 2], wrong: ['fault', 3], waits: ['waits', 3] };
const GLOWS = ['wrong', 'waits'];
// Names of the style that the drawing takes.
export const COLOURS = [...new Set([...KINDS, ...Object.values(DOING), 'bright', 'text', 'quiet', 'page', 'edge', 'tile', 'accent'])];

const box = (pen, x, y, width, height, radius) => {
  pen.beginPath();
  pen.roundRect(x, y, width, height, radius);
};

// Draws on a canvas, of this page or of a worker, what it was told.
export class Drawing {
  constructor(canvas) {
    const isOpaque = { alpha: false };
    this.canvas = canvas;
    this.pen = canvas.getContext('2d', isOpaque);
    [this.grounds, this.over] = [isOpaque, {}].map((about) => new OffscreenCanvas(1, 1).getContext('2d', about));
    Object.assign(this, { size: [0, 0], scale: 1, ratio: 1, colours: null, plan: null, tiles: [], arrows: new Float32Array(), own: new Float32Array(), sent: [] });
    this.changed = new Set(); // numbers of tiles that are to be drawn anew
    this.isAllNew = true;
  }

  // `size`, of the canvas; `ratio`, of the screen; `colours`; `plan`: the width of the drawing, places of
  // tiles and of others, with their names; `tiles`: [number, letters, tone] of those that are new; `arrows`,
  // `own` (addArrow); `sent`: for each tile its part of the most.
  take({ tiles, ...news }) {
    Object.assign(this, news);
    if (news.plan) this.tiles = news.plan.tiles.map(() => ['', '']);
    if (news.size || news.colours || news.plan) this.isAllNew = true;
    for (const [number, letters, tone] of tiles || []) {
      this.tiles[number] = [letters, tone];
      this.changed.add(number);
    }
  }

  paint() {
    const { canvas, pen, size, plan, colours } = this;
    if (!plan || !colours || !size[0]) return;
    if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
    this.scale = size[0] / plan.width;
    this.keep();
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(this.grounds.canvas, 0, 0);
    pen.scale(this.scale, this.scale);
    pen.fillStyle = colours.write;
    plan.tiles.forEach(([x, y], i) => {
      if (this.sent[i] > 0) pen.fillRect(x + SENT.left, y + SENT.top, SENT.width * this.sent[i], SENT.height);
    });
    paintArrows(pen, this.arrows, colours, this.ratio / this.scale);
    paintOwn(pen, this.own, colours);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(this.over.canvas, 0, 0);
  }

  // Draw what stands where it has changed.
  keep() {
    const { plan, colours, size } = this;
    if (this.isAllNew) {
      for (const pen of [this.grounds, this.over]) {
        [pen.canvas.width, pen.canvas.height] = size;
        pen.scale(this.scale, this.scale);
      }
      this.grounds.fillStyle = colours.page;
      this.grounds.fillRect(0, 0, size[0] / this.scale, size[1] / this.scale);
      for (const one of plan.others) this.keepOther(...one);
      for (const number of plan.tiles.keys()) this.changed.add(number);
    }
    for (const number of this.changed) this.keepTile(number);
    this.changed.clear();
    this.isAllNew = false;
  }

  keepOther(x, y, what) {
    const { grounds: pen, colours } = this;
    pen.strokeStyle = colours.edge;
    pen.setLineDash([2, 3]);
    pen.globalAlpha = 0.6;
    pen.lineWidth = 1;
    box(pen, x, y, WIDTH, HEIGHT, 4);
    pen.stroke();
    pen.globalAlpha = 1;
    pen.setLineDash([]);
    this.write(what, x, y, colours.quiet, colours.page, 'normal');
  }

  keepTile(number) {
    const { grounds, over, colours } = this;
    const [x, y, name] = this.plan.tiles[number];
    const [letters, tone] = this.tiles[number];
    const own = [x - GAP / 2, y - GAP / 2, WIDTH + GAP, HEIGHT + GAP];
    grounds.fillStyle = colours.page;
    grounds.fillRect(...own);
    over.clearRect(...own);
    box(grounds, x, y, WIDTH, HEIGHT, 5);
    grounds.fillStyle = colours.tile;
    grounds.fill();
    this.keepFrame(GLOWS.includes(tone) ? over : grounds, number, own);
    this.write(name, x, y, colours.text, colours.tile, 'bold');
    [...letters].forEach((letter, hart) => this.keepHart(letter, x + CELL.left + hart * CELL.apart, y + CELL.top));
  }

  // One that glows is over the arrows: it is what is looked for. Its glow ends where another tile is drawn.
  keepFrame(pen, number, own) {
    const { colours } = this;
    const [x, y] = this.plan.tiles[number];
    const [, tone] = this.tiles[number];
    const [colour, width] = FRAMES[tone] || ['edge', 1];
    pen.save();
    pen.beginPath();
    pen.rect(...own);
    pen.clip();
    pen.strokeStyle = colours[colour];
    pen.lineWidth = width;
    if (GLOWS.includes(tone)) Object.assign(pen, { shadowColor: colours[colour], shadowBlur: 8 * this.scale });
    box(pen, x, y, WIDTH, HEIGHT, 5);
    pen.stroke();
    if (GLOWS.includes(tone)) pen.stroke(); // as bright as it gets
    pen.restore();
  }

  // A name is read through the arrows: it has an edge.
  write(text, x, y, colour, edge, weight) {
    const { over: pen, colours } = this;
    pen.font = `${weight} 11px ${colours.font}`;
    pen.textAlign = 'left';
    pen.lineJoin = 'round';
    pen.lineWidth = 3;
    pen.strokeStyle = edge;
    pen.strokeText(text, x + 6, y + 15);
    pen.fillStyle = colour;
    pen.fillText(text, x + 6, y + 15);
  }

  keepHart(letter, x, y) {
    const { over: pen, colours } = this;
    const doing = DOING[letter];
    pen.fillStyle = colours[doing];
    box(pen, x, y, CELL.width, CELL.height, 2);
    pen.fill();
    pen.font = `bold 10px ${colours.font}`;
    pen.textAlign = 'center';
    pen.fillStyle = BRIGHT.includes(doing) ? colours.bright : colours.text;
    pen.fillText(letter, x + CELL.width / 2, y + 12);
  }
}
