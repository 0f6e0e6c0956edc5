// The window of a row: its text, its score in every bloc, and the columns that put it there.

function scoreBars(table, row, scored) {
  const own = table.rows.labels[row], order = scored.scores.map((score, c) => [score, c]).sort((a, b) => b[0] - a[0]);
  const best = order[0][0], range = Math.max(1e-300, best - order[order.length - 1][0]);
  return el('ul', { class: 'bars' }, ...order.map(([score, c]) => el('li', { style: { '--share': `${Math.max(1, Math.round(100 * (1 - (best - score) / range)))}%`, '--bloc': colourName(c) } },
    el('span', { class: 'who' }, `${c}\u2002${clip(blocName(c), 34)}`, c === own ? el('b', null, ' \u2190 here') : null),
    el('span', { class: 'value' }, score === best ? short(score, 5) : `\u2212${short(best - score, 4)}`))));
}

// What each column adds to the row's own bloc, beside another: the differences and the rest sum up to the margin.
function contributionTable(table, row, scored, other) {
  const own = table.rows.labels[row], { entries, part, rest, scores } = scored;
  const line = (node, value, mine, its, none = '') => [node, { value, text: value === null ? none : short(value, 4) }, { value: mine, text: short(mine, 4) },
    { value: its, text: short(its, 4) }, { value: mine - its, text: `${mine - its > 0 ? '+' : ''}${short(mine - its, 4)}` }];
  const lines = entries.map((entry) => line({ value: nameIn(table.cols, words.col, entry[0]), node: () => nameButton(table, 'col', entry[0]) },
    entry[2], part(own, entry), part(other, entry), 'missing'));
  lines.sort((a, b) => Math.abs(b[4].value) - Math.abs(a[4].value));
  const shown = lines.slice(0, 40), left = lines.slice(40);
  const foot = [line({ value: `the size of the bloc and of the ${words.row}` }, null, rest[own], rest[other]), line({ value: 'the score' }, null, scores[own], scores[other])];
  if (left.length) foot.unshift(line({ value: `${colsCounted(left.length)} more` }, null, left.reduce((s, l) => s + l[2].value, 0), left.reduce((s, l) => s + l[3].value, 0)));
  return sortable({ caption: `What puts it into bloc ${own} rather than ${other}`, rows: shown, foot, sort: 4, down: true, name: 'row',
    columns: [{ name: words.col }, { name: 'weight', number: true, help: 'its entry as the model sees it' }, { name: `bloc ${own}`, number: true, help: 'added to the score of this bloc' },
      { name: `bloc ${other}`, number: true, help: 'added to the score of that bloc' }, { name: 'difference', number: true }] });
}

function whyBloc(table, row, scored) {
  const own = table.rows.labels[row], { next } = marginOf(scored.scores, own);
  if (own < 0 || next < 0) return null;
  const holder = el('div', null), choice = el('select', { 'aria-label': 'The other bloc' },
    ...scored.scores.map((_, c) => (c === own ? null : el('option', { value: c, selected: c === next }, `${c}\u2002${clip(blocName(c), 30)}`))));
  const draw = () => holder.replaceChildren(...contributionTable(table, row, scored, Number(choice.value)).filter(Boolean));
  choice.addEventListener('change', draw);
  draw();
  return el('div', null, el('h4', null, `Why bloc ${own} and not `, choice), holder);
}

function openRow(table, row) {
  const name = nameIn(table.rows, words.row, row), own = table.rows.labels[row], scored = own < 0 ? null : scoresOf(table, row);
  const title = [dotOf(own), clip(name, 200)], address = addressOf('row', table.rows, row), text = excerptOf(row);
  const about = [`${capital(article(words.row))} `, own < 0 ? 'without entries, in no cluster' : el('span', null, 'in bloc ', el('a', { href: `#bloc=${own}`, on: { click: closeWindows } }, `${own}, ${blocName(own)}`))];
  if (scored) {
    const { next, margin } = marginOf(scored.scores, own);
    if (next >= 0) about.push(`, ahead of bloc ${next} by ${short(margin, 4)}`);
  }
  return openWindow(title, address, el('p', { class: 'lead' }, ...about, '. ', findButton({ row })), text,
    scored ? el('div', { class: 'lists why' },
      el('div', null, el('h4', null, `The best score${facts.modelRule ? ` by the rule of ${facts.model.name}` : ', the share of its entries beyond chance'}, and how far the others are below it`), scoreBars(table, row, scored)),
      whyBloc(table, row, scored)) : null);
}
