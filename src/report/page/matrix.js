// A matrix on a canvas: entries if there is room for them, otherwise densities.

const GUTTER = 24, NAME_SIZE = 11, LEAST_CELLS = 5;

// The cluster at a place: starts increase, and lines without a cluster follow the last one.
function clusterAt(side, place) {
  let low = 0, high = side.clusters;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (side.starts[middle] <= place) low = middle; else high = middle - 1;
  }
  // Empty clusters share their start with the next one: the last of them is found.
  return low === side.clusters ? -1 : low;
}

class MatrixView {
  // `inOrder`: in the order of the blocs, in colour; otherwise in the original order, in one colour. Columns at places
  // `from` to `to` are shown.
  constructor(table, { inOrder, from = 0, to = facts.d, label, height }) {
    Object.assign(this, { table, inOrder, from, to, label, ratio: height });
    this.selection = { row: -1, col: -1 };
    this.cross = null;
    this.listeners = [];
    this.canvas = el('canvas', { class: 'ink' });
    this.overlay = el('canvas', { class: 'over', tabindex: '0', role: 'application', 'aria-label': label,
      'aria-roledescription': 'zoomable matrix' });
    this.tip = el('div', { class: 'tip', hidden: true, 'aria-hidden': 'true' });
    this.live = el('p', { class: 'hidden', 'aria-live': 'polite' });
    this.zoomed = el('output', { class: 'zoomed' });
    this.frame = el('div', { class: 'plot' }, this.canvas, this.overlay, this.tip);
    this.element = el('div', { class: 'matrix' }, this.buttons(), this.frame, this.live);
    this.reset();
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.frame);
  }

  buttons() {
    const button = (text, name, action) => el('button', { type: 'button', 'aria-label': `${name}: ${this.label}`,
      title: name, on: { click: action } }, text);
    return el('div', { class: 'zoom' }, this.zoomed,
      button('+', 'Zoom in', () => this.zoom(2)), button('\u2212', 'Zoom out', () => this.zoom(0.5)),
      button('\u2922', 'Show everything', () => this.reset()));
  }

  // ---- what is seen

  reset() {
    this.view = { r0: 0, r1: facts.n, c0: this.from, c1: this.to };
    this.changed();
  }

  level() {
    return Math.max(facts.n / (this.view.r1 - this.view.r0), (this.to - this.from) / (this.view.c1 - this.view.c0));
  }

  zoom(factor, row = (this.view.r0 + this.view.r1) / 2, col = (this.view.c0 + this.view.c1) / 2) {
    const span = (low, high, at, full, start) => {
      const size = Math.min(full, Math.max(Math.min(full, LEAST_CELLS), (high - low) / factor));
      const first = at - (at - low) * size / (high - low);
      return this.inside(first, size, start, full);
    };
    const v = this.view;
    [v.r0, v.r1] = span(v.r0, v.r1, row, facts.n, 0);
    [v.c0, v.c1] = span(v.c0, v.c1, col, this.to - this.from, this.from);
    this.changed();
  }

  inside(first, size, start, full) {
    const low = Math.max(start, Math.min(start + full - size, first));
    return [low, low + size];
  }

  pan(rows, cols) {
    const v = this.view;
    [v.r0, v.r1] = this.inside(v.r0 + rows, v.r1 - v.r0, 0, facts.n);
    [v.c0, v.c1] = this.inside(v.c0 + cols, v.c1 - v.c0, this.from, this.to - this.from);
    this.changed();
  }

  // Centres a line, zoomed in enough to distinguish it from its neighbours.
  show({ row = -1, col = -1 }) {
    const { rows, cols } = this.table, v = this.view;
    const aim = (at, low, high, start, full) => {
      const size = Math.min(full, Math.max(LEAST_CELLS * 4, Math.min(high - low, full / 8)));
      return this.inside(at + 0.5 - size / 2, size, start, full);
    };
    if (row >= 0) [v.r0, v.r1] = aim(this.inOrder ? rows.place[row] : row, v.r0, v.r1, 0, facts.n);
    if (col >= 0) {
      const at = this.inOrder ? cols.place[col] : col;
      if (at < this.from || at >= this.to) return;
      [v.c0, v.c1] = aim(at, v.c0, v.c1, this.from, this.to - this.from);
    }
    this.changed();
  }

  select(selection) {
    this.selection = { row: -1, col: -1, ...selection };
    this.drawOverlay();
  }

  changed() {
    const level = this.level();
    this.zoomed.textContent = level > 1.01 ? `${level < 10 ? level.toFixed(1) : Math.round(level)}\u00d7` : '';
    this.overlay.style.touchAction = level > 1.01 ? 'none' : 'pan-y';
    if (!this.pending) this.pending = requestAnimationFrame(() => { this.pending = 0; this.draw(); });
  }

  // ---- sizes

  resize() {
    const width = this.frame.clientWidth;
    if (!width) return;
    const height = Math.round(this.ratio(width));
    this.scale = Math.min(2, window.devicePixelRatio || 1);
    for (const canvas of [this.canvas, this.overlay]) {
      canvas.width = Math.round(width * this.scale);
      canvas.height = Math.round(height * this.scale);
      canvas.style.height = `${height}px`;
    }
    this.frame.style.height = `${height}px`;
    this.width = width;
    this.height = height;
    this.changed();
  }

  // Room for the cluster colours and, once cells are large enough, for names.
  layout() {
    const v = this.view, context = this.canvas.getContext('2d');
    const cellHeight = (this.height - GUTTER) / (v.r1 - v.r0), cellWidth = (this.width - GUTTER) / (v.c1 - v.c0);
    const widest = (side, word, low, high) => {
      let most = 0;
      for (let p = Math.floor(low); p < Math.min(high, low + 90); p++)
        most = Math.max(most, context.measureText(clip(nameIn(side, word, this.line(side, p)), 22)).width);
      return Math.ceil(most) + 10;
    };
    context.font = this.font();
    this.rowNames = cellHeight >= NAME_SIZE;
    this.colNames = cellWidth >= NAME_SIZE + 1;
    this.left = GUTTER + (this.rowNames ? widest(this.table.rows, words.row, v.r0, v.r1) : 0);
    this.top = GUTTER + (this.colNames ? widest(this.table.cols, words.col, v.c0, v.c1) : 0);
    this.cellWidth = (this.width - this.left) / (v.c1 - v.c0);
    this.cellHeight = (this.height - this.top) / (v.r1 - v.r0);
  }

  font() { return `${NAME_SIZE}px ${getComputedStyle(document.body).fontFamily}`; }
  line(side, place) { return this.inOrder ? side.at[Math.min(place, side.count - 1)] : Math.min(place, side.count - 1); }

  // ---- drawing

  draw() {
    if (!this.width) return;
    this.layout();
    const context = this.canvas.getContext('2d'), s = this.scale;
    const width = Math.max(1, Math.round((this.width - this.left) * s));
    const height = Math.max(1, Math.round((this.height - this.top) * s));
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    const image = context.createImageData(width, height);
    this.paint(image, this.accumulate(width, height));
    context.putImageData(image, Math.round(this.left * s), Math.round(this.top * s));
    context.setTransform(s, 0, 0, s, 0, 0);
    if (this.inOrder) this.drawLines(context);
    if (this.small && this.level() < 1.01) this.copyTo(this.small, width, height);
    this.drawFrame(context);
    if (this.inOrder) this.drawClusters(context);
    this.drawNames(context);
    this.drawOverlay();
    this.drawn = (this.drawn || 0) + 1;
  }

  // The whole matrix, small: beside the headline.
  copyTo(canvas, width, height) {
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(this.canvas, Math.round(this.left * this.scale), Math.round(this.top * this.scale), width, height, 0, 0, canvas.width, canvas.height);
  }

  // The ink of each pixel: numbers of entries or, if every cell has its own pixels, shades.
  accumulate(width, height) {
    const v = this.view, sx = width / (v.c1 - v.c0), sy = height / (v.r1 - v.r0);
    if (!this.ink || this.ink.length !== width * height) this.ink = new Float32Array(width * height);
    else this.ink.fill(0);
    this.shades = sx >= 1 && sy >= 1;
    if (!this.table.entries) return this.fromGrid(width, height);
    const { entries: { offsets, columns, values, most }, rows, cols } = this.table;
    const stored = this.inOrder ? rows.toBase : rows.base.place, shown = this.inOrder ? cols.fromBase : cols.base.at;
    const gapX = sx / this.scale >= 6 ? 1 : 0, gapY = sy / this.scale >= 6 ? 1 : 0;
    const shade = values && this.shades && most > 1 ? 1 / Math.log1p(most) : 0;
    for (let p = Math.floor(v.r0); p < v.r1; p++) {
      const line = stored[p];
      const y0 = Math.max(0, Math.floor((p - v.r0) * sy));
      const y1 = Math.min(height, Math.max(y0 + 1, Math.floor((p + 1 - v.r0) * sy) - gapY));
      for (let e = offsets[line]; e < offsets[line + 1]; e++) {
        const q = shown[columns[e]];
        if (q + 1 <= v.c0 || q >= v.c1) continue;
        const x0 = Math.max(0, Math.floor((q - v.c0) * sx));
        const x1 = Math.min(width, Math.max(x0 + 1, Math.floor((q + 1 - v.c0) * sx) - gapX));
        const amount = shade ? 0.45 + 0.55 * Math.log1p(Math.abs(values[e])) * shade : 1;
        for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) this.ink[y * width + x] += amount;
      }
    }
    return this.ink;
  }

  fromGrid(width, height) {
    const { grids, rows, cols } = this.table, grid = this.inOrder ? grids.after : grids.before, v = this.view;
    const cell = (side, place, cells) => Math.floor((this.inOrder ? side.toBase[place] : place) * cells / side.count);
    this.shades = false;
    for (let y = 0; y < height; y++) {
      const row = cell(rows, Math.floor(v.r0 + (y + 0.5) / height * (v.r1 - v.r0)), grid.rows);
      for (let x = 0; x < width; x++) {
        const col = cell(cols, Math.floor(v.c0 + (x + 0.5) / width * (v.c1 - v.c0)), grid.cols);
        this.ink[y * width + x] = grid.counts[row * grid.cols + col];
      }
    }
    return this.ink;
  }

  // Full ink at the count that only one in a hundred non-empty pixels exceeds.
  fullInk(ink) {
    if (this.shades) return 1;
    const numbers = new Uint32Array(4096);
    let some = 0;
    for (let i = 0; i < ink.length; i++) if (ink[i] > 0) { numbers[Math.min(4095, ink[i])]++; some++; }
    let level = 4095;
    for (let above = numbers[4095]; level > 1 && above < some / 100; above += numbers[--level]);
    return level;
  }

  paint(image, ink) {
    const { width, height } = image, pixels = new Uint32Array(image.data.buffer), v = this.view;
    const full = this.fullInk(ink), paper = colourNow('--plot');
    const plain = { back: paper, front: colourNow('--ink') }, kinds = new Map();
    const kindOf = (k, l) => {
      const key = k * (facts.l + 1) + l;
      if (!kinds.has(key)) {
        const colour = isOwn(k, l) ? colourNow(colourVariable(k)) : null;
        kinds.set(key, colour ? { back: mix(paper, colour, 0.1), front: colour }
          : { back: paper, front: colourNow('--faint-ink') });
      }
      return kinds.get(key);
    };
    const colClusters = new Int32Array(width);
    for (let x = 0; x < width; x++)
      colClusters[x] = clusterAt(this.table.cols, Math.floor(v.c0 + (x + 0.5) / width * (v.c1 - v.c0)));
    for (let y = 0; y < height; y++) {
      const k = clusterAt(this.table.rows, Math.floor(v.r0 + (y + 0.5) / height * (v.r1 - v.r0)));
      for (let x = 0, last = null, kind = plain; x < width; x++) {
        if (this.inOrder && colClusters[x] !== last) kind = kindOf(k, last = colClusters[x]);
        const amount = Math.min(1, ink[y * width + x] / full);
        const { back, front } = kind, a = amount > 0 ? (this.shades ? amount : 0.12 + 0.88 * amount ** 0.75) : 0;
        pixels[y * width + x] = 255 << 24 | (back[2] + (front[2] - back[2]) * a) << 16 |
          (back[1] + (front[1] - back[1]) * a) << 8 | (back[0] + (front[0] - back[0]) * a);
      }
    }
  }

  drawFrame(context) {
    context.strokeStyle = css('--rule');
    context.lineWidth = 1;
    context.strokeRect(this.left + 0.5, this.top + 0.5, this.width - this.left - 1, this.height - this.top - 1);
    context.fillStyle = css('--soft');
    context.font = this.font();
    context.textBaseline = 'alphabetic';
    if (this.inOrder) return;
    context.textAlign = 'left';
    context.fillText(`${colsCounted(this.to - this.from)} \u2192`, this.left, GUTTER - 9);
    context.save();
    context.translate(GUTTER - 9, this.top);
    context.rotate(-Math.PI / 2);
    context.textAlign = 'right';
    context.fillText(`\u2190 ${rowsCounted(facts.n)}`, 0, 0);
    context.restore();
  }

  // A thin line between two clusters.
  drawLines(context) {
    const v = this.view, { rows, cols } = this.table;
    context.strokeStyle = css('--plot-line');
    context.lineWidth = 1;
    context.beginPath();
    for (let c = 1; c <= rows.clusters; c++) {
      const y = Math.round(this.top + (rows.starts[c] - v.r0) * this.cellHeight) + 0.5;
      if (rows.starts[c] > v.r0 && rows.starts[c] < v.r1) { context.moveTo(this.left, y); context.lineTo(this.width, y); }
    }
    for (let c = 1; c <= cols.clusters; c++) {
      const x = Math.round(this.left + (cols.starts[c] - v.c0) * this.cellWidth) + 0.5;
      if (cols.starts[c] > v.c0 && cols.starts[c] < v.c1) { context.moveTo(x, this.top); context.lineTo(x, this.height); }
    }
    context.stroke();
  }

  // The colour and number of each cluster at the edges.
  drawClusters(context) {
    const v = this.view;
    context.font = `600 ${this.font()}`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    const strip = (side, low, high, start, cell, colour, draw) => {
      for (let c = 0; c < side.clusters; c++) {
        const from = Math.max(low, side.starts[c]), to = Math.min(high, side.starts[c + 1]);
        if (from >= to) continue;
        const a = start + (from - low) * cell, b = start + (to - low) * cell;
        context.fillStyle = colour(c) < 0 ? css('--faint-ink') : css(colourVariable(colour(c)));
        draw(c, a, b);
      }
    };
    const fits = (c, size) => size > context.measureText(String(c)).width + 3;
    strip(this.table.rows, v.r0, v.r1, this.top, this.cellHeight, (c) => c, (c, a, b) => {
      context.fillRect(this.left - 6, a, 4, Math.max(1, b - a - 1));
      context.fillStyle = css('--ink');
      if (b - a >= 10) context.fillText(String(c), this.left - 15 - (this.rowNames ? this.left - GUTTER - 1 : 0), (a + b) / 2);
    });
    strip(this.table.cols, v.c0, v.c1, this.left, this.cellWidth, colourOfCols, (c, a, b) => {
      context.fillRect(a, this.top - 6, Math.max(1, b - a - 1), 4);
      context.fillStyle = css('--ink');
      if (fits(c, b - a)) context.fillText(String(c), (a + b) / 2, this.top - 15 - (this.colNames ? this.top - GUTTER : 0));
    });
  }

  drawNames(context) {
    const v = this.view, { rows, cols } = this.table;
    context.font = this.font();
    context.fillStyle = css('--ink');
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    for (let p = Math.ceil(v.r0 - 0.5); this.rowNames && p + 0.5 < v.r1; p++)
      context.fillText(clip(nameIn(rows, words.row, this.line(rows, p)), 22), this.left - 9,
        this.top + (p + 0.5 - v.r0) * this.cellHeight);
    context.textAlign = 'left';
    for (let p = Math.ceil(v.c0 - 0.5); this.colNames && p + 0.5 < v.c1; p++) {
      context.save();
      context.translate(this.left + (p + 0.5 - v.c0) * this.cellWidth, this.top - 9);
      context.rotate(-Math.PI / 2);
      context.fillText(clip(nameIn(cols, words.col, this.line(cols, p)), 22), 0, 0);
      context.restore();
    }
  }
}

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const mix = (a, b, share) => a.map((from, i) => from + (b[i] - from) * share);
