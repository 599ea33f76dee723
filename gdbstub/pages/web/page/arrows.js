// SPDX-License-Identifier: Apache-2.0
// What changes in each picture of a chip, on a canvas over the grounds of tiles and below their names: arrows
// of requests, what each tile has sent, and what its harts do. As elements they were most of the work of a
// picture. A thread of its own draws them (drawn_apart.js), so that the page's is free for each frame; a
// shared file has none.

const HEAD = 6;
const BENDS = { write: 12, read: 20, atomic: 28 };
const BAR = 4;
const FEW = 12; // that are bold
const KINDS = ['write', 'read', 'atomic'];
const [OF_ARROW, OF_BAR] = [7, 3]; // numbers of each
const CELL = { width: 11.4, height: 16, apart: 12.6, left: 5, top: 22 }; // of a hart, in its tile
export const DOING = { K: 'kernel', f: 'firmware', '-': 'other', '.': 'reset', p: 'reset', w: 'waits', '!': 'fault' };
const BRIGHT = ['kernel', 'waits', 'fault']; // below a letter

// An arrow between two points: a curve, so that networks and kinds are apart, and its head.
export function arrow(pen, x1, y1, x2, y2, kind, niu) {
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

// The numbers of an arrow, as `Traffic.show` takes them.
export const numbersOf = ([x1, y1], [x2, y2], kind, niu, bold) => [x1, y1, x2, y2, KINDS.indexOf(kind), niu, Number(bold)];

// A pen that writes the path of an SVG.
export function writing() {
  const parts = [];
  const add = (letter) => (...at) => parts.push(`${letter}${at.map((one) => one.toFixed(1)).join()}`);
  return { moveTo: add('M'), lineTo: add('L'), quadraticCurveTo: add('Q'), text: () => parts.join(' ') };
}

// Draw on a canvas, which is of this page or of a worker. `scale` is from the drawing to the canvas, `ratio`
// that of the screen; `letters` has those of each tile, `tiles` its place.
export function paint(canvas, { scale, ratio, colours, arrows, bars, tiles, letters }) {
  const pen = canvas.getContext('2d');
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.scale(scale, scale);
  pen.fillStyle = colours.write;
  for (let i = 0; i < bars.length; i += OF_BAR) if (bars[i + 2] > 0) pen.fillRect(bars[i], bars[i + 1], bars[i + 2], BAR);
  // Many are thin and light: what they lie over is read first.
  let count = 0;
  for (let i = 0; i < arrows.length; i += OF_ARROW) count += arrows[i + 6];
  const many = Math.sqrt(Math.max(count / FEW, 1));
  for (const kind of KINDS.keys()) {
    for (const bold of [0, 1]) {
      pen.strokeStyle = colours[KINDS[kind]];
      // Lines of a pixel at most are drawn much faster.
      pen.lineWidth = (bold ? Math.max(2.5 / many, 0.6) : 1) * ratio / scale;
      pen.globalAlpha = bold ? Math.max(1 / many, 0.25) : 0.45;
      pen.beginPath();
      for (let i = 0; i < arrows.length; i += OF_ARROW) {
        if (arrows[i + 4] === kind && arrows[i + 6] === bold) arrow(pen, ...arrows.subarray(i, i + 6));
      }
      pen.stroke();
    }
  }
  pen.globalAlpha = 1;
  paintHarts(pen, colours, tiles, letters);
}

function paintHarts(pen, colours, tiles, letters) {
  const cells = {};
  letters.forEach((text, i) => [...text].forEach((letter, hart) => {
    (cells[DOING[letter]] ||= []).push([tiles[2 * i] + CELL.left + hart * CELL.apart, tiles[2 * i + 1] + CELL.top, letter]);
  }));
  pen.font = `bold 10px ${colours.font}`;
  pen.textAlign = 'center';
  for (const [doing, ones] of Object.entries(cells)) {
    pen.fillStyle = colours[doing];
    pen.beginPath();
    for (const [x, y] of ones) pen.roundRect(x, y, CELL.width, CELL.height, 2);
    pen.fill();
    pen.fillStyle = BRIGHT.includes(doing) ? colours.bright : colours.text;
    for (const [x, y, letter] of ones) pen.fillText(letter, x + CELL.width / 2, y + 12);
  }
}

// All that is drawn, before anything is told.
export const nothing = () => ({ scale: 1, ratio: 1, colours: {}, arrows: new Float32Array(), bars: new Float32Array(), tiles: new Float32Array(), letters: [] });

// The canvas over a drawing of this width. `isApart`: a worker draws.
export class Traffic {
  constructor(parent, width, isApart) {
    const canvas = document.createElement('canvas');
    canvas.setAttribute('aria-hidden', 'true');
    parent.append(canvas);
    Object.assign(this, { canvas, width, known: nothing(), asked: 0, worker: null });
    if (isApart) {
      const own = canvas.transferControlToOffscreen();
      this.worker = new Worker(new URL('page/drawn_apart.js', document.baseURI), { type: 'module' });
      this.worker.postMessage({ canvas: own }, [own]);
    }
    this.takeColours();
    // What is asked of the browser here it would have to lay the page out for in each picture.
    new ResizeObserver(() => {
      const ratio = window.devicePixelRatio || 1;
      const size = [canvas.clientWidth, canvas.clientHeight].map((one) => Math.round(one * ratio));
      this.tell({ ratio, scale: size[0] / width, size });
    }).observe(canvas);
    window.addEventListener('resize', () => this.takeColours()); // another theme says so
  }

  takeColours() {
    const style = getComputedStyle(document.documentElement);
    const named = [...KINDS, ...Object.values(DOING), 'bright', 'text'].map((name) => [name, style.getPropertyValue(`--${name}`)]);
    this.tell({ colours: { ...Object.fromEntries(named), font: style.getPropertyValue('--letters') } });
  }

  // Arrows (numbersOf); bars: three numbers each, where and how long; where tiles are, and their letters.
  show({ letters, ...lists }) {
    const numbers = Object.entries(lists).map(([name, list]) => [name, Float32Array.from(list.flat())]);
    this.tell({ ...Object.fromEntries(numbers), ...(letters && { letters }) });
  }

  // Pictures between two frames of the browser are drawn once.
  tell(news) {
    Object.assign(this.known, news);
    if (this.worker) this.worker.postMessage(news);
    else this.asked ||= requestAnimationFrame(() => this.paint());
  }

  paint() {
    this.asked = 0;
    const { size } = this.known;
    if (size) [this.canvas.width, this.canvas.height] = size;
    this.known.size = null;
    paint(this.canvas, this.known);
  }
}
