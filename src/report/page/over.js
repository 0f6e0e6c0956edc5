// The blocs over something else that is known of the rows: a date, a source, a class.

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const ISO = /^(\d{4})(?:[-\/.](\d{1,2})(?:[-\/.](\d{1,2}))?)?(?:[T ].*)?$/;
const MAIL = /^(?:[a-z]{3,9},?\s+)?(\d{1,2})[ -]([a-z]{3})[a-z]*\.?,?[ -](\d{4}|\d{2})\b/i; // "Tue, 6 Apr 1993 14:00:00 GMT"
const LONG = /^(?:[a-z]{3,9},?\s+)?([a-z]{3})[a-z]*\.?\s+(\d{1,2})(?:,|\s+[\d:]+(?:\s+[a-z]{3,4})?)?\s+(\d{4})\b/i; // "April 6, 1993"; "Tue Apr 6 14:00:00 1993"

// A date as 2024, 2024-05 or 2024-05-31; null if the text is none.
function dateOf(text) {
  const made = (year, month, day) => {
    if (month === undefined) return year;
    const whole = [Number(month), day === undefined ? 1 : Number(day)];
    if (whole[0] < 1 || whole[0] > 12 || whole[1] < 1 || whole[1] > 31) return null;
    return [year, ...[month, day].filter((part) => part !== undefined).map((part) => String(part).padStart(2, '0'))].join('-');
  };
  const named = (name) => { const at = MONTHS.indexOf(name.toLowerCase()); return at < 0 ? 0 : at + 1; };
  let found = ISO.exec(text);
  if (found) return made(found[1], found[2], found[3]);
  found = MAIL.exec(text);
  if (found) return made(found[3].length === 2 ? String(Number(found[3]) + (Number(found[3]) < 70 ? 2000 : 1900)) : found[3], named(found[2]), found[1]);
  found = LONG.exec(text);
  return found ? made(found[3], named(found[1]), found[2]) : null;
}

// {names, of}: the groups in their order, and the group of each row; -1: its value is empty.
function groupValues(given) {
  const values = given.map((value) => value.trim()), filled = values.filter(Boolean), numbers = filled.map(Number);
  if (filled.length === 0) return { names: [], of: values.map(() => -1) };
  const whole = filled.every((value) => /^\d{4}$/.test(value)), years = !whole || numbers.every((year) => year >= 1000 && year <= 2200);
  const dates = years ? values.map((value) => (value ? dateOf(value) || '' : '')) : [], understood = dates.filter(Boolean).length;
  // A date that cannot be read counts as none, if there are few of them.
  if (understood > 0.95 * filled.length) return groupDates(dates);
  if (numbers.every(Number.isFinite) && new Set(numbers).size > 12) return groupNumbers(values, Math.min(...numbers), Math.max(...numbers));
  return groupBy(values, Infinity, numbers.every(Number.isFinite));
}

// Years, months or days: the longest time that gives at least four groups and all of which are known; many years in groups of 5, 10, ...
function groupDates(dates) {
  const filled = dates.filter(Boolean), shortest = Math.min(...filled.map((date) => date.length));
  const length = [4, 7, 10].find((each) => each <= shortest && new Set(filled.map((date) => date.slice(0, each))).size >= 4) || shortest;
  const years = filled.map((date) => Number(date.slice(0, 4))), span = Math.max(...years) - Math.min(...years);
  const step = length > 4 ? 1 : [1, 2, 5, 10, 20, 50, 100, 200, 500].find((each) => span / each <= 40) || 1000;
  if (step === 1) return groupTimes(dates.map((date) => date.slice(0, length)));
  const names = [], first = Math.floor(Math.min(...years) / step) * step;
  for (let year = first; year <= Math.max(...years); year += step) names.push(`${year}\u2013${year + step - 1}`);
  return { names, of: dates.map((date) => (date ? Math.floor((Number(date.slice(0, 4)) - first) / step) : -1)) };
}

const twoDigits = (number) => String(number).padStart(2, '0');

// The year, month or day after one: 2024, 2024-05 or 2024-05-31.
function timeAfter(date) {
  const [year, month, day] = date.split('-').map(Number);
  if (month === undefined) return String(year + 1).padStart(4, '0');
  if (day !== undefined && day < new Date(Date.UTC(year, month, 0)).getUTCDate()) return `${date.slice(0, 8)}${twoDigits(day + 1)}`;
  const after = month === 12 ? `${timeAfter(date.slice(0, 4))}-01` : `${date.slice(0, 5)}${twoDigits(month + 1)}`;
  return day === undefined ? after : `${after}-01`;
}

// All times from the first to the last, also those without rows, unless they are too many.
function groupTimes(dates) {
  const MOST = 400, known = [...new Set(dates.filter(Boolean))].sort(), last = known[known.length - 1], all = [];
  for (let date = known[0]; date <= last && all.length <= MOST; date = timeAfter(date)) all.push(date);
  const names = known.every((date) => all.includes(date)) ? all : known, at = new Map(names.map((name, i) => [name, i]));
  return { names, of: dates.map((date) => (date ? at.get(date) : -1)) };
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

const over = { counts: false }; // what bars show: counts, or shares of the group

// A bar for each group: how many of its rows are in the bloc, or which share of them.
function barsOf(cluster, groups, counts, totals, most) {
  const width = 380, height = 130, left = 34, bottom = 22, step = (width - left) / groups.length;
  const y = (value) => 8 + (1 - value / most) * (height - bottom - 8), text = (value) => (over.counts ? grouped(value) : percent(value));
  const values = counts.map((count, g) => (over.counts ? count : count / Math.max(1, totals[g])));
  const label = (i, anchor) => svg('text', { x: left + (anchor === 'start' ? i : anchor === 'end' ? i + 1 : i + 0.5) * step, y: height - 6, 'text-anchor': anchor }, clip(groups[i], 20));
  return svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', class: 'bars-over', style: { '--series': colourName(cluster) },
    'aria-label': `Bloc ${cluster}: ${groups.slice(0, 12).map((name, g) => `${name} ${text(values[g])}`).join(', ')}` },
    svg('line', { class: 'grid', x1: left, x2: width, y1: y(most), y2: y(most) }), svg('text', { x: left - 5, y: y(most) + 4, 'text-anchor': 'end' }, text(most)),
    ...groups.map((name, g) => svg('rect', { x: (left + g * step + Math.min(1.5, step / 8)).toFixed(1), width: Math.max(0.8, step - Math.min(3, step / 4)).toFixed(1), y: y(values[g]).toFixed(1), height: (y(0) - y(values[g])).toFixed(1) },
      svg('title', null, `${name}: ${grouped(counts[g])} of ${grouped(totals[g])}, ${percent(counts[g] / Math.max(1, totals[g]))}`))),
    svg('line', { class: 'base', x1: left, x2: width, y1: y(0), y2: y(0) }), label(0, groups.length > 3 ? 'start' : 'middle'),
    groups.length > 1 ? label(groups.length - 1, groups.length > 3 ? 'end' : 'middle') : null);
}

function overSection(table) {
  if (!table.by) return;
  const { names, of } = groupValues(table.by), none = of.filter((group) => group < 0).length;
  if (names.length === 0) return;
  const figures = el('div', { class: 'graphs' });
  let counts, totals;
  const draw = () => {
    const most = Math.max(over.counts ? 1 : 0.01, ...counts.flatMap((line) => line.map((count, g) => (over.counts ? count : count / Math.max(1, totals[g])))));
    figures.replaceChildren(...counts.map((line, k) => el('figure', null, el('figcaption', null, dotOf(k), el('b', null, `${k}\u2002${blocName(k)}`)), barsOf(k, names, line, totals, most))));
  };
  const choice = (text, value) => el('label', null, el('input', { type: 'radio', name: 'over', checked: over.counts === value, on: { change: () => { over.counts = value; draw(); } } }), ` ${text}`);
  const choices = el('fieldset', { class: 'tools choices' }, el('legend', null, 'Bars show'), choice(`shares of the ${words.rows} of a group`, false), choice(`numbers of ${words.rows}`, true));
  section('over', () => {
    counts = Array.from({ length: facts.k }, () => new Array(names.length).fill(0));
    totals = new Array(names.length).fill(0);
    of.forEach((group, row) => {
      const bloc = table.rows.labels[row];
      if (group >= 0 && bloc >= 0) { counts[bloc][group]++; totals[group]++; }
    });
    draw();
    const lines = names.map((name, g) => [{ value: name }, { value: totals[g], text: grouped(totals[g]) }, ...counts.map((line) => ({ value: line[g], text: line[g] ? grouped(line[g]) : '\u00b7' }))]);
    return { title: story.by ? `The blocs over ${clip(story.by, 60)}` : 'The blocs over their values',
      lead: `${capital(rowsCounted(facts.n - none))} in ${counted(names.length, 'group', 'groups')}, ${names.length > 1 ? `from ${clip(names[0], 40)} to ${clip(names[names.length - 1], 40)}` : clip(names[0], 40)}${none ? `; ${rowsCounted(none)} without a value` : ''}. All charts have the same scale.`,
      content: [choices, figures,
        el('details', null, el('summary', null, 'The table behind them'), ...sortable({ caption: 'Groups by blocs', rows: lines, sort: -1, name: 'over',
          columns: [{ name: 'group' }, { name: words.rows, number: true }, ...counts.map((_, k) => ({ name: `bloc ${k}`, number: true, help: blocName(k) }))] }))] };
  });
}
