import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NodeClient } from '../clients/programs.ts';
import { differencesOf, noFigures } from './differences.ts';
import { answersTo } from './engine.ts';
import { type Installed, install } from './installed.ts';
import { clients, projectOf } from './projects.ts';
import { startRegistry } from './registry.ts';

/*
 * Has the real clients install projects, and holds what the engine says against it.
 *
 *     node test/tools/resolution/compare.ts PROGRAMS [PROJECTS] [CLIENT…]
 *
 * PROGRAMS is a folder with npm, pnpm, @yarnpkg/cli-dist, yarn, @oven/bun-linux-x64 and deno, installed with npm. With 10
 * projects, small ones are taken and `test/engine/ecosystems/resolution/node.json` is written: the suite asks no program.
 */

/** A project as a client has installed it. */
export interface Recorded extends Installed {
  readonly seed: number;
}

/** In characters. */
const MAX_RECORDED_LOCKFILE = 6000;

const [programs = '', count = '200', ...chosen] = process.argv.slice(2);
const isRecording = count === '10';
const registry = await startRegistry();
const recorded: Record<string, Recorded[]> = {};
for (const client of chosen.length > 0 ? (chosen as NodeClient[]) : clients) {
  const answers: Recorded[] = [];
  const totals = { installed: 0, refused: 0 };
  const figures = noFigures();
  for (let seed = 0; totals.installed < Number(count) && seed < 5 * Number(count); seed++) {
    const project = projectOf(client, seed);
    registry.serve(project.universe);
    const installed = await install(project, registry.url, programs);
    if (typeof installed === 'string') {
      totals.refused++;
      if (process.env['VERBOSE']) console.log(`${client} ${seed}: ${installed.slice(-600)}`);
      continue;
    }
    const { lockfile } = installed;
    const text = withoutDigests(lockfile.text);
    if (isRecording && text.length > MAX_RECORDED_LOCKFILE) continue;
    totals.installed++;
    const said = { locked: await answersTo(project, lockfile), predicted: await answersTo(project) };
    const found = differencesOf(installed, said, figures);
    answers.push({ seed, ...installed, lockfile: { ...lockfile, text } });
    if (found.length > 0) console.log(`${client} ${seed}:\n  ${found.join('\n  ')}`);
  }
  recorded[client] = answers;
  console.log(client, JSON.stringify({ ...totals, ...figures }));
}
registry.close();
if (isRecording) {
  const path = join(import.meta.dirname, '..', '..', 'engine', 'ecosystems', 'resolution', 'node.json');
  const before = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  writeFileSync(path, `${JSON.stringify({ ...before, ...recorded })}\n`);
}

function withoutDigests(text: string): string {
  return text
    .replace(/^ *(?:integrity|checksum|"integrity")[ :].*\n/gm, '')
    .replace(/ *resolution: \{integrity: [^}]*\}\n/g, '')
    .replace(/sha512-[\w+/=]{80,}/g, 'sha512-')
    .replace(/,(?=\s*\})/g, '');
}
