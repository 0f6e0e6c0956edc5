// The page: its sections from top to bottom.

const main = document.getElementById('top');
const SMALL_NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const inWords = (count) => SMALL_NUMBERS[count] || grouped(count);

// ---- the head

function headline() {
  const k = facts.k, blocs = k === 1 ? 'one bloc' : `${inWords(k)} blocs`;
  return isDiagonal ? `${rowsCounted(facts.n)} and ${colsCounted(facts.d)} in ${blocs}`
    : `${rowsCounted(facts.n)} in ${blocs}, ${colsCounted(facts.d)} in ${inWords(facts.l)} ${facts.l === 1 ? 'group' : 'groups'}`;
}

function summary() {
  const { fit, model, now } = facts, done = fit.restarts.filter((c) => c !== null), folded = facts.k < story.k;
  const close = done.filter((c) => Math.abs(c - fit.criterion) <= 1e-6 * Math.abs(fit.criterion)).length;
  const larger = facts.k > story.k, how = larger ? `Another fit, beside the one with ${inWords(story.k)} blocs that was chosen, by` : 'Found by';
  const parts = [folded ? `Merged from ${inWords(story.k)} blocs, found by` : how, ` ${model.name} (${model.title || model.inference}), with ${article(model.criterion)} of ${short(now.criterion, 5)}`];
  if (!folded && !larger && done.length > 1) parts.push(`, the best of ${inWords(done.length)} starts${close > 1 ? `; ${inWords(close)} of them agree` : ''}`);
  parts.push('.');
  if (now.explained !== null && facts.k > 1)
    parts.push(` The blocs explain ${percent(now.explained)} of the mutual information between ${words.rows} and ${words.cols}.`);
  if (facts.truth)
    parts.push(` ${percent(facts.truth.acc)} of the ${words.rows} are in the bloc that stands for their known class (NMI ${facts.truth.nmi.toFixed(2)}).`);
  return parts.join('');
}

function figures() {
  const density = facts.nnz / facts.n / facts.d;
  const fact = (value, name) => el('div', null, el('dt', null, name), el('dd', null, value));
  return [fact(grouped(facts.nnz), facts.nnz === 1 ? 'entry' : 'entries'),
    fact(percent(density), 'of the cells are filled'),
    facts.now.modularity === null ? null : fact(short(facts.now.modularity), 'modularity'),
    facts.now.icl === null ? null : fact(short(facts.now.icl, 4), 'ICL'),
    facts.truth ? fact(facts.truth.nmi.toFixed(2), 'NMI with the known classes') : null].filter(Boolean);
}

function head() {
  const title = el('h1', null), dek = el('p', { class: 'dek' }), list = el('dl', { class: 'figures' });
  const say = () => {
    title.textContent = headline();
    dek.textContent = summary();
    list.replaceChildren(...figures());
  };
  say();
  followers.push(say);
  const picture = el('canvas', { class: 'hero', width: '520', height: '520', 'aria-hidden': 'true' });
  main.append(el('header', { class: 'head' }, el('div', null, el('p', { class: 'eyebrow' }, facts.title || 'Co-clustering report'), title, dek, list), picture));
  return picture;
}

// ---- sections

function blocsSection(table) {
  const cards = el('div', { class: 'cards' });
  const draw = () => cards.replaceChildren(...Array.from({ length: facts.k }, (_, k) => card(table, k)));
  const controls = termControls(table, draw);
  const names = el('p', { class: 'tools small' }, saveButton('Save names', saveNames), ' ',
    csvButton('rows', () => [[words.row, 'bloc', 'name'], ...Array.from({ length: facts.n }, (_, row) => [nameIn(table.rows, words.row, row), table.rows.labels[row], table.rows.labels[row] < 0 ? '' : blocName(table.rows.labels[row])])]));
  section('blocs', () => {
    draw();
    return { title: facts.k === 1 ? 'The bloc' : `The ${inWords(facts.k)} blocs`, content: [controls, cards, names] };
  });
}

// For 'cobloc report --names'.
function saveNames() {
  const lines = Array.from({ length: facts.k }, (_, k) => [partsOf(k), blocName(k)]);
  for (const [key, name] of renamed) if (!lines.some(([own]) => own === key)) lines.push([key, name]);
  saveFile('names.tsv', `${lines.map(([key, name]) => `${key}\t${name.replace(/[\t\r\n]/g, ' ')}`).join('\n')}\n`, 'text/tab-separated-values');
}

function matrices(table, found) {
  const ratio = (width) => Math.max(260, Math.min(720, width * Math.max(0.62, Math.min(1.25, facts.n / facts.d))));
  const before = new MatrixView(table, { inOrder: false, label: `The table in its original order, ${rowsCounted(facts.n)} by ${colsCounted(facts.d)}`, height: ratio });
  const after = new MatrixView(table, { inOrder: true, label: 'The same table in the order of the blocs', height: ratio });
  const figure = (view, title, text) => el('figure', { class: 'wide' }, el('figcaption', null, el('b', null, title), ` ${text}`), view.element);
  const content = [found, el('div', { class: 'pair' }, figure(before, 'Original order', 'as in the file'),
    figure(after, 'Ordered by bloc', isDiagonal ? 'the entries of a bloc in its colour' : 'blocks fuller than by chance in colour')),
    el('p', { class: 'tools small' }, pngButton('table', () => after.canvas))];
  section('matrix', () => ({ title: 'The table, before and after', content,
    lead: table.entries ? 'Every dot is an entry. Zoom with the wheel, a pinch or the buttons; hover over a cell to see what it is; on the keyboard, the arrow keys move from cell to cell.'
      : 'There are too many entries to draw one by one, so the table shows their density: the stronger the colour, the more entries.' }));
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
  section('sections', () => ({ title: 'Three sections', lead: `${capital(words.cols)} specific to one bloc, to two blocs, and to none.`,
    content: el('div', { class: 'three' }, ...figures) }));
  return views;
}

function blockTable() {
  const colName = (l) => (isDiagonal ? String(l) : facts.colNames[l] || String(l));
  const colColour = (l) => (colourOfCols(l) < 0 ? 'var(--faint-ink)' : colourName(colourOfCols(l)));
  const share = (k, l) => facts.counts[k * facts.l + l] / Math.max(1, facts.rowSizes[k] * facts.colSizes[l]);
  const lines = () => [['rows', 'columns', 'entries', 'density', story.signed ? 'mean' : 'lift'], ...(facts.means || facts.lifts).map((value, at) => {
    const k = Math.floor(at / facts.l), l = at % facts.l;
    return [blocName(k), colName(l), facts.counts[at], share(k, l), value];
  })];
  section('blocks', () => ({ title: 'Block by block',
    lead: story.signed ? 'The mean of each block.' : `How full each block is, as a multiple of what chance would give if ${words.rows} and ${words.cols} were independent: above 1 is more, below 1 is less.`,
    content: [heatMap({
      caption: 'Blocks: row clusters by column clusters', corner: `${words.rows} \u2193 ${words.cols} \u2192`,
      rows: Array.from({ length: facts.k }, (_, k) => ({ text: `${k}\u2002${clip(blocName(k), 34)}`, title: blocName(k), colour: colourName(k) })),
      cols: Array.from({ length: facts.l }, (_, l) => ({ text: colName(l), colour: colColour(l), title: `${colsCounted(facts.colSizes[l])}` })),
      cell: (k, l) => ({ ...(facts.means ? { text: short(facts.means[k * facts.l + l]) } : { text: liftText(lift(k, l)), style: liftStyle(lift(k, l)) }),
        title: `${counted(facts.counts[k * facts.l + l], 'entry', 'entries')}, ${percent(share(k, l), 1)} of the cells` }),
    }), el('p', { class: 'tools small' }, csvButton('blocks', lines))] }));
}

// If columns have their own clusters: what these hold, and which blocs they go with.
function topics(table) {
  const name = (l) => facts.colNames[l] || String(l);
  const topic = (about, l) => el('article', { class: 'card small', style: { '--bloc': colourOfCols(l) < 0 ? 'var(--soft)' : colourName(colourOfCols(l)) } },
    el('h3', null, el('span', { class: 'number' }, name(l)), about.name),
    el('p', { class: 'sizes' }, `${colsCounted(facts.colSizes[l])}${about.partners.length ? `, with ${about.partners.length === 1 ? 'bloc' : 'blocs'} ${about.partners.map((p) => p[0]).join(', ')}` : ''}`),
    termList(table, about.telling.slice(0, 6).map((t) => [t[0], t[4], short(t[4]), Math.max(0, t[4]) / Math.max(about.telling[0][4], 1e-300)])));
  section('topics', () => facts.topics.length === 0 ? null : { title: `${capital(inWords(facts.l))} groups of ${words.cols}`,
    content: el('div', { class: 'cards' }, ...facts.topics.map(topic)) });
}

function graphs(table) {
  section('graphs', () => {
    const joined = facts.blocs.map((bloc, k) => [bloc.graph, k]).filter(([graph]) => graph.edges.length > 0);
    return joined.length === 0 ? null : { title: `${capital(words.cols)} that occur together`,
      lead: `The most telling ${words.cols} of each bloc. A line joins two that occur in the same ${words.rows}; the thicker, the more often.`,
      content: el('div', { class: 'graphs' }, ...joined.map(([graph, k]) => {
        const picture = graphFigure(graph, k, (col) => nameIn(table.cols, words.col, col));
        return el('figure', null, el('figcaption', null, dotOf(k), el('b', null, `${k}\u2002${blocName(k)}`)), picture,
          el('p', { class: 'tools small' }, svgButton(`graph-${k}`, () => picture)));
      })) };
  });
}

function confusion() {
  section('truth', () => {
    const { truth } = facts;
    if (!truth) return null;
    const count = (i, j) => truth.counts[i * truth.clusters.length + j];
    const largest = truth.classes.map((_, i) => Math.max(1, truth.clusters.reduce((sum, __, j) => sum + count(i, j), 0)));
    return { title: 'Comparison with the known classes',
      lead: `Accuracy ${percent(truth.acc, 1)}, NMI ${truth.nmi.toFixed(3)}, ARI ${truth.ari.toFixed(3)}. The classes were not used to find the blocs.`,
      content: [heatMap({
        caption: 'Known classes by blocs', corner: 'class \u2193 bloc \u2192',
        rows: truth.classes.map((name) => ({ text: String(name) })),
        cols: truth.clusters.map((k) => ({ text: String(k), colour: colourName(k), title: blocName(k) })),
        cell: (i, j) => ({ text: count(i, j) ? grouped(count(i, j)) : '\u00b7', className: count(i, j) ? null : 'none',
          style: { background: `color-mix(in srgb, var(--more) ${Math.round(78 * count(i, j) / largest[i])}%, var(--paper))` } }),
      }), el('p', { class: 'tools small' }, csvButton('classes', () => [['class', ...truth.clusters.map(String)], ...truth.classes.map((name, i) => [String(name), ...truth.clusters.map((_, j) => count(i, j))])]))] };
  });
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
    series: models.map((model, i) => ({ points: bestOf(model), joined: true, colour: `var(--c${i})` })),
    mark: chosen ? { x: chosen.k, label: `${chosen.k} chosen` } : null,
  });
}

function fitSection() {
  section('fit', fitCharts);
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
    dendrogram(facts.merges, story.blocs.map((bloc, c) => (bloc.name ? bloc.name : `Bloc ${c}`)), (value) => short(value, 5), facts.k)) : null;
  const shown = [...charts.filter(Boolean), tree].filter(Boolean);
  return shown.length === 0 ? null : { title: 'How the blocs were found', lead: stopText(), content: el('div', { class: 'charts' }, ...shown) };
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

// Shows a row or a column in the matrices, and says where it is.
function finderIn(table, views, found) {
  const clear = () => {
    found.hidden = true;
    for (const view of views) { view.select({}); view.reset(); }
  };
  go.find = (selection) => {
    const kind = selection.row === undefined ? 'col' : 'row', line = selection[kind];
    const side = kind === 'row' ? table.rows : table.cols, label = side.labels[line];
    for (const view of views) { view.select(selection); if (view.inOrder) view.show(selection); }
    found.hidden = false;
    found.replaceChildren(el('b', null, clip(nameIn(side, words[kind], line), 120)), ` is ${article(words[kind])} ${label < 0 ? 'without entries, in no cluster' : 'in '}`,
      label < 0 ? '' : kind === 'row' || isDiagonal ? el('a', { href: `#bloc=${label}` }, `bloc ${label}, ${blocName(label)}`) : clusterWord(kind, label), '. ',
      el('button', { type: 'button', class: 'link', on: { click: () => (kind === 'row' ? openRow : openTerm)(table, line) } }, 'More about it'), ' ',
      el('button', { type: 'button', class: 'link', on: { click: clear } }, 'Clear'));
    document.getElementById('matrix').scrollIntoView();
  };
  followers.push(() => { found.hidden = true; for (const view of views) { view.select({}); view.changed(); } });
}

// The page is ready once every matrix has been drawn.
function tellWhenDrawn(views) {
  const look = () => {
    if (views.every((view) => view.drawn)) root.dataset.ready = String(Math.round(performance.now()));
    else requestAnimationFrame(look);
  };
  look();
}

async function start() {
  applyTheme();
  const picture = head();
  const table = await readTable(), views = [];
  const found = el('p', { id: 'found', 'aria-live': 'polite', hidden: true });
  const bar = foldBar(table);
  if (bar) main.append(bar);
  finderIn(table, views, found);
  go.renamed = () => parts.forEach(render);
  blocsSection(table);
  views.push(...matrices(table, found));
  views[1].small = picture;
  mapSection(table, views);
  if (facts.colNames.length) views.push(...sections(table));
  topics(table);
  qualitySection();
  overSection(table);
  blockTable();
  graphs(table);
  confusion();
  movedSection(table);
  fitSection();
  searchBox(table, go.find);
  themes((now) => views.forEach((view) => (now ? view.draw() : view.changed())));
  document.getElementById('foot').append(el('p', null, `Made by cobloc ${facts.version}. This page is self-contained and loads nothing from the network. Press `,
    el('kbd', null, '/'), ' to search.'));
  addEventListener('hashchange', () => followAddress(table));
  followAddress(table);
  tellWhenDrawn(views);
}

start().catch((error) => {
  main.append(el('p', { class: 'note', role: 'alert' }, `This report could not be drawn (${error.message}). It needs a browser from 2023 or later.`));
  throw error;
});
