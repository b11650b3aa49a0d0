import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compareCargo } from './cargo-compare.ts';
import { type CargoProject, type CargoUniverse, cargoIndex, cargoProjectOf } from './cargo-projects.ts';

/*
 * Has Cargo lock projects against a sparse index on the loopback, and holds what the engine says against it.
 *
 *     node test/tools/resolution/cargo.ts CARGO [PROJECTS]
 *
 * CARGO is the program. With 10 projects, `test/engine/ecosystems/resolution/cargo.json` is written. `FROM=12` begins with another
 * seed, `SHOW=12` prints a project.
 */
const [program = 'cargo', count = '200'] = process.argv.slice(2);
const from = Number(process.env['FROM'] ?? 0);
let served: CargoUniverse = {};
const server = createServer((request, response) => {
  const [path = ''] = decodeURIComponent(request.url ?? '').split('?');
  if (path === '/index/config.json') return response.end(JSON.stringify({ dl: `${url}/dl`, api: url }));
  const name = Object.keys(served).find((it) => it === path.split('/').at(-1));
  if (name === undefined) return response.writeHead(404).end();
  const lines = Object.entries(served[name] ?? {}).map(([vers, { deps, isYanked }]) =>
    JSON.stringify({
      name,
      vers,
      deps: deps.map((it) => ({ ...it, features: [], default_features: true })),
      cksum: createHash('sha256').update(`${name} ${vers}`).digest('hex'),
      features: {},
      yanked: isYanked === true,
    }),
  );
  return response.end(lines.join('\n'));
});
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const totals = { locked: 0, refused: 0, explained: 0 };
const figures = { withLockfile: [0, 0], without: [0, 0], graph: [0, 0] };
const recorded: { readonly seed: number; readonly lockfile: string }[] = [];
for (
  let seed = from;
  (count === '10' ? recorded.length : totals.locked) < Number(count) && seed < from + 4 * Number(count);
  seed++
) {
  const project = cargoProjectOf(seed);
  const lockfile = await lock(project);
  if (process.env['SHOW'] === String(seed))
    for (const [name, text] of Object.entries({ ...project.files, lock: lockfile.text }))
      console.log(`--- ${name}\n${text}`);
  if (!lockfile.ok) {
    totals.refused++;
    if (process.env['VERBOSE']) console.log(`${seed}: ${lockfile.text}`);
    continue;
  }
  totals.locked++;
  const { notes, ...figure } = await compareCargo(project, lockfile.text);
  for (const key of ['withLockfile', 'without', 'graph'] as const)
    figures[key] = [0, 1].map((at) => (figures[key][at] ?? 0) + (figure[key][at] ?? 0));
  const explained = notes.length > 0 ? await explainedAmong(notes, project) : [];
  totals.explained += explained.length;
  if (notes.length === 0) recorded.push({ seed, lockfile: lockfile.text });
  for (const it of notes) console.log(`${seed}${explained.includes(it) ? ', for another package' : ''}: ${it}`);
}
console.log(JSON.stringify({ ...totals, ...figures }));
server.close();
server.closeAllConnections();
if (count === '10')
  writeFileSync(
    join(import.meta.dirname, '..', '..', 'engine', 'ecosystems', 'resolution', 'cargo.json'),
    `${JSON.stringify(recorded, undefined, 1)}\n`,
  );

async function lock({ universe, files }: CargoProject): Promise<{ readonly ok: boolean; readonly text: string }> {
  served = universe;
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'resolution-')));
  try {
    const settings = `[source.crates-io]\nreplace-with = "own"\n[source.own]\nregistry = "sparse+${url}/index/"\n`;
    for (const [path, text] of Object.entries({ ...files, '.cargo/config.toml': settings })) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], CARGO_HOME: join(root, 'home') };
    return await new Promise((done) =>
      execFile(program, ['generate-lockfile'], { cwd: root, env, timeout: 60_000 }, (error, _, output) => {
        if (error) return done({ ok: false, text: `${output}${error.message}` });
        const text = readFileSync(join(root, 'Cargo.lock'), 'utf8');
        return done({ ok: true, text: text.replaceAll(/"(?:registry|sparse)\+[^"]*"/g, `"${cargoIndex}"`) });
      }),
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The differences that disappear where no package requires another one. */
async function explainedAmong(notes: readonly string[], project: CargoProject): Promise<readonly string[]> {
  const universe = Object.fromEntries(
    Object.entries(project.universe).map(([name, versions]) => [
      name,
      Object.fromEntries(Object.entries(versions).map(([version, it]) => [version, { ...it, deps: [] }])),
    ]),
  );
  const alone = { ...project, universe };
  const locked = await lock(alone);
  if (!locked.ok) return [];
  const { notes: left } = await compareCargo(alone, locked.text);
  const names = new Set(left.map((it) => it.split(':')[0]));
  return notes.filter((it) => it.startsWith('without') && !names.has(it.split(':')[0]));
}
