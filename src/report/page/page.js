// The page: its sections from top to bottom.

const main = document.getElementById('top');
const SMALL_NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const inWords = (count) => SMALL_NUMBERS[count] || grouped(count);

const NAV = { blocs: 'Blocs', matrix: 'Table', sections: 'Sections', topics: 'Groups', blocks: 'Blocks', graphs: 'Graphs', truth: 'Classes', fit: 'Fit' };

function section(id, title, lead, ...children) {
  document.getElementById('nav').append(el('a', { href: `#${id}` }, NAV[id]));
  const element = el('section', { id, 'aria-labelledby': `${id}-title` }, el('h2', { id: `${id}-title` }, title),
    lead ? el('p', { class: 'lead' }, ...[lead].flat()) : null, ...children);
  main.append(element);
  return element;
}

// ---- the head

function headline() {
  const k = facts.k, blocs = k === 1 ? 'one bloc' : `${inWords(k)} blocs`;
  return isDiagonal ? `${rowsCounted(facts.n)} and ${colsCounted(facts.d)} in ${blocs}`
    : `${rowsCounted(facts.n)} in ${blocs}, ${colsCounted(facts.d)} in ${inWords(facts.l)} ${facts.l === 1 ? 'group' : 'groups'}`;
}

function summary() {
  const { fit, model } = facts, done = fit.restarts.filter((c) => c !== null);
  const close = done.filter((c) => Math.abs(c - fit.criterion) <= 1e-6 * Math.abs(fit.criterion)).length;
  const parts = [`Found by ${model.name} (${model.title || model.inference}) with ${article(model.criterion)} of ${short(fit.criterion, 5)}`];
  parts.push(done.length > 1 ? `, the best of ${inWords(done.length)} starts${close > 1 ? `; ${inWords(close)} of them agree` : ''}` : '');
  parts.push('.');
  if (fit.explained !== null && facts.k > 1)
    parts.push(` The blocs explain ${percent(fit.explained)} of the mutual information between ${words.rows} and ${words.cols}.`);
  if (facts.truth)
    parts.push(` ${percent(facts.truth.acc)} of the ${words.rows} are in the bloc that stands for their known class (NMI ${facts.truth.nmi.toFixed(2)}).`);
  return parts.join('');
}

function head() {
  const density = facts.nnz / facts.n / facts.d;
  const fact = (value, name) => el('div', null, el('dt', null, name), el('dd', null, value));
  const text = el('div', null,
    el('p', { class: 'eyebrow' }, facts.title || 'Co-clustering report'),
    el('h1', null, headline()),
    el('p', { class: 'dek' }, summary()),
    el('dl', { class: 'figures' },
      fact(grouped(facts.nnz), facts.nnz === 1 ? 'entry' : 'entries'),
      fact(percent(density, density < 0.0095 ? 2 : density < 0.095 ? 1 : 0), 'of the cells are filled'),
      facts.fit.modularity === null ? null : fact(short(facts.fit.modularity), 'modularity'),
      facts.fit.icl === null ? null : fact(short(facts.fit.icl, 4), 'ICL'),
      facts.truth ? fact(facts.truth.nmi.toFixed(2), 'NMI with the known classes') : null));
  const picture = el('canvas', { class: 'hero', width: '520', height: '520', 'aria-hidden': 'true' });
  main.append(el('header', { class: 'head' }, text, picture));
  return picture;
}

// ---- sections

function matrices(table, found) {
  const ratio = (width) => Math.max(260, Math.min(720, width * Math.max(0.62, Math.min(1.25, facts.n / facts.d))));
  const before = new MatrixView(table, { inOrder: false, label: `The table in its original order, ${rowsCounted(facts.n)} by ${colsCounted(facts.d)}`, height: ratio });
  const after = new MatrixView(table, { inOrder: true, label: 'The same table in the order of the blocs', height: ratio });
  const figure = (view, title, text) => el('figure', { class: 'wide' }, el('figcaption', null, el('b', null, title), ` ${text}`), view.element);
  section('matrix', 'The table, before and after',
    table.entries ? `Every dot is an entry. Zoom with the wheel, a pinch or the buttons; hover over a cell to see what it is; on the keyboard, the arrow keys move from cell to cell.`
      : `There are too many entries to draw one by one, so the table shows their density: the stronger the colour, the more entries.`,
    found,
    el('div', { class: 'pair' }, figure(before, 'Original order', 'as in the file'),
      figure(after, 'Ordered by bloc', isDiagonal ? 'the entries of a bloc in its colour' : 'blocks fuller than by chance in colour')));
  return [before, after];
}

// The three sections of a self-organised co-clustering side by side: columns specific to one bloc, to two, to none.
function sections(table) {
  const kinds = [['main', 'Main', 'specific to one bloc'], ['second', 'Second', 'shared by two blocs'], ['common', 'Common', 'shared by all']];
  const views = [], figures = [];
  for (const [kind, title, text] of kinds) {
    const of = facts.colNames.map((name, l) => (name.startsWith(kind) ? l : -1)).filter((l) => l >= 0);
    if (of.length === 0) return [];
    const from = table.cols.starts[of[0]], to = table.cols.starts[of[of.length - 1] + 1];
    if (from === to) continue;
    const view = new MatrixView(table, { inOrder: true, from, to, label: `${title} ${words.cols}, ${text}`, height: () => 420 });
    views.push(view);
    figures.push(el('figure', null, el('figcaption', null, el('b', null, `${title} `), `${colsCounted(to - from)} ${text}`), view.element));
  }
  section('sections', 'Three sections', `${capital(words.cols)} specific to one bloc, to two blocs, and to none.`,
    el('div', { class: 'three' }, ...figures));
  return views;
}

function blockTable() {
  const colName = (l) => (isDiagonal ? String(l) : facts.colNames[l] || String(l));
  const colColour = (l) => (colourOfCols(l) < 0 ? 'var(--faint-ink)' : colourName(colourOfCols(l)));
  section('blocks', 'Block by block',
    `How full each block is, relative to independent ${words.rows} and ${words.cols}: above 1 is more than chance, below 1 is less.`,
    heatMap({
      caption: 'Blocks: row clusters by column clusters', corner: `${words.rows} \u2193 ${words.cols} \u2192`,
      rows: Array.from({ length: facts.k }, (_, k) => ({ text: `${k}\u2002${clip(blocName(k), 34)}`, title: blocName(k), colour: colourName(k) })),
      cols: Array.from({ length: facts.l }, (_, l) => ({ text: colName(l), colour: colColour(l), title: `${colsCounted(facts.colSizes[l])}` })),
      cell: (k, l) => ({ text: liftText(lift(k, l)), style: liftStyle(lift(k, l)),
        title: `${counted(facts.counts[k * facts.l + l], 'entry', 'entries')}, ${percent(facts.counts[k * facts.l + l] / Math.max(1, facts.rowSizes[k] * facts.colSizes[l]), 1)} of the cells` }),
    }));
}

// If columns have their own clusters: what these hold, and which blocs they go with.
function topics(table, find) {
  if (facts.topics.length === 0) return;
  const name = (l) => facts.colNames[l] || String(l);
  const topic = (about, l) => el('article', { class: 'card small', style: { '--bloc': colourOfCols(l) < 0 ? 'var(--soft)' : colourName(colourOfCols(l)) } },
    el('h3', null, el('span', { class: 'number' }, name(l)), about.name),
    el('p', { class: 'sizes' }, `${colsCounted(facts.colSizes[l])}${about.partners.length ? `, with ${about.partners.length === 1 ? 'bloc' : 'blocs'} ${about.partners.join(', ')}` : ''}`),
    termList(table, about.terms.slice(0, 6), find));
  section('topics', `${capital(inWords(facts.l))} groups of ${words.cols}`, null,
    el('div', { class: 'cards' }, ...facts.topics.map(topic)));
}

function graphs(table) {
  const joined = facts.blocs.map((bloc, k) => [bloc.graph, k]).filter(([graph]) => graph.edges.length > 0);
  if (joined.length === 0) return;
  section('graphs', `${capital(words.cols)} that occur together`, `A line joins ${words.cols} that occur in the same ${words.rows}; the thicker, the more often.`,
    el('div', { class: 'graphs' }, ...joined.map(([graph, k]) => el('figure', null,
      el('figcaption', null, el('i', { class: 'dot', style: { background: colourName(k) } }), el('b', null, `${k}\u2002${blocName(k)}`)),
      graphFigure(graph, k, (col) => nameIn(table.cols, words.col, col))))));
}

function confusion() {
  const { truth } = facts;
  if (!truth) return;
  const count = (i, j) => truth.counts[i * truth.clusters.length + j];
  const largest = truth.classes.map((_, i) => Math.max(1, truth.clusters.reduce((sum, __, j) => sum + count(i, j), 0)));
  section('truth', 'Comparison with the known classes',
    `Accuracy ${percent(truth.acc, 1)}, NMI ${truth.nmi.toFixed(3)}, ARI ${truth.ari.toFixed(3)}. The classes were not used to find the blocs.`,
    heatMap({
      caption: 'Known classes by blocs', corner: 'class \u2193 bloc \u2192',
      rows: truth.classes.map((name) => ({ text: String(name) })),
      cols: truth.clusters.map((k) => ({ text: String(k), colour: colourName(k), title: blocName(k) })),
      cell: (i, j) => ({ text: count(i, j) ? grouped(count(i, j)) : '\u00b7', className: count(i, j) ? null : 'none',
        style: { background: `color-mix(in srgb, var(--more) ${Math.round(78 * count(i, j) / largest[i])}%, var(--paper))` } }),
    }));
}

function curveChart() {
  const models = [...new Set(facts.curve.map((p) => p.model))], chosen = facts.curve.find((p) => p.chosen);
  const by = facts.curve.every((p) => p.value === p.icl) ? 'ICL' : 'modularity';
  const bestOf = (model) => {
    const best = new Map();
    for (const p of facts.curve) if (p.model === model && !(best.get(p.k) > p.value)) best.set(p.k, p.value);
    return [...best].sort((a, b) => a[0] - b[0]);
  };
  return chart({
    title: 'How many blocs?', yTitle: `${by} of each size${models.length > 1 ? `: ${models.join(', ')}` : ''}`, xTitle: 'blocs',
    alt: `${by} by the number of blocs; ${chosen ? `${chosen.k} was chosen` : ''}`,
    series: models.map((model, i) => ({ points: bestOf(model), joined: true, colour: colourName(i) })),
    mark: chosen ? { x: chosen.k, label: `${chosen.k} chosen` } : null,
  });
}

function fitCharts() {
  const { fit, model } = facts, charts = [];
  if (facts.curve.length > 1) charts.push(curveChart());
  if (fit.trace.length > 1)
    charts.push(chart({ title: 'Convergence', yTitle: `${model.criterion} of the best start`, xTitle: 'iteration',
      alt: `The criterion over ${fit.trace.length} iterations`,
      series: [{ points: fit.trace.map((value, i) => [i + 1, value]), joined: true, colour: 'var(--c0)' }] }));
  if (fit.restarts.filter((c) => c !== null).length > 1)
    charts.push(chart({ title: 'Starts', yTitle: `${model.criterion} that each start reached`, xTitle: 'start',
      alt: `The criterion of ${fit.restarts.length} starts; the best is ${fit.bestRestart + 1}`,
      mark: { x: fit.bestRestart + 1, label: 'best' },
      series: [{ points: fit.restarts.map((value, i) => [i + 1, value === null ? NaN : value]), joined: false, colour: 'var(--c0)' }] }));
  const tree = facts.merges.length > 1 ? el('figure', { class: 'chart' },
    el('figcaption', null, el('b', null, 'Similar blocs'), el('span', { class: 'quiet' }, ' merged two at a time, the pair that costs least first')),
    dendrogram(facts.merges, blocName, (value) => short(value, 5))) : null;
  const shown = [...charts.filter(Boolean), tree].filter(Boolean);
  if (shown.length === 0) return;
  section('fit', 'How the blocs were found', stopText(), el('div', { class: 'charts' }, ...shown));
}

function stopText() {
  const { fit, model } = facts;
  const how = fit.stop === 'converged' ? `converged after ${counted(fit.iterations, 'iteration', 'iterations')}`
    : `stopped after ${counted(fit.iterations, 'iteration', 'iterations')} (${fit.stop})`;
  const weights = { none: 'unweighted values', binary: 'binary values', tfidf: 'TF-IDF weights', rownorm: 'rows of unit length' };
  return `Model ${model.name}, ${model.inference} inference, ${weights[model.weight] || model.weight}, seed ${fit.seed}: ${how}.`;
}

// ---- light and dark

const root = document.documentElement, prefersDark = matchMedia('(prefers-color-scheme: dark)');
let chosenTheme = null;

function applyTheme(theme = chosenTheme || (prefersDark.matches ? 'dark' : 'light')) {
  root.dataset.theme = theme;
  facts.palette[theme].forEach((colour, i) => root.style.setProperty(`--c${i}`, colour));
  document.getElementById('theme').setAttribute('aria-pressed', String(theme === 'dark'));
}

function themes(redraw) {
  const change = () => { applyTheme(); redraw(); };
  document.getElementById('theme').addEventListener('click', () => { chosenTheme = root.dataset.theme === 'dark' ? 'light' : 'dark'; change(); });
  prefersDark.addEventListener('change', change);
  addEventListener('beforeprint', () => { applyTheme('light'); redraw(true); }); // paper is white
  addEventListener('afterprint', () => { applyTheme(); redraw(true); });
}

// ---- all of it

async function start() {
  applyTheme();
  const picture = head();
  const table = await readTable(), views = [];
  const found = el('p', { id: 'found', 'aria-live': 'polite', hidden: true });
  const find = (selection) => {
    const kind = selection.row === undefined ? 'col' : 'row', line = selection[kind];
    const side = kind === 'row' ? table.rows : table.cols, label = side.labels[line];
    for (const view of views) { view.select(selection); if (view.inOrder) view.show(selection); }
    found.hidden = false;
    found.replaceChildren(el('b', null, clip(nameIn(side, words[kind], line), 120)), ` is ${article(words[kind])} ${label < 0 ? 'without entries, in no cluster' : 'in '}`,
      label < 0 ? '' : kind === 'row' || isDiagonal ? el('a', { href: `#bloc-${label}` }, `bloc ${label}, ${blocName(label)}`) : clusterWord(kind, label),
      '. ', el('button', { type: 'button', class: 'link', on: { click: clear } }, 'Clear'));
    document.getElementById('matrix').scrollIntoView();
  };
  const clear = () => {
    found.hidden = true;
    for (const view of views) { view.select({}); view.reset(); }
  };
  const browse = memberWindow(table, find);
  section('blocs', facts.k === 1 ? 'The bloc' : `The ${inWords(facts.k)} blocs`, null,
    el('div', { class: 'cards' }, ...Array.from({ length: facts.k }, (_, k) => card(table, k, find, browse))));
  views.push(...matrices(table, found));
  views[1].small = picture;
  if (facts.colNames.length) views.push(...sections(table));
  topics(table, find);
  blockTable();
  graphs(table);
  confusion();
  fitCharts();
  searchBox(table, find);
  themes((now) => views.forEach((view) => (now ? view.draw() : view.changed())));
  document.getElementById('foot').append(el('p', null, `Made by cobloc ${facts.version}. This page is self-contained and loads nothing from the network. Press `,
    el('kbd', null, '/'), ' to search.'));
  const drawn = () => {
    if (views.every((view) => view.drawn)) document.documentElement.dataset.ready = String(Math.round(performance.now()));
    else requestAnimationFrame(drawn);
  };
  drawn();
}

start().catch((error) => {
  main.append(el('p', { class: 'note', role: 'alert' }, `This report could not be drawn (${error.message}). It needs a browser from 2023 or later.`));
  throw error;
});
