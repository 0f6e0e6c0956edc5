// Elements, formatted numbers, colours.

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === 'on') for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener);
    else if (key === 'style') for (const [name, text] of Object.entries(value)) element.style.setProperty(name, text);
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// String children become text nodes, whatever they contain.
const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

// ---- numbers and words

const THIN = '\u202f';
const grouped = (number) => String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, THIN);
// Small shares keep two figures.
const percent = (share, digits = share >= 0.095 || share === 0 ? 0 : share >= 0.0095 ? 1 : 2) => `${(100 * share).toFixed(digits)}${THIN}%`;

function short(number, digits = 3) {
  if (number === null || !Number.isFinite(number)) return '\u2013';
  const size = Math.abs(number);
  const text = size >= 1e7 || (size > 0 && size < 1e-3) ? number.toExponential(digits - 1)
    : size >= 1e4 ? grouped(size) : String(Number(size.toPrecision(Math.max(digits, 3))));
  return (number < 0 && !text.startsWith('-') ? '\u2212' : '') + text.replace('-', '\u2212');
}

// So many decimals, with a minus sign rather than a hyphen.
const fixed = (number, digits = 2) => number.toFixed(digits).replace('-', '\u2212');

// "organisations" -> "organisation", "countries" -> "country"
function singular(word) {
  if (/ies$/.test(word)) return word.replace(/ies$/, 'y');
  if (/(ss|us)$/.test(word)) return word;
  return word.replace(/s$/, '');
}

const isDiagonal = facts.model.diagonal;
const words = { row: singular(facts.rowWord), col: singular(facts.colWord), rows: facts.rowWord, cols: facts.colWord };
const counted = (count, one, many) => `${grouped(count)} ${count === 1 ? one : many}`;
const rowsCounted = (count) => counted(count, words.row, words.rows);
const colsCounted = (count) => counted(count, words.col, words.cols);
const article = (word) => `${/^[aeiou]/i.test(word) ? 'an' : 'a'} ${word}`;
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const clip = (text, most) => (text.length > most ? `${text.slice(0, most - 1).trimEnd()}\u2026` : text);
// The same between words, if there are any.
const clipWords = (text, most) => (text.length > most ? `${text.slice(0, most).replace(/(\S)\s+\S*$/u, '$1')}\u2026` : text);

// A name, or a number if there are no names. A name of blanks would be invisible.
function nameIn(side, word, line) {
  const name = side.names ? side.names[line] : null;
  return name && name.trim() ? name : `${word} ${line + 1}`;
}

// ---- colours

// A bloc has the colour of its largest part, so that colours stay when blocs are merged.
const colourVariable = (cluster) => `--c${facts.colours[cluster]}`;
const colourName = (cluster) => `var(${colourVariable(cluster)})`;
const dotOf = (cluster) => el('i', { class: 'dot', style: { background: cluster < 0 ? 'var(--faint-ink)' : colourName(cluster) } });

// A colour of the current style sheet, as [red, green, blue].
function colourNow(name) {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const number = parseInt(text.slice(1), 16);
  return [number >> 16 & 255, number >> 8 & 255, number & 255];
}

// Each row cluster has a colour; a column cluster has that of the bloc it belongs to, if any.
const colourOfCols = (l) => (l < 0 ? -1 : facts.colBlocs[l]);
const isOwn = (k, l) => k >= 0 && l >= 0 && facts.own[k * facts.l + l] === 1;
const lift = (k, l) => facts.lifts[k * facts.l + l];
