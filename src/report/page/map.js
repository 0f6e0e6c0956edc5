// The map: every row a point, similar rows near each other, in the colours of the blocs.

const CELLS = 96; // of a grid over the map, to find the nearest point

class MapView {
  constructor(table) {
    Object.assign(this, { table, x: table.map.x, y: table.map.y, inOrder: false });
    this.found = -1; // the row that was searched for,
    this.at = -1; // that the pointer or the keyboard is at,
    this.chosen = null; // and the set of those inside the lasso
    this.bloc = -1; // the only bloc that is shown in colour; -1: all
    this.canvas = el('canvas', { class: 'ink' });
    this.overlay = el('canvas', { class: 'over', tabindex: '0', role: 'application', 'aria-roledescription': 'zoomable map',
      'aria-label': `Map of ${rowsCounted(facts.n)}: arrow keys move from point to point, Enter opens one, plus and minus zoom` });
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

  buttons() {
    const button = (text, name, action, more) => el('button', { type: 'button', 'aria-label': `${name}: the map`, title: name, on: { click: action }, ...more }, text);
    this.lassoButton = button('Lasso', 'Draw around points to list them', () => this.setDrawing(!this.drawing), { class: 'wide-button', 'aria-pressed': 'false' });
    return el('div', { class: 'zoom' }, this.zoomed, this.lassoButton, button('+', 'Zoom in', () => this.zoom(2)),
      button('\u2212', 'Zoom out', () => this.zoom(0.5)), button('\u2922', 'Show everything', () => this.reset()));
  }

  // Rows by the cells of a grid.
  index() {
    this.cells = Array.from({ length: CELLS * CELLS }, () => []);
    for (let i = 0; i < facts.n; i++) if (!Number.isNaN(this.x[i])) this.cells[this.cellOf(this.x[i], this.y[i])].push(i);
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

  select({ row = -1 }) { this.found = row; this.changed(); }

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

  radius() { return Math.max(0.9, Math.min(5, 34 / Math.sqrt(facts.n))) * Math.min(3, this.level() ** 0.4); }

  draw() {
    if (!this.width) return;
    const context = this.canvas.getContext('2d'), s = this.scale, r = this.radius(), { labels } = this.table.rows;
    const colours = facts.colours.map((c) => css(`--c${c}`)), faint = css('--faint-ink');
    context.setTransform(s, 0, 0, s, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    const dots = (choose, alpha) => {
      context.globalAlpha = alpha;
      let last = null;
      for (let i = 0; i < facts.n; i++) {
        const colour = choose(i), x = this.px(i), y = this.py(i);
        if (colour === null || !(x > -r && y > -r && x < this.width + r && y < this.height + r)) continue;
        if (colour !== last) context.fillStyle = last = colour;
        if (r < 1.6) context.fillRect(x - r, y - r, 2 * r, 2 * r);
        else { context.beginPath(); context.arc(x, y, r, 0, 6.2832); context.fill(); }
      }
      context.globalAlpha = 1;
    };
    const own = (i) => (labels[i] < 0 ? faint : colours[labels[i]]);
    const shown = (i) => (this.bloc < 0 || labels[i] === this.bloc) && (!this.chosen || this.chosen.has(i));
    if (this.bloc >= 0 || this.chosen) dots((i) => (shown(i) ? null : faint), 0.25);
    dots((i) => (shown(i) ? own(i) : null), facts.n > 4000 ? 0.75 : 0.9);
    this.drawNames(context);
    context.strokeStyle = css('--rule');
    context.lineWidth = 1;
    context.strokeRect(0.5, 0.5, this.width - 1, this.height - 1);
    this.drawOverlay();
    this.drawn = (this.drawn || 0) + 1;
  }

  // The name of each bloc at the median of its points, above them where points are few; names that would overlap are left out, the smaller bloc first.
  drawNames(context) {
    const { labels } = this.table.rows, taken = [];
    const middle = (values, part = 0.5) => values.sort((a, b) => a - b)[Math.floor(values.length * part)];
    context.font = `600 13px ${getComputedStyle(document.body).fontFamily}`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.lineJoin = 'round';
    for (let k = 0; k < facts.k; k++) {
      const xs = [], ys = [];
      for (let i = 0; i < facts.n; i++) if (labels[i] === k && !Number.isNaN(this.x[i])) { xs.push(this.px(i)); ys.push(this.py(i)); }
      if (xs.length === 0) continue;
      const text = clip(blocName(k).split(', ').slice(0, 2).join(', '), 26), half = context.measureText(text).width / 2;
      const x = Math.max(half + 4, Math.min(this.width - half - 4, middle(xs))), y = facts.n < 1500 ? middle(ys, 0.1) - 14 : middle(ys);
      if (y < 8 || y > this.height - 8 || taken.some(([a, b, h]) => Math.abs(a - x) < h + half + 4 && Math.abs(b - y) < 16)) continue;
      taken.push([x, y, half]);
      context.lineWidth = 4;
      context.strokeStyle = css('--paper');
      context.strokeText(text, x, y);
      context.fillStyle = css('--ink');
      context.fillText(text, x, y);
    }
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

  // The nearest row to a point of the canvas, at most `reach` pixels away; -1: none.
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

  point(row, spoken) {
    this.at = row;
    this.drawOverlay();
    this.tip.hidden = row < 0;
    if (row < 0) return;
    const label = this.table.rows.labels[row], name = nameIn(this.table.rows, words.row, row), x = this.px(row), y = this.py(row);
    this.tip.replaceChildren(el('div', null, dotOf(label), el('b', null, clip(name, 80))), el('div', { class: 'quiet' }, label < 0 ? 'in no cluster' : `bloc ${label}, ${clip(blocName(label), 60)}`));
    const width = this.tip.offsetWidth, height = this.tip.offsetHeight;
    this.tip.style.left = `${Math.max(0, x + 12 + width > this.width ? x - width - 12 : x + 12)}px`;
    this.tip.style.top = `${Math.max(0, y + 12 + height > this.height ? y - height - 12 : y + 12)}px`;
    if (spoken) this.live.textContent = `${name}, bloc ${label}`;
  }
}
