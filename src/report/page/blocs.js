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

// All members of a bloc, shown in parts: there may be thousands.
function memberPanel(table, find) {
  const PART = 200;
  const panel = el('section', { id: 'members', hidden: true, 'aria-live': 'polite' });
  const column = (kind, side, cluster) => {
    const lines = cluster < side.clusters ? side.at.subarray(side.starts[cluster], side.starts[cluster + 1]) : [];
    const list = el('ul', null), more = el('button', { type: 'button', class: 'link' }, 'more');
    let shown = 0;
    const add = () => {
      const next = [...lines.slice(shown, shown + PART)].map((line) => [line]);
      list.append(...listOf(table, kind, next, find).map((button) => el('li', null, button)));
      shown += next.length;
      more.hidden = shown >= lines.length;
    };
    more.addEventListener('click', add);
    add();
    return el('div', null, el('h4', null, kind === 'row' ? rowsCounted(lines.length) : colsCounted(lines.length)), list, more);
  };
  const browse = (cluster) => {
    panel.hidden = false;
    panel.replaceChildren(el('h3', null, el('i', { class: 'dot', style: { background: colourName(cluster) } }),
      `${cluster}\u2002${blocName(cluster)}`,
      el('button', { type: 'button', class: 'link close', on: { click: () => { panel.hidden = true; } } }, 'Close')),
      el('div', { class: 'lists' }, column('row', table.rows, cluster),
        isDiagonal ? column('col', table.cols, cluster) : null));
    panel.scrollIntoView({ block: 'nearest' });
  };
  return { panel, browse };
}
