// The cards: what each bloc is about.

const blocName = (cluster) => facts.blocs[cluster].name || `Bloc ${cluster}`;

// The share of a row cluster's weight in its own blocks.
function ownShare(k) {
  let own = 0, all = 0;
  for (let l = 0; l < facts.l; l++) {
    const sum = facts.blocks[k * facts.l + l];
    all += sum;
    if (isOwn(k, l)) own += sum;
  }
  return all > 0 ? own / all : 0;
}

function listOf(table, kind, items, find, more) {
  const side = table[kind === 'row' ? 'rows' : 'cols'];
  return items.map((item) => el('button', { type: 'button', class: 'name', on: { click: () => find({ [kind]: item[0] }) } },
    clip(nameIn(side, words[kind], item[0]), 90), more ? more(item) : null));
}

function termList(table, terms, find) {
  const most = Math.max(...terms.map((t) => t[1]), 1e-300);
  return el('ol', { class: 'terms' }, ...listOf(table, 'col', terms, find).map((button, i) =>
    el('li', { style: { '--share': `${Math.max(2, Math.round(100 * terms[i][1] / most))}%` } }, button)));
}

function documentList(table, title, items, find, more) {
  if (items.length === 0) return null;
  const names = items.map((item) => nameIn(table.rows, words.row, item[0]).length);
  const inline = names.reduce((sum, length) => sum + length, 0) < 20 * names.length;
  return el('div', { class: inline ? 'docs inline' : 'docs' }, el('h4', null, title),
    el('ul', null, ...listOf(table, 'row', items, find, more).map((button) => el('li', null, button))));
}

function card(table, cluster, find, browse) {
  const bloc = facts.blocs[cluster];
  const cols = isDiagonal ? `, ${colsCounted(facts.colSizes[cluster])}` : '';
  const other = ([, , to]) => (to >= 0 ? el('span', { class: 'quiet' }, `\u2192${THIN}${to}`) : null);
  return el('article', { class: 'card', id: `bloc-${cluster}`, style: { '--bloc': colourName(cluster) } },
    el('h3', null, el('span', { class: 'number' }, String(cluster)), blocName(cluster)),
    el('p', { class: 'sizes' }, `${rowsCounted(facts.rowSizes[cluster])}${cols}`),
    termList(table, bloc.terms.slice(0, 8), find),
    documentList(table, 'Typical', bloc.typical.slice(0, 4), find),
    documentList(table, 'Borderline', bloc.border.filter((item) => !bloc.typical.slice(0, 4).some((t) => t[0] === item[0])).slice(0, 3), find, other),
    el('p', { class: 'quiet foot' }, `${percent(ownShare(cluster))} of ${facts.model.weight === 'none' ? 'its entries are' : 'the weight of its entries is'} in its own ${isDiagonal ? 'block' : 'blocks'}. `,
      el('button', { type: 'button', class: 'link', on: { click: () => browse(cluster) } }, 'Show all')));
}

// A window over the page; Escape and a click beside it close it. Its title may be a list of nodes.
function openWindow(title, ...children) {
  const close = el('button', { type: 'button', class: 'link close', on: { click: () => box.close() } }, 'Close');
  const box = el('dialog', { 'aria-labelledby': 'window-title', on: { close: () => box.remove(), click: (event) => { if (event.target === box) box.close(); } } },
    el('div', { class: 'inside' }, close, el('h3', { id: 'window-title' }, ...[title].flat()), ...children));
  document.querySelectorAll('dialog[open]').forEach((other) => other.close());
  document.body.append(box);
  box.showModal();
  return box;
}

const dotOf = (cluster) => el('i', { class: 'dot', style: { background: cluster < 0 ? 'var(--faint-ink)' : colourName(cluster) } });

// All members of a bloc, shown in parts: there may be thousands.
function memberWindow(table, find) {
  const PART = 200;
  const column = (kind, side, cluster, choose) => {
    const lines = cluster < side.clusters ? side.at.subarray(side.starts[cluster], side.starts[cluster + 1]) : [];
    const list = el('ul', null), more = el('button', { type: 'button', class: 'link' }, 'more');
    let shown = 0;
    const add = () => {
      const next = [...lines.slice(shown, shown + PART)].map((line) => [line]);
      list.append(...listOf(table, kind, next, choose).map((button) => el('li', null, button)));
      shown += next.length;
      more.hidden = shown >= lines.length;
    };
    more.addEventListener('click', add);
    add();
    return el('div', null, el('h4', null, kind === 'row' ? rowsCounted(lines.length) : colsCounted(lines.length)), list, more);
  };
  return (cluster) => {
    const choose = (selection) => { box.close(); find(selection); };
    const box = openWindow([dotOf(cluster), `${cluster}\u2002${blocName(cluster)}`],
      el('div', { class: 'lists' }, column('row', table.rows, cluster, choose),
        isDiagonal ? column('col', table.cols, cluster, choose) : null));
  };
}
