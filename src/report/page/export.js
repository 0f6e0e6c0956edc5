// What is seen, as files: CSV, SVG, PNG.

function saveFile(name, content, type) {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const link = el('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// A cell that a spreadsheet would take for a formula gets an apostrophe.
function csvCell(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const csvOf = (lines) => `${lines.map((line) => line.map(csvCell).join(',')).join('\n')}\n`;
const fileName = (name, ending) => `${(story.title || 'cobloc').replace(/[^\w.-]+/g, '_').slice(0, 60)}-${name}.${ending}`;

const saveButton = (text, action) => el('button', { type: 'button', class: 'link', on: { click: action } }, text);
const csvButton = (name, lines) => saveButton('Save as CSV', () => saveFile(fileName(name, 'csv'), csvOf(lines()), 'text/csv'));
const pngButton = (name, canvas) => saveButton('Save as PNG', () => canvas().toBlob((blob) => saveFile(fileName(name, 'png'), blob)));

// A chart with the style that it has on the page written into it.
const STYLED = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'stroke-linejoin', 'paint-order', 'font-family', 'font-size', 'font-weight'];

function svgText(source) {
  const copy = source.cloneNode(true), box = source.viewBox.baseVal;
  const from = [source, ...source.querySelectorAll('*')], to = [copy, ...copy.querySelectorAll('*')];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of STYLED) to[i].setAttribute(name, style.getPropertyValue(name));
    to[i].removeAttribute('style');
    to[i].removeAttribute('class');
  });
  copy.setAttribute('xmlns', SVG);
  copy.setAttribute('width', box.width);
  copy.setAttribute('height', box.height);
  return new XMLSerializer().serializeToString(copy);
}

const svgButton = (name, source) => saveButton('Save as SVG', () => saveFile(fileName(name, 'svg'), svgText(source()), 'image/svg+xml'));
