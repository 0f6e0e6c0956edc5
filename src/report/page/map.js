// The map: every row (or column) a point, similar ones near each other, in the colours of the blocs.

const CELLS = 96; // of a grid over the map, to find the nearest point

class MapView {
  constructor(table, kind) {
    const { x, y } = table.maps[kind], n = x.length;
    Object.assign(this, { table, kind, x, y, n, lines: kind === 'row' ? table.rows : table.cols, inOrder: false });
    this.found = -1; // the point that was searched for,
    this.at = -1; // that the pointer or the keyboard is at,
    this.corner = -1; // where the keyboard began to select,
    this.chosen = null; // and the set of those that are selected
    this.bloc = -1; // the only bloc that is shown in colour; -1: all
    this.canvas = el('canvas', { class: 'ink' });
    this.overlay = el('canvas', { class: 'over', tabindex: '0', role: 'application', 'aria-roledescription': 'zoomable map',
      'aria-label': `Map of ${this.counted(n)}: arrow keys move from point to point, Enter opens one, Space selects one, S at two corners selects all between them, plus and minus zoom` });
    this.tip = el('div', { class: 'tip', hidden: true, 'aria-hidden': 'true' });
    this.live = el('p', { class: 'hidden', 'aria-live': 'polite' });
    this.zoomed = el('output', { class: 'zoomed' });
    this.frame = el('div', { class: 'plot' }, this.canvas, this.overlay, this.tip);
    this.element = el('div', { class: 'matrix' }, this.buttons(), this.frame, this.live);
    this.index();
    this.reset();
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.frame);
    followers.push(() => { this.bloc = -1; });
  }

  counted(count) { return this.kind === 'row' ? rowsCounted(count) : colsCounted(count); }
  nameOf(i) { return nameIn(this.lines, words[this.kind], i); }

  // The bloc of a point, which gives its colour; -1: none.
  blocOf(i) { return this.kind === 'row' ? this.lines.labels[i] : colourOfCols(this.lines.labels[i]); }

  buttons() {
    const button = (text, name, action, more) => el('button', { type: 'button', 'aria-label': `${name}: the map`, title: name, on: { click: action }, ...more }, text);
    this.lassoButton = button('Lasso', 'Draw around points to list them', () => this.setDrawing(!this.drawing), { class: 'wide-button', 'aria-pressed': 'false' });
    const seen = button('Select', 'Select all that is seen', () => this.chooseSeen(), { class: 'wide-button' });
    return el('div', { class: 'zoom' }, this.zoomed, this.lassoButton, seen, button('+', 'Zoom in', () => this.zoom(2)),
      button('\u2212', 'Zoom out', () => this.zoom(0.5)), button('\u2922', 'Show everything', () => this.reset()));
  }

  // Points by the cells of a grid.
  index() {
    this.cells = Array.from({ length: CELLS * CELLS }, () => []);
    for (let i = 0; i < this.n; i++) if (!Number.isNaN(this.x[i])) this.cells[this.cellOf(this.x[i], this.y[i])].push(i);
  }

  cellOf(x, y) {
    const at = (v) => Math.max(0, Math.min(CELLS - 1, Math.floor(v * CELLS)));
    return at(y) * CELLS + at(x);
  }

  // ---- what is seen: the square from (left, top), of the width `span`

  reset() { this.view = { left: -0.02, top: -0.02, span: 1.04 }; this.changed(); }
  level() { return 1.04 / this.view.span; }

  zoom(factor, x = this.view.left + this.view.span / 2, y = this.view.top + this.view.span / 2) {
    const v = this.view, span = Math.max(0.004, Math.min(1.04, v.span / factor));
    v.left = x - (x - v.left) * span / v.span;
    v.top = y - (y - v.top) * span / v.span;
    v.span = span;
    this.inside();
  }

  inside() {
    const v = this.view, keep = (low) => Math.max(-0.02, Math.min(1.02 - v.span, low));
    v.left = keep(v.left);
    v.top = keep(v.top);
    this.changed();
  }

  px(i) { return (this.x[i] - this.view.left) / this.view.span * this.side + this.offset; }
  py(i) { return (this.y[i] - this.view.top) / this.view.span * this.side; }
  mapX(px) { return this.view.left + (px - this.offset) / this.side * this.view.span; }
  mapY(py) { return this.view.top + py / this.side * this.view.span; }

  select(selection) { this.found = selection[this.kind] === undefined ? -1 : selection[this.kind]; this.changed(); }

  changed() {
    const level = this.level();
    this.zoomed.textContent = level > 1.01 ? `${level < 10 ? level.toFixed(1) : Math.round(level)}\u00d7` : '';
    this.overlay.style.touchAction = level > 1.01 || this.drawing ? 'none' : 'pan-y';
    if (!this.pending) this.pending = requestAnimationFrame(() => { this.pending = 0; this.draw(); });
  }

  resize() {
    const width = this.frame.clientWidth;
    if (!width) return;
    this.width = width;
    this.height = Math.round(Math.min(width, 640));
    this.side = this.height;
    this.offset = (this.width - this.side) / 2;
    this.scale = Math.min(2, window.devicePixelRatio || 1);
    for (const canvas of [this.canvas, this.overlay]) {
      canvas.width = Math.round(width * this.scale);
      canvas.height = Math.round(this.height * this.scale);
      canvas.style.height = `${this.height}px`;
    }
    this.frame.style.height = `${this.height}px`;
    this.changed();
  }

  // ---- drawing

  radius() { return Math.max(0.9, Math.min(5, 34 / Math.sqrt(this.n))) * Math.min(3, this.level() ** 0.4); }

  draw() {
    if (!this.width) return;
    const context = this.canvas.getContext('2d'), s = this.scale, r = this.radius();
    const colours = facts.colours.map((c) => css(`--c${c}`)), faint = css('--faint-ink');
    context.setTransform(s, 0, 0, s, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    const dots = (choose, alpha) => {
      context.globalAlpha = alpha;
      let last = null;
      for (let i = 0; i < this.n; i++) {
        const colour = choose(i), x = this.px(i), y = this.py(i);
        if (colour === null || !(x > -r && y > -r && x < this.width + r && y < this.height + r)) continue;
        if (colour !== last) context.fillStyle = last = colour;
        if (r < 1.6) context.fillRect(x - r, y - r, 2 * r, 2 * r);
        else { context.beginPath(); context.arc(x, y, r, 0, 6.2832); context.fill(); }
      }
      context.globalAlpha = 1;
    };
    const own = (i) => (this.blocOf(i) < 0 ? faint : colours[this.blocOf(i)]);
    const shown = (i) => (this.bloc < 0 || this.blocOf(i) === this.bloc) && (!this.chosen || this.chosen.has(i));
    if (this.bloc >= 0 || this.chosen) dots((i) => (shown(i) ? null : faint), 0.25);
    dots((i) => (shown(i) ? own(i) : null), this.n > 4000 ? 0.75 : 0.9);
    this.drawNames(context);
    context.strokeStyle = css('--rule');
    context.lineWidth = 1;
    context.strokeRect(0.5, 0.5, this.width - 1, this.height - 1);
    this.drawOverlay();
    this.drawn = (this.drawn || 0) + 1;
  }

  isSeen(i) { return this.px(i) >= 0 && this.py(i) >= 0 && this.px(i) <= this.width && this.py(i) <= this.height; }

  // The name of each bloc at the median of its points, above them where points are few. Then names of points, if only few are seen. A name
  // that would overlap an earlier one is left out.
  drawNames(context) {
    const taken = [], xs = Array.from({ length: facts.k }, () => []), ys = xs.map(() => []), seen = [], MOST_NAMED = 60;
    const middle = (values, part = 0.5) => values.sort((a, b) => a - b)[Math.floor(values.length * part)];
    for (let i = 0; i < this.n; i++) {
      const k = this.blocOf(i);
      if (k >= 0 && !Number.isNaN(this.x[i])) { xs[k].push(this.px(i)); ys[k].push(this.py(i)); }
      if (seen.length <= MOST_NAMED && this.isSeen(i)) seen.push(i);
    }
    const put = (text, x, y, font, colour, room) => {
      context.font = font;
      const half = context.measureText(text).width / 2, at = Math.max(half + 4, Math.min(this.width - half - 4, x));
      if (y < 8 || y > this.height - 8 || taken.some(([a, b, h]) => Math.abs(a - at) < h + half + 4 && Math.abs(b - y) < room)) return;
      taken.push([at, y, half]);
      context.lineWidth = 4;
      context.strokeStyle = css('--paper');
      context.strokeText(text, at, y);
      context.fillStyle = css(colour);
      context.fillText(text, at, y);
    };
    const family = getComputedStyle(document.body).fontFamily;
    Object.assign(context, { textAlign: 'center', textBaseline: 'middle', lineJoin: 'round' });
    if (seen.length > MOST_NAMED) for (let k = 0; k < facts.k; k++)
      if (xs[k].length) put(clip(blocName(k).split(', ').slice(0, 2).join(', '), 26), middle(xs[k]), this.n < 1500 ? middle(ys[k], 0.1) - 14 : middle(ys[k]), `600 13px ${family}`, '--ink', 16);
    if (seen.length <= MOST_NAMED) for (const i of seen) put(clip(this.nameOf(i), 24), this.px(i), this.py(i) + (this.py(i) < 24 ? 1 : -1) * (this.radius() + 8), `12px ${family}`, '--ink', 13);
  }

  drawOverlay() {
    const context = this.overlay.getContext('2d'), s = this.scale, r = this.radius() + 3;
    context.setTransform(s, 0, 0, s, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    for (const [row, colour] of [[this.found, '#ffb000'], [this.at, css('--ink')]]) {
      if (row < 0) continue;
      context.strokeStyle = colour;
      context.lineWidth = 2.5;
      context.beginPath();
      context.arc(this.px(row), this.py(row), r, 0, 6.2832);
      context.stroke();
    }
    if (this.corner >= 0) this.path = this.boxPath();
    if (!this.path || this.path.length < 2) return;
    context.strokeStyle = css('--ink');
    context.fillStyle = css('--cross');
    context.lineWidth = 1.2;
    context.beginPath();
    this.path.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.closePath();
    context.fill();
    context.stroke();
  }

  // ---- points

  // The nearest point to a place of the canvas, at most `reach` pixels away; -1: none.
  nearest(px, py, reach = 14) {
    const span = reach / this.side * this.view.span, x = this.mapX(px), y = this.mapY(py);
    const cell = (v) => Math.max(0, Math.min(CELLS - 1, Math.floor(v * CELLS)));
    let best = -1, least = reach * reach;
    for (let cy = cell(y - span); cy <= cell(y + span); cy++)
      for (let cx = cell(x - span); cx <= cell(x + span); cx++)
        for (const i of this.cells[cy * CELLS + cx]) {
          const d = (this.px(i) - px) ** 2 + (this.py(i) - py) ** 2;
          if (d < least) { least = d; best = i; }
        }
    return best;
  }

  open(i) { (this.kind === 'row' ? openRow : openTerm)(this.table, i); }

  point(row, spoken) {
    this.at = row;
    this.drawOverlay();
    this.tip.hidden = row < 0;
    if (row < 0) return;
    const label = this.lines.labels[row], name = this.nameOf(row), x = this.px(row), y = this.py(row);
    const where = label < 0 ? 'in no cluster' : `${clusterWord(this.kind, label)}${this.kind === 'row' || isDiagonal ? `, ${clip(blocName(label), 60)}` : ''}`;
    this.tip.replaceChildren(el('div', null, dotOf(this.blocOf(row)), el('b', null, clip(name, 80))), el('div', { class: 'quiet' }, where));
    const width = this.tip.offsetWidth, height = this.tip.offsetHeight;
    this.tip.style.left = `${Math.max(0, x + 12 + width > this.width ? x - width - 12 : x + 12)}px`;
    this.tip.style.top = `${Math.max(0, y + 12 + height > this.height ? y - height - 12 : y + 12)}px`;
    if (spoken) this.live.textContent = `${name}, ${where}`;
  }
}
