// SPDX-License-Identifier: Apache-2.0
// The canvas of a chip's page. A thread of its own draws on it (drawn_apart.js), so that the page's is free for
// each frame; a shared file has none, and draws itself.

import { COLOURS, Drawing } from './grid_drawing.js';

const LATEST = 100; // milliseconds until a picture is drawn, however busy the page is
const whenIdle = window.requestIdleCallback || ((does) => setTimeout(does, 1000 / 60)); // Safari has none

export class GridCanvas {
  // `isApart`: a worker draws.
  constructor(parent, plan, isApart) {
    const canvas = document.createElement('canvas');
    canvas.setAttribute('aria-hidden', 'true');
    parent.prepend(canvas);
    Object.assign(this, { news: { plan }, asked: false, worker: null, drawing: null });
    if (isApart) {
      const own = canvas.transferControlToOffscreen();
      this.worker = new Worker(new URL('page/drawn_apart.js', document.baseURI), { type: 'module' });
      this.worker.postMessage({ canvas: own }, [own]);
    } else {
      this.drawing = new Drawing(canvas);
    }
    this.takeColours();
    // In pixels of the screen, so that none is drawn between two; what is asked of the browser here it would
    // have to lay the page out for in each picture.
    new ResizeObserver(([{ devicePixelContentBoxSize: exact, contentRect: { width, height } }]) => {
      const ratio = window.devicePixelRatio || 1;
      const size = exact ? [exact[0].inlineSize, exact[0].blockSize] : [width, height].map((one) => Math.round(one * ratio));
      this.tell({ ratio, size });
    }).observe(canvas, { box: 'device-pixel-content-box' });
    window.addEventListener('resize', () => this.takeColours()); // another theme says so
  }

  takeColours() {
    const style = getComputedStyle(document.documentElement);
    const colours = Object.fromEntries(COLOURS.map((name) => [name, style.getPropertyValue(`--${name}`)]));
    this.tell({ colours: { ...colours, font: style.getPropertyValue('--letters') } });
  }

  // Take what is new (Drawing.take). What is told at once is drawn at once.
  tell(news) {
    const tiles = [...(this.news.tiles || []), ...(news.tiles || [])];
    Object.assign(this.news, news, tiles.length ? { tiles } : {});
    if (this.asked) return;
    this.asked = true;
    // On a full machine the worker takes the processor from the page's thread: it is told when that has done its frame.
    if (this.worker) whenIdle(() => this.worker.postMessage(this.taken()), { timeout: LATEST });
    else requestAnimationFrame(() => {
      this.drawing.take(this.taken());
      this.drawing.paint();
    });
  }

  taken() {
    const { news } = this;
    this.news = {};
    this.asked = false;
    return news;
  }
}
