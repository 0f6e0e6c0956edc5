// Pointer and keyboard on the map, and what was selected.

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
      else if (moved < 4 && event.type === 'pointerup' && this.at >= 0) this.open(this.at);
      this.path = null;
      this.drawOverlay();
    };
    on('pointerup', lift);
    on('pointercancel', lift);
    on('pointerleave', () => { if (fingers.size === 0) this.point(-1); });
    on('blur', () => { this.corner = -1; this.path = null; this.point(-1); });
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
    } else if (event.key === 'Enter' && this.at >= 0) this.open(this.at);
    else if (event.key === ' ' && this.at >= 0) this.toggle(this.at);
    else if (event.key.toLowerCase() === 's' && this.at >= 0) this.mark();
    else if (event.key === '+' || event.key === '=') this.zoom(1.6, ...(this.at >= 0 ? [this.x[this.at], this.y[this.at]] : []));
    else if (event.key === '-') this.zoom(1 / 1.6);
    else if (event.key === '0') this.reset();
    else if (event.key === 'Escape') { this.corner = -1; this.path = null; this.point(-1); return; } else return;
    event.preventDefault();
  },

  onward(right, down) {
    let best = this.at, least = Infinity;
    for (let i = 0; i < this.n; i++) {
      const dx = this.x[i] - this.x[this.at], dy = this.y[i] - this.y[this.at], ahead = dx * right + dy * down, aside = Math.abs(dx * down) + Math.abs(dy * right);
      if (i !== this.at && ahead > 0 && ahead >= aside && ahead + 2 * aside < least) { least = ahead + 2 * aside; best = i; }
    }
    return best;
  },

  // The points inside the path.
  choose() {
    const path = this.path.map(([x, y]) => [this.mapX(x), this.mapY(y)]), found = [];
    for (let i = 0; i < this.n; i++) {
      let inside = false;
      for (let a = 0, b = path.length - 1; a < path.length; b = a++) {
        const [x1, y1] = path[a], [x2, y2] = path[b];
        if ((y1 > this.y[i]) !== (y2 > this.y[i]) && this.x[i] < (x2 - x1) * (this.y[i] - y1) / (y2 - y1) + x1) inside = !inside;
      }
      if (inside) found.push(i);
    }
    this.setDrawing(false);
    this.setChosen(found);
  },

  setChosen(found) {
    this.chosen = found.length ? new Set(found) : null;
    this.onChoice(found);
  },

  chooseSeen() {
    this.setChosen(Array.from({ length: this.n }, (_, i) => i).filter((i) => this.isSeen(i)));
  },

  // ---- by the keyboard

  toggle(i) {
    const found = new Set(this.chosen || []);
    if (!found.delete(i)) found.add(i);
    this.setChosen([...found].sort((a, b) => a - b));
    this.live.textContent = `${this.nameOf(i)} ${found.has(i) ? 'selected' : 'not selected'}, ${this.counted(found.size)} in all`;
  },

  // The rectangle from the first corner to the current point, a little larger than both.
  boxPath() {
    const to = this.at < 0 ? this.corner : this.at, edge = this.radius() + 4, xs = [this.px(this.corner), this.px(to)], ys = [this.py(this.corner), this.py(to)];
    const [left, right] = [Math.min(...xs) - edge, Math.max(...xs) + edge], [top, low] = [Math.min(...ys) - edge, Math.max(...ys) + edge];
    return [[left, top], [right, top], [right, low], [left, low]];
  },

  // The first time it marks a corner, the second time it selects all points between that and this one.
  mark() {
    if (this.corner < 0) {
      this.corner = this.at;
      this.live.textContent = `Selecting from ${this.nameOf(this.at)}: go to the opposite corner and press S again`;
      this.drawOverlay();
      return;
    }
    this.path = this.boxPath();
    this.corner = -1;
    this.choose();
    this.path = null;
    this.live.textContent = `${this.counted(this.chosen ? this.chosen.size : 0)} selected`;
  },
});

// ---- the section

// What was selected: how many of which bloc, and which.
function caught(view, lines, clear) {
  const { table, kind } = view, counts = new Map();
  for (const line of lines) counts.set(view.blocOf(line), (counts.get(view.blocOf(line)) || 0) + 1);
  const blocs = [...counts].sort((a, b) => b[1] - a[1]);
  return [el('b', null, view.counted(lines.length)), ` of ${blocs.map(([k, count]) => `bloc ${k < 0 ? '\u2013' : k} (${grouped(count)})`).join(', ')}. `,
    csvButton('lasso', () => [[words[kind], 'cluster'], ...lines.map((line) => [view.nameOf(line), view.lines.labels[line]])]), ' ',
    el('button', { type: 'button', class: 'link', on: { click: clear } }, 'Clear'),
    el('ul', null, ...lines.slice(0, 100).map((line) => el('li', null, dotOf(view.blocOf(line)), nameButton(table, kind, line)))),
    lines.length > 100 ? el('span', { class: 'quiet' }, `and ${grouped(lines.length - 100)} more`) : ''];
}

// One map with its key: the rows, or the columns.
function mapFigure(table, kind) {
  const view = new MapView(table, kind), key = el('ul', { class: 'key' }), chosen = el('div', { class: 'chosen', 'aria-live': 'polite' }), map = table.maps[kind];
  const clear = () => { view.chosen = null; chosen.replaceChildren(); view.changed(); };
  view.onChoice = (lines) => { chosen.replaceChildren(...(lines.length ? caught(view, lines, clear) : [])); view.changed(); };
  const entry = (k) => {
    const size = kind === 'row' ? facts.rowSizes[k] : facts.colSizes.reduce((sum, count, l) => sum + (colourOfCols(l) === k ? count : 0), 0);
    const button = el('button', { type: 'button', 'aria-pressed': String(view.bloc === k), title: `Show only bloc ${k} in colour`, on: { click: () => {
      view.bloc = view.bloc === k ? -1 : k;
      key.querySelectorAll('button').forEach((other) => other.setAttribute('aria-pressed', String(other === button && view.bloc === k)));
      view.changed();
    } } }, dotOf(k), `${k}\u2002${clip(blocName(k), 40)}`, el('span', { class: 'count' }, grouped(size)));
    return el('li', null, button);
  };
  followers.push(clear);
  const element = el('div', { class: 'atlas' }, el('figure', { class: 'wide' }, el('figcaption', null, el('b', null, `All ${words[`${kind}s`]}`)), view.element,
    el('p', { class: 'tools small' }, pngButton('map', () => view.canvas), ' ', csvButton('map', () => [[words[kind], 'cluster', 'x', 'y'],
      ...Array.from({ length: view.n }, (_, i) => [view.nameOf(i), view.lines.labels[i], map.x[i], 1 - map.y[i]])]))),
  el('div', null, key, chosen));
  const refresh = () => { key.replaceChildren(...Array.from({ length: facts.k }, (_, k) => entry(k))); view.changed(); };
  return { view, element, refresh };
}

// `views`: where the views go that have to know of searches and themes.
function mapSection(table, views) {
  const kinds = ['row', 'col'].filter((kind) => table.maps[kind]), figures = new Map(), place = el('div', null);
  let shown = kinds[0];
  if (!shown) return;
  const show = (kind) => {
    shown = kind;
    if (!figures.has(kind)) {
      figures.set(kind, mapFigure(table, kind));
      views.push(figures.get(kind).view);
    }
    figures.get(kind).refresh();
    place.replaceChildren(figures.get(kind).element);
  };
  const choice = (kind) => el('label', null, el('input', { type: 'radio', name: 'map', checked: kind === shown, on: { change: () => { show(kind); render(parts.find((part) => part.id === 'map')); } } }), ` ${words[`${kind}s`]}`);
  const choices = kinds.length > 1 ? el('fieldset', { class: 'tools choices' }, el('legend', null, 'Map of the'), ...kinds.map(choice)) : null;
  show(shown);
  section('map', () => {
    figures.get(shown).refresh();
    const one = article(words[shown]), { kept, neighbours } = table.maps[shown];
    return { title: `A map of the ${words[`${shown}s`]}`, content: [choices, place],
      lead: `Each dot is ${one}; similar ones are near each other, whatever their bloc. ${percent(kept)} of the ${neighbours} nearest neighbours of ${one} are among the nearest on the map; distances across the map mean little. Hover over a dot to see what it is, click to open it, draw with the lasso (or shift) to list many.` };
  });
}
