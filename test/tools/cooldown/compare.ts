import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accepts } from './managers.ts';
import { type ManagerName, managerNames, offeredIn, projectOf, type Recorded } from './projects.ts';
import { startRegistry } from './registry.ts';

/*
 * Asks the real package managers whether they accept what the engine offers.
 *
 *     node test/tools/cooldown/compare.ts NODE_MODULES_PARENT VENV CARGO [PROJECTS] [MANAGER…]
 *
 * The first is a folder with npm, pnpm, @yarnpkg/cli-dist, @oven/bun-linux-x64 and deno, installed with
 * npm; the second a virtual environment with pip, uv,
 * Poetry and PDM (with hishel before 2); the third Cargo's program. With 10 projects, every version is asked for and
 * `test/engine/ecosystems/cooldowns/recorded.json` is written: the suite asks no program.
 */
const [npm = '', python = '', cargo = '', count = '200', ...chosen] = process.argv.slice(2);
const record = count === '10';
const registry = await startRegistry();
const recorded: Record<string, Recorded[]> = {};
let refused = 0;
for (const manager of chosen.length > 0 ? (chosen as ManagerName[]) : managerNames) {
  const totals = { offered: 0, refused: 0, heldBack: 0, heldThoughAccepted: 0, none: 0 };
  const answers: Recorded[] = [];
  for (let seed = 0; seed < Number(count); seed++) {
    const now = Date.now();
    const project = projectOf(manager, seed, now);
    const { offered, held } = await offeredIn(project, now);
    registry.serve(project, now);
    const higher = Object.keys(project.ages).filter((it) => it !== '1.0.0');
    const answer: Record<string, boolean> = {};
    for (const version of record ? higher : [...new Set([...offered, ...held.slice(-1)])]) {
      const { ok, output } = await accepts(project, version, registry.url, { npm, python, cargo });
      answer[version] = ok;
      if (offered.includes(version)) {
        totals.offered++;
        if (!ok) {
          totals.refused++;
          console.log(
            `${manager} ${seed}: ${project.name} ${version} is refused\n${JSON.stringify(project)}\n${output.slice(0, 1500)}`,
          );
        }
      } else if (held.includes(version)) {
        totals.heldBack++;
        if (ok) {
          totals.heldThoughAccepted++;
          if (process.env['VERBOSE'])
            console.log(`${manager} ${seed}: ${version} would be accepted\n${JSON.stringify(project)}`);
        }
      }
    }
    answers.push({ seed, now, accepted: answer });
    if (offered.length === 0) totals.none++;
  }
  recorded[manager] = answers;
  refused += totals.refused;
  console.log(manager, JSON.stringify(totals));
}
registry.close();
if (record) {
  const path = join(import.meta.dirname, '..', '..', 'engine', 'ecosystems', 'cooldowns', 'recorded.json');
  const before = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  writeFileSync(path, `${JSON.stringify({ ...before, ...recorded }, undefined, 1)}\n`);
}
process.exitCode = refused > 0 ? 1 : 0;
