// SPDX-License-Identifier: Apache-2.0
// What the page knows, and its connection: frames put together from changes.

export const state = { frame: null, details: null, source: null, box: '', plan: null };
const listeners = [];
let socket = null;
let pause = 250;

export function on(kind, listener) { listeners.push([kind, listener]); }

// A listener gets the message as well, where there is one.
export function tell(kind, value, message) {
  for (const [wanted, listener] of listeners) if (wanted === kind) listener(value, message);
}

// Put what is new into the frame. Cells come one by one, all else whole.
export function apply(frame, change) {
  const { cells, ...others } = change;
  return { ...frame, ...others, cells: { ...(frame ? frame.cells : {}), ...(cells || {}) } };
}

export function send(message) {
  if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

// Look into a box; with '', into none.
export function look(box) {
  state.box = box;
  send({ look: box });
  tell('box', box);
}

export function connect() {
  socket = new WebSocket(`${location.protocol.replace('http', 'ws')}//${location.host}${location.pathname}ws`);
  socket.onopen = () => {
    pause = 250;
    state.frame = null;
    if (state.box) send({ look: state.box });
  };
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    if (message.frame) {
      state.frame = apply(state.frame, message.frame);
      tell('frame', message.frame);
    }
    for (const kind of ['details', 'source', 'text', 'error']) {
      if (message[kind] !== undefined && message[kind] !== null) tell(kind, message[kind], message);
    }
  };
  socket.onclose = () => {
    tell('gone', null);
    setTimeout(connect, pause);
    pause = Math.min(pause * 2, 8000);
  };
}
