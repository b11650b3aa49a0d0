/*
 * `npm run bench`: measures the product, each figure beside the baseline of the same run. Takes about ten minutes
 * without a network, prints a table and stores it in .cache/bench.json. Each run is added to .cache/bench-history.jsonl,
 * and what became worse than the last runs of the same machine is printed. `npm run bench -- --rows 'start|keystroke'` runs
 * the parts whose names match. `--of ../other` builds and measures another checkout, so that two commits are compared by
 * the same measurements.
 */
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cache, root } from '../paths.ts';
import { below } from './below.ts';
import { makeBundles } from './bundles.ts';
import { connected } from './connected.ts';
import { hoversUnderLoad, largeLockfile, workspace } from './crowd.ts';
import { graphs } from './graphs.ts';
import { commitOf, type Run, readRuns, remember, worseRows } from './history.ts';
import { inEditor } from './in-editor.ts';
import { navigations } from './navigating.ts';
import { cold, kept, sizes } from './opening.ts';
import { startMeasuredService } from './processes.ts';
import { firstHints, manyDocuments, memory, processor } from './processor.ts';
import { readings } from './reading.ts';
import { starts, warm } from './serving.ts';
import { shared } from './shared.ts';
import { printed, type Row } from './table.ts';

/** In ms. Ends a run whose server does not start; a busy machine takes twice as long as usual. */
const TIME_LIMIT = 30 * 60_000;
setTimeout(() => {
  console.error('The measurements did not end in time.');
  process.exit(1);
}, TIME_LIMIT).unref();

const all: Row[] = [];

function show(title: string, rows: readonly Row[]): void {
  all.push(...rows);
  console.log(`\n${title}\n${printed(rows)}`);
}

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '' }, of: { type: 'string', default: root } },
});
const checkout = resolve(values.of);
const chosen = new RegExp(values.rows, 'i');
const bundles = await makeBundles(checkout);
const service = await startMeasuredService();
const parts: Readonly<Record<string, () => Promise<readonly Row[]> | readonly Row[]>> = {
  Size: () => bundles.rows,
  Start: () => starts(bundles, 20),
  ...Object.fromEntries(
    sizes.map((it) => [`Cold: ${it} dependencies, nothing known`, () => cold(bundles, service, it)]),
  ),
  'HTTP/2: nothing known, 60 ms away': () => shared(bundles, service),
  'Processor time and memory, HTTP/2, 60 ms away': () => processor(bundles, service),
  'First hints of ranges': () => firstHints(bundles, service),
  'Memory, settled and at its peak': () => memory(bundles, service),
  'Many documents': () => manyDocuments(bundles, service),
  'Kept: opening it again after a restart': () => kept(bundles, service),
  'Keystrokes and hovers, everything known': () => warm(bundles, service, 200),
  'Navigation, 1,000 dependencies': () => navigations(bundles, 50),
  'Connections off and on': () => connected(bundles, service, 20),
  'VS Code: Enter on package.json with 50 pins, 100 ms away': () => inEditor(service, 5),
  'Hover under load': () => hoversUnderLoad(bundles, service),
  'Large lockfile': () => largeLockfile(bundles, service),
  'Workspace from the terminal': () => workspace(bundles, service),
  'Reading files': () => readings(20),
  'What direct dependencies bring': () => graphs(),
  'Lookups of what direct dependencies bring': () => below(bundles, service),
};
for (const [title, measure] of Object.entries(parts)) if (chosen.test(title)) show(title, await measure());
service.stop();

const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
const run: Run = {
  machine,
  node: process.version,
  commit: commitOf(checkout),
  at: new Date().toISOString(),
  rows: all,
};
const path = join(cache, 'bench.json');
writeFileSync(path, `${JSON.stringify(run, null, 2)}\n`);
console.log(`\n${machine}, Node ${process.version}. Kept in ${path}`);
const history = join(cache, 'bench-history.jsonl');
const worse = worseRows(run, readRuns(history));
remember(history, run);
if (worse.length > 0) console.log(`\nWorse than the last runs on this machine:\n${worse.join('\n')}`);
