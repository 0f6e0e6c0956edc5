// Finds a row or column by name, or by number if there are no names.

const MOST_HITS = 14;

// Matches at the start of a name come first, then at the start of a word, then anywhere; shorter names before longer ones.
function rank(name, wanted) {
  const at = name.indexOf(wanted);
  if (at < 0) return -1;
  const boundary = at === 0 ? 0 : /[\s_\-./(,:;]/.test(name[at - 1]) ? 1 : 2;
  return boundary * 1e6 + Math.min(name.length, 1e5);
}

function finder(table) {
  const sides = [['col', table.cols], ['row', table.rows]].map(([kind, side]) => ({ kind, side,
    lower: side.names ? side.names.map((name) => name.toLocaleLowerCase()) : null }));
  return (text) => {
    const wanted = text.trim().toLocaleLowerCase(), hits = [];
    if (!wanted) return hits;
    for (const { kind, side, lower } of sides) {
      if (lower) {
        lower.forEach((name, line) => {
          const score = rank(name, wanted);
          if (score >= 0) hits.push({ kind, line, score });
        });
      }
      const number = Number(wanted.replace(/^\D+\s*/, ''));
      if (!lower && Number.isInteger(number) && number >= 1 && number <= side.count) hits.push({ kind, line: number - 1, score: 0 });
    }
    return hits.sort((a, b) => a.score - b.score || a.line - b.line);
  };
}

function searchBox(table, choose) {
  const input = document.getElementById('query'), list = document.getElementById('hits'), find = finder(table);
  const named = facts.rowNamed || facts.colNamed;
  const what = `Find ${article(words.row)} or ${words.col}${named ? '' : ' by its number'}`;
  input.placeholder = what;
  input.setAttribute('aria-label', what);
  let active = -1, hits = [];
  const close = () => { list.hidden = true; input.setAttribute('aria-expanded', 'false'); active = -1; };
  const take = (hit) => { close(); input.blur(); choose({ [hit.kind]: hit.line }); };
  const mark = (index) => {
    active = index;
    [...list.children].forEach((item, i) => item.setAttribute('aria-selected', String(i === active)));
    input.setAttribute('aria-activedescendant', active < 0 ? '' : `hit-${active}`);
    if (active >= 0) list.children[active].scrollIntoView({ block: 'nearest' });
  };
  const refresh = () => {
    const all = find(input.value);
    hits = all.slice(0, MOST_HITS);
    list.replaceChildren(...hits.map((hit, i) => hitItem(table, hit, i, take)));
    if (input.value.trim() && hits.length === 0) list.append(el('li', { class: 'quiet' }, 'Nothing found'));
    if (all.length > hits.length) list.append(el('li', { class: 'quiet', role: 'presentation' }, `and ${grouped(all.length - hits.length)} more`));
    const open = list.children.length > 0;
    list.hidden = !open;
    input.setAttribute('aria-expanded', String(open));
    mark(hits.length ? 0 : -1);
  };
  input.addEventListener('input', refresh);
  input.addEventListener('focus', () => { if (input.value) refresh(); });
  input.addEventListener('blur', () => setTimeout(() => { if (document.activeElement !== input) close(); }, 150));
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' && hits.length) mark((active + 1) % hits.length);
    else if (event.key === 'ArrowUp' && hits.length) mark((active + hits.length - 1) % hits.length);
    else if (event.key === 'Enter' && hits[active]) take(hits[active]);
    else if (event.key === 'Escape') { input.value = ''; close(); } else return;
    event.preventDefault();
  });
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || /INPUT|TEXTAREA/.test(document.activeElement.tagName)) return;
    event.preventDefault();
    input.focus();
  });
}

function hitItem(table, hit, index, take) {
  const side = hit.kind === 'row' ? table.rows : table.cols, label = side.labels[hit.line];
  const colour = hit.kind === 'row' ? label : colourOfCols(label);
  return el('li', { role: 'option', id: `hit-${index}`, 'aria-selected': 'false', on: { pointerdown: (event) => { event.preventDefault(); take(hit); } } },
    dotOf(colour),
    el('span', { class: 'hit' }, nameIn(side, words[hit.kind], hit.line)),
    el('span', { class: 'quiet' }, `${words[hit.kind]}, ${label < 0 ? 'in no cluster' : clusterWord(hit.kind, label)}`));
}

// Describes where a line is.
function clusterWord(kind, label) {
  if (kind === 'row' || isDiagonal) return `bloc ${label}`;
  return facts.colNames.length ? facts.colNames[label] : `column cluster ${label}`;
}
