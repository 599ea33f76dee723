// SPDX-License-Identifier: Apache-2.0
// What goes between the tiles of a chip, on a canvas over their grounds and below their names: arrows of
// requests, and what each tile has sent. As elements they were most of the work of a picture.

const HEAD = 6;
const BENDS = { write: 12, read: 20, atomic: 28 };
const BAR = 4;
const FEW = 12; // that are bold
const COLOURS = ['write', 'read', 'atomic'];

// An arrow between two points: a curve, so that networks and kinds are apart, and its head.
export function arrow(pen, [x1, y1], [x2, y2], { kind, niu }) {
  const bend = niu ? -BENDS[kind] : BENDS[kind];
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [mx, my] = [(x1 + x2) / 2 - (bend * (y2 - y1)) / length, (y1 + y2) / 2 + (bend * (x2 - x1)) / length];
  const back = Math.atan2(my - y2, mx - x2);
  const side = (turn) => [x2 + HEAD * Math.cos(back + turn), y2 + HEAD * Math.sin(back + turn)];
  pen.moveTo(x1, y1);
  pen.quadraticCurveTo(mx, my, x2, y2);
  pen.moveTo(...side(0.5));
  pen.lineTo(x2, y2);
  pen.lineTo(...side(-0.5));
}

// A pen that writes the path of an SVG.
export function writing() {
  const parts = [];
  const add = (letter) => (...at) => parts.push(`${letter}${at.map((one) => one.toFixed(1)).join()}`);
  return { moveTo: add('M'), lineTo: add('L'), quadraticCurveTo: add('Q'), text: () => parts.join(' ') };
}

// The canvas over a drawing of this width. `shown` has the arrows ([from, to, request], points of the
// drawing) and the bars ([x, y, width]).
export class Traffic {
  constructor(parent, width) {
    this.canvas = document.createElement('canvas');
    this.canvas.setAttribute('aria-hidden', 'true');
    parent.append(this.canvas);
    Object.assign(this, { width, shown: { arrows: [], bars: [] }, asked: 0, colours: {} });
    this.takeColours();
    // What is asked of the browser here it would have to lay the page out for in each picture.
    new ResizeObserver(() => {
      const ratio = window.devicePixelRatio || 1;
      this.canvas.width = Math.round(this.canvas.clientWidth * ratio);
      this.canvas.height = Math.round(this.canvas.clientHeight * ratio);
      this.paint();
    }).observe(this.canvas);
    window.addEventListener('resize', () => this.takeColours()); // another theme says so
  }

  // Pictures between two frames of the browser are drawn once.
  show(shown) {
    Object.assign(this.shown, shown);
    this.asked ||= requestAnimationFrame(() => this.paint());
  }

  takeColours() {
    const style = getComputedStyle(document.documentElement);
    this.colours = Object.fromEntries(COLOURS.map((kind) => [kind, style.getPropertyValue(`--${kind}`)]));
    this.show({});
  }

  paint() {
    this.asked = 0;
    const { canvas, shown, colours } = this;
    const pen = canvas.getContext('2d');
    const [scale, ratio] = [canvas.width / this.width, window.devicePixelRatio || 1];
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.scale(scale, scale);
    pen.fillStyle = colours.write;
    for (const [x, y, width] of shown.bars) if (width > 0) pen.fillRect(x, y, width, BAR);
    // Many are thin and light: what they lie over is read first.
    const many = Math.sqrt(Math.max(shown.arrows.filter(([, , one]) => one.bold).length / FEW, 1));
    for (const kind of COLOURS) {
      for (const bold of [false, true]) {
        pen.strokeStyle = colours[kind];
        // Lines of a pixel at most are drawn much faster.
        pen.lineWidth = (bold ? Math.max(2.5 / many, 0.6) : 1) * ratio / scale;
        pen.globalAlpha = bold ? Math.max(1 / many, 0.25) : 0.35;
        pen.beginPath();
        for (const each of shown.arrows) if (each[2].kind === kind && each[2].bold === bold) arrow(pen, ...each);
        pen.stroke();
      }
    }
    pen.globalAlpha = 1;
  }
}
