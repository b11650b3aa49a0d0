/*
 * `npm run bench`: what the product costs, each figure beside the floor of the same run. Takes two to three minutes, needs
 * no network, prints a table and keeps it in .cache/bench.json.
 */
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { cache } from '../workbench/paths.ts';
import { makeBundles } from './bundles.ts';
import { startMeasuredService } from './processes.ts';
import { readings } from './reading.ts';
import { cold, starts, warm } from './serving.ts';
import { printed, type Row } from './table.ts';

/** A server that does not start would be waited for in vain, in ms; a machine that is busy with other things takes two. */
const longest = 5 * 60_000;
setTimeout(() => {
  console.error('The measurements did not end in time.');
  process.exit(1);
}, longest).unref();

const all: Row[] = [];

function show(title: string, rows: readonly Row[]): void {
  all.push(...rows);
  console.log(`\n${title}\n${printed(rows)}`);
}

const bundles = await makeBundles();
show('Size', bundles.rows);
show('Start', await starts(bundles, 20));
const service = await startMeasuredService();
show('Opening a package.json, nothing known yet', await cold(bundles, service, 5));
show('Editing, everything known', await warm(bundles, service, 200));
service.stop();
show('Reading files', readings(20));

const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
const path = join(cache, 'bench.json');
writeFileSync(path, `${JSON.stringify({ machine, node: process.version, rows: all }, null, 2)}\n`);
console.log(`\n${machine}, Node ${process.version}. Kept in ${path}`);
