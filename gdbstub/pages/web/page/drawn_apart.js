// SPDX-License-Identifier: Apache-2.0
// A worker that draws what goes between tiles (arrows.js): it gets its canvas, then what is new.

import { nothing, paint } from './arrows.js';

let canvas = null;
let known = nothing();
let asked = 0;

onmessage = ({ data }) => {
  if (data.canvas) {
    canvas = data.canvas;
    return;
  }
  const { size, ...news } = data;
  if (size) [canvas.width, canvas.height] = size;
  known = { ...known, ...news };
  if (known.colours.font) asked ||= requestAnimationFrame(draw);
};

function draw() {
  asked = 0;
  paint(canvas, known);
}
