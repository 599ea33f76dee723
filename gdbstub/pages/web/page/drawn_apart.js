// SPDX-License-Identifier: Apache-2.0
// A worker that draws what goes between tiles (arrows.js): it gets its canvas, then what is new.

import { paint } from './arrows.js';

let canvas = null;
let known = {};
let asked = 0;

onmessage = ({ data }) => {
  if (data.canvas) {
    canvas = data.canvas;
    return;
  }
  const { size, ...news } = data;
  if (size) [canvas.width, canvas.height] = size;
  known = { arrows: new Float32Array(), bars: new Float32Array(), ...known, ...news };
  if (known.scale && known.colours) asked ||= requestAnimationFrame(draw);
};

function draw() {
  asked = 0;
  paint(canvas, known);
}
