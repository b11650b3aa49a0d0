import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recommendedFix } from '../../../server/src/engine/analysis/fixes.ts';
import { updatableIn } from '../../../server/src/engine/analysis/snapshot.ts';
import { planUpdates } from '../../../server/src/engine/analysis/update-plan.ts';
import { openLab } from '../../harness/lab.ts';

const artifact = (name: string, version: string): string =>
  `<dependency><groupId>org.lib</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`;

const parent = `<project><groupId>app</groupId><artifactId>parent</artifactId><version>1</version><packaging>pom</packaging>
<modules><module>a</module><module>b</module></modules>
<properties><lib.version>1.0</lib.version></properties></project>`;

const child = (name: string, ...dependencies: readonly string[]): string =>
  `<project><parent><groupId>app</groupId><artifactId>parent</artifactId><version>1</version></parent>
<artifactId>${name}</artifactId><dependencies>${dependencies.join('')}</dependencies></project>`;

const affected = {
  'advisory GHSA-0000-0000-0001': {
    cvss3Score: 7.5,
    affected: [{ system: 'MAVEN', name: 'org.lib:first', ranges: [{ introduced: '0', fixed: '1.1' }] }],
  },
} as const;

/** What an update of one file changes and leaves, and the facts of the versions are known. */
async function planFor(second: readonly string[], isKnown: boolean) {
  const files = new Map([
    ['pom.xml', parent],
    ['a/pom.xml', child('a', artifact('first', '${lib.version}'))],
    ['b/pom.xml', child('b', artifact('second', '${lib.version}'))],
  ]);
  const lab = await openLab(files, {
    'MAVEN org.lib:first': { versions: ['1.0', '1.1'] },
    'MAVEN org.lib:second': { versions: second },
    ...affected,
  });
  try {
    const snapshot = await lab.settled('a/pom.xml');
    const key = { system: 'MAVEN', name: 'org.lib:second' } as const;
    if (isKnown) await lab.obtain(['1.0', '1.1'].map((version) => ({ kind: 'version', key: { ...key, version } })));
    const { facts, dependents } = await lab.context(snapshot);
    const { changes, left } = planUpdates(updatableIn(snapshot), 'safe', facts, dependents);
    return { to: changes.map((it) => it.edit.newText), left: left.map((it) => it.reason) };
  } finally {
    await lab.close();
  }
}

test('an update of one file leaves a version that a package of another file lacks', async () => {
  assert.deepEqual(await planFor(['1.0'], true), {
    to: [],
    left: ['org.lib:second shares it and has no such version'],
  });
  assert.deepEqual(await planFor(['1.0', '1.1'], true), { to: ['1.1'], left: [] });
});

test('an update of one file leaves a version that was not checked for a package of another file', async () => {
  assert.deepEqual(await planFor(['1.0', '1.1'], false), {
    to: [],
    left: ['not checked for org.lib:second, which shares it'],
  });
});

test('a requirement without a match does not move a package down that shares it', async (t) => {
  const shared = `<project><groupId>app</groupId><artifactId>app</artifactId><version>1</version>
<properties><lib.version>2.0</lib.version></properties>
<dependencies>${artifact('first', '${lib.version}')}${artifact('second', '${lib.version}')}</dependencies></project>`;
  const lab = await openLab(new Map([['pom.xml', shared]]), {
    'MAVEN org.lib:first': { versions: ['1.0', '1.1'] },
    'MAVEN org.lib:second': { versions: ['1.1', '2.0'] },
  });
  t.after(() => lab.close());
  const snapshot = await lab.settled('pom.xml');
  await lab.obtain([{ kind: 'version', key: { system: 'MAVEN', name: 'org.lib:second', version: '1.1' } }]);
  const { facts } = await lab.context(snapshot);
  const { changes, left } = planUpdates(snapshot.dependencies, 'safe', facts);
  assert.deepEqual([changes.length, left.map((it) => it.reason)], [0, ['lower than the one written']]);
});

test('a requirement follows its constraint to the version that both allow', async (t) => {
  const files = new Map([
    ['requirements.txt', '-c constraints.txt\nlib==1.0.*\n'],
    ['constraints.txt', 'lib~=1.0\n'],
  ]);
  const lab = await openLab(files, {
    'PYPI lib': { versions: ['1.0.0', '1.1.0', '1.2.0', '2.0.0'] },
    'advisory GHSA-0000-0000-0002': {
      cvss3Score: 7.5,
      affected: [{ system: 'PYPI', name: 'lib', versions: ['1.0.0', '1.2.0'] }],
    },
  });
  t.after(() => lab.close());
  const snapshots = [await lab.settled('requirements.txt'), await lab.settled('constraints.txt')];
  const { facts } = await lab.context(await lab.settled('requirements.txt'));
  const { changes } = planUpdates(
    snapshots.flatMap((it) => it.dependencies),
    'safe',
    facts,
  );
  assert.deepEqual(changes.map((it) => it.edit.newText).sort(), ['==2.0.*', '~=2.0']);
});

test('a range that takes a withdrawn version again has no way down', async (t) => {
  const pom = `<project><groupId>app</groupId><artifactId>app</artifactId><version>1</version>
<dependencies>${artifact('lib', '[1.0,)')}</dependencies></project>`;
  const lab = await openLab(new Map([['pom.xml', pom]]), {
    'MAVEN org.lib:lib': { versions: { '1.0': { isDefault: true }, '9.9': { deprecated: 'a mistake' } } },
  });
  t.after(() => lab.close());
  const { dependencies } = await lab.settled('pom.xml');
  assert.deepEqual(
    dependencies.map((it) => [it.resolution.kind === 'version' && it.resolution.version, recommendedFix(it)]),
    [['9.9', undefined]],
  );
});
