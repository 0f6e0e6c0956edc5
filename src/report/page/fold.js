// Folding: the same result with fewer blocs, merged by its hierarchy, or the larger sizes that were fitted beside it. Each size has
// its own facts in the page.

const parts = []; // {id, element, build}: the sections, from top to bottom
const followers = []; // what else must know that the number of blocs has changed

const levels = [...Array.from({ length: story.k - 1 }, (_, i) => i + 1).filter((k) => document.getElementById(`level-${k}`)), story.k, ...story.larger];
const known = new Map([[story.k, story]]);

// The smallest cluster of the whole result in each bloc: its colour.
function coloursOf({ k, rowOf }) {
  return Array.from({ length: k }, (_, cluster) => Math.max(0, rowOf.indexOf(cluster)));
}

// Of a larger size: each cluster of the result gives its colour to the bloc with most of its rows, the others have new ones.
function largerColours(table, k) {
  const own = table.rows.base.labels, labels = table.larger.get(k).rows, counts = Array.from({ length: story.k }, () => new Array(k).fill(0));
  own.forEach((label, row) => { if (label >= 0 && labels[row] >= 0) counts[label][labels[row]]++; });
  const colours = new Array(k).fill(-1);
  for (const line of counts) {
    const free = line.map((count, bloc) => (colours[bloc] < 0 ? count : -1)), most = free.indexOf(Math.max(...free));
    colours[most] = counts.indexOf(line);
  }
  let next = story.k;
  return colours.map((colour) => (colour < 0 ? next++ : colour));
}

function levelOf(k) {
  if (!known.has(k)) known.set(k, about(`level-${k}`));
  return known.get(k);
}

function foldTo(table, k) {
  const level = levelOf(k);
  const larger = table.larger.get(k), merged = (side, of) => side.base.labels.map((label) => (label < 0 ? -1 : of[label]));
  facts = { ...story, truth: undefined, ...level, colours: larger ? largerColours(table, k) : coloursOf(level) };
  relabel(table.rows, larger ? larger.rows : merged(table.rows, facts.rowOf), facts.k);
  relabel(table.cols, larger ? larger.cols : merged(table.cols, facts.colOf), facts.l);
  table.sums = null;
  for (const part of parts) render(part);
  for (const follow of followers) follow();
}

// ---- sections

const NAV = {
  blocs: 'Blocs', map: 'Map', matrix: 'Table', sections: 'Sections', topics: 'Groups', quality: 'Quality', blocks: 'Blocks', over: 'Over',
  graphs: 'Graphs', truth: 'Classes', moved: 'Moved', fit: 'Fit',
};

// A section whose content follows the number of blocs: build() returns {title, lead, content}, or null for none.
function section(id, build) {
  const part = { id, build, element: el('section', { id, 'aria-labelledby': `${id}-title` }), link: el('a', { href: `#${id}` }, NAV[id]) };
  parts.push(part);
  main.append(part.element);
  document.getElementById('nav').append(part.link);
  render(part);
}

function render({ id, build, element, link }) {
  const made = build();
  element.hidden = link.hidden = !made;
  if (made)
    element.replaceChildren(el('h2', { id: `${id}-title` }, made.title), made.lead ? el('p', { class: 'lead' }, ...[made.lead].flat()) : '',
      ...[made.content].flat().filter(Boolean));
}

// ---- the control

function foldBar(table) {
  if (levels.length < 2) return null;
  const slider = el('input', { type: 'range', id: 'fold', min: 0, max: levels.length - 1, value: levels.indexOf(story.k), step: 1 });
  const shown = el('output', { class: 'shown', for: 'fold' });
  const step = (by) => { slider.value = String(Number(slider.value) + by); apply(); };
  const button = (text, name, by) => el('button', { type: 'button', 'aria-label': name, title: name, on: { click: () => step(by) } }, text);
  const less = button('\u2212', 'Fewer blocs', -1), more = button('+', 'More blocs', 1);
  const say = () => {
    const k = levels[Number(slider.value)], { now } = levelOf(k), blocs = k === 1 ? '1 bloc' : `${k} blocs`;
    slider.setAttribute('aria-valuetext', blocs);
    less.disabled = k === levels[0];
    more.disabled = k === levels[levels.length - 1];
    const what = k === story.k ? (story.larger.length ? ' as chosen' : ' as fitted') : k > story.k ? ' in another fit' : ` of ${story.k}`;
    shown.replaceChildren(el('b', null, blocs), what, el('span', { class: 'quiet much' }, `, ${facts.model.criterion} ${short(now.criterion, 5)}`));
  };
  const apply = () => {
    const k = levels[Number(slider.value)];
    if (k !== facts.k) foldTo(table, k);
    say();
  };
  slider.addEventListener('input', apply);
  followers.push(() => { slider.value = String(levels.indexOf(facts.k)); say(); });
  say();
  return el('div', { class: 'fold tools', role: 'group', 'aria-label': 'Number of blocs' },
    el('label', { for: 'fold' }, 'Fold'), less, slider, more, shown);
}
