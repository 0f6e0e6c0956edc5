// Pointer and keyboard on a matrix: naming cells, zooming, moving.

Object.assign(MatrixView.prototype, {
  // ---- cells

  // The cell at a point of the canvas, in places of this view; null outside.
  cellAt(x, y) {
    const v = this.view;
    const row = Math.floor(v.r0 + (y - this.top) / this.cellHeight), col = Math.floor(v.c0 + (x - this.left) / this.cellWidth);
    return x < this.left || y < this.top || row >= facts.n || col >= this.to || row < 0 ? null : { row, col };
  },

  // If cells are smaller than a pointer, the nearest entry.
  nearest(cell) {
    const { entries, rows, cols } = this.table;
    if (!entries || (this.cellWidth >= 4 && this.cellHeight >= 4)) return cell;
    const reachRows = Math.ceil(2 / this.cellHeight), reachCols = Math.ceil(2 / this.cellWidth);
    let best = cell, least = Infinity;
    for (let p = Math.max(0, cell.row - reachRows); p <= Math.min(facts.n - 1, cell.row + reachRows); p++) {
      const line = this.inOrder ? rows.toBase[p] : rows.base.place[p];
      for (let e = entries.offsets[line]; e < entries.offsets[line + 1]; e++) {
        const q = (this.inOrder ? cols.fromBase : cols.base.at)[entries.columns[e]];
        const distance = ((p - cell.row) / reachRows) ** 2 + ((q - cell.col) / reachCols) ** 2;
        if (distance < least && distance <= 1) { least = distance; best = { row: p, col: q }; }
      }
    }
    return best;
  },


  // The same in words.
  describe(cell) {
    const { rows, cols, entries, grids } = this.table;
    const row = this.line(rows, cell.row), col = this.line(cols, cell.col);
    const k = rows.labels[row], l = cols.labels[col];
    let value;
    if (entries) {
      const found = valueAt(this.table, row, col);
      value = found === 0 ? 'no entry' : `value ${entries.whole ? grouped(found) : short(found)}`;
    } else {
      const grid = this.inOrder ? grids.after : grids.before;
      const stored = (side, place) => (this.inOrder ? side.toBase[place] : place);
      const count = grid.counts[Math.floor(stored(rows, cell.row) * grid.rows / facts.n) * grid.cols + Math.floor(stored(cols, cell.col) * grid.cols / facts.d)];
      value = `${counted(count, 'entry', 'entries')} around here`;
    }
    const block = isDiagonal && k === l && k >= 0 ? `in bloc ${k}` : `block ${k < 0 ? '\u2013' : k}, ${l < 0 ? '\u2013' : l}`;
    return { row, col, k, l, rowName: nameIn(rows, words.row, row), colName: nameIn(cols, words.col, col), value, block };
  },

  // ---- hover

  point(cell, x, y, spoken) {
    this.cross = cell;
    this.drawOverlay();
    if (!cell) { this.tip.hidden = true; return; }
    const about = this.describe(cell);
    this.tip.replaceChildren(
      el('div', null, dotOf(about.k), el('b', null, clip(about.rowName, 60))),
      el('div', null, dotOf(colourOfCols(about.l)), el('b', null, clip(about.colName, 60))),
      el('div', { class: 'quiet' }, `${about.value}, ${about.block}`));
    this.tip.hidden = false;
    const width = this.tip.offsetWidth, height = this.tip.offsetHeight;
    this.tip.style.left = `${Math.max(0, x + 14 + width > this.width ? x - width - 14 : x + 14)}px`;
    this.tip.style.top = `${Math.max(0, y + 14 + height > this.height ? y - height - 14 : y + 14)}px`;
    if (spoken) this.live.textContent = `${about.rowName}, ${about.colName}: ${about.value}, ${about.block}`;
  },

  drawOverlay() {
    if (!this.width || !this.cellWidth) return;
    const context = this.overlay.getContext('2d'), v = this.view, s = this.scale, { rows, cols } = this.table;
    context.setTransform(s, 0, 0, s, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    const place = (side, line) => (line < 0 ? -1 : this.inOrder ? side.place[line] : line);
    const band = (row, col, style) => {
      context.fillStyle = style;
      if (row >= 0 && row + 1 > v.r0 && row < v.r1)
        context.fillRect(this.left, Math.max(this.top, this.top + (row - v.r0) * this.cellHeight), this.width - this.left, Math.max(1.5, this.cellHeight));
      if (col >= 0 && col + 1 > v.c0 && col < v.c1)
        context.fillRect(Math.max(this.left, this.left + (col - v.c0) * this.cellWidth), this.top, Math.max(1.5, this.cellWidth), this.height - this.top);
    };
    band(place(rows, this.selection.row), place(cols, this.selection.col), css('--found'));
    if (this.cross) band(this.cross.row, this.cross.col, css('--cross'));
  },

  // ---- events

  listen() {
    const fingers = new Map();
    let moved = false;
    const at = (event) => {
      const box = this.overlay.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    const on = (type, listener, options) => this.overlay.addEventListener(type, listener, options);
    on('pointerdown', (event) => {
      fingers.set(event.pointerId, at(event));
      moved = false;
      if (this.level() > 1.01 || fingers.size > 1) this.overlay.setPointerCapture(event.pointerId);
    });
    on('pointermove', (event) => {
      const now = at(event), before = fingers.get(event.pointerId);
      if (before && fingers.size === 2) this.pinch(fingers, event.pointerId, now);
      else if (before && this.level() > 1.01) this.pan((before.y - now.y) / this.cellHeight, (before.x - now.x) / this.cellWidth);
      if (before) { fingers.set(event.pointerId, now); moved = true; }
      const cell = before && moved ? null : this.cellAt(now.x, now.y);
      this.point(cell && this.nearest(cell), now.x, now.y);
    });
    const lift = (event) => fingers.delete(event.pointerId);
    on('pointerup', lift);
    on('pointercancel', lift);
    on('pointerleave', (event) => { lift(event); this.point(null); });
    on('blur', () => this.point(null));
    on('dblclick', (event) => this.zoomAt(2.5, at(event)));
    on('wheel', (event) => this.wheel(event, at(event)), { passive: false });
    on('keydown', (event) => this.key(event));
  },

  zoomAt(factor, { x, y }) {
    const v = this.view;
    this.zoom(factor, v.r0 + Math.max(0, y - this.top) / this.cellHeight, v.c0 + Math.max(0, x - this.left) / this.cellWidth);
  },

  pinch(fingers, moving, now) {
    const [other] = [...fingers].filter(([id]) => id !== moving).map(([, place]) => place), before = fingers.get(moving);
    const distance = (p) => Math.hypot(p.x - other.x, p.y - other.y);
    this.zoomAt(distance(now) / Math.max(1, distance(before)), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
  },

  // Scrolling the page must not be caught by a matrix that moves under the pointer.
  wheel(event, place) {
    const outwards = event.deltaY > 0;
    if (performance.now() - lastScroll < 250 || (outwards && this.level() <= 1.01)) return;
    event.preventDefault();
    this.zoomAt(Math.exp(-Math.sign(event.deltaY) * Math.min(0.5, Math.abs(event.deltaY) / 300)), place);
    const cell = this.cellAt(place.x, place.y);
    this.point(cell && this.nearest(cell), place.x, place.y);
  },

  // Arrow keys move a cross from cell to cell, plus and minus zoom around it, 0 shows everything.
  key(event) {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }, v = this.view;
    const middle = { row: Math.floor((v.r0 + v.r1) / 2), col: Math.floor((v.c0 + v.c1) / 2) };
    const cross = this.cross || middle;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (steps[event.key]) {
      const far = event.shiftKey ? 10 : 1, [down, right] = steps[event.key];
      cross.row = Math.max(0, Math.min(facts.n - 1, cross.row + down * far * Math.max(1, Math.round(2 / this.cellHeight))));
      cross.col = Math.max(this.from, Math.min(this.to - 1, cross.col + right * far * Math.max(1, Math.round(2 / this.cellWidth))));
      const away = (at, low, high) => (at < low ? at - low : at + 1 > high ? at + 1 - high : 0);
      const rows = away(cross.row, v.r0, v.r1), cols = away(cross.col, v.c0, v.c1);
      if (rows || cols) this.pan(rows, cols);
    } else if (event.key === '+' || event.key === '=') this.zoom(1.6, cross.row + 0.5, cross.col + 0.5);
    else if (event.key === '-') this.zoom(1 / 1.6, cross.row + 0.5, cross.col + 0.5);
    else if (event.key === '0') this.reset();
    else if (event.key === 'Escape') { this.point(null); return; } else return;
    event.preventDefault();
    this.point({ ...cross }, this.left + (cross.col + 0.5 - v.c0) * this.cellWidth, this.top + (cross.row + 0.5 - v.r0) * this.cellHeight, true);
  },
});

let lastScroll = -Infinity;
addEventListener('scroll', () => { lastScroll = performance.now(); }, { passive: true });
