// The report as a reader meets it: in a browser, with a mouse and a keyboard.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NAMES } from './hostile.mjs';

const [work, table] = process.argv.slice(2);
const { chromium } = createRequire(join(work, '/'))('playwright-core');
const pictures = process.env.COBLOC_SCREENSHOTS;
const ARGUMENTS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];

// ---- pages

let context;

// Opens a report and waits until it is drawn. Whatever the page complains about ends up in `complaints`.
async function open(path, hash = '') {
  const page = await context.newPage(), complaints = [];
  page.on('console', (message) => { if (message.type() !== 'log') complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => { complaints.push('a dialog'); dialog.dismiss(); });
  page.on('request', (request) => { if (!request.url().startsWith('file:')) complaints.push(`asks for ${request.url()}`); });
  await page.goto(`file://${join(work, path)}${hash ? `#${hash}` : ''}`);
  await page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 60000 });
  return { page, complaints };
}

// ---- helpers

const quiet = (complaints) => assert.deepEqual(complaints, []);
const after = (page) => page.locator('#matrix .over').nth(1);

async function hover(page, canvas, x, y) {
  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
}

const tipOf = (page, index) => page.locator('#matrix .tip').nth(index);
const zoomOf = (page, index) => page.locator('#matrix .zoomed').nth(index).textContent();
const inkOf = (page, index) => page.locator('#matrix .ink').nth(index).evaluate((canvas) => canvas.toDataURL());

const described = (path) => JSON.parse(readFileSync(join(work, path, 'describe.json'), 'utf8'));
const savedLabels = (path) => readFileSync(join(work, path, 'rows.tsv'), 'utf8').trim().split('\n').slice(1).map((line) => Number(line.split('\t')[1]));
const numbersOf = (locator) => locator.evaluateAll((all) => all.map((element) => Number(element.dataset.value)));

async function download(page, button) {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return readFileSync(await file.path(), 'utf8');
}

// The bloc of each row, from the file that the page saves.
async function labelsOf(page) {
  const lines = (await download(page, page.locator('#blocs button', { hasText: 'Save as CSV' }))).trim().split('\n');
  return lines.slice(1).map((line) => Number(line.match(/,(-?\d+),(?:"(?:[^"]|"")*"|[^",]*)$/)[1]));
}

// Every number and name on the cards is what cobloc describe says.
async function assertCards(page, path) {
  const { blocs } = described(path), many = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, '\u202f');
  assert.equal(await page.locator('#blocs .card').count(), blocs.length);
  for (const [k, bloc] of blocs.entries()) {
    const card = page.locator('#blocs .card').nth(k), text = await card.textContent();
    assert.equal(await card.locator('h3').textContent(), `${k}${bloc.name}\u270e`);
    assert.deepEqual(await card.locator('.terms .name').allTextContents(), bloc.telling.slice(0, 8).map((t) => t.name));
    assert.deepEqual(await numbersOf(card.locator('.value')), bloc.telling.slice(0, 8).map((t) => t.weight));
    const rows = card.locator('.docs').first().locator('.name');
    if (bloc.typical.length) assert.deepEqual(await rows.allTextContents(), bloc.typical.slice(0, 4).map((r) => r.name));
    assert.ok(text.includes(`${many(bloc.rows)} `) && text.includes(`${(100 * bloc.density).toFixed(bloc.density < 0.0095 ? 2 : bloc.density < 0.095 ? 1 : 0)}\u202f% of`), text);
  }
}

// The share of a printed page's pixels, all pages taken together, that are not white.
async function printedInk(page) {
  await page.pdf({ path: join(work, 'print.pdf'), format: 'A4' });
  const ppm = execFileSync('pdftoppm', ['-r', '40', 'print.pdf'], { cwd: work, maxBuffer: 1e9 });
  let inked = 0, all = 0;
  for (let at = 0; at < ppm.length;) {
    const [head, width, height] = ppm.subarray(at, at + 40).toString('latin1').match(/^P6\s+(\d+)\s+(\d+)\s+255\s/).map((v, i) => (i ? Number(v) : v));
    const from = at + head.length;
    at = from + 3 * width * height;
    for (let i = from; i < at; i += 3) inked += Math.min(ppm[i], ppm[i + 1], ppm[i + 2]) < 240;
    all += width * height;
  }
  return inked / all;
}

// ---- tests

const tests = {
  async 'says what there is'() {
    const { page, complaints } = await open('nations/report.html');
    assert.match(await page.locator('h1').textContent(), /^196 countries and 48 organisations in seven blocs$/);
    assert.equal(await page.title(), 'nations');
    assert.equal(await page.locator('.card').count(), 7);
    assert.equal(await page.locator('#blocks tbody tr').count(), 7);
    assert.match(await page.locator('#truth').textContent(), /Africa/);
    assert.equal(await page.locator('main').count(), 1);
    assert.ok(await page.locator('[aria-labelledby]').count() >= 4);
    for (const image of await page.locator('svg[role=img]').all()) assert.ok(await image.getAttribute('aria-label'));
    quiet(complaints);
  },

  // The judge is what cobloc describe prints.
  async 'cards say what the blocs are about'() {
    const { page, complaints } = await open('nations/report.html');
    await assertCards(page, 'nations');
    const { blocs } = described('nations');
    assert.equal(await page.locator('svg.graph').count(), blocs.filter((bloc) => bloc.cols > 1).length);
    for (const [mode, at] of [['frequent', 'sum'], ['coherent', 'npmi']]) {
      await page.locator(`input[value=${mode}]`).check();
      for (const [k, bloc] of blocs.entries()) {
        const list = page.locator('.card').nth(k).locator('.terms');
        assert.deepEqual(await list.locator('.name').allTextContents(), bloc[mode].slice(0, 8).map((t) => t.name));
        assert.deepEqual(await numbersOf(list.locator('.value')), bloc[mode].slice(0, 8).map((t) => t[at]));
      }
    }
    quiet(complaints);
  },

  // The judge is cobloc cut.
  async 'folds as cobloc cut does, label by label'() {
    for (const [path, of] of [['nations', [6, 5, 4, 3, 2, 1]], ['free', [3]]]) {
      const { page, complaints } = await open(`${path}/report.html`), fold = page.locator('#fold');
      const whole = await fold.getAttribute('max'), first = await labelsOf(page);
      assert.deepEqual(first, savedLabels(path));
      for (const k of of) {
        await fold.fill(String(k - 1));
        const cut = path === 'nations' ? `cut-${k}` : `free-${k}`;
        assert.deepEqual(await labelsOf(page), savedLabels(cut));
        assert.match(await page.locator('h1').textContent(), new RegExp(`in ${['', 'one', 'two', 'three', 'four', 'five', 'six'][k]} bloc`));
        await assertCards(page, cut);
      }
      const drawn = await inkOf(page, 1);
      await fold.fill(whole);
      assert.deepEqual(await labelsOf(page), first);
      await page.waitForTimeout(100);
      assert.notEqual(await inkOf(page, 1), drawn);
      quiet(complaints);
    }
  },

  // With --within 0.99, the smallest size is chosen: 2.
  async 'unfolds to the sizes that a selection kept'() {
    const { page, complaints } = await open('chosen/report.html'), fold = page.locator('#fold');
    assert.match(await page.locator('.fold output').textContent(), /^2 blocs as chosen/);
    for (const k of [7, 1, 4]) {
      await fold.fill(String(k - 1));
      assert.deepEqual(await labelsOf(page), savedLabels(`chosen-${k}`));
      await assertCards(page, `chosen-${k}`);
      const colours = await page.locator('.card').evaluateAll((cards) => cards.map((card) => getComputedStyle(card).borderTopColor));
      assert.equal(new Set(colours).size, k);
    }
    assert.match(await page.locator('.dek').textContent(), /^Another fit, beside the one with two blocs/);
    await page.keyboard.press('Tab');
    quiet(complaints);
  },

  // The judges are the margins of cobloc describe, and that the parts make the whole.
  async 'a row says which columns put it where it is'() {
    const { blocs } = described('nations');
    for (const bloc of [blocs[0], blocs[4]])
      for (const { name, margin, next } of [...bloc.typical.slice(0, 2), ...bloc.borderline.slice(0, 2)]) {
        const { page, complaints } = await open('nations/report.html', `row=${encodeURIComponent(name)}`);
        assert.match(await page.locator('dialog h3').textContent(), new RegExp(`^${name}`));
        assert.match(await page.locator('dialog .lead').textContent(), new RegExp(`in bloc ${bloc.cluster}, .* ahead of bloc ${next} by `));
        const parts = await numbersOf(page.locator('dialog tbody td:last-child')), rests = await numbersOf(page.locator('dialog tfoot td:last-child')), whole = rests.pop();
        assert.ok(Math.abs(whole - margin) < 1e-9 * Math.max(1, Math.abs(margin)), `${name}: ${whole}, expected ${margin}`);
        assert.ok(Math.abs([...parts, ...rests].reduce((a, b) => a + b) - whole) < 1e-9);
        assert.equal(await page.locator('dialog .bars li').count(), blocs.length);
        await page.keyboard.press('Escape');
        await page.locator('dialog').waitFor({ state: 'detached' });
        quiet(complaints);
        await page.close();
      }
  },

  // The same for models whose entries speak in layers, and for cells that are missing.
  async 'scores of numbers with signs, of categories and of missing cells'() {
    for (const path of ['signed', 'codes', 'yesno']) {
      const { blocs } = described(path), { page, complaints } = await open(`${path}/report.html`);
      let missing = 0;
      for (const bloc of blocs)
        for (const { name, margin } of [...bloc.typical.slice(0, 3), ...bloc.borderline.slice(0, 3)]) {
          await page.evaluate((row) => { location.hash = `row=${row}`; }, encodeURIComponent(name));
          await page.locator('dialog h3', { hasText: name }).waitFor();
          const parts = await numbersOf(page.locator('dialog tbody td:last-child')), rests = await numbersOf(page.locator('dialog tfoot td:last-child')), whole = rests.pop();
          assert.ok(Math.abs(whole - margin) < 2e-6 * Math.max(1, Math.abs(margin)), `${path}, ${name}: ${whole}, expected ${margin}`);
          assert.ok(Math.abs([...parts, ...rests].reduce((a, b) => a + b) - whole) < 1e-9);
          missing += await page.locator('dialog tbody td', { hasText: 'missing' }).count();
          await page.keyboard.press('Escape');
          await page.locator('dialog').waitFor({ state: 'detached' });
        }
      assert.ok(missing > 0);
      if (path === 'signed') {
        const { parameters } = JSON.parse(readFileSync(join(work, path, 'model.json'), 'utf8')), shown = await page.locator('#blocks td').allTextContents();
        const means = shown.slice(1).map((text) => Number(text.replace('\u2212', '-')));
        assert.deepEqual(means, parameters.flat(2).slice(0, 6).map((mean) => Number(mean.toPrecision(3))));
        assert.doesNotMatch(await page.locator('#blocs').textContent(), /by chance/);
      }
      quiet(complaints);
      await page.close();
    }
  },

  // The judge is the table itself.
  async 'a column has a page of its own'() {
    const [head, ...lines] = readFileSync(table, 'utf8').trim().split('\n').map((line) => line.split(','));
    const { page, complaints } = await open('nations/report.html', 'col=NATO');
    const holders = lines.filter((line) => line[head.indexOf('NATO')] === '1').map((line) => line[0]);
    assert.match(await page.locator('dialog .lead').textContent(), new RegExp(`in ${holders.length} countries`));
    const counts = await numbersOf(page.locator('dialog tbody td:nth-child(2)'));
    assert.equal(counts.reduce((a, b) => a + b), holders.length);
    assert.deepEqual((await page.locator('dialog .plain .name').allTextContents()).sort(), holders.slice(0, 30).sort());
    const both = lines.filter((line) => line[head.indexOf('NATO')] === '1' && line[head.indexOf('Schengen')] === '1').length;
    assert.match(await page.locator('dialog li', { hasText: 'Schengen' }).first().textContent(), new RegExp(`, ${both} countries$`));
    await page.locator('dialog th button', { hasText: 'countries' }).click();
    assert.deepEqual(await numbersOf(page.locator('dialog tbody td:nth-child(2)')), [...counts].sort((a, b) => b - a));
    await page.locator('dialog button', { hasText: 'Show in the table' }).click();
    assert.match(await page.locator('#found').textContent(), /^NATO is an organisation/);
    quiet(complaints);
  },

  async 'a map of the rows, with a lasso'() {
    const { page, complaints } = await open('nations/report.html');
    const canvas = page.locator('#map .over'), drawn = () => page.locator('#map .ink').evaluate((c) => c.toDataURL());
    assert.match(await page.locator('#map .lead').textContent(), /\d+\u202f% of the 15 nearest neighbours/);
    const places = (await download(page, page.locator('#map button', { hasText: 'Save as CSV' }))).trim().split('\n').slice(1).map((line) => line.split(','));
    assert.equal(places.length, 196);
    const whole = await drawn();
    await canvas.scrollIntoViewIfNeeded();
    let box = await canvas.boundingBox();
    const at = ([, , x, y]) => [box.x + (box.width - box.height) / 2 + (Number(x) + 0.02) / 1.04 * box.height, box.y + (1 - Number(y) + 0.02) / 1.04 * box.height];
    const one = places.find((place) => place[0] === 'Germany');
    await page.mouse.move(...at(one));
    assert.match(await page.locator('#map .tip').textContent(), /bloc 1, /);
    await page.locator('#map button', { hasText: 'Lasso' }).click();
    await page.waitForTimeout(300);
    await canvas.evaluate((element) => element.scrollIntoView({ block: 'end', behavior: 'instant' })); // the click may have scrolled
    box = await canvas.boundingBox();
    const wanted = places.filter((place) => place[1] === '2').map(at), xs = wanted.map((p) => p[0]), ys = wanted.map((p) => p[1]);
    const [x0, x1, y0, y1] = [Math.min(...xs) - 3, Math.max(...xs) + 3, Math.min(...ys) - 3, Math.max(...ys) + 3];
    await page.mouse.move(x0, y0);
    await page.mouse.down();
    for (const [x, y] of [[x1, y0], [x1, y1], [x0, y1]]) await page.mouse.move(x, y, { steps: 3 });
    await page.mouse.up();
    const inside = places.map((place) => [place, at(place)]).filter(([, [x, y]]) => x > x0 && x < x1 && y > y0 && y < y1);
    assert.match(await page.locator('.chosen').textContent(), new RegExp(`^${inside.length} countries of bloc 2 \\(`));
    await page.locator('.chosen button', { hasText: 'Clear' }).click();
    await page.locator('.key button').nth(3).click();
    await page.waitForTimeout(100);
    assert.notEqual(await drawn(), whole);
    await page.locator('.key button').nth(3).click();
    await canvas.focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('dialog').count(), 1);
    await page.keyboard.press('Escape');
    await page.locator('#fold').fill('1');
    await page.waitForTimeout(100);
    assert.notEqual(await drawn(), whole);
    assert.equal(await page.locator('.key li').count(), 2);
    quiet(complaints);
  },

  // The judge are the labels and the values.
  async 'the map is for the keyboard, too, and for the columns'() {
    const { page, complaints } = await open('nations/report.html'), canvas = page.locator('#map .over');
    const places = (await download(page, page.locator('#map button', { hasText: 'Save as CSV' }))).trim().split('\n').slice(1).map((line) => line.split(','));
    const spoken = async () => (await page.locator('#map [aria-live].hidden').textContent());
    const pointed = async () => { const text = await spoken(); return places.find(([name]) => text.startsWith(`${name}, bloc`)); };
    await canvas.focus();
    await page.keyboard.press('ArrowLeft');
    const from = await pointed();
    await page.keyboard.press('s');
    assert.match(await spoken(), /^Selecting from /);
    for (const key of ['ArrowUp', 'ArrowLeft', 'ArrowUp', 'ArrowLeft']) await page.keyboard.press(key);
    const to = await pointed();
    await page.keyboard.press('s');
    const [x0, x1] = [from[2], to[2]].map(Number).sort((a, b) => a - b), [y0, y1] = [from[3], to[3]].map(Number).sort((a, b) => a - b);
    const inside = places.filter(([, , x, y]) => x >= x0 && x <= x1 && y >= y0 && y <= y1).map(([name]) => name), listed = await page.locator('.chosen .name').allTextContents();
    assert.ok(inside.length >= 2 && inside.every((name) => listed.includes(name)), `${inside}; listed: ${listed}`);
    await page.keyboard.press('Space');
    assert.match(await spoken(), new RegExp(` not selected, ${listed.length - 1} countr`));
    await page.locator('#map button', { hasText: 'Select' }).press('Enter');
    assert.match(await page.locator('.chosen b').textContent(), /^196 countries/);
    await page.locator('#map input[type=radio]').first().focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.locator('#map h2').textContent(), 'A map of the organisations');
    assert.equal((await download(page, page.locator('#map button', { hasText: 'Save as CSV' }))).trim().split('\n').length, 49);
    await canvas.focus();
    await page.keyboard.press('ArrowLeft');
    const [name] = (await spoken()).split(', ');
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('dialog h3').textContent(), name);
    await page.keyboard.press('Escape');
    quiet(complaints);
  },

  // Tab goes to everything that can be pressed; of choices, to the chosen one, and the arrow keys to the others.
  async 'the keyboard reaches everything'() {
    for (const path of ['nations/report.html', 'dated/date.html', 'chosen/report.html']) {
      const { page, complaints } = await open(path);
      const wanted = await page.evaluate(() => {
        const all = [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')];
        const met = all.filter((e) => !e.disabled && e.checkVisibility({ visibilityProperty: true }) && !(e.type === 'radio' && !e.checked));
        met.forEach((e, i) => { e.dataset.place = i; });
        return met.length;
      });
      const reached = new Set();
      await page.evaluate(() => document.body.focus());
      for (let i = 0; i < wanted + 20 && reached.size < wanted; i++) {
        await page.keyboard.press('Tab');
        reached.add(await page.evaluate(() => document.activeElement.dataset.place));
      }
      reached.delete(undefined);
      assert.equal(reached.size, wanted, `${path}: ${await page.evaluate((known) => [...document.querySelectorAll('[data-place]')].filter((e) => !known.includes(e.dataset.place)).map((e) => e.outerHTML.slice(0, 100)).join(), [...reached])}`);
      quiet(complaints);
      await page.close();
    }
  },

  async 'blocs over years'() {
    const { page, complaints } = await open('nations/over.html'), labels = savedLabels('nations');
    const years = readFileSync(join(work, 'years.txt'), 'utf8').trim().split('\n').map((line) => line.slice(0, 4));
    assert.equal(await page.locator('#over figure').count(), 7);
    await page.locator('#over summary').click();
    for (const [g, year] of [...new Set(years)].sort().entries()) {
      const row = page.locator('#over tbody tr').nth(g);
      assert.equal(await row.locator('th').textContent(), year);
      assert.deepEqual(await numbersOf(row.locator('td')), [-1, 0, 1, 2, 3, 4, 5, 6].map((k) => years.filter((y, i) => y === year && (k < 0 || labels[i] === k)).length));
    }
    quiet(complaints);
  },

  // The judge are the tables of both results.
  // Dates of two kinds, by months; row 5 has none.
  async 'blocs over a field of the text'() {
    const groups = async (field) => {
      const { page, complaints } = await open(`dated/${field}.html`);
      assert.equal(await page.locator('#over h2').textContent(), `The blocs over ${field}`);
      await page.locator('#over summary').click();
      const found = await page.locator('#over tbody tr').evaluateAll((all) => all.map((row) => [row.cells[0].textContent, Number(row.cells[1].textContent)]));
      await page.locator('#over input[type=radio]').nth(1).check();
      assert.match(await page.locator('#over svg').first().getAttribute('aria-label'), /^Bloc 0: \S+( to \S+)? \d+,/);
      quiet(complaints);
      return found;
    };
    assert.deepEqual(await groups('date'), Array.from({ length: 12 }, (_, m) => [`1993-${String(m + 1).padStart(2, '0')}`, m === 0 ? 19 : 20]));
    assert.deepEqual(await groups('source'), [['Times', 205], ['<b>Post</b>', 35]]);
    assert.deepEqual((await groups('points')).map(([, count]) => count), Array(12).fill(20));
  },

  async 'two results side by side'() {
    const { page, complaints } = await open('nations/beside.html'), here = savedLabels('nations'), there = savedLabels('cut-5');
    const text = await page.locator('#moved').textContent(), moved = Number(text.match(/; (\d+) rows moved/)[1]);
    assert.equal(await page.locator('#moved tbody tr').count(), 7);
    assert.equal(await page.locator('#moved thead th').count(), 5);
    const first = await page.locator('#moved tbody tr').first().locator('td').allTextContents();
    assert.deepEqual(first.map((t) => Number(t) || 0), [0, 1, 2, 3, 4].map((b) => here.filter((a, i) => a === 0 && there[i] === b).length));
    // Two pairs were merged: of each pair, the smaller bloc moved.
    const merged = [...new Set(there)].map((b) => [...new Set(here.filter((_, i) => there[i] === b))].map((a) => here.filter((c) => c === a).length)).filter((sizes) => sizes.length > 1);
    assert.equal(moved, merged.reduce((sum, sizes) => sum + sizes.reduce((x, y) => x + y) - Math.max(...sizes), 0));
    quiet(complaints);
  },

  async 'relevance lies between lift and frequency'() {
    const { page, complaints } = await open('nations/report.html');
    await page.locator('input[value=relevance]').check();
    await page.locator('#lambda').fill('1');
    const { blocs } = described('nations');
    const first = await page.locator('.card').first().locator('.terms .name').first().textContent();
    assert.equal(first, blocs[0].frequent[0].name);
    const byFrequency = await page.locator('.card').first().locator('.terms .name').allTextContents();
    await page.locator('#lambda').fill('0');
    assert.notDeepEqual(await page.locator('.card').first().locator('.terms .name').allTextContents(), byFrequency);
    quiet(complaints);
  },

  async 'blocs are renamed, everywhere'() {
    const { page, complaints } = await open('nations/report.html');
    await page.locator('.card').first().hover();
    await page.locator('.card .pencil').first().click();
    await page.locator('.card h3 input').fill('Africa <b>');
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('.card h3').first().locator('.bloc-name').textContent(), 'Africa <b>');
    assert.match(await page.locator('#quality tbody').textContent(), /Africa <b>/);
    const names = await download(page, page.locator('button', { hasText: 'Save names' }));
    assert.match(names, /^0\tAfrica <b>\n1\t/);
    const named = (await open('nations/named.html')).page;
    assert.equal(await named.locator('.bloc-name').first().textContent(), 'Africa <b>');
    await named.locator('#fold').fill('5');
    assert.equal(await named.locator('.bloc-name').first().textContent(), 'Africa and <i>South Asia</i>');
    quiet(complaints);
  },

  // The judge is the table itself.
  async 'hovering names a cell'() {
    const { page, complaints } = await open('nations/report.html');
    const [head, ...lines] = readFileSync(table, 'utf8').trim().split('\n').map((line) => line.split(','));
    let ones = 0, all = 0;
    for (const index of [0, 1]) {
      const canvas = page.locator('#matrix .over').nth(index);
      await canvas.scrollIntoViewIfNeeded();
      for (let step = 0; step < 24; step++) {
        await hover(page, canvas, 0.1 + 0.85 * ((step * 0.381966) % 1), 0.1 + 0.035 * step);
        const [row, col, value] = await tipOf(page, index).locator('div').allTextContents();
        const cell = lines.find((line) => line[0] === row)[head.indexOf(col)];
        assert.match(value, cell === '1' ? /^value 1, / : /^no entry, /, `${row} x ${col}`);
        assert.match(value, /bloc \d|block \d, \d/);
        ones += cell === '1';
        all++;
      }
    }
    assert.ok(ones > 0 && ones < all);
    quiet(complaints);
  },

  async 'search finds a column and a row'() {
    const { page, complaints } = await open('nations/report.html');
    await page.keyboard.press('/');
    await page.keyboard.type('nat');
    assert.match(await page.locator('#hits li').first().textContent(), /^NATO.*organisation, bloc \d/);
    await page.keyboard.press('Enter');
    assert.match(await page.locator('#found').textContent(), /^NATO is an organisation in bloc \d/);
    assert.notEqual(await zoomOf(page, 1), '');
    await page.locator('#query').fill('germ');
    await page.locator('#hits li').first().click();
    assert.match(await page.locator('#found').textContent(), /^Germany is a country in bloc \d/);
    await page.locator('#query').fill('no such name');
    assert.match(await page.locator('#hits').textContent(), /Nothing/);
    quiet(complaints);
  },

  async 'zooms by wheel, buttons and keys'() {
    const { page, complaints } = await open('nations/report.html');
    const canvas = after(page);
    await canvas.scrollIntoViewIfNeeded();
    await page.waitForTimeout(400); // a wheel that scrolled here does not zoom
    const whole = await inkOf(page, 1);
    await hover(page, canvas, 0.5, 0.5);
    await page.mouse.wheel(0, -300);
    await page.waitForFunction(() => document.querySelectorAll('#matrix .zoomed')[1].textContent !== '');
    await page.waitForTimeout(100);
    assert.notEqual(await inkOf(page, 1), whole);
    await canvas.focus();
    await page.keyboard.press('0');
    assert.equal(await zoomOf(page, 1), '');
    await page.keyboard.press('+');
    assert.match(await zoomOf(page, 1), /^1\.6/);
    await page.keyboard.press('ArrowDown');
    assert.match(await page.locator('#matrix [aria-live].hidden').nth(1).textContent(), /: (value|no entry)/);
    await page.locator('#matrix .zoom button').nth(5).click();
    assert.equal(await zoomOf(page, 1), '');
    await page.locator('#matrix .zoom button').nth(3).click();
    assert.match(await zoomOf(page, 1), /^2\.0/);
    await page.waitForTimeout(100);
    await page.locator('#matrix .zoom button').nth(5).click();
    await page.mouse.move(0, 0);
    await page.waitForTimeout(100);
    assert.equal(await inkOf(page, 1), whole);
    quiet(complaints);
  },

  async 'light and dark'() {
    const { page, complaints } = await open('nations/report.html');
    const lightness = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).reduce((a, b) => a + Number(b), 0) / 765);
    const light = await inkOf(page, 1);
    assert.ok(await lightness() > 0.9);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.waitForTimeout(150);
    assert.ok(await lightness() < 0.2);
    assert.notEqual(await inkOf(page, 1), light);
    await page.locator('#theme').click();
    assert.ok(await lightness() > 0.9);
    await page.locator('#theme').click();
    assert.ok(await lightness() < 0.2);
    quiet(complaints);
  },

  // The judge is axe-core, for every kind of page, theme and window.
  async 'everybody can use it'() {
    const source = readFileSync(join(work, 'node_modules/axe-core/axe.min.js'), 'utf8');
    const all = [], judge = async (path, hash, scheme, width) => {
      const { page, complaints } = await open(path, hash);
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      await page.waitForTimeout(200);
      await page.evaluate(source);
      const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
      const texts = found.violations.map((v) => `${v.id}: ${v.help} (${v.nodes.slice(0, 3).map((node) => `${node.target} ${node.failureSummary}`).join('; ')})`);
      all.push(...texts.map((text) => `${path} ${hash} ${scheme} ${width}: ${text}`));
      quiet(complaints);
      await page.close();
    };
    await judge('nations/report.html', '', 'light', 1280);
    await judge('nations/report.html', '', 'dark', 1280);
    await judge('nations/report.html', 'blocs=3', 'light', 390);
    await judge('nations/report.html', 'row=India', 'light', 1280);
    await judge('nations/report.html', 'col=NATO', 'dark', 1280);
    await judge('free/report.html', '', 'light', 1280);
    await judge('many/report.html', '', 'dark', 1280);
    await judge('nations/density.html', '', 'light', 1280);
    await judge('nations/beside.html', '', 'light', 1280);
    await judge('nations/over.html', '', 'dark', 390);
    await judge('documents/report.html', '', 'light', 1280);
    assert.deepEqual(all, []);
  },

  // The judge is cobloc describe.
  async 'a table says how good each bloc is'() {
    const { page, complaints } = await open('nations/report.html'), { blocs } = described('nations');
    const heads = await page.locator('#quality thead th').allTextContents();
    for (const [name, of] of [['density', (b) => b.density], ['lift', (b) => b.partners[0].lift], ['coherence', (b) => b.npmi], ['inside', (b) => b.isim],
      ['outside', (b) => b.esim], ['stability', (b) => b.stability], ['countries', (b) => b.rows]]) {
      const cells = page.locator(`#quality tbody td:nth-child(${heads.indexOf(name) + 1})`);
      assert.deepEqual(await cells.evaluateAll((all) => all.map((cell) => (cell.dataset.value === undefined ? null : Number(cell.dataset.value)))), blocs.map(of), name);
    }
    await page.locator('#quality th button', { hasText: 'inside' }).click();
    const sorted = (await numbersOf(page.locator(`#quality tbody td:nth-child(${heads.indexOf('inside') + 1})`)));
    assert.deepEqual(sorted, [...sorted].sort((a, b) => b - a));
    quiet(complaints);
  },

  async 'names are text, whatever they hold'() {
    const { page, complaints } = await open('hostile/report.html');
    for (const bloc of await page.locator('.card .link').all()) {
      await bloc.click();
      for (const name of await page.locator('dialog li').allTextContents())
        assert.ok(NAMES.some((hostile) => name === `${hostile} row` || name === `${hostile} col`.trim()) || /^\s*(row|col|long long)/.test(name), name.slice(0, 100));
      await page.keyboard.press('Escape');
    }
    for (const name of NAMES.filter((hostile) => hostile.trim())) {
      await page.locator('#query').fill(name);
      const hits = await page.locator('#hits .hit').allTextContents();
      assert.ok(hits.includes(`${name} row`) && hits.includes(`${name} col`), `${name}: ${hits}`);
    }
    await page.locator('#query').fill('long long');
    await page.keyboard.press('Enter');
    await page.locator('#found button', { hasText: 'More' }).click();
    assert.ok((await page.locator('dialog h3').textContent()).length < 300);
    await page.keyboard.press('Escape');
    assert.equal(await page.title(), '</title><script>document.title = "taken"</script>');
    assert.equal(await page.evaluate(() => window.taken), undefined);
    assert.equal(await page.locator('img').count(), 0);
    quiet(complaints);
  },

  async 'documents speak, and do nothing else'() {
    const { page, complaints } = await open('documents/report.html');
    assert.ok(statSync(join(work, 'documents/report.html')).size < 4e6);
    await page.locator('.beginning').first().waitFor();
    await page.locator('.docs .name').first().click();
    await page.locator('dialog .excerpt').waitFor();
    assert.match(await page.locator('dialog .excerpt').textContent(), /<script>window\.taken = 1<.script> &lt;i&gt;/);
    await page.keyboard.press('Escape');
    await page.locator('.terms .name').first().click();
    const term = await page.locator('dialog h3').textContent();
    await page.locator('dialog mark').first().waitFor();
    for (const marked of await page.locator('dialog mark').allTextContents()) assert.equal(marked.toLowerCase(), term);
    assert.equal(await page.evaluate(() => window.taken), undefined);
    quiet(complaints);
  },

  async 'allows nothing but its own script and style'() {
    const { page } = await open('nations/report.html');
    const ran = await page.evaluate(() => new Promise((resolve) => {
      const script = document.createElement('script');
      script.textContent = 'window.taken = 1';
      document.body.append(script);
      setTimeout(() => resolve(window.taken), 50);
    }));
    assert.equal(ran, undefined);
  },

  async 'a matrix of numbers alone'() {
    const { page, complaints } = await open('socc/report.html');
    assert.match(await page.locator('h1').textContent(), /^120 rows in three blocs, /);
    assert.equal(await page.locator('#sections figure').count(), 3);
    await page.locator('#query').fill('17');
    assert.match((await page.locator('#hits .hit').allTextContents()).join(), /column 17,row 17|row 17,column 17/);
    quiet(complaints);
  },

  async 'the curve of a selection'() {
    const { page, complaints } = await open('select/report.html');
    assert.match(await page.locator('#fit').textContent(), /How many blocs\?.*chosen/);
    quiet(complaints);
  },

  async 'densities where entries are too many'() {
    const { page, complaints } = await open('nations/density.html');
    const canvas = after(page);
    await canvas.scrollIntoViewIfNeeded();
    await hover(page, canvas, 0.2, 0.2);
    assert.match(await tipOf(page, 1).textContent(), /\d entr(y|ies) around here/);
    assert.ok(statSync(join(work, 'nations/density.html')).size < 400000);
    quiet(complaints);
  },

  async 'fits a phone, and paper'() {
    const { page, complaints } = await open('nations/report.html');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.waitForTimeout(200);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390);
    quiet(complaints);
  },

  // What the matrices add to the ink on paper.
  async 'prints the matrices'() {
    const { page, complaints } = await open('nations/report.html');
    const whole = await printedInk(page);
    await page.evaluate(() => document.querySelectorAll('#matrix .ink').forEach((canvas) => { canvas.style.visibility = 'hidden'; }));
    const without = await printedInk(page);
    assert.ok(whole - without > 0.01, `${whole} of the paper has ink, ${without} without the matrices`);
    quiet(complaints);
  },

  async 'forty blocs have forty colours, the same as in pictures'() {
    const { page, complaints } = await open('many/report.html');
    const colours = await page.locator('.card').evaluateAll((cards) => cards.map((card) => getComputedStyle(card).borderTopColor));
    assert.equal(colours.length, 40);
    assert.equal(new Set(colours).size, 40);
    const svg = readFileSync(join(work, 'many/graph.svg'), 'utf8');
    const drawn = [...svg.matchAll(/rgb\(([\d.]+)%, ?([\d.]+)%, ?([\d.]+)%\)/g)].map((m) => m.slice(1).map((v) => Math.round(v * 2.55)).join(', '));
    for (const colour of colours) assert.ok(drawn.includes(colour.match(/\d+, \d+, \d+/)[0]), `${colour} is not in the picture`);
    quiet(complaints);
  },

  async 'a bloc shows all its members in a window'() {
    const { page, complaints } = await open('nations/report.html');
    await page.locator('.card .link').nth(2).click();
    const rows = JSON.parse(readFileSync(join(work, 'nations/describe.json'), 'utf8')).blocs[2].rows;
    assert.equal(await page.locator('dialog .lists > div').first().locator('li').count(), rows);
    const box = await page.locator('dialog').boundingBox();
    assert.ok(box.y >= 0 && box.y < 300);
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    quiet(complaints);
  },

  async 'raw collections'() {
    if (!existsSync(join(work, 'raw/report.html'))) return;
    assert.ok(statSync(join(work, 'raw/report.html')).size < 20e6);
    const { page, complaints } = await open('raw/report.html');
    await assertCards(page, 'raw');
    await page.locator('.docs .name').first().click();
    await page.locator('dialog .excerpt').waitFor();
    const parts = await numbersOf(page.locator('dialog tbody td:last-child')), rests = await numbersOf(page.locator('dialog tfoot td:last-child')), whole = rests.pop();
    const [{ margin }] = described('raw').blocs[0].typical;
    assert.ok(Math.abs(whole - margin) < 1e-9 * Math.abs(margin), `${whole}, expected ${margin}`);
    assert.ok(Math.abs([...parts, ...rests].reduce((a, b) => a + b) - whole) < 1e-6);
    quiet(complaints);
  },

  async 'millions of entries'() {
    assert.ok(statSync(join(work, 'large/report.html')).size < 15e6);
    const timed = async () => {
      const opened = await open('large/report.html');
      return { ...opened, milliseconds: Number(await opened.page.evaluate(() => document.documentElement.dataset.ready)) };
    };
    const first = await timed();
    const { page, complaints, milliseconds } = first.milliseconds < 2000 ? first : await timed(); // other tests run beside
    assert.ok(milliseconds < 2000, `interactive after ${milliseconds} ms`);
    const canvas = after(page);
    await canvas.scrollIntoViewIfNeeded();
    await hover(page, canvas, 0.5, 0.5);
    assert.match(await tipOf(page, 1).textContent(), /row .*column .*(value|no entry)/);
    const start = Date.now();
    await page.locator('#matrix .zoom button').nth(3).click();
    await page.waitForFunction(() => document.querySelectorAll('#matrix .zoomed')[1].textContent !== '');
    assert.ok(Date.now() - start < 1500);
    quiet(complaints);
  },
};

async function takePictures() {
  const shots = { light: { width: 1280 }, dark: { width: 1280, colorScheme: 'dark' }, phone: { width: 390 } };
  for (const [name, { width, colorScheme = 'light' }] of Object.entries(shots)) {
    const { page } = await open('nations/report.html');
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
    if (name === 'light') await page.pdf({ path: join(pictures, 'print.pdf'), format: 'A4' });
    await page.close();
  }
}

const profile = mkdtempSync(join(tmpdir(), 'cobloc-browser-'));
let failed = 0;
try {
  context = await chromium.launchPersistentContext(profile, { executablePath: '/usr/bin/chromium', args: ARGUMENTS, viewport: { width: 1280, height: 900 } });
  for (const [name, test] of Object.entries(tests).filter(([each]) => each.includes(process.env.COBLOC_ONLY || ''))) {
    try {
      await test();
      console.log(`ok      ${name}`);
    } catch (error) {
      failed++;
      console.log(`FAILED  ${name}\n${error.stack}`);
    }
    for (const page of context.pages().slice(1)) await page.close();
  }
  if (pictures) await takePictures();
  await context.close();
} finally {
  rmSync(profile, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
