// Two results for the same rows side by side: which rows moved.

// counts[a][b] of rows in bloc a here and in bloc b there; -1 is the last of each.
function crossTable(here, there, k, l) {
  const counts = Array.from({ length: k }, () => new Array(l).fill(0));
  for (let i = 0; i < here.length; i++) if (here[i] >= 0 && there[i] >= 0) counts[here[i]][there[i]]++;
  return counts;
}

// Pairs of blocs that are the same in both, one by one, the pair that shares the most rows first.
function pairBlocs(counts) {
  const all = counts.flatMap((line, a) => line.map((count, b) => [count, a, b])).filter(([count]) => count > 0).sort((x, y) => y[0] - x[0] || x[1] - y[1] || x[2] - y[2]);
  const pair = new Map(), taken = new Set();
  for (const [, a, b] of all) if (!pair.has(a) && !taken.has(b)) { pair.set(a, b); taken.add(b); }
  return pair;
}

function movedSection(table) {
  if (!table.other) return;
  section('moved', () => {
    const { labels } = table.rows, { k, model } = story.other, counts = crossTable(labels, table.other, facts.k, k), pair = pairBlocs(counts);
    const moved = [];
    for (let i = 0; i < facts.n; i++) if (labels[i] >= 0 && table.other[i] >= 0 && pair.get(labels[i]) !== table.other[i]) moved.push(i);
    const largest = counts.map((line) => Math.max(1, line.reduce((a, b) => a + b, 0)));
    const show = el('div', null);
    const list = (rows, title) => show.replaceChildren(el('h3', { class: 'minor' }, title), el('ul', { class: 'plain' }, ...rows.slice(0, 120).map((row) =>
      el('li', null, dotOf(labels[row]), nameButton(table, 'row', row), el('span', { class: 'quiet' }, ` ${labels[row]}\u202f\u2192\u202f${table.other[row]}`)))),
      rows.length > 120 ? el('p', { class: 'quiet' }, `and ${rowsCounted(rows.length - 120)} more`) : '');
    list(moved, `${rowsCounted(moved.length)} that moved`);
    return { title: 'Compared with another result',
      lead: `The other result has ${counted(k, 'bloc', 'blocs')} (${model}). ${percent(1 - moved.length / Math.max(1, labels.filter((a) => a >= 0).length))} of the ${words.rows} are in blocs that go with each other; ${rowsCounted(moved.length)} moved.`,
      content: [heatMap({ caption: 'Blocs here by blocs of the other result', corner: 'here \u2193 there \u2192',
        rows: counts.map((_, a) => ({ text: `${a}\u2002${clip(blocName(a), 34)}`, colour: colourName(a) })),
        cols: Array.from({ length: k }, (_, b) => ({ text: String(b) })),
        cell: (a, b) => ({ text: counts[a][b] ? grouped(counts[a][b]) : '\u00b7', className: counts[a][b] ? null : 'none',
          style: { background: `color-mix(in srgb, var(--more) ${Math.round(78 * counts[a][b] / largest[a])}%, var(--paper))` } }) }),
      show, el('p', { class: 'tools small' }, csvButton('moved', () => [[words.row, 'here', 'there'], ...moved.map((row) => [nameIn(table.rows, words.row, row), labels[row], table.other[row]])]))] };
  });
}
