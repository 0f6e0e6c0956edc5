// Small charts as SVG, tables as heat maps.

const CHART = { width: 420, height: 220, left: 58, right: 14, top: 18, bottom: 34 };

// Round numbers from low to high, at most `most`.
function ticksOf(low, high, most, whole) {
  const power = 10 ** Math.floor(Math.log10((high - low) / most));
  let step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => (high - low) / s <= most);
  if (whole) step = Math.max(1, Math.ceil(step - 1e-9));
  const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

function scaleOf(values, start, end, { most, whole = false, room = 0.06 }) {
  const finite = values.filter(Number.isFinite);
  let low = Math.min(...finite), high = Math.max(...finite);
  if (high - low < 1e-12 * Math.max(1e-300, Math.abs(high))) {
    const spare = whole ? 1 : Math.abs(high) * 0.05 || 1;
    low -= spare;
    high += spare;
  }
  const spare = (high - low) * room;
  low -= spare;
  high += spare;
  const at = (value) => start + (value - low) / (high - low) * (end - start);
  return { at, ticks: ticksOf(low, high, most, whole) };
}

// Enough digits for neighbouring ticks to differ.
function tickTexts(ticks) {
  const largest = Math.max(...ticks.map(Math.abs)), step = ticks.length > 1 ? ticks[1] - ticks[0] : largest || 1;
  const power = largest >= 1e5 || largest < 1e-3 ? Math.floor(Math.log10(largest || 1)) : 0, unit = 10 ** power;
  const decimals = Math.max(0, Math.min(8, Math.ceil(-Math.log10(step / unit) - 1e-9)));
  const enough = Math.abs(step / unit * 10 ** decimals - Math.round(step / unit * 10 ** decimals)) < 1e-6 ? decimals : decimals + 1;
  return { texts: ticks.map((t) => (t / unit).toFixed(enough).replace('-', '\u2212')), power };
}

const raised = (number) => String(number).replace(/./g, (c) => '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079'['0123456789'.indexOf(c)] || '\u207b');

// series: {points: [[x, y]], joined, colour, name}; mark: x of a vertical line with its label.
function chart({ series, title, alt, xTitle, yTitle, whole = true, mark = null }) {
  const c = CHART, points = series.flatMap((s) => s.points).filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y));
  if (points.length === 0) return null;
  const x = scaleOf(points.map((p) => p[0]), c.left, c.width - c.right, { most: 8, whole });
  const y = scaleOf(points.map((p) => p[1]), c.height - c.bottom, c.top, { most: 5 });
  const xTexts = tickTexts(x.ticks), yTexts = tickTexts(y.ticks);
  const text = (at, up, anchor, content, name) => svg('text', { x: at, y: up, 'text-anchor': anchor, class: name }, content);
  const parts = [
    ...y.ticks.map((t, i) => svg('g', null, svg('line', { class: 'grid', x1: c.left, x2: c.width - c.right, y1: y.at(t), y2: y.at(t) }),
      text(c.left - 7, y.at(t) + 3.5, 'end', yTexts.texts[i]))),
    yTexts.power ? text(c.left - 7, c.top - 8, 'end', `\u00d710${raised(yTexts.power)}`) : null,
    ...x.ticks.map((t, i) => text(x.at(t), c.height - c.bottom + 15, 'middle', xTexts.texts[i])),
    text(c.width - c.right, c.height - 4, 'end', xTitle, 'axis'),
    svg('line', { class: 'base', x1: c.left, x2: c.width - c.right, y1: c.height - c.bottom, y2: c.height - c.bottom }),
    mark ? svg('g', null, svg('line', { class: 'marked', x1: x.at(mark.x), x2: x.at(mark.x), y1: c.top, y2: c.height - c.bottom }),
      text(x.at(mark.x), c.top - 6, x.at(mark.x) > c.width - 90 ? 'end' : 'middle', mark.label, 'label')) : null,
    ...series.map((s) => drawSeries(s, x, y))];
  return el('figure', { class: 'chart' },
    el('figcaption', null, el('b', null, title), yTitle ? el('span', { class: 'quiet' }, ` ${yTitle}`) : null),
    svg('svg', { viewBox: `0 0 ${c.width} ${c.height}`, role: 'img', 'aria-label': alt },
      ...parts.filter(Boolean)));
}

function drawSeries({ points, joined, colour, tips }, x, y) {
  const places = points.filter(([, value]) => Number.isFinite(value)).map(([at, value]) => [x.at(at), y.at(value)]);
  const style = { '--series': colour };
  return svg('g', { class: 'series', style },
    joined && places.length > 1 ? svg('polyline', { points: places.map((p) => p.map((v) => v.toFixed(1)).join(',')).join(' ') }) : null,
    ...(places.length <= 60 || !joined ? places.map(([px, py], i) => svg('circle', { cx: px.toFixed(1), cy: py.toFixed(1), r: joined ? 2.4 : 3.6 },
      tips ? svg('title', null, tips[i]) : null)) : []));
}

// ---- heat maps

// Lift: blue above 1, up to 8; light grey below.
function liftStyle(value) {
  const strength = Math.max(-1, Math.min(1, Math.log2(Math.max(value, 1e-9)) / 3));
  const share = Math.round(Math.abs(strength) * (strength > 0 ? 78 : 26));
  return { background: `color-mix(in srgb, ${strength > 0 ? 'var(--more)' : 'var(--less)'} ${share}%, var(--paper))` };
}

const liftText = (value) => (value === 0 ? '0' : value < 0.095 ? '<0.1' : value < 9.95 ? value.toFixed(1) : String(Math.round(value)));

// rows, cols: {text, colour}; cell(i, j) returns {text, style, title}.
function heatMap({ rows, cols, cell, caption, corner }) {
  const tight = cols.length > 16;
  const head = (item, scope) => el('th', { scope }, item.colour ? el('i', { class: 'dot', style: { background: item.colour } }) : null,
    el('span', { title: item.title }, item.text));
  return el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    el('table', { class: tight ? 'heat tight' : 'heat' }, el('caption', { class: 'hidden' }, caption),
      el('thead', null, el('tr', null, el('td', { class: 'quiet' }, corner || ''), ...cols.map((c) => head(c, 'col')))),
      el('tbody', null, ...rows.map((r, i) => el('tr', null, head(r, 'row'), ...cols.map((_, j) => {
        const { text, style, title, className } = cell(i, j);
        return el('td', { style, title, class: className }, text);
      }))))));
}

// ---- the hierarchy

// The tree of clusters, merged two at a time, from the left (all apart) to the right (one).
function dendrogram(merges, names, values, shown) {
  const k = merges.length + 1, row = 22, left = 204, width = CHART.width, height = k * row + 12;
  const groups = new Map(Array.from({ length: k }, (_, i) => [i, { order: [i], x: 0 }]));
  for (const [a, b] of merges) {
    groups.set(a, { order: [...groups.get(a).order, ...groups.get(b).order] });
    groups.delete(b);
  }
  const place = new Map([...groups.values()][0].order.map((c, i) => [c, 14 + i * row]));
  const step = (width - left - 20) / Math.max(1, k - 1);
  const node = new Map(Array.from({ length: k }, (_, i) => [i, { x: left, y: place.get(i) }])), lines = [];
  merges.forEach(([a, b], s) => {
    const x = left + (s + 1) * step, top = node.get(a), low = node.get(b);
    lines.push(svg('path', { d: `M${top.x} ${top.y}H${x.toFixed(1)}V${low.y}H${low.x}` },
      svg('title', null, `${values(merges[s][2])} after merging`)));
    node.set(a, { x, y: (top.y + low.y) / 2 });
  });
  const cut = left + (k - shown + 0.5) * step;
  if (shown < k) lines.push(svg('line', { class: 'marked', x1: cut, x2: cut, y1: 0, y2: height }));
  return svg('svg', { class: 'tree', viewBox: `0 0 ${width} ${height}`, role: 'img',
    'aria-label': `Similar blocs, merged in this order: ${merges.map(([a, b]) => `${a} with ${b}`).join(', then ')}` },
    ...lines, ...[...place].map(([c, y]) => svg('g', null,
      svg('circle', { cx: left - 6, cy: y, r: 4, style: { fill: `var(--c${c})` } }),
      svg('text', { x: left - 16, y: y + 4, 'text-anchor': 'end' }, clip(`${c}  ${names[c]}`, 28)))));
}
