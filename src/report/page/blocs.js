// The cards: what each bloc is about.

const renamed = new Map(); // "0+5": the clusters of the whole result that a bloc is made of -> its name; of a larger size, "3/12"
for (const line of story.names) {
  const [key, ...name] = line.split('\t');
  if (/^\d+((\+\d+)*|\/\d+)$/.test(key) && name.join(' ').trim()) renamed.set(key, name.join(' ').trim());
}
const partsOf = (cluster) => facts.k > story.k ? `${cluster}/${facts.k}` : facts.rowOf.map((to, from) => (to === cluster ? from : -1)).filter((from) => from >= 0).join('+');
const blocName = (cluster) => renamed.get(partsOf(cluster)) || facts.blocs[cluster].name || `Bloc ${cluster}`;

function documentList(table, title, items, more) {
  if (items.length === 0) return null;
  const names = items.map((item) => nameIn(table.rows, words.row, item[0]).length);
  const inline = names.reduce((sum, length) => sum + length, 0) < 20 * names.length;
  return el('div', { class: inline ? 'docs inline' : 'docs' }, el('h4', null, title),
    el('ul', null, ...items.map((item) => el('li', null, nameButton(table, 'row', item[0], more ? more(item) : null), beginningOf(item[0], nameIn(table.rows, words.row, item[0]))))));
}

// A click on the pencil turns the name into a field; Enter keeps what it says, nothing restores the name from the terms.
function nameField(cluster) {
  const text = el('span', { class: 'bloc-name' }, blocName(cluster)), title = `Rename bloc ${cluster}`;
  const edit = el('button', { type: 'button', class: 'pencil tools', title, 'aria-label': title }, '\u270e');
  edit.addEventListener('click', () => {
    const field = el('input', { type: 'text', value: blocName(cluster), 'aria-label': `Name of bloc ${cluster}`, maxlength: 200 });
    const keep = () => {
      const name = field.value.trim(), key = partsOf(cluster);
      if (name && name !== facts.blocs[cluster].name) renamed.set(key, name); else renamed.delete(key);
      go.renamed();
    };
    field.addEventListener('keydown', (event) => { if (event.key === 'Enter') keep(); if (event.key === 'Escape') go.renamed(); });
    field.addEventListener('blur', () => { if (field.isConnected) keep(); });
    text.replaceWith(field);
    edit.hidden = true;
    field.focus();
    field.select();
  });
  return [text, edit];
}

function card(table, cluster) {
  const bloc = facts.blocs[cluster], typical = bloc.typical.slice(0, 4);
  const cols = isDiagonal ? `, ${colsCounted(facts.colSizes[cluster])}` : '';
  const other = ([, , to]) => (to >= 0 ? el('span', { class: 'quiet' }, `\u2192${THIN}${to}`) : null);
  const lift = bloc.partners.length && !story.signed ? `, ${liftText(bloc.partners[0][1])} times as many as by chance` : '';
  return el('article', { class: 'card', id: `bloc-${cluster}`, style: { '--bloc': colourName(cluster) } },
    el('h3', null, el('span', { class: 'number' }, String(cluster)), ...nameField(cluster)),
    el('p', { class: 'sizes' }, `${rowsCounted(facts.rowSizes[cluster])}${cols}`),
    termList(table, shownTerms(table, cluster, bloc)),
    documentList(table, 'Typical', typical),
    documentList(table, 'Borderline', bloc.border.filter((item) => !typical.some((t) => t[0] === item[0])).slice(0, 3), other),
    el('p', { class: 'quiet foot' }, `${percent(bloc.density)} of ${isDiagonal ? 'its' : 'the'} cells are filled${lift}. `,
      el('button', { type: 'button', class: 'link', on: { click: () => openMembers(table, cluster) } }, 'Show all')));
}

// ---- all members of a bloc

const ORDERS = { surest: 'surest first', least: 'least sure first', name: 'by name', file: 'as in the file' };

// The lines of a cluster in the order asked for: by margin for rows, by weight for columns.
function sortedMembers(table, kind, cluster, order) {
  const side = kind === 'row' ? table.rows : table.cols, lines = [...side.at.subarray(side.starts[cluster], side.starts[cluster + 1])];
  lines.sort((a, b) => a - b);
  if (order === 'name') return lines.sort((a, b) => nameIn(side, words[kind], a).localeCompare(nameIn(side, words[kind], b)));
  if (order === 'file' || !table.entries || (kind === 'row' && !facts.rule)) return lines;
  const value = new Map(lines.map((line) => [line, kind === 'row' ? marginOf(scoresOf(table, line).scores, cluster).margin : tellingWeight(table, line, cluster)]));
  return lines.sort((a, b) => (order === 'least' ? value.get(a) - value.get(b) : value.get(b) - value.get(a)) || a - b);
}

// A list in parts: there may be thousands.
function longList(table, kind, lines) {
  const PART = 200, list = el('ul', null), more = el('button', { type: 'button', class: 'link' }, 'more');
  let shown = 0;
  const add = () => {
    list.append(...lines.slice(shown, shown + PART).map((line) => el('li', null, nameButton(table, kind, line))));
    shown = Math.min(lines.length, shown + PART);
    more.hidden = shown >= lines.length;
  };
  more.addEventListener('click', add);
  add();
  return el('div', null, el('h4', null, kind === 'row' ? rowsCounted(lines.length) : colsCounted(lines.length)), list, more);
}

function openMembers(table, cluster) {
  const lists = el('div', { class: 'lists' }), choice = el('select', { 'aria-label': 'Order' },
    ...Object.entries(ORDERS).map(([key, text]) => el('option', { value: key }, text)));
  const draw = () => lists.replaceChildren(longList(table, 'row', sortedMembers(table, 'row', cluster, choice.value)),
    isDiagonal ? longList(table, 'col', sortedMembers(table, 'col', cluster, choice.value)) : '');
  choice.addEventListener('change', draw);
  draw();
  openWindow([dotOf(cluster), `${cluster}\u2002${blocName(cluster)}`], '', el('p', { class: 'tools' }, choice, ' ',
    csvButton(`bloc-${cluster}`, () => [[words.row], ...sortedMembers(table, 'row', cluster, choice.value).map((line) => [nameIn(table.rows, words.row, line)])])), lists);
}
