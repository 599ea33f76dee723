// SPDX-License-Identifier: Apache-2.0
// The page of a tile.

import { state, send, connect } from './state.js';
import { control, element, themes } from './control.js';
import { draw } from './floor.js';
import { drawMaps } from './maps.js';
import './origin.js';
import './panels.js';
import './play.js';
import './semaphores.js';
import './source.js';
import './timeline.js';

const THREADS = ['B', 'T0', 'T1', 'T2', 'NC', 'T0 unpack', 'T1 math', 'T2 pack'];
const thread = () => Number(element('thread').value);

THREADS.forEach((name, i) => element('thread').append(new Option(name, i + 1)));
element('thread').value = 2;
control({
  continue: () => send({ do: 'continue' }),
  stop: () => send({ do: 'stop' }),
  step: () => send({ do: 'step', thread: thread() }),
  stepi: () => send({ do: 'stepi', thread: thread() }),
  back: () => send({ do: 'back' }),
  'stepi-back': () => send({ do: 'stepi back', thread: thread() }),
  record: () => send({ do: 'record', on: !(state.frame && state.frame.history) }),
}, { c: 'continue', ' ': 'stop', s: 'step', i: 'stepi', b: 'back', u: 'stepi-back' });
themes();

// The colours of letters are those of drawings, which the server knows.
function addColours(colours) {
  const sheet = new CSSStyleSheet();
  const rules = Object.entries(colours).flatMap(([theme, classes]) => Object.entries(classes)
    .map(([name, colour]) => `:root[data-theme="${theme}"] .${name} { fill: ${colour}; background: ${colour}; }`)
    .filter((rule) => /\.(v|m)-|\.empty/.test(rule)));
  sheet.replaceSync(rules.join('\n'));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

function addLegend(lines) {
  for (const line of lines) {
    const row = document.createElement('p');
    for (const [kind, text] of line) {
      if (!kind) {
        row.append(Object.assign(document.createElement('span'), { className: 'key about', textContent: text }));
        continue;
      }
      const sample = document.createElement('span');
      sample.className = `sample ${kind}`;
      const key = document.createElement('span');
      key.className = 'key';
      key.append(sample, text);
      row.append(key);
    }
    element('legend').append(row);
  }
}

const plan = await (await fetch('plan.json')).json();
addColours(plan.colours);
addLegend(plan.legend);
if (plan.tile) {
  element('name').textContent = `Tensix tile ${plan.tile}`;
  document.title = `Tensix tile ${plan.tile}`;
  element('chip').hidden = false;
}
drawMaps(draw(plan));
connect();
