// The blocs over something else that is known of the rows: a date, a source, a class.

const DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?:[T ].*)?$/;

// {names, of}: the groups in their order, and the group of each row; -1: its value is empty.
function groupValues(values) {
  const filled = values.filter((value) => value.trim());
  if (filled.length && filled.every((value) => DATE.test(value.trim()))) return groupBy(values, dateLength(filled), true);
  const numbers = filled.map(Number);
  if (filled.length && numbers.every(Number.isFinite) && new Set(numbers).size > 12) return groupNumbers(values, Math.min(...numbers), Math.max(...numbers));
  return groupBy(values, Infinity, numbers.every(Number.isFinite));
}

// Years, months or days: the longest that gives at least four groups, else the shortest that the values have.
function dateLength(values) {
  for (const length of [4, 7, 10]) if (new Set(values.map((value) => value.trim().slice(0, length))).size >= 4) return length;
  return 10;
}

// Groups of equal beginnings; categories by their number of rows, the last ones together.
function groupBy(values, length, inOrder) {
  const MOST = inOrder ? 60 : 24, counts = new Map(), key = (value) => value.trim().slice(0, length);
  for (const value of values) if (value.trim()) counts.set(key(value), (counts.get(key(value)) || 0) + 1);
  const natural = (a, b) => (Number(a) - Number(b) || (a < b ? -1 : 1));
  let names = [...counts.keys()].sort(inOrder ? natural : (a, b) => counts.get(b) - counts.get(a) || natural(a, b));
  const rest = names.length > MOST && !inOrder;
  if (rest) names = [...names.slice(0, MOST - 1), 'others'];
  const at = new Map(names.map((name, i) => [name, i]));
  return { names, of: values.map((value) => (!value.trim() ? -1 : at.has(key(value)) ? at.get(key(value)) : names.length - 1)) };
}

function groupNumbers(values, low, high) {
  const BINS = 12, step = (high - low) / BINS;
  return { names: Array.from({ length: BINS }, (_, i) => `${short(low + i * step)} to ${short(low + (i + 1) * step)}`),
    of: values.map((value) => (value.trim() ? Math.min(BINS - 1, Math.floor((Number(value) - low) / step)) : -1)) };
}

// A bar for each group: which share of its rows is in the bloc.
function barsOf(cluster, groups, counts, totals, most) {
  const width = 380, height = 130, left = 34, bottom = 22, step = (width - left) / groups.length;
  const y = (share) => 8 + (1 - share / most) * (height - bottom - 8);
  const label = (i, anchor) => svg('text', { x: left + (i + 0.5) * step, y: height - 6, 'text-anchor': anchor }, clip(groups[i], 16));
  return svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', class: 'bars-over', style: { '--series': colourName(cluster) },
    'aria-label': `Bloc ${cluster}: ${groups.slice(0, 12).map((name, g) => `${name} ${percent(counts[g] / Math.max(1, totals[g]))}`).join(', ')}` },
    svg('line', { class: 'grid', x1: left, x2: width, y1: y(most), y2: y(most) }), svg('text', { x: left - 5, y: y(most) + 4, 'text-anchor': 'end' }, percent(most)),
    ...groups.map((name, g) => {
      const share = counts[g] / Math.max(1, totals[g]);
      return svg('rect', { x: (left + g * step + Math.min(1.5, step / 8)).toFixed(1), width: Math.max(0.8, step - Math.min(3, step / 4)).toFixed(1), y: y(share).toFixed(1), height: (y(0) - y(share)).toFixed(1) },
        svg('title', null, `${name}: ${grouped(counts[g])} of ${grouped(totals[g])}, ${percent(share)}`));
    }),
    svg('line', { class: 'base', x1: left, x2: width, y1: y(0), y2: y(0) }), label(0, groups.length > 3 ? 'start' : 'middle'),
    groups.length > 1 ? label(groups.length - 1, groups.length > 3 ? 'end' : 'middle') : null);
}

function overSection(table) {
  if (!table.by) return;
  const { names, of } = groupValues(table.by);
  if (names.length === 0) return;
  section('over', () => {
    const counts = Array.from({ length: facts.k }, () => new Array(names.length).fill(0)), totals = new Array(names.length).fill(0);
    of.forEach((group, row) => {
      const bloc = table.rows.labels[row];
      if (group >= 0 && bloc >= 0) { counts[bloc][group]++; totals[group]++; }
    });
    const most = Math.max(0.01, ...counts.flatMap((line) => line.map((count, g) => count / Math.max(1, totals[g]))));
    const lines = names.map((name, g) => [{ value: name }, { value: totals[g], text: grouped(totals[g]) }, ...counts.map((line) => ({ value: line[g], text: line[g] ? grouped(line[g]) : '\u00b7' }))]);
    return { title: 'The blocs over their values',
      lead: `Which share of the ${words.rows} of each group is in a bloc: ${counted(names.length, 'group', 'groups')}, from ${clip(names[0], 40)} to ${clip(names[names.length - 1], 40)}. All charts have the same scale.`,
      content: [el('div', { class: 'graphs' }, ...counts.map((line, k) => el('figure', null, el('figcaption', null, dotOf(k), el('b', null, `${k}\u2002${blocName(k)}`)), barsOf(k, names, line, totals, most)))),
        el('details', null, el('summary', null, 'The table behind them'), ...sortable({ caption: 'Groups by blocs', rows: lines, sort: -1, name: 'over',
          columns: [{ name: 'group' }, { name: words.rows, number: true }, ...counts.map((_, k) => ({ name: `bloc ${k}`, number: true, help: blocName(k) }))] }))] };
  });
}
