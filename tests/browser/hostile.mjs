// A table whose names try to become part of the page.
import { writeFileSync } from 'node:fs';

export const NAMES = [
  '<script>alert(1)</script>', '</script><script>window.taken = 1</script>', '"&\'', '<img src=x onerror="window.taken = 1">',
  'line\u2028separator\u2029here', '&lt;b&gt;', '{{7*7}}', '${window.taken = 1}', 'javascript:window.taken=1', ']]>', '<!--', '\u202etfel',
  '日本語 é', '   ',
];

const quoted = (text) => `"${text.replaceAll('"', '""')}"`;

// Documents on two subjects that try the same.
export function documents() {
  const subjects = ['river water boat fish bank stream', 'stock market price share bank trade'];
  return Array.from({ length: 40 }, (_, i) => ({
    text: `${NAMES[i % NAMES.length]} ${subjects[i % 2].split(' ').slice(i % 4, 3 + i % 4).join(' ')} ${subjects[i % 2]} </script><script>window.taken = 1</script> &lt;i&gt;`,
  }));
}

if (process.argv[1].endsWith('hostile.mjs')) {
  const lines = [['', ...NAMES.map((name) => `${name} col`)].map(quoted).join(',')];
  NAMES.forEach((name, i) => lines.push([quoted(`${name} row`), ...NAMES.map((_, j) => ((i < 7) === (j < 7) && (i + j) % 5 ? 1 + (i * j) % 4 : 0))].join(',')));
  lines.push([quoted('long '.repeat(200000)), ...NAMES.map((_, j) => Number(j < 7))].join(',')); // a megabyte
  writeFileSync(process.argv[2], `${lines.join('\n')}\n`);
  writeFileSync('hostile.jsonl', documents().map((document) => `${JSON.stringify(document)}\n`).join(''));
}
