import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { reachable } from '../../../server/src/engine/analysis/brought.ts';
import { lockfileFormats } from '../../../server/src/engine/ecosystems/lockfile-formats.ts';
import { packageJson } from '../../../server/src/engine/ecosystems/npm/package-json.ts';
import { pyproject } from '../../../server/src/engine/ecosystems/python/pyproject.ts';
import { createGraphThread } from '../../../server/src/platform/graph-thread.ts';

const readGraph = createGraphThread(
  join(import.meta.dirname, '..', '..', '..', 'server', 'src', 'bin'),
  new Set(lockfileFormats.map((it) => it.id)),
);

/** Large enough for a thread. */
const count = 3000;
const names = Array.from({ length: count }, (_, at) => `p${at}`);

const lockfiles: Readonly<Record<string, string>> = {
  'package-lock.json': JSON.stringify({
    packages: {
      '': { dependencies: { p0: '*', alias: 'npm:p7@*' } },
      'node_modules/alias': { name: 'p7', version: '2.0.0', resolved: 'https://npm.acme.example/p7/-/p7-2.0.0.tgz' },
      ...Object.fromEntries(
        names.map((it, at) => [
          `node_modules/${it}`,
          { version: `1.0.${at}`, dependencies: { [`p${at + 1}`]: '*' }, os: at % 2 === 0 ? ['linux'] : [], dev: true },
        ]),
      ),
    },
  }),
  'yarn.lock': `# yarn lockfile v1\n\n\n${names
    .map((it, at) => `${it}@*:\n  version "1.0.${at}"\n  dependencies:\n    p${at + 1} "*"\n`)
    .join('\n')}${' \n'.repeat(100_000)}`,
  'poetry.lock': `${names
    .map((it, at) => `[[package]]\nname = "${it}"\nversion = "1.0.${at}"\n\n[package.dependencies]\np${at + 1} = "*"\n`)
    .join('\n')}
[[package]]
name = "p3000"
version = "3.0.0"

[package.dependencies]
p7 = {version = "*", optional = true, markers = "extra == \\"fast\\""}
p8 = {version = "*", optional = true, markers = "extra == \\"slow\\""}

[package.extras]
fast = ["p7"]
slow = ["p8"]
${' \n'.repeat(100_000)}`,
};

const packages = packageJson.parse('{ "dependencies": { "p0": "*", "alias": "npm:p7@*", "no": "*" } }');
const projects = pyproject.parse(
  '[tool.poetry.dependencies]\np0 = "*"\np3000 = { version = "*", extras = ["fast"] }\n',
);

/** The nodes of a direct dependency with an extra: its own, and that of what the extra requires. */
test('the thread keeps what an extra requires', async () => {
  const { dependencies } = projects;
  const text = lockfiles['poetry.lock'] ?? '';
  const format = lockfileFormats.find((it) => it.id === 'poetry.lock');
  assert.ok(format);
  const graph = await readGraph({ format, directory: 'file:///', lockfile: format.parse(text), text });
  const extra = dependencies.find((it) => it.name === 'p3000');
  assert.ok(graph !== 'unrecorded' && extra);
  const brought = reachable(graph, graph.direct(extra, '')).map((it) => graph.nodes[it]?.name);
  assert.ok(brought.includes('p7'));
  assert.equal(brought[0], 'p3000');
  const without = graph.direct({ ...extra, extras: [] }, '');
  assert.deepEqual(
    reachable(graph, without).map((it) => graph.nodes[it]?.name),
    ['p3000'],
  );
});

function sorted(node: object): object {
  return Object.fromEntries(Object.entries(node).sort(([a], [b]) => (a < b ? -1 : 1)));
}

for (const [id, text] of Object.entries(lockfiles)) {
  test(`the thread reads the same graph of ${id}`, async () => {
    const format = lockfileFormats.find((it) => it.id === id);
    assert.ok(format);
    const lockfile = format.parse(text);
    const here = format.parse(text).graph();
    const there = await readGraph({
      format,
      directory: 'file:///',
      lockfile: { ...lockfile, graph: () => assert.fail('it is read here') },
      text,
    });
    assert.ok(here !== 'unrecorded' && there !== 'unrecorded');
    const { direct: directHere, ...ofHere } = here;
    const { direct: directThere, ...ofThere } = there;
    // A field that is absent and one that is undefined are the same to every reader.
    assert.deepEqual(
      { ...ofThere, nodes: JSON.stringify(ofThere.nodes.map(sorted)) },
      { ...ofHere, nodes: JSON.stringify(ofHere.nodes.map(sorted)) },
    );
    assert.ok(here.nodes.length >= count);
    const { dependencies } = id === 'poetry.lock' ? projects : packages;
    for (const it of dependencies) assert.deepEqual(directThere(it, ''), directHere(it, ''), it.name);
  });
}

test('a thread that breaks does not lose the graph', async () => {
  const format = lockfileFormats.find((it) => it.id === 'yarn.lock');
  assert.ok(format);
  const text = lockfiles['yarn.lock'] ?? '';
  const lockfile = format.parse(text);
  const broken = createGraphThread(join(import.meta.dirname, 'no-such-folder'), new Set(['yarn.lock']));
  const graph = await broken({ format, directory: 'file:///', lockfile, text });
  assert.ok(graph !== 'unrecorded' && graph.nodes.length === count);
});
