// How good each bloc is, in a table that can be sorted; weak numbers are marked.

const QUALITIES = [
  { name: 'density', help: 'share of its cells that are filled', of: (b) => b.density, text: (v) => percent(v) },
  { name: 'lift', help: 'times as many entries as by chance', of: (b) => (b.partners.length ? b.partners[0][1] : null), text: (v) => liftText(v), weak: (v) => v < 1.5 },
  { name: 'coherence', help: 'mean NPMI of its most frequent columns in pairs, \u22121 to 1', of: (b) => b.npmi, text: fixed, weak: (v) => v < 0.05 },
  { name: 'Jaccard', help: 'mean Jaccard similarity of the rows of its most frequent columns', of: (b) => b.jaccard, text: (v) => v.toFixed(2) },
  { name: 'inside', help: 'mean cosine similarity of its rows with each other', of: (b) => b.isim, text: (v) => fixed(v, 3) },
  { name: 'outside', help: 'mean cosine similarity of its rows with all others', of: (b) => b.esim, text: (v) => fixed(v, 3) },
  { name: 'stability', help: 'how well it is found again in fits of samples of the rows, 0 to 1', of: (b) => b.stability, text: (v) => v.toFixed(2), weak: (v) => v < 0.5 },
];

function qualitySection() {
  section('quality', () => {
    const shown = QUALITIES.filter((q) => facts.blocs.some((b) => q.of(b) !== null && q.of(b) !== undefined));
    const weak = (q, b) => (q.weak && q.of(b) !== null && q.weak(q.of(b))) || (q.name === 'inside' && b.esim !== null && b.isim < 1.2 * b.esim);
    const marked = facts.blocs.filter((b) => shown.some((q) => weak(q, b))).length;
    const size = (name, values) => ({ name, number: true, of: values });
    const sizes = [size(words.rows, facts.rowSizes), ...(isDiagonal ? [size(words.cols, facts.colSizes)] : [])];
    const lines = facts.blocs.map((b, k) => [{ value: k, node: () => el('span', null, dotOf(k), el('a', { href: `#bloc=${k}` }, `${k}\u2002${clip(blocName(k), 44)}`)) },
      ...sizes.map((s) => ({ value: s.of[k], text: grouped(s.of[k]) })),
      ...shown.map((q) => ({ value: q.of(b), text: q.of(b) === null || q.of(b) === undefined ? '\u2013' : q.text(q.of(b)), mark: weak(q, b), title: weak(q, b) ? 'weak' : null }))]);
    return { title: 'How good each bloc is',
      lead: `A click on a heading sorts. ${marked ? `Weak numbers are underlined: ${marked === 1 ? 'one bloc has' : `${inWords(marked)} blocs have`} some.` : 'Weak numbers would be underlined; there are none.'}`,
      content: sortable({ caption: 'Quality of the blocs', columns: [{ name: 'bloc' }, ...sizes, ...shown.map((q) => ({ ...q, number: true }))], rows: lines, name: 'quality' }) };
  });
}
