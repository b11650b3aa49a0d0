import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLookupFilter } from '../../../server/src/engine/analysis/privacy/lookup-filter.ts';
import type { EffectiveRequirement, LinkedDependency } from '../../../server/src/engine/model/evaluated-dependency.ts';
import type { Insight, VersionFacts } from '../../../server/src/engine/model/facts.ts';
import type { Insights } from '../../../server/src/engine/model/ports.ts';
import type { BuiltInRegistries } from '../../../server/src/engine/model/registries/built-in.ts';
import type { Registry } from '../../../server/src/engine/model/registry.ts';
import type { System } from '../../../server/src/engine/model/system.ts';
import { builtInHosts } from '../../harness/built-in.ts';

const registry: Registry = { host: 'npm.acme.example', from: '.npmrc' };

function linked(
  system: System,
  registries?: readonly Registry[],
  requirement: EffectiveRequirement = { kind: 'any' },
): LinkedDependency {
  const key = { system, name: 'secret' };
  const span = { start: 0, end: 0 };
  const dependency = { key, name: 'secret', nameSpan: span, requirement: { kind: 'none' }, scope: 'runtime' } as const;
  return { dependency, uri: '', key, requirement, span, ...(registries && { registries }) };
}

/** Facts of which only what is looked at stands there. */
function facts(registries: readonly string[], project = ''): Insight<VersionFacts> {
  const links = [{ label: 'SOURCE_REPO', url: `git+https://${project}` }];
  const value = {
    registries,
    projects: [{ id: project, provenance: '', type: '' }],
    links,
  } as Partial<VersionFacts> as VersionFacts;
  return { state: 'ready', value, at: 0 };
}

function ask(
  insight: Insight<VersionFacts>,
  it: LinkedDependency,
  listed: readonly string[] = [],
  builtIn?: BuiltInRegistries,
) {
  const insights = { version: () => insight } as Partial<Insights> as Insights;
  const filter = createLookupFilter(insights, listed, builtIn);
  return {
    reasonNotToLookUp: filter.reasonNotToLookUp(it),
    asked: filter.wanted.map((one) => one.kind === 'version' && one.key.name),
  };
}

test('without a registry, or with one that a person lists, nothing is asked to decide', () => {
  assert.deepEqual(ask({ state: 'pending' }, linked('NPM')), { reasonNotToLookUp: undefined, asked: [] });
  for (const it of ['npm.acme.example', ' NPM.Acme.example ', 'https://npm.acme.example/path']) {
    assert.deepEqual(
      ask({ state: 'pending' }, linked('NPM', [registry]), [it]),
      { reasonNotToLookUp: undefined, asked: [] },
      it,
    );
  }
  assert.notEqual(ask({ state: 'pending' }, linked('NPM', [registry]), ['acme.example']).reasonNotToLookUp, undefined);
});

test('until the public registries are known, everything that names one waits', () => {
  const pending = ask({ state: 'pending' }, linked('NPM', [registry]));
  assert.deepEqual(pending, { reasonNotToLookUp: { kind: 'pending' }, asked: ['lodash'] });
  const failed = ask({ state: 'failed', reason: 'gone', at: 0 }, linked('NPM', [registry]));
  assert.deepEqual(failed, { reasonNotToLookUp: { kind: 'failed', reason: 'gone' }, asked: ['lodash'] });
});

test('of what is private whatever the service says, nothing is asked', () => {
  const { reasonNotToLookUp, asked } = ask({ state: 'pending' }, linked('NPM', [registry, { from: '.npmrc' }]));
  assert.ok(reasonNotToLookUp?.kind === 'none');
  assert.deepEqual(asked, []);
});

test('a service that does not know the well-known package, or names no registry, proves nothing', () => {
  for (const insight of [{ state: 'unknown', at: 0 } as const, facts([])]) {
    const { reasonNotToLookUp } = ask(insight, linked('NPM', [registry]));
    assert.ok(reasonNotToLookUp?.kind === 'none' && reasonNotToLookUp.withheld === registry);
  }
});

test('the registry that the service names is public, and one beside it is not', () => {
  const known = facts(['https://NPM.acme.example:443/some/path']);
  assert.equal(ask(known, linked('NPM', [registry])).reasonNotToLookUp, undefined);
  const other = { host: 'other.example', from: '~/.npmrc' };
  assert.ok(ask(known, linked('NPM', [registry, other])).reasonNotToLookUp);
  assert.ok(ask(known, linked('NPM', [registry, { from: 'GOPRIVATE' }])).reasonNotToLookUp);
});

test('a host of code is no public registry, although the public index is kept there', () => {
  const known = facts(['https://code.example/public/index'], 'code.example/serde-rs/serde');
  assert.ok(ask(known, linked('CARGO', [{ host: 'code.example', from: 'config.toml' }])).reasonNotToLookUp);
});

test('what a package manager has built in is public before the service has answered, and nothing is asked for it', async () => {
  const builtIn = builtInHosts('npm.acme.example');
  const [named, other] = [linked('NPM', [registry]), linked('NPM', [{ host: 'other.example', from: '.npmrc' }])];
  const before = ask({ state: 'pending' }, named, [], builtIn);
  assert.deepEqual(before, { reasonNotToLookUp: { kind: 'pending' }, asked: [] });
  await builtIn.readAsked();
  assert.deepEqual(ask({ state: 'pending' }, named, [], builtIn), { reasonNotToLookUp: undefined, asked: [] });
  assert.deepEqual(ask({ state: 'pending' }, other, [], builtIn).asked, ['lodash']);
  assert.equal(ask(facts(['https://registry.example']), other, [], builtIn).reasonNotToLookUp?.kind, 'none');
  // What the service reports needs no file.
  const unread = builtInHosts('npm.acme.example');
  assert.equal(ask(facts(['https://other.example']), other, [], unread).reasonNotToLookUp, undefined);
  await unread.readAsked();
  assert.equal(unread.revision(), 0);
});

test('this machine is no public registry, whatever the service reports, unless the person declares it', () => {
  const known = facts(['http://localhost:4873/', 'http://127.0.0.1:8081/repository/', 'https://registry.example/']);
  for (const host of ['localhost', '127.0.0.1']) {
    const named = linked('NPM', [{ host, from: 'package-lock.json' }]);
    assert.equal(ask(known, named).reasonNotToLookUp?.kind, 'none', host);
    assert.equal(ask(known, named, [host]).reasonNotToLookUp, undefined, host);
  }
  // Hosts that are reserved for tests count like others: they are those of our own service.
  assert.equal(ask(known, linked('NPM', [{ host: 'registry.example' }])).reasonNotToLookUp, undefined);
});

test('of Go nothing is asked, since the service names no registry for it', () => {
  const { reasonNotToLookUp, asked } = ask(
    facts(['https://proxy.example']),
    linked('GO', [{ host: 'proxy.example', from: 'GOPROXY' }]),
  );
  assert.equal(reasonNotToLookUp?.kind, 'none');
  assert.deepEqual(asked, []);
});

test('what is not looked up anyway keeps its own reason', () => {
  assert.equal(
    ask(facts([]), linked('NPM', [registry], { kind: 'source', source: 'path' })).reasonNotToLookUp,
    undefined,
  );
});
