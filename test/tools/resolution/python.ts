import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lock } from './python-clients.ts';
import { compareWith, type Recorded } from './python-compare.ts';
import { startIndex } from './python-index.ts';
import { type PythonClient, type PythonProject, projectOf, pythonClients } from './python-projects.ts';

/*
 * Has the real clients of Python lock projects, and holds what the engine says against it.
 *
 *     node test/tools/resolution/python.ts PROGRAMS [PROJECTS] [CLIENT…]
 *
 * PROGRAMS is a folder with a virtual environment for each client, by its name: `pip`, `pip-tools`, `uv`, `poetry`, `pdm`,
 * `pipenv`. With 10 projects, `test/engine/ecosystems/resolution/python.json` is written: the suite asks no program. `FROM=12`
 * begins with another seed, `SHOW=12` prints a project.
 */
const [programs = '', count = '200', ...chosen] = process.argv.slice(2);
const from = Number(process.env['FROM'] ?? 0);
const path = join(import.meta.dirname, '..', '..', 'engine', 'ecosystems', 'resolution', 'python.json');
const recorded: Record<string, Recorded[]> = {};
const index = await startIndex();
for (const client of chosen.length > 0 ? (chosen as PythonClient[]) : pythonClients) {
  const totals = { locked: 0, refused: 0, refusedUnseen: 0 };
  const figures = { withLockfile: [0, 0], without: [0, 0], explained: 0, graph: [0, 0] };
  const answers: Recorded[] = [];
  for (
    let seed = from;
    (count === '10' ? answers.length : totals.locked) < Number(count) && seed < from + 4 * Number(count);
    seed++
  ) {
    const project = projectOf(client, seed);
    index.serve(project.universe);
    const locked = await lock(project, index.url, programs);
    const { notes: found, isForeseen, ...figure } = await compareWith(project, locked);
    const explained = found.length > 0 ? await explainedAmong(found, project) : [];
    const notes = found.filter((it) => !explained.includes(it));
    if (typeof locked === 'string') {
      totals.refused++;
      if (!isForeseen) totals.refusedUnseen++;
      if (process.env['VERBOSE'])
        console.log(`${client} ${seed}${isForeseen ? '' : ' (unseen)'}: ${locked.slice(-700)}`);
    } else {
      totals.locked++;
      if (found.length === 0) answers.push({ seed, ...locked });
    }
    for (const key of ['withLockfile', 'without', 'graph'] as const)
      figures[key] = [0, 1].map((at) => (figures[key][at] ?? 0) + (figure[key][at] ?? 0));
    figures.explained += explained.length;
    if (explained.length > 0) console.log(`${client} ${seed}, for another package:\n  ${explained.join('\n  ')}`);
    if (notes.length > 0) console.log(`${client} ${seed}:\n  ${notes.join('\n  ')}`);
    if (process.env['SHOW'] === String(seed)) {
      for (const [name, text] of Object.entries(project.files)) console.log(`--- ${name}\n${text}`);
      console.log(typeof locked === 'string' ? locked : (locked.lockfile?.text ?? JSON.stringify(locked.versions)));
      console.log(JSON.stringify(project.universe));
      break;
    }
  }
  recorded[client] = answers;
  console.log(client, JSON.stringify({ ...totals, ...figures }));
}
index.close();
if (count === '10') {
  const before = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  writeFileSync(path, `${JSON.stringify({ ...before, ...recorded }, undefined, 1)}\n`);
}

/** The differences that disappear where no package requires another one: a conflict among those that it brings. */
async function explainedAmong(notes: readonly string[], project: PythonProject): Promise<string[]> {
  const universe = Object.fromEntries(
    Object.entries(project.universe).map(([name, versions]) => [
      name,
      Object.fromEntries(Object.entries(versions).map(([version, it]) => [version, { ...it, requires: [] }])),
    ]),
  );
  const alone = { ...project, universe };
  index.serve(universe);
  const locked = await lock(alone, index.url, programs);
  const { notes: left } = await compareWith(alone, locked);
  const names = new Set(left.map((it) => it.split(':')[0]));
  return typeof locked === 'string'
    ? []
    : notes.filter((it) => it.startsWith('without') && !names.has(it.split(':')[0]));
}
