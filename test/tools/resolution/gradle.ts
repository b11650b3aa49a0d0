import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compareGradle, type GradleAnswer, type GradleFigures } from './gradle-compare.ts';
import { type GradleProject, gradleProjectOf } from './gradle-projects.ts';

/*
 * Has Gradle evaluate builds, and holds what the engine says of their scripts against what they declare. Nothing is resolved.
 *
 *     node test/tools/resolution/gradle.ts GRADLE [PROJECTS]
 *
 * GRADLE is the program, version 4.4.1. With 10 projects, `test/engine/ecosystems/resolution/gradle.json` is written. `FROM=12`
 * begins with another seed, `SHOW=12` prints a project, `AMONG=1` what is one of several.
 */
const [program = 'gradle', count = '200'] = process.argv.slice(2);
const from = Number(process.env['FROM'] ?? 0);
const home = realpathSync(mkdtempSync(join(tmpdir(), 'resolution-')));

/** Projects of one build: a program that starts for each takes seconds. */
const MOST = 25;

const printing = `gradle.projectsEvaluated { g -> g.rootProject.allprojects { p -> p.configurations.each { c ->
  c.dependencies.each { d -> println "@@ \${p.path} \${d.group}:\${d.name}:\${d.version}" } } } }`;

const totals = { evaluated: 0, refused: 0 };
const figures: GradleFigures = { exact: 0, among: 0, unknown: 0, gap: 0, wrong: 0, silent: 0 };
const recorded: { readonly seed: number; readonly declared: GradleAnswer }[] = [];
for (let seed = from; totals.evaluated + totals.refused < Number(count); seed += MOST) {
  const some = Array.from({ length: Math.min(MOST, Number(count) - (seed - from)) }, (_, at) => seed + at);
  for (const [at, declared] of await evaluate(some)) {
    const project = gradleProjectOf(at);
    if (process.env['SHOW'] === String(at))
      for (const [path, text] of Object.entries(project.files)) console.log(`--- ${path}\n${text}`);
    if (typeof declared === 'string') {
      totals.refused++;
      console.log(`${at}: ${declared}`);
      continue;
    }
    totals.evaluated++;
    const { notes, ...figure } = await compareGradle(project, declared);
    for (const key of Object.keys(figures) as (keyof GradleFigures)[]) figures[key] += figure[key];
    recorded.push({ seed: at, declared });
    for (const it of notes) console.log(`${at}: ${it}`);
  }
}
console.log(JSON.stringify({ ...totals, ...figures }));
rmSync(home, { recursive: true, force: true });
if (process.env['DUMP']) writeFileSync(process.env['DUMP'], JSON.stringify(recorded));
if (count === '10')
  writeFileSync(
    join(import.meta.dirname, '..', '..', 'engine', 'ecosystems', 'resolution', 'gradle.json'),
    `${JSON.stringify(recorded, undefined, 1)}\n`,
  );

/** Each by itself where Gradle refuses one of them. */
async function evaluate(seeds: readonly number[]): Promise<readonly (readonly [number, GradleAnswer | string])[]> {
  const output = await run(
    seeds.map((it) => gradleProjectOf(it)),
    seeds,
  );
  if (typeof output !== 'string') return seeds.map((it) => [it, output[it] ?? {}]);
  if (seeds.length === 1) return seeds.map((it) => [it, output]);
  const half = Math.ceil(seeds.length / 2);
  return [...(await evaluate(seeds.slice(0, half))), ...(await evaluate(seeds.slice(half)))];
}

async function run(
  projects: readonly GradleProject[],
  seeds: readonly number[],
): Promise<Readonly<Record<number, GradleAnswer>> | string> {
  const directory = join(home, `b${seeds[0]}-${seeds.length}`);
  const included = seeds.flatMap((it) => [`':p${it}'`, `':p${it}:app'`]).join(', ');
  const all = [
    ...projects.map((it) => it.files),
    { 'settings.gradle': `include ${included}\n`, 'init.gradle': printing },
  ];
  for (const [path, text] of all.flatMap((it) => Object.entries(it))) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const args = ['--offline', '-q', '-I', 'init.gradle', '-g', join(home, 'user'), 'help'];
  const answer: Record<number, GradleAnswer> = {};
  return new Promise((done) =>
    execFile(program, args, { cwd: directory, timeout: 300_000, maxBuffer: 1 << 26 }, (error, output, problems) => {
      if (error)
        return done(
          `${problems}`
            .split('\n')
            .filter((it) => /^[>*]|line:/.test(it))
            .join(' '),
        );
      for (const [, project = '', name = '', version = ''] of output.matchAll(/^@@ :p(\d+)\S* g:([^:]+):(.*)$/gm)) {
        const its = answer[Number(project)] ?? {};
        answer[Number(project)] = { ...its, [name]: [...new Set([...(its[name] ?? []), version])] };
      }
      return done(answer);
    }),
  );
}
