// What the documents say: their beginnings, where the page holds them.

// Texts are stored in blocks of rows, each unpacked when one of its rows is looked at.
const TEXT_ROWS = 256;
const textBlocks = new Map();

async function textOf(row) {
  const block = Math.floor(row / TEXT_ROWS);
  if (!textBlocks.has(block)) textBlocks.set(block, readNames(`texts-${block}`));
  const texts = await textBlocks.get(block);
  return texts ? texts[row % TEXT_ROWS] || '' : '';
}

const hasTexts = () => story.texts;

// An element that shows the text of a row once it is there.
function textElement(row, className, make) {
  if (!hasTexts()) return null;
  const element = el('p', { class: className, hidden: true });
  textOf(row).then((text) => {
    const content = text ? make(text) : null;
    if (!content) return;
    element.hidden = false;
    element.replaceChildren(...[content].flat());
  });
  return element;
}

// The whole text that is kept.
const excerptOf = (row) => textElement(row, 'excerpt', (text) => text);

// The first words, for lists; without the title, which the name has said already.
function beginningOf(row, name) {
  const title = name.replace(/^[^:]{1,40}: /, '').replace(/(\.\.\.|\u2026)$/, '').trim().toLocaleLowerCase();
  return textElement(row, 'beginning', (text) => {
    const said = title.length > 3 && text.toLocaleLowerCase().startsWith(title) ? text.slice(title.length).replace(/^[\s.,:;]+/, '') : text;
    return said ? clipWords(said, 160) : null;
  });
}

// The words around a term, which is marked; terms may be stems, so a word that begins with it will do.
function excerptAround(row, term) {
  return textElement(row, 'beginning', (text) => {
    const plain = term.toLocaleLowerCase(), lower = text.toLocaleLowerCase();
    let at = -1;
    do at = lower.indexOf(plain, at + 1); while (at > 0 && /[\p{L}\p{N}]/u.test(lower[at - 1]));
    if (at < 0 || lower.length !== text.length) return clipWords(text, 160);
    const from = Math.max(0, at - 70), to = Math.min(text.length, at + plain.length + 90);
    return [`${from > 0 ? '\u2026' : ''}${text.slice(from, at)}`, el('mark', null, text.slice(at, at + plain.length)), `${text.slice(at + plain.length, to)}${to < text.length ? '\u2026' : ''}`];
  });
}
