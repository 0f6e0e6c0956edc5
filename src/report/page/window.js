// Windows over the page, tables that can be sorted, links to a bloc, a row or a column.

// Escape and a click beside it close it. The title may be a list of nodes; `address`: what a link to it ends with.
function openWindow(title, address, ...children) {
  const close = el('button', { type: 'button', class: 'link close', on: { click: () => box.close() } }, 'Close');
  const box = el('dialog', { 'aria-labelledby': 'window-title', on: {
    close: () => { box.remove(); if (location.hash === `#${address}`) setAddress(''); },
    click: (event) => { if (event.target === box) box.close(); } } },
    el('div', { class: 'inside' }, close, el('h3', { id: 'window-title', tabindex: '-1' }, ...[title].flat()), ...children.filter(Boolean)));
  document.querySelectorAll('dialog[open]').forEach((other) => other.close());
  document.body.append(box);
  box.showModal();
  if (address) setAddress(address);
  return box;
}

// The address bar; pages in frames may have none of their own.
function setAddress(text) {
  try { history.replaceState(null, '', text ? `#${text}` : location.pathname + location.search); } catch { /* stays as it is */ }
}

const closeWindows = () => document.querySelectorAll('dialog[open]').forEach((box) => box.close());

// ---- where names lead to

const go = { find: () => {} }; // find({row} or {col}): shows it in the table; set by page.js
const addressOf = (kind, side, line) => `${kind}=${encodeURIComponent(side.names && side.names[line].trim() && side.names[line].length < 100 ? side.names[line] : line + 1)}`;

// A name to click on, which opens its window.
function nameButton(table, kind, line, ...more) {
  const side = kind === 'row' ? table.rows : table.cols;
  return el('button', { type: 'button', class: 'name', on: { click: () => (kind === 'row' ? openRow : openTerm)(table, line) } },
    clip(nameIn(side, words[kind], line), 90), ...more);
}

function findButton(selection) {
  return el('button', { type: 'button', class: 'link', on: { click: () => { closeWindows(); go.find(selection); } } }, 'Show in the table');
}

// #bloc=3, #row=Germany, #col=NATO, #blocs=5, or several of them joined by &.
function followAddress(table) {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const line = (side, text) => {
    const at = side.names ? side.names.indexOf(text) : -1;
    return at >= 0 ? at : Number.isInteger(Number(text)) && Number(text) >= 1 && Number(text) <= side.count ? Number(text) - 1 : -1;
  };
  const k = Number(wanted.get('blocs'));
  if (levels.includes(k) && k !== facts.k) foldTo(table, k);
  const bloc = document.getElementById(`bloc-${wanted.get('bloc')}`);
  if (bloc) { bloc.scrollIntoView(); bloc.classList.add('sought'); }
  if (wanted.has('row') && line(table.rows, wanted.get('row')) >= 0) openRow(table, line(table.rows, wanted.get('row')));
  if (wanted.has('col') && line(table.cols, wanted.get('col')) >= 0) openTerm(table, line(table.cols, wanted.get('col')));
}

// ---- tables

// columns: {name, help, number}; rows and foot: arrays of {value, text, node, mark}. A click on a heading sorts the rows.
function sortable({ caption, columns, rows, foot = [], sort = 0, down = false, name }) {
  const body = el('tbody', null), heads = [];
  let by = sort, falling = down;
  const order = (a, b) => {
    const x = a[by].value, y = b[by].value, none = (v) => v === null || v === undefined || Number.isNaN(v);
    if (none(x) || none(y)) return none(x) - none(y);
    return (typeof x === 'string' ? x.localeCompare(y) : x - y) * (falling ? -1 : 1);
  };
  const line = (cells) => el('tr', null, ...cells.map((cell, i) => {
    const content = cell.node ? cell.node() : cell.text === undefined ? String(cell.value) : cell.text;
    return i === 0 ? el('th', { scope: 'row' }, content)
      : el('td', { class: [columns[i].number ? 'number' : '', cell.mark ? 'weak' : ''].join(' ').trim() || null, title: cell.title, 'data-value': typeof cell.value === 'number' ? cell.value : null }, content);
  }));
  const draw = () => {
    heads.forEach((head, i) => { head.setAttribute('aria-sort', i !== by ? 'none' : falling ? 'descending' : 'ascending'); });
    body.replaceChildren(...[...rows].sort(order).map(line));
  };
  const head = (column, i) => {
    const made = el('th', { scope: 'col', class: column.number ? 'number' : null, 'aria-sort': 'none' },
      el('button', { type: 'button', class: 'sort', title: column.help, on: { click: () => { falling = by === i ? !falling : Boolean(column.number); by = i; draw(); } } }, column.name));
    heads.push(made);
    return made;
  };
  const table = el('table', { class: 'sheet' }, el('caption', { class: 'hidden' }, caption), el('thead', null, el('tr', null, ...columns.map(head))), body, foot.length ? el('tfoot', null, ...foot.map(line)) : null);
  draw();
  return [el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption }, table),
    name ? el('p', { class: 'tools small' }, csvButton(name, () => [columns.map((c) => c.name), ...[...rows].sort(order), ...foot].map((cells, i) => (i ? cells.map((c) => c.value) : cells)))) : null];
}
