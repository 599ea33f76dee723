// SPDX-License-Identifier: Apache-2.0
// What the page uses of D3. `python -m scripts.vendor` makes one file of it.
export { bisector, extent, max } from 'd3-array';
export { scaleLinear } from 'd3-scale';
export { interpolateRdBu } from 'd3-scale-chromatic';
export { pointer, select } from 'd3-selection';
export { line } from 'd3-shape';
export { zoom, zoomIdentity } from 'd3-zoom';
