// SPDX-License-Identifier: Apache-2.0
// A worker that draws a chip (grid_drawing.js): it gets its canvas, then what is new.

import { Drawing } from './grid_drawing.js';

let drawing = null;
let asked = 0;

onmessage = ({ data }) => {
  if (data.canvas) {
    drawing = new Drawing(data.canvas);
    return;
  }
  drawing.take(data);
  asked ||= requestAnimationFrame(draw);
};

function draw() {
  asked = 0;
  drawing.paint();
}
