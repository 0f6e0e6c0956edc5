// The terms of the blocs: which are shown, by what, and the window of one.

const TERM_MODES = {
  telling: ['telling', 4, (v) => short(v), () => `how well ${article(words.col)} tells these ${words.rows} from the others (log-likelihood ratio)`],
  frequent: ['frequent', 1, (v) => short(v), () => `the sum of its entries in these ${words.rows}`],
  coherent: ['coherent', 5, fixed, () => `how often it occurs with its nearest neighbours (NPMI, \u22121 to 1)`],
};
const terms = { mode: 'telling', lambda: 0.6, shown: 8 };

// The most relevant columns of a bloc (Sievert and Shirley 2014): lambda log p(column | bloc) + (1 - lambda) log lift.
function relevantTerms(table, bloc, lambda, most) {
  const { sums, totals, total } = columnSums(table), { k, d } = facts, found = [];
  for (let col = 0; col < d; col++) {
    const inside = sums[col * k + bloc];
    if (!(inside > 0)) continue;
    let all = 0;
    for (let c = 0; c < k; c++) all += sums[col * k + c];
    const share = Math.log(inside / totals[bloc]);
    const value = lambda * share + (1 - lambda) * (share - Math.log(all / total));
    if (found.length < most || value > found[most - 1][1]) {
      found.push([col, value]);
      found.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
      if (found.length > most) found.pop();
    }
  }
  return found;
}

// [column, number, text, bar from 0 to 1] for each term of a bloc.
function shownTerms(table, bloc, about) {
  if (terms.mode === 'relevance') {
    const found = relevantTerms(table, bloc, terms.lambda, terms.shown), low = Math.min(...found.map((t) => t[1])) - 0.5;
    return found.map(([col, value]) => [col, value, value.toFixed(2), (value - low) / Math.max(1e-9, found[0][1] - low)]);
  }
  const [key, at, text] = TERM_MODES[terms.mode], list = about[key].slice(0, terms.shown);
  const most = Math.max(...list.map((t) => t[at]), 1e-300);
  return list.map((t) => [t[0], t[at], t[at] === null ? '' : text(t[at]), Math.max(0, t[at] / most)]);
}

function termList(table, list) {
  return el('ol', { class: 'terms' }, ...list.map(([col, value, text, bar]) =>
    el('li', { style: { '--share': `${Math.max(2, Math.round(100 * bar))}%` } }, nameButton(table, 'col', col), el('span', { class: 'value', 'data-value': value }, text))));
}

// The switch above the cards; `changed` draws them again.
function termControls(table, changed) {
  const choices = [...Object.keys(TERM_MODES), ...(table.entries ? ['relevance'] : [])];
  const legend = el('span', { class: 'quiet' }), value = el('output', { for: 'lambda' });
  const slider = el('input', { type: 'range', id: 'lambda', min: 0, max: 1, step: 0.05, value: terms.lambda,
    'aria-label': 'Relevance: 0 by lift alone, 1 by frequency alone' });
  const relevance = el('span', { class: 'lambda' }, el('span', { class: 'quiet' }, 'lift'), slider, el('span', { class: 'quiet' }, 'frequency'), value);
  const say = () => {
    relevance.hidden = terms.mode !== 'relevance';
    value.textContent = `\u03bb = ${terms.lambda.toFixed(2)}`;
    legend.textContent = terms.mode === 'relevance' ? 'Number: \u03bb log frequency + (1 \u2212 \u03bb) log lift.' : `Number: ${TERM_MODES[terms.mode][3]()}.`;
  };
  slider.addEventListener('input', () => { terms.lambda = Number(slider.value); say(); changed(); });
  const choice = (mode) => el('label', null, el('input', { type: 'radio', name: 'terms', value: mode, checked: mode === terms.mode,
    on: { change: () => { terms.mode = mode; say(); changed(); } } }), ` ${mode}`);
  say();
  return el('fieldset', { class: 'tools choices' }, el('legend', null, `${capital(words.cols)} by`), ...choices.map(choice), relevance, legend);
}

// ---- one term

// Columns that occur in the same rows: the cosine of their rows, for those in at least two of them.
function neighboursOf(table, col, holders, most) {
  const together = new Map(), all = frequencies(table);
  for (const [row] of holders) eachEntry(table, row, (other) => { if (other !== col) together.set(other, (together.get(other) || 0) + 1); });
  return [...together].filter(([, both]) => both > 1).map(([other, both]) => [other, both / Math.sqrt(all[col] * all[other]), both])
    .sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, most);
}

// [row, value] of the rows with an entry in a column, the largest values first.
function holdersOf(table, col) {
  const { entries: { offsets, columns, values }, rows, cols } = table, wanted = cols.base.place[col], found = [];
  for (let line = 0, e = 0; line < facts.n; line++)
    for (e = offsets[line]; e < offsets[line + 1]; e++) if (columns[e] === wanted) found.push([rows.base.at[line], values ? values[e] : 1]);
  return found.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
}

function termCounts(table, col) {
  const { sums, holding, totals, total } = columnSums(table), { k } = facts;
  let all = 0;
  for (let c = 0; c < k; c++) all += sums[col * k + c];
  const lines = Array.from({ length: k }, (_, c) => {
    const sum = sums[col * k + c], held = holding[col * k + c];
    const expected = all * totals[c] / total, weight = tellingWeight(table, col, c);
    return [{ value: c, node: () => el('span', null, dotOf(c), `${c}\u2002${clip(blocName(c), 40)}`) },
      { value: held, text: grouped(held), title: `${percent(held / Math.max(1, facts.rowSizes[c]), 1)} of the ${words.rows} of this bloc` },
      { value: sum, text: short(sum, 6) }, { value: expected > 0 ? sum / expected : 0, text: liftText(expected > 0 ? sum / expected : 0) },
      { value: weight, text: short(weight) }];
  });
  return sortable({ caption: `${nameIn(table.cols, words.col, col)} in the blocs`, sort: 2, down: true, rows: lines, name: 'term',
    columns: [{ name: 'bloc' }, { name: words.rows, number: true, help: `how many ${words.rows} have it` }, { name: 'sum', number: true, help: 'the sum of its entries' },
      { name: 'lift', number: true, help: 'times as many as if it were spread evenly' }, { name: 'telling', number: true, help: 'log-likelihood ratio' }] });
}

function openTerm(table, col) {
  const name = nameIn(table.cols, words.col, col), label = table.cols.labels[col], title = [dotOf(colourOfCols(label)), name];
  const where = label < 0 ? 'without entries, in no cluster' : `in ${clusterWord('col', label)}${isDiagonal ? `, ${blocName(label)}` : ''}`;
  const address = addressOf('col', table.cols, col);
  if (!table.entries) return openWindow(title, address, el('p', null, `${capital(article(words.col))} ${where}. `, findButton({ col })));
  const holders = holdersOf(table, col), near = neighboursOf(table, col, holders.slice(0, 5000), 14);
  return openWindow(title, address,
    el('p', { class: 'lead' }, `${capital(article(words.col))} ${where}, in ${rowsCounted(holders.length)}. `, findButton({ col })),
    el('div', { class: 'lists' },
      el('div', null, el('h4', null, 'In the blocs'), ...termCounts(table, col)),
      el('div', null, el('h4', null, `${capital(words.cols)} beside it`), near.length ? el('ul', null, ...near.map(([other, cosine, both]) =>
        el('li', null, nameButton(table, 'col', other), el('span', { class: 'quiet' }, ` ${cosine.toFixed(2)}, ${rowsCounted(both)}`)))) : el('p', { class: 'quiet' }, 'None more than once.'))),
    el('h4', null, `${capital(words.rows)} that have it`),
    el('ul', { class: hasTexts() ? 'plain wide' : 'plain' }, ...holders.slice(0, 30).map(([row, value]) => el('li', null, dotOf(table.rows.labels[row]), nameButton(table, 'row', row),
      value !== 1 ? el('span', { class: 'quiet' }, ` ${short(value)}`) : null, excerptAround(row, name)))),
    holders.length > 30 ? el('p', { class: 'quiet' }, `and ${rowsCounted(holders.length - 30)} more`) : null);
}
