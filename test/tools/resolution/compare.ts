import { versioning } from '../../../server/src/ecosystems/versioning.ts';
import type { NodeClient } from '../clients/programs.ts';
import { answersTo } from './engine.ts';
import { install, type Resolved } from './installed.ts';
import { clients, projectOf } from './projects.ts';
import { startRegistry } from './registry.ts';

/*
 * Has the real clients install projects, and holds what the engine says against it.
 *
 *     node test/tools/resolution/compare.ts PROGRAMS [PROJECTS] [CLIENT…]
 *
 * PROGRAMS is a folder with npm, pnpm, @yarnpkg/cli-dist, yarn, @oven/bun-linux-x64 and deno, installed with npm.
 */
const [programs = '', count = '200', ...chosen] = process.argv.slice(2);
const from = Number(process.env['FROM'] ?? 0);
const registry = await startRegistry();
for (const client of chosen.length > 0 ? (chosen as NodeClient[]) : clients) {
  const totals = { installed: 0, refused: 0 };
  const figures = { locked: [0, 0], predicted: [0, 0], reused: [0], brought: [0, 0], all: [0, 0] };
  for (let seed = from; totals.installed < Number(count) && seed < from + 3 * Number(count); seed++) {
    const project = projectOf(client, seed);
    registry.serve(project.universe);
    const installed = await install(project, registry.url, programs);
    if (typeof installed === 'string') {
      totals.refused++;
      if (process.env['VERBOSE']) console.log(`${client} ${seed}: ${installed.slice(-600)}`);
      continue;
    }
    totals.installed++;
    const [locked, predicted] = [await answersTo(project, installed.lockfile), await answersTo(project)];
    const found: string[] = [];
    compareDirect('locked', installed, locked, figures.locked, found);
    compareDirect('predicted', installed, predicted, figures.predicted, found, (path, name, version) => {
      const isReused = wasReused(installed, version, predicted.ranges[path]?.[name] ?? '');
      if (isReused) figures.reused[0] = (figures.reused[0] ?? 0) + 1;
      return isReused;
    });
    for (const [path, all] of Object.entries(locked.brought)) {
      for (const [name, ours] of Object.entries(all)) {
        const theirs = installed.brought[path]?.[name];
        if (theirs) note(figures.brought, `brought ${path} ${name}`, theirs.join(' '), ours.join(' '), found);
      }
    }
    if (client !== 'classic') note(figures.all, 'all', installed.all.join(' '), locked.all.join(' '), found);
    if (found.length > 0) {
      console.log(`${client} ${seed}:\n  ${found.join('\n  ')}`);
      if (process.env['SHOW'] === String(seed))
        for (const [path, text] of [...Object.entries(project.files), ['lock', installed.lockfile.text]])
          console.log(`--- ${path}\n${text}`);
    }
  }
  console.log(client, JSON.stringify({ ...totals, ...figures }));
}
registry.close();

/** Clients take a version that another package has already, where it will do: that one is known only to a lockfile. */
function wasReused({ brought }: Resolved, installed: string, range: string): boolean {
  const version = installed.slice(installed.indexOf('@', 1) + 1);
  const times = Object.values(brought)
    .flatMap((it) => Object.values(it))
    .filter((it) => it.includes(installed)).length;
  return times > 1 && versioning.NPM.satisfies(version, range || '*');
}

function compareDirect(
  what: string,
  theirs: Resolved,
  ours: Resolved,
  figure: number[],
  found: string[],
  isExplained: (path: string, name: string, version: string) => boolean = () => false,
): void {
  for (const [path, versions] of Object.entries(theirs.direct)) {
    for (const [name, version] of Object.entries(versions)) {
      const own = ours.direct[path]?.[name] ?? 'nothing';
      // A tag is known to the registry alone.
      if (what === 'predicted' && own === 'nothing') continue;
      const wanted = version.includes('@') ? version : 'workspace';
      if (wanted !== own && isExplained(path, name, version)) continue;
      note(figure, `${what} ${path} ${name}`, wanted, own, found);
    }
  }
}

function note(figure: number[], what: string, theirs: string, ours: string, found: string[]): void {
  figure[1] = (figure[1] ?? 0) + 1;
  if (theirs === ours) figure[0] = (figure[0] ?? 0) + 1;
  else found.push(`${what}: ${theirs} is installed, we say ${ours}`);
}
