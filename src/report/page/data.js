// What the page holds: facts, names, labels, entries.

// The result as a whole, and `facts`: the same at the number of blocs that is shown (fold.js).
const story = about('facts');
let facts = { ...story, colours: story.rowOf };

// The bytes of a packed part; null if the page has none.
async function unpack(id) {
  const element = document.getElementById(id);
  if (!element) return null;
  const text = atob(element.textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  element.remove();
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function about(id) {
  const element = document.getElementById(id);
  return element ? JSON.parse(element.textContent) : null;
}

// Varints: seven bits per byte, lowest first.
class Varints {
  constructor(bytes) { this.bytes = bytes; this.at = 0; }
  next() {
    let byte = this.bytes[this.at++], value = byte & 127, scale = 128;
    while (byte > 127) {
      byte = this.bytes[this.at++];
      value += (byte & 127) * scale;
      scale *= 128;
    }
    return value;
  }
}

async function readNames(id) {
  const bytes = await unpack(id);
  if (!bytes) return null;
  const names = new TextDecoder().decode(bytes).split('\0');
  names.pop();
  return names;
}

// The order of the blocs: cluster after cluster, lines without a cluster last; within a cluster as in `before`.
function orderOf(labels, clusters, before) {
  const starts = new Int32Array(clusters + 2);
  const slot = (label) => (label < 0 ? clusters : label);
  for (const label of labels) starts[slot(label) + 1]++;
  for (let c = 0; c <= clusters; c++) starts[c + 1] += starts[c];
  const next = starts.slice(), at = new Int32Array(labels.length), place = new Int32Array(labels.length);
  for (let i = 0; i < labels.length; i++) {
    const line = before ? before[i] : i, p = next[slot(labels[line])]++;
    at[p] = line;
    place[line] = p;
  }
  return { at, place, starts };
}

// Gives a side the clusters of a level. Merged clusters keep the order of those that they are made of, so blocks move as
// a whole. `toBase`: the place in the order that entries are stored in, of each place.
function relabel(side, labels, clusters) {
  side.labels = labels;
  Object.assign(side, orderOf(side.labels, clusters, side.base.at), { clusters });
  side.toBase = side.at.map((line) => side.base.place[line]);
  side.fromBase = side.base.at.map((line) => side.place[line]);
}

async function readLabels(id, count) {
  const numbers = new Varints(await unpack(id)), found = new Int32Array(count);
  for (let i = 0; i < count; i++) found[i] = numbers.next() - 1;
  return found;
}

async function readSide(names, labels, count, clusters) {
  const found = await readLabels(labels, count);
  const side = { names: await readNames(names), count, base: { labels: found, ...orderOf(found, clusters) } };
  relabel(side, found, clusters);
  return side;
}

// Rows in the order of the blocs; the columns of each are increasing places in their order.
function readPlaces(bytes, n) {
  const places = new Varints(bytes), numbers = bytes.reduce((count, byte) => count + (byte < 128), 0);
  const offsets = new Int32Array(n + 1), columns = new Int32Array(numbers - n);
  for (let r = 0, e = 0; r < n; r++) {
    const count = places.next();
    for (let i = 0, last = -1; i < count; i++) columns[e++] = last += places.next() + 1;
    offsets[r + 1] = e;
  }
  return { offsets, columns };
}

async function readEntries(n, nnz) {
  const info = about('entries');
  if (!info) return null;
  const { offsets, columns } = readPlaces(await unpack('places'), n), bytes = await unpack('values');
  let values = null;
  if (info.code === 1) {
    const numbers = new Varints(bytes);
    values = new Float32Array(nnz);
    for (let i = 0; i < nnz; i++) values[i] = numbers.next();
  } else if (info.code === 2) {
    const view = new DataView(new ArrayBuffer(8));
    values = new Float64Array(nnz);
    for (let i = 0; i < nnz; i++) {
      for (let b = 0; b < 4; b++) view.setUint8(4 + b, bytes[4 * i + b]);
      values[i] = view.getFloat64(0, true);
    }
  }
  return { offsets, columns, values, most: info.most, whole: info.code < 2 };
}

async function readGrid(id) {
  const info = about('grid'), bytes = await unpack(id);
  if (!info || !bytes) return null;
  const numbers = new Varints(bytes), counts = new Float64Array(info.rows * info.cols);
  for (let i = 0; i < counts.length; i++) counts[i] = numbers.next();
  return { ...info, counts };
}

// Where the rows or columns are on their map, from 0 to 1; NaN for those without entries.
async function readMap(kind, count) {
  const info = about(`about-${kind}-map`), bytes = await unpack(`${kind}-map`);
  if (!info || !bytes) return null;
  const at = (i) => { const number = bytes[2 * i] + 256 * bytes[2 * i + 1]; return number === 65535 ? NaN : number / 65534; };
  const x = new Float32Array(count), y = new Float32Array(count);
  for (let i = 0; i < count; i++) { x[i] = at(2 * i); y[i] = 1 - at(2 * i + 1); }
  return { ...info, x, y };
}

async function readTable() {
  const [rows, cols] = await Promise.all([
    readSide('row-names', 'row-labels', facts.n, facts.k),
    readSide('col-names', 'col-labels', facts.d, facts.l)]);
  const entries = await readEntries(facts.n, facts.nnz);
  const grids = entries ? null : { after: await readGrid('grid-after'), before: await readGrid('grid-before') };
  const larger = new Map(); // labels of the sizes above that of the result
  for (const k of story.larger) larger.set(k, { rows: await readLabels(`rows-${k}`, facts.n), cols: await readLabels(`cols-${k}`, facts.d) });
  const missing = await unpack('missing');
  return { rows, cols, entries, larger, grids, missing: missing ? readPlaces(missing, facts.n) : null, maps: { row: await readMap('row', facts.n), col: await readMap('col', facts.d) }, by: await readNames('by'), other: story.other ? await readLabels('other-labels', facts.n) : null };
}
