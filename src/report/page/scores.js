// What the entries say about rows and columns: scores by the rule of the model, sums in the blocs.

// An entry of the table; 0 if there is none.
function valueAt({ entries, rows, cols }, row, col) {
  const line = rows.base.place[row], wanted = cols.base.place[col];
  let low = entries.offsets[line], high = entries.offsets[line + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries.columns[middle] < wanted) low = middle + 1; else high = middle;
  }
  if (low === entries.offsets[line + 1] || entries.columns[low] !== wanted) return 0;
  return entries.values ? entries.values[low] : 1;
}

// Calls visit(column, value) for the entries of a row.
function eachEntry({ entries, rows, cols }, row, visit) {
  const line = rows.base.place[row];
  for (let e = entries.offsets[line]; e < entries.offsets[line + 1]; e++)
    visit(cols.base.at[entries.columns[e]], entries.values ? entries.values[e] : 1);
}

// How many rows have an entry in each column.
function frequencies(table) {
  if (table.frequencies) return table.frequencies;
  table.frequencies = new Int32Array(facts.d);
  for (const column of table.entries.columns) table.frequencies[table.cols.base.at[column]]++;
  return table.frequencies;
}

// ---- weights: the same formulas as in src/matrix/weights.c

const SHAPES = { log: Math.log1p, sqrt: Math.sqrt, bm25: null, bm25idf: null };
const BM25_K1 = 2, BM25_B = 0.9;

// The entries of a row as the model sees them: [[column, value, weighted], ...]
function weighedRow(table, row) {
  const { weight, unit, meanLength, scale } = story.model, found = [];
  eachEntry(table, row, (col, value) => found.push([col, value, weight === 'binary' && facts.modelRule ? 1 : value]));
  if (!facts.modelRule) return found; // a rule of plain entries
  const length = found.reduce((sum, [, value]) => sum + Math.abs(value) / (unit || 1), 0);
  const room = BM25_K1 * (1 - BM25_B + BM25_B * length / (meanLength || 1));
  for (const entry of found) {
    const size = Math.abs(entry[1]) / (unit || 1);
    if (weight.startsWith('bm25')) entry[2] = Math.sign(entry[1]) * size * (BM25_K1 + 1) / (size + room);
    else if (SHAPES[weight]) entry[2] = Math.sign(entry[1]) * SHAPES[weight](size);
    if (weight === 'tfidf' || weight === 'bm25idf') entry[2] *= Math.log((1 + facts.n) / (1 + frequencies(table)[entry[0]])) + 1;
  }
  if (weight === 'tfidf' || weight === 'rownorm') {
    const norm = Math.hypot(...found.map(([, , x]) => x));
    for (const entry of found) entry[2] /= norm;
  }
  if (weight !== 'binary' && scale > 0) for (const entry of found) entry[2] *= scale;
  return found;
}

// What an entry is in a layer of the rule; the same as cob_in_layer in src/engine/model.h.
const IN_LAYER = { values: (x) => x, moments: (x, layer) => (layer === 0 ? x : x * x), codes: (x, layer) => Number(x === layer + 1) };

// The columns where a row has no value, as entries: [[column, null, null], ...]
function missingOf({ missing, rows, cols }, row) {
  if (!missing || !facts.modelRule) return [];
  const line = rows.base.place[row];
  return Array.from(missing.columns.subarray(missing.offsets[line], missing.offsets[line + 1]), (at) => [cols.base.at[at], null, null]);
}

// A row's score in every bloc, and what each of its columns adds: score[k] = sum of part(k, entry) + rest[k]. Null where the
// page has no rule.
function scoresOf(table, row) {
  if (!facts.rule || !table.entries) return null;
  const { k, l, rule } = facts, { labels } = table.cols, own = facts.modelRule, width = rule.length / k, layers = (width - 2) / l;
  const present = weighedRow(table, row), entries = [...present, ...missingOf(table, row)];
  const effect = present.reduce((sum, [, , x]) => sum + x, 0) * (own ? story.model.effectScale : 1);
  const inLayer = IN_LAYER[own ? story.model.entries : 'values'], gaps = own && story.model.takesMissing ? layers - 1 : layers;
  const part = (cluster, [col, , x]) => {
    if (labels[col] < 0) return 0;
    const at = cluster * width + labels[col];
    if (x === null) return rule[at + gaps * l];
    let sum = 0;
    for (let layer = 0; layer < gaps; layer++) sum += inLayer(x, layer) * rule[at + layer * l];
    return sum;
  };
  const rest = Array.from({ length: k }, (_, c) => effect * rule[(c + 1) * width - 2] + rule[(c + 1) * width - 1]);
  const scores = rest.map((sum, c) => entries.reduce((all, entry) => all + part(c, entry), sum));
  return { entries, part, rest, scores };
}

// By how much a row's own bloc is better than the next one, and which that is.
function marginOf(scores, own) {
  let next = -1;
  scores.forEach((score, c) => { if (c !== own && (next < 0 || score > scores[next])) next = c; });
  return { next, margin: next < 0 ? Infinity : scores[own] - scores[next] };
}

// ---- columns in blocs

// sums[col * k + bloc] and rows[col * k + bloc], in one pass over the entries; kept until the blocs change.
function columnSums(table) {
  if (table.sums) return table.sums;
  const { k, d } = facts, { entries: { offsets, columns, values }, rows, cols } = table;
  const sums = new Float64Array(k * d), holding = new Int32Array(k * d), totals = new Float64Array(k);
  for (let line = 0; line < facts.n; line++) {
    const bloc = rows.labels[rows.base.at[line]];
    if (bloc < 0) continue;
    for (let e = offsets[line]; e < offsets[line + 1]; e++) {
      const at = cols.base.at[columns[e]] * k + bloc, value = values ? values[e] : 1;
      sums[at] += value;
      holding[at]++;
      totals[bloc] += value;
    }
  }
  table.sums = { sums, holding, totals, total: totals.reduce((a, b) => a + b, 0) };
  return table.sums;
}

// The log-likelihood ratio of a column inside a bloc and outside, as in cobloc describe; negative if the bloc has less of it.
function tellingWeight(table, col, bloc) {
  const { sums, totals, total } = columnSums(table), { k } = facts;
  let everywhere = 0;
  for (let c = 0; c < k; c++) everywhere += sums[col * k + c];
  const inside = sums[col * k + bloc], outside = everywhere - inside, share = totals[bloc] / total, rest = total - everywhere;
  if (!(total - totals[bloc] > 0)) return 0;
  const deviance = (x, expected) => (x > 0 ? x * Math.log(x / expected) : 0);
  const sum = deviance(inside, share * everywhere) + deviance(outside, (1 - share) * everywhere)
    + deviance(totals[bloc] - inside, share * rest) + deviance(total - totals[bloc] - outside, (1 - share) * rest);
  return (inside >= share * everywhere ? 2 : -2) * Math.max(0, sum);
}
