// SPDX-License-Identifier: Apache-2.0
// Parts of drawings: elements, and tips.

const NS = 'http://www.w3.org/2000/svg';

export function make(parent, name, attributes, text) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

// All of what is in a box, at once where the pointer or the focus is: a browser's own tip is late, and
// there is none for the keys.
const tip = document.createElement('p');
tip.id = 'tip';
tip.hidden = true;
tip.setAttribute('aria-hidden', 'true'); // the label of the box says it

export function tipped(group, text) {
  const show = () => {
    tip.textContent = text();
    tip.hidden = !tip.textContent;
    if (!tip.isConnected) document.body.append(tip);
    const { left, bottom, top } = group.getBoundingClientRect();
    const below = bottom + tip.offsetHeight + 8 < window.innerHeight;
    tip.style.left = `${Math.max(Math.min(left, window.innerWidth - tip.offsetWidth - 8), 4)}px`;
    tip.style.top = `${Math.max(below ? bottom + 4 : top - tip.offsetHeight - 4, 4)}px`;
  };
  const hide = () => { tip.hidden = true; };
  group.addEventListener('pointerenter', (event) => { if (event.pointerType === 'mouse') show(); });
  group.addEventListener('pointerleave', hide);
  group.addEventListener('focus', () => { if (group.matches(':focus-visible')) show(); });
  group.addEventListener('blur', hide);
  group.addEventListener('click', hide);
}
