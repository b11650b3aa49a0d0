import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { Settings } from '../../server/src/engine/model/settings.ts';
import { makeInsights } from '../harness/insights.ts';
import '../harness/seed.ts';
import type { Clock } from '../../server/src/engine/model/ports.ts';
import { catalogSource } from '../../server/src/service/catalog/source.ts';
import { serveHttp } from '../../server/src/service/http-server.ts';
import { type Answer, found, mapAnswer, notKept, unknown } from '../../server/src/service/source.ts';
import { inlineCatalog } from '../harness/service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

/* Random projects before services that know only some of their versions: nothing is called checked that was not. */

/** What the service says of a version, and `withheld`: its name is not sent. */
const states = ['known', 'bad', 'listed', 'listed bad', 'unavailable', 'not kept', 'unknown', 'withheld'] as const;
type State = (typeof states)[number];

/** A check is whole with these alone. An unknown version is usual, and never counted as checked. */
const whole: ReadonlySet<State> = new Set(['known', 'bad', 'unknown']);
const checked: ReadonlySet<State> = new Set(['known', 'bad']);

const names = Array.from({ length: 12 }, (_, at) => `p${at}`);
const catalog = catalogSource(
  inlineCatalog({
    ...Object.fromEntries(
      names.flatMap((it) =>
        ['NPM', 'PYPI', 'CARGO'].map((system) => [`${system} ${it}`, { versions: ['1.0.0', '1.1.0'] }]),
      ),
    ),
    'advisory GHSA-aaaa-aaaa-aaaa': {
      affected: ['NPM', 'PYPI', 'CARGO'].map((system) => ({ system: system as 'NPM', name: 'none', versions: [] })),
    },
  }),
);

/** By name. */
let now: ReadonlyMap<string, State> = new Map();
const late = { kind: 'unavailable', reason: 'late', retryAfter: 1 } as const;

async function answer(name: string, usual: () => Promise<Answer<object>> | Answer<object>): Promise<Answer<object>> {
  const state = now.get(name) ?? 'known';
  const ids = state.endsWith('bad') ? [{ id: 'GHSA-aaaa-aaaa-aaaa' }] : [];
  switch (state) {
    case 'withheld':
      assert.fail(`${name} was sent`);
      break;
    case 'unavailable':
      return late;
    case 'not kept':
      return notKept;
    case 'unknown':
      return unknown;
    case 'known':
    case 'bad':
      return mapAnswer(usual(), (it) => ({ ...it, ...(ids.length > 0 && { advisoryKeys: ids }) }));
    default:
      return mapAnswer(usual(), (it) => ({ ...it, advisoriesComplete: false, advisoryKeys: ids }));
  }
}

const service = await serveHttp({
  source: {
    ...catalog,
    version: (key) => answer(key.name, () => catalog.version(key)),
    package: (key) =>
      ['unavailable', 'not kept', 'unknown'].includes(now.get(key.name) ?? '')
        ? answer(key.name, () => catalog.package(key))
        : catalog.package(key),
    advisory: (id) => found({ advisoryKey: { id }, url: '', title: id, aliases: [], cvss3Score: 3.1, cvss3Vector: '' }),
  },
});
after(() => service.close());

/** A service that answers nothing is waited for each time: a second takes 20 ms. */
const quick: Clock = {
  now: () => Date.UTC(2026, 0, 1) + performance.now() * 50,
  after(ms, call) {
    const timer = setTimeout(call, ms / 50);
    return () => clearTimeout(timer);
  },
};

interface Project {
  readonly files: Readonly<Record<string, string>>;
  readonly of: ReadonlyMap<string, State>;
  readonly direct: readonly string[];
  readonly brought: readonly string[];
}

const scope = '@inside';

const kinds = ['npm', 'npm with a lockfile', 'npm with ranges', 'pypi', 'cargo'] as const;

const state = fc.constantFrom(...states);
/** Few states at a time, often the usual one, so that projects with one gap and without any are among them. */
const stateList = fc
  .oneof(
    fc.constant(['known' as const]),
    fc.tuple(state),
    fc.tuple(state, fc.constant('known' as const)),
    fc.tuple(state, state),
  )
  .chain((some) => fc.array(fc.constantFrom<State>(...some), { minLength: 1, maxLength: names.length / 2 }));
const projects = fc.record({
  kind: fc.oneof(fc.constantFrom(...kinds), fc.constant('npm with a lockfile' as const)),
  direct: stateList,
  brought: stateList,
});

/** A manifest with or without a lockfile, of one of three systems. Only npm withholds names here. */
function makeProject(given: typeof projects extends fc.Arbitrary<infer Given> ? Given : never): Project {
  const { kind } = given;
  const of = new Map<string, State>();
  const isLocked = kind === 'npm with a lockfile';
  const used = [...given.direct, ...(isLocked ? given.brought : [])].map((it, at) => {
    const state = it === 'withheld' && !kind.startsWith('npm') ? 'listed' : it;
    const name = state === 'withheld' ? `${scope}/${names[at]}` : `${names[at]}`;
    of.set(name, state);
    return name;
  });
  const direct = used.slice(0, given.direct.length);
  const brought = used.slice(direct.length);
  const range = kind === 'npm with ranges' ? '^1.0.0' : '1.0.0';
  const table = Object.fromEntries(direct.map((it) => [it, range]));
  const npm = {
    'package.json': JSON.stringify({ dependencies: table }),
    '.npmrc': `${scope}:registry=https://npm.inside.example/\n`,
  };
  const bring = { dependencies: Object.fromEntries(brought.map((it) => [it, '*'])) };
  const packages = used.map((it, at) => [`node_modules/${it}`, { version: '1.0.0', ...(at < direct.length && bring) }]);
  const lock = { lockfileVersion: 3, packages: { '': { dependencies: table }, ...Object.fromEntries(packages) } };
  const files = {
    npm,
    'npm with ranges': npm,
    'npm with a lockfile': { ...npm, 'package-lock.json': JSON.stringify(lock) },
    pypi: { 'requirements.txt': direct.map((it) => `${it}==1.0.0\n`).join('') },
    cargo: { 'Cargo.toml': `[dependencies]\n${direct.map((it) => `${it} = "=1.0.0"\n`).join('')}` },
  };
  return { files: files[kind], of, direct, brought };
}

const doors: readonly (readonly string[])[] = [
  [],
  ['--fail-on', 'advisory:critical'],
  ['--fail-on', 'deprecated,unchecked:off,withheld:off'],
  ['--allow-private', '--fail-on', 'deprecated'],
];

test('no check of a random project is whole, or counts a version as checked, without its vulnerabilities', async () => {
  let [all, wholes] = [0, 0];
  const property = fc.asyncProperty(projects, fc.constantFrom(...doors), async (given, args) => {
    const { files, of, direct, brought } = makeProject(given);
    now = of;
    const folder = folderWith(files);
    const options = {
      baseUrl: service.url,
      insights: (settings: Settings) => makeInsights(settings, quick),
    };
    const { code, out } = await runHere(['check', ...args, '--format', 'json'], folder.path, options);
    const text = await runHere(['check', ...args], folder.path, options);
    folder.remove();
    const told = `${args.join(' ')} ${JSON.stringify([...of])} ${text.out}${text.error}`;
    const { coverage } = JSON.parse(out);
    const stateOf = (name: string): State => of.get(name) ?? 'known';
    const known = (of: readonly string[]): number => of.filter((it) => checked.has(stateOf(it))).length;
    const { total, lookedUp, unknown: missing, withoutAdvisories = 0, listed = 0, below } = coverage;
    assert.equal(lookedUp - missing - withoutAdvisories - listed, known(direct), told);
    // What a private package brings is not looked at.
    const isFollowed = direct.some((it) => stateOf(it) !== 'withheld');
    if (brought.length > 0 && isFollowed) {
      const left = below.withheld + below.unknown + (below.listed ?? 0) + below.failed + (below.off ?? 0);
      assert.equal(below.total - left, known(brought), told);
    }
    const isAccepted = args.includes('--allow-private') || args.some((it) => it.includes('withheld:off'));
    const looked = isFollowed ? [...direct, ...brought] : direct;
    const isGap = (name: string): boolean => !whole.has(stateOf(name));
    const isPrivate = (name: string): boolean => stateOf(name) === 'withheld';
    // What stays private among the brought is told, and changes no exit code.
    const gaps = [
      ...direct.filter((it) => isGap(it) && !(isAccepted && isPrivate(it))),
      ...looked.slice(direct.length).filter((it) => isGap(it) && !isPrivate(it)),
    ];
    if (gaps.length > 0) assert.notEqual(code, 0, told);
    all++;
    if (code === 0) wholes++;
    assert.equal(text.code, code, told);
    if (known(looked) === looked.length) return;
    assert.match(text.out, known(direct) < total ? /\b\d+ of \d+ dependenc/ : /that dependencies bring/, told);
    assert.match(text.out, /not checked|Not checked/, told);
  });
  await fc.assert(property, { numRuns: 120 });
  assert.ok(wholes >= all / 20, `only ${wholes} of ${all} were whole`);
});
