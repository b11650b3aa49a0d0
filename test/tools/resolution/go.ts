import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compareGo, type GoAnswer } from './go-compare.ts';
import { type GoProject, type GoUniverse, goProjectOf } from './go-projects.ts';

/*
 * Has Go make the build lists of projects, with a proxy on the loopback, and holds what the engine says against them.
 *
 *     node test/tools/resolution/go.ts GO [PROJECTS]
 *
 * GO is the program. With 10 projects, `test/engine/ecosystems/resolution/go.json` is written. `FROM=12` begins with another seed,
 * `SHOW=12` prints a project.
 */
const [program = 'go', count = '200'] = process.argv.slice(2);
const from = Number(process.env['FROM'] ?? 0);
let served: GoUniverse = {};
const server = createServer((request, response) => {
  const [, path = '', file = ''] = /^\/(.+)\/@v\/(.+)$/.exec(decodeURIComponent(request.url ?? '')) ?? [];
  const versions = served[path];
  const [, version = '', kind] = /^(.+)\.(info|mod)$/.exec(file) ?? [];
  if (versions && file === 'list') return response.end(Object.keys(versions).join('\n'));
  const requires = versions?.[version];
  if (requires === undefined) return response.writeHead(404).end();
  if (kind === 'info') return response.end(JSON.stringify({ Version: version, Time: '2024-01-02T03:04:05Z' }));
  const lines = Object.entries(requires).map(([it, of]) => `require ${it} ${of}\n`);
  return response.end(`module ${path}\n\ngo 1.22\n\n${lines.join('')}`);
});
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const home = realpathSync(mkdtempSync(join(tmpdir(), 'resolution-')));

const totals = { listed: 0, refused: 0, raised: 0 };
const figures = { settled: [0, 0], found: [0, 0] };
const recorded: ({ readonly seed: number } & GoAnswer)[] = [];
for (let seed = from; totals.listed < Number(count) && seed < from + 4 * Number(count); seed++) {
  const project = goProjectOf(seed);
  const answer = await list(project, seed);
  if (process.env['SHOW'] === String(seed)) console.log(project.files['go.mod'], answer);
  if (typeof answer === 'string') {
    totals.refused++;
    if (process.env['VERBOSE']) console.log(`${seed}: ${answer}`);
    continue;
  }
  totals.listed++;
  const { notes, raised, ...figure } = await compareGo(project, answer);
  totals.raised += raised;
  for (const key of ['settled', 'found'] as const)
    figures[key] = [0, 1].map((at) => (figures[key][at] ?? 0) + (figure[key][at] ?? 0));
  if (notes.length === 0) recorded.push({ seed, ...answer });
  for (const it of notes) console.log(`${seed}: ${it}`);
}
console.log(JSON.stringify({ ...totals, ...figures }));
server.close();
server.closeAllConnections();
rmSync(home, { recursive: true, force: true });
if (count === '10')
  writeFileSync(
    join(import.meta.dirname, '..', '..', 'engine', 'ecosystems', 'resolution', 'go.json'),
    `${JSON.stringify(recorded, undefined, 1)}\n`,
  );

async function list({ universe, files }: GoProject, seed: number): Promise<GoAnswer | string> {
  served = universe;
  const root = join(home, `${seed}`);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    // Another project has other modules of the same name.
    GOPATH: join(root, 'gopath'),
    GOCACHE: join(home, 'cache'),
    GOPROXY: url,
    GOSUMDB: 'off',
    GONOSUMDB: '*',
    GOFLAGS: '-mod=mod -modcacherw',
    GOTOOLCHAIN: 'local',
    GOWORK: 'off',
  };
  try {
    return await new Promise((done) =>
      execFile(program, ['list', '-m', 'all'], { cwd: root, env, timeout: 60_000 }, (error, output, problems) =>
        done(
          error
            ? `${problems}${error.message}`
            : { goMod: readFileSync(join(root, 'go.mod'), 'utf8'), list: output.trim().split('\n') },
        ),
      ),
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
