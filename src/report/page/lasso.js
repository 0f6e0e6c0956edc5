// Pointer and keyboard on the map, and what the lasso has caught.

Object.assign(MapView.prototype, {
  setDrawing(on) {
    this.drawing = on;
    this.lassoButton.setAttribute('aria-pressed', String(on));
    this.overlay.classList.toggle('drawing', on);
    this.changed();
  },

  listen() {
    const fingers = new Map();
    let moved = 0;
    const at = (event) => {
      const box = this.overlay.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    const on = (type, listener, options) => this.overlay.addEventListener(type, listener, options);
    on('pointerdown', (event) => {
      const place = at(event);
      fingers.set(event.pointerId, place);
      moved = 0;
      this.overlay.setPointerCapture(event.pointerId);
      this.path = this.drawing || event.shiftKey ? [[place.x, place.y]] : null;
    });
    on('pointermove', (event) => {
      const now = at(event), before = fingers.get(event.pointerId);
      if (before) {
        moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
        if (fingers.size === 2) this.pinch(fingers, event.pointerId, now);
        else if (this.path) { this.path.push([now.x, now.y]); this.drawOverlay(); }
        else if (this.level() > 1.01) {
          this.view.left -= (now.x - before.x) / this.side * this.view.span;
          this.view.top -= (now.y - before.y) / this.side * this.view.span;
          this.inside();
        }
        fingers.set(event.pointerId, now);
      }
      if (!this.path) this.point(before && moved > 4 ? -1 : this.nearest(now.x, now.y));
    });
    const lift = (event) => {
      if (!fingers.delete(event.pointerId)) return;
      if (this.path && moved > 12) this.choose();
      else if (moved < 4 && event.type === 'pointerup' && this.at >= 0) openRow(this.table, this.at);
      this.path = null;
      this.drawOverlay();
    };
    on('pointerup', lift);
    on('pointercancel', lift);
    on('pointerleave', () => { if (fingers.size === 0) this.point(-1); });
    on('blur', () => this.point(-1));
    on('dblclick', (event) => { const { x, y } = at(event); this.zoom(2.5, this.mapX(x), this.mapY(y)); });
    on('wheel', (event) => {
      const { x, y } = at(event), outwards = event.deltaY > 0;
      if (performance.now() - lastScroll < 250 || (outwards && this.level() <= 1.01)) return;
      event.preventDefault();
      this.zoom(Math.exp(-Math.sign(event.deltaY) * Math.min(0.5, Math.abs(event.deltaY) / 300)), this.mapX(x), this.mapY(y));
    }, { passive: false });
    on('keydown', (event) => this.key(event));
  },

  pinch(fingers, moving, now) {
    const [other] = [...fingers].filter(([id]) => id !== moving).map(([, place]) => place), before = fingers.get(moving);
    const distance = (p) => Math.hypot(p.x - other.x, p.y - other.y);
    this.path = null;
    this.zoom(distance(now) / Math.max(1, distance(before)), this.mapX((now.x + other.x) / 2), this.mapY((now.y + other.y) / 2));
  },

  // Arrow keys go to the nearest point in their direction.
  key(event) {
    const steps = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (steps[event.key]) {
      this.point(this.at < 0 ? this.nearest(this.width / 2, this.height / 2, 4000) : this.onward(...steps[event.key]), true);
      if (this.at >= 0 && (this.px(this.at) < 0 || this.py(this.at) < 0 || this.px(this.at) > this.width || this.py(this.at) > this.height)) {
        this.view.left = this.x[this.at] - this.view.span / 2;
        this.view.top = this.y[this.at] - this.view.span / 2;
        this.inside();
      }
    } else if (event.key === 'Enter' && this.at >= 0) openRow(this.table, this.at);
    else if (event.key === '+' || event.key === '=') this.zoom(1.6, ...(this.at >= 0 ? [this.x[this.at], this.y[this.at]] : []));
    else if (event.key === '-') this.zoom(1 / 1.6);
    else if (event.key === '0') this.reset();
    else if (event.key === 'Escape') { this.point(-1); return; } else return;
    event.preventDefault();
  },

  onward(right, down) {
    let best = this.at, least = Infinity;
    for (let i = 0; i < facts.n; i++) {
      const dx = this.x[i] - this.x[this.at], dy = this.y[i] - this.y[this.at], ahead = dx * right + dy * down, aside = Math.abs(dx * down) + Math.abs(dy * right);
      if (i !== this.at && ahead > 0 && ahead >= aside && ahead + 2 * aside < least) { least = ahead + 2 * aside; best = i; }
    }
    return best;
  },

  // The rows inside the path.
  choose() {
    const path = this.path.map(([x, y]) => [this.mapX(x), this.mapY(y)]), rows = [];
    for (let i = 0; i < facts.n; i++) {
      let inside = false;
      for (let a = 0, b = path.length - 1; a < path.length; b = a++) {
        const [x1, y1] = path[a], [x2, y2] = path[b];
        if ((y1 > this.y[i]) !== (y2 > this.y[i]) && this.x[i] < (x2 - x1) * (this.y[i] - y1) / (y2 - y1) + x1) inside = !inside;
      }
      if (inside) rows.push(i);
    }
    this.chosen = rows.length ? new Set(rows) : null;
    this.setDrawing(false);
    this.onChoice(rows);
  },
});

// ---- the section

// What was caught: how many of which bloc, and which.
function caught(table, rows, clear) {
  const counts = new Map();
  for (const row of rows) counts.set(table.rows.labels[row], (counts.get(table.rows.labels[row]) || 0) + 1);
  const blocs = [...counts].sort((a, b) => b[1] - a[1]);
  return [el('b', null, rowsCounted(rows.length)), ` of ${blocs.map(([k, count]) => `bloc ${k < 0 ? '\u2013' : k} (${grouped(count)})`).join(', ')}. `,
    csvButton('lasso', () => [[words.row, 'bloc'], ...rows.map((row) => [nameIn(table.rows, words.row, row), table.rows.labels[row]])]), ' ',
    el('button', { type: 'button', class: 'link', on: { click: clear } }, 'Clear'),
    el('ul', null, ...rows.slice(0, 100).map((row) => el('li', null, dotOf(table.rows.labels[row]), nameButton(table, 'row', row)))),
    rows.length > 100 ? el('span', { class: 'quiet' }, `and ${grouped(rows.length - 100)} more`) : ''];
}

function mapSection(table) {
  const view = new MapView(table), key = el('ul', { class: 'key' }), chosen = el('div', { class: 'chosen', 'aria-live': 'polite' });
  const clear = () => { view.chosen = null; chosen.replaceChildren(); view.changed(); };
  view.onChoice = (rows) => { chosen.replaceChildren(...(rows.length ? caught(table, rows, clear) : [])); view.changed(); };
  const entry = (k) => {
    const button = el('button', { type: 'button', 'aria-pressed': 'false', title: `Show only bloc ${k} in colour`, on: { click: () => {
      view.bloc = view.bloc === k ? -1 : k;
      key.querySelectorAll('button').forEach((other) => other.setAttribute('aria-pressed', String(other === button && view.bloc === k)));
      view.changed();
    } } }, dotOf(k), `${k}\u2002${clip(blocName(k), 40)}`, el('span', { class: 'count' }, grouped(facts.rowSizes[k])));
    return el('li', null, button);
  };
  followers.push(clear);
  section('map', () => {
    key.replaceChildren(...Array.from({ length: facts.k }, (_, k) => entry(k)));
    view.changed();
    return { title: `A map of the ${words.rows}`,
      lead: `Each dot is ${article(words.row)}; similar ones are near each other, whatever their bloc. ${percent(table.map.kept)} of the ${table.map.neighbours} nearest neighbours of ${article(words.row)} are among the nearest on the map; distances across the map mean little. Hover over a dot to see what it is, click to open it, draw with the lasso (or shift) to list many.`,
      content: el('div', { class: 'atlas' }, el('figure', { class: 'wide' }, el('figcaption', null, el('b', null, `All ${words.rows}`)), view.element,
        el('p', { class: 'tools small' }, pngButton('map', () => view.canvas), ' ', csvButton('map', () => [[words.row, 'bloc', 'x', 'y'],
          ...Array.from({ length: facts.n }, (_, i) => [nameIn(table.rows, words.row, i), table.rows.labels[i], table.map.x[i], 1 - table.map.y[i]])]))),
      el('div', null, key, chosen)) };
  });
  return view;
}
