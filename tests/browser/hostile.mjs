// A table whose names try to become part of the page.
import { writeFileSync } from 'node:fs';

export const NAMES = [
  '<script>alert(1)</script>', '</script><script>window.taken = 1</script>', '"&\'', '<img src=x onerror="window.taken = 1">',
  'line\u2028separator\u2029here', '&lt;b&gt;', '{{7*7}}', '${window.taken = 1}', 'javascript:window.taken=1', ']]>', '<!--', '\u202etfel',
  '日本語 é', '   ',
];

const quoted = (text) => `"${text.replaceAll('"', '""')}"`;

if (process.argv[1].endsWith('hostile.mjs')) {
  const lines = [['', ...NAMES.map((name) => `${name} col`)].map(quoted).join(',')];
  NAMES.forEach((name, i) => lines.push([quoted(`${name} row`), ...NAMES.map((_, j) => ((i < 7) === (j < 7) && (i + j) % 5 ? 1 + (i * j) % 4 : 0))].join(',')));
  writeFileSync(process.argv[2], `${lines.join('\n')}\n`);
}
