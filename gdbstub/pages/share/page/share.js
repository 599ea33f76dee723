// SPDX-License-Identifier: Apache-2.0
// The answers of a server, from what the file has: states of the tile one after the other. The page's own
// modules ask `fetch` and `WebSocket` as they ask the live server.

/* global startTile, startChip */

const AROUND = 200; // lines before and after a place
const KEPT = 64; // events between two frames that are put together and kept
const NOTHING = 'This file has nothing of this part: `tensix-gdb replay --serve RECORDING` shows it.';
const GONE = 'This file has what was kept of a run: the tile cannot run here. ';
const byId = (id) => document.getElementById(id);

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(stream).text());
}

// Frames: put together from changes, as state.js does.
class Events {
  constructor(data) {
    this.data = data;
    this.cycles = data.events.reduce((all, one) => [...all, one.cycle ?? all.at(-1)], []);
    this.kept = new Map();
  }

  frame(number) {
    const first = number - (number % KEPT);
    let frame = this.kept.get(first) || (first ? this.frame(first - 1) : null);
    for (let i = this.kept.has(first) ? first + 1 : first; i <= number; i += 1) {
      const { cells, ...others } = this.data.events[i];
      frame = { ...frame, ...others, cells: { ...(frame && frame.cells), ...cells } };
      if (i === first) this.kept.set(first, frame);
    }
    return frame;
  }

  // The event at a cycle, or the last one before it.
  at(cycle) { return Math.max(this.cycles.findLastIndex((one) => one <= cycle), 0); }

  inside(box, number) {
    const found = (this.data.boxes[box] || []).findLast(([at]) => at <= number);
    return found ? { ...found[1], source: this.source(found[1].source) } : null;
  }

  source(place) {
    const known = place && this.data.sources[place.file];
    if (!known) return place ? { ...place, first: place.line, text: [], code: {} } : null;
    const first = Math.max(place.line - AROUND, 1);
    return { ...place, first, text: known.text.slice(first - 1, place.line + AROUND), code: known.code };
  }
}

// What the file has of the words of a box, event by event.
function historyOf(events, addr, hart) {
  const local = addr >= 0xffb00000;
  const states = events.data.boxes[local ? `local-${hart}` : `l1-${Math.floor(addr / 1024)}`] || [];
  const changes = [];
  let before = 0;
  states.forEach(([at, { words }], i) => {
    const value = words.values[(addr - words.start) / 4];
    if (i === 0) before = value;
    else if (value !== (changes.length ? changes.at(-1).value : before)) {
      changes.push({ cycle: events.cycles[at], value, by: '' });
    }
  });
  const step = Math.max(...events.cycles.map((cycle, i) => cycle - (events.cycles[i - 1] ?? cycle)), 1);
  return { addr, first: events.cycles[0], last: events.cycles.at(-1), step, before, changes, dropped: 0 };
}

class Tab {
  static OPEN = 1;

  constructor() {
    this.readyState = Tab.OPEN;
    this.box = '';
    Tab.all = this;
    setTimeout(() => {
      this.onopen();
      this.goTo(Tab.events.cycles.length - 1);
      this.say({ text: `${Tab.file.said.join('\n')}\n`, paths: Tab.file.said_paths });
      if (Tab.onlyEnd) this.say({ text: `${Tab.onlyEnd}\n` });
    });
  }

  say(message) { this.onmessage({ data: JSON.stringify(message) }); }

  goTo(number) {
    this.number = Math.min(Math.max(number, 0), Tab.events.cycles.length - 1);
    this.say({ frame: Tab.events.frame(this.number) });
    this.look();
    Tab.moved(this.number);
  }

  look() {
    const details = this.box && Tab.events.inside(this.box, this.number);
    if (details) this.say({ details });
    else if (this.box) this.say({ details: { id: this.box, sections: [['', NOTHING]], source: null } });
  }

  // To the next event, or the one before, in which the box of a thread is another.
  step(thread, by) {
    const box = thread <= 5 ? `hart-${thread - 1}` : `gate-${thread - 6}`;
    let to = this.number + by;
    const cell = (number) => JSON.stringify(Tab.events.frame(number).cells[box]);
    const was = cell(this.number);
    while (to > 0 && to < Tab.events.cycles.length - 1 && cell(to) === was) to += by;
    this.goTo(to);
  }

  // To the next event in which a hart is at a line.
  until({ file, line }) {
    const isThere = ({ source }) => source && source.file === file && source.line === line;
    const states = Object.entries(Tab.events.data.boxes).filter(([box]) => box.startsWith('hart-'))
      .flatMap(([, all]) => all.filter(([at, inside]) => at > this.number && isThere(inside)).map(([at]) => at));
    if (states.length) this.goTo(Math.min(...states));
    else this.say({ error: 'No hart is at this line later in this file.' });
  }

  monitor(text) {
    const frame = Tab.events.frame(this.number);
    if (text.trim() === 'why') this.say({ text: `> monitor why\n${frame.why}\n`, paths: frame.why_paths });
    else this.say({ error: `${GONE}It knows \`why\`; \`tensix-gdb replay --serve RECORDING\` has all commands.` });
  }

  send(text) {
    const request = JSON.parse(text);
    if ('look' in request) {
      this.box = request.look;
      this.look();
    } else if (request.do === undefined) this.say({ source: Tab.events.source(request) });
    else if (DOES[request.do]) DOES[request.do](this, request);
    else this.say({ error: `${GONE}Forward and back go through its ${Tab.events.cycles.length} events.` });
  }
}

const DOES = {
  continue: (tab) => tab.goTo(Tab.events.cycles.length - 1),
  back: (tab) => tab.goTo(0),
  stepi: (tab) => tab.goTo(tab.number + 1),
  'stepi back': (tab) => tab.goTo(tab.number - 1),
  step: (tab, { thread }) => tab.step(thread, 1),
  goto: (tab, { cycle }) => tab.goTo(Tab.events.at(cycle)),
  until: (tab, request) => tab.until(request),
  monitor: (tab, { text }) => tab.monitor(text),
};

const answer = (value) => ({ ok: true, json: async () => value, text: async () => JSON.stringify(value) });
const refusal = (text) => ({ ok: false, text: async () => text, json: async () => ({}) });

// The values of a tile of which the file has the origin, as they are at its end.
function originsOf(file, name) {
  const own = file.chip ? `${name} ` : '';
  return Object.keys(file.origins).filter((one) => one.startsWith(own)).map((one) => one.slice(own.length));
}

function answers(file, name) {
  return async (path) => {
    const [asked, query] = path.split('?');
    const given = new URLSearchParams(query);
    if (asked === 'plan.json') {
      return answer({ ...file.plan, tile: file.chip ? name : '', origins: originsOf(file, name) });
    }
    if (asked === 'grid.json') return answer(file.chip.grid);
    if (asked === 'timeline.json') {
      return file.timelines[name] ? answer(file.timelines[name]) : refusal('This file has no timeline of it.');
    }
    if (asked === 'races.json') return answer(file.races[name] || { observed: false, races: [] });
    if (asked === 'word.json') return answer(historyOf(Tab.events, Number(given.get('addr')), Number(given.get('hart'))));
    if (asked === 'origin.json') {
      const place = file.chip ? `${name} ${given.get('place')}` : given.get('place');
      const kept = originsOf(file, name);
      if (file.origins[place]) return answer(file.origins[place]);
      return refusal(`This file has the origin, at its end, of ${kept.length ? kept.join(', ') : 'no value'}: name this one with --origin '${place}' when the file is made.`);
    }
    return refusal(`This file has no ${asked}.`);
  };
}

// Buttons say what they do here; what needs a tile is not there.
function adapt(title) {
  for (const [id, text, hint] of [
    ['continue', 'to the end', 'to the last event (c)'], ['step', 'of this thread', 'to its next event (s)'],
    ['stepi', 'event', 'the next event (i)'], ['back', 'to the first', 'to the first event (b)'],
    ['stepi-back', 'event', 'the event before (u)'],
  ]) if (byId(id)) Object.assign(byId(id), { textContent: text, title: hint });
  if (!byId('back')) { // the grid has no buttons for these
    const group = byId('continue').parentElement;
    for (const [text, by] of [['event', 1], ['back one event', -1]]) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = text;
      button.addEventListener('click', () => Tab.all.goTo(Tab.all.number + by));
      group.append(button);
    }
  }
  for (const id of ['stop', 'record', 'stops', 'timeline-file', 'clients']) byId(id)?.classList.add('absent');
  const hint = document.querySelector('#source .hint');
  if (hint) hint.textContent = 'the mark beside a number: to the next event at this line';
  const where = document.createElement('p');
  where.id = 'event';
  byId('span').after(where);
  Tab.moved = (number) => { where.textContent = `event ${number + 1} of ${Tab.events.cycles.length}`; };
  document.title = title;
  document.querySelector('h1').textContent = title;
}

// Tiles of a chip are pages, by what follows # in the address.
function linked() {
  document.body.addEventListener('click', (event) => {
    const link = event.target.closest('a');
    const to = link && link.getAttribute('href');
    if (!to || !(to.startsWith('/tile/') || to === '../../')) return;
    event.preventDefault();
    window.location.hash = to.split('/')[2] || '';
    if (to === '../../') window.location.hash = '';
  });
  window.addEventListener('hashchange', () => window.location.reload());
}

(async () => {
  const file = await unpacked(byId('data').textContent);
  const name = decodeURIComponent(window.location.hash.slice(1));
  const isChip = Boolean(file.chip) && !file.tiles[name];
  document.body.prepend(byId(isChip ? 'page-chip' : 'page-tile').content);
  Tab.file = file;
  Tab.events = new Events(isChip ? { ...file.chip, boxes: {}, sources: {} } : file.tiles[name] || file.tiles['']);
  const followed = file.chip?.grid.followed || [];
  if (file.chip && !isChip && !followed.includes(name)) Tab.onlyEnd = `This file has only the end of tile ${name}; the last events are those of ${followed.join(', ')}.`;
  linked();
  adapt(isChip || !file.chip ? file.title : `Tensix tile ${name}`);
  await (isChip ? startChip : startTile)(answers(file, name), Tab);
  if (!isChip && file.races[name]?.races.length) byId('timeline').open = true;
})();
