import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordedClient, root } from './recorded-client.ts';

/** A workspace that makes `acme-lib`, which the first of its files asks for beside `SENTINEL`. */
interface Team {
  readonly texts: Readonly<Record<string, string>>;
  readonly sentinel: (name: string) => string;
  /** What the root and the member say while they say less. */
  readonly less: Readonly<Record<string, string>>;
}

const npm = {
  sentinel: (name: string) => `"${name}": "1.0.0", `,
  'app/package.json': '{ "name": "app", "dependencies": { SENTINEL"acme-lib": "1.0.0" } }',
  'lib/package.json': '{ "name": "acme-lib" }',
};

const teams: Readonly<Record<string, Team>> = {
  npm: {
    texts: {
      'app/package.json': npm['app/package.json'],
      'package.json': '{ "workspaces": ["*"] }',
      'lib/package.json': npm['lib/package.json'],
    },
    sentinel: npm.sentinel,
    less: { 'package.json': '{ "workspaces": ["app"] }', 'lib/package.json': '{ "name": "lib" }' },
  },
  pnpm: {
    texts: {
      'app/package.json': npm['app/package.json'],
      'pnpm-workspace.yaml': 'packages:\n  - "*"\n',
      'lib/package.json': npm['lib/package.json'],
    },
    sentinel: npm.sentinel,
    less: { 'pnpm-workspace.yaml': 'packages:\n  - "app"\n', 'lib/package.json': '{}' },
  },
  Cargo: {
    texts: {
      'app/Cargo.toml': '[package]\nname = "app"\n[dependencies]\nSENTINELacme-lib = "1.0.0"\n',
      'Cargo.toml': '[workspace]\nmembers = ["*"]\n',
      'lib/Cargo.toml': '[package]\nname = "acme-lib"\n',
    },
    sentinel: (name) => `${name} = "1.0.0"\n`,
    less: { 'Cargo.toml': '[workspace]\nmembers = ["app"]\n', 'lib/Cargo.toml': '[package]\nname = "lib"\n' },
  },
  uv: {
    texts: {
      'app/pyproject.toml': '[project]\nname = "app"\ndependencies = [SENTINEL"acme-lib==1.0.0"]\n',
      'pyproject.toml': '[tool.uv.workspace]\nmembers = ["*"]\n',
      'lib/pyproject.toml': '[project]\nname = "acme-lib"\n',
    },
    sentinel: (name) => `"${name}==1.0.0", `,
    less: {
      'pyproject.toml': '[tool.uv.workspace]\nmembers = ["app"]\n',
      'lib/pyproject.toml': '[project]\nname = "lib"\n',
    },
  },
  'lists of requirements': {
    texts: {
      'requirements.txt': '-r more.lst\nSENTINELacme-lib==1.0.0\n',
      'more.lst': '-e ./lib\n',
      'lib/pyproject.toml': '[project]\nname = "acme-lib"\n',
    },
    sentinel: (name) => `${name}==1.0.0\n`,
    less: { 'more.lst': '# -e ./lib\n', 'lib/pyproject.toml': '[project]\nname = "lib"\n' },
  },
  Maven: {
    texts: {
      'app/pom.xml':
        '<project><groupId>g</groupId><artifactId>app</artifactId><version>1</version><dependencies>SENTINEL<dependency><groupId>g</groupId><artifactId>acme-lib</artifactId><version>1</version></dependency></dependencies></project>',
      'pom.xml':
        '<project><groupId>g</groupId><artifactId>root</artifactId><version>1</version><modules><module>app</module><module>lib</module></modules></project>',
      'lib/pom.xml': '<project><groupId>g</groupId><artifactId>acme-lib</artifactId><version>1</version></project>',
    },
    sentinel: (name) =>
      `<dependency><groupId>o</groupId><artifactId>${name}</artifactId><version>1</version></dependency>`,
    less: {
      'pom.xml':
        '<project><groupId>g</groupId><artifactId>root</artifactId><version>1</version><modules><module>app</module></modules></project>',
      'lib/pom.xml': '<project><groupId>g</groupId><artifactId>lib</artifactId><version>1</version></project>',
    },
  },
  Gradle: {
    texts: {
      'app/build.gradle': "dependencies {\n SENTINELapi 'org.own:acme-lib:1'\n}\n",
      'settings.gradle': "include ':app', ':acme-lib'\n",
      'build.gradle': "allprojects { group = 'org.own' }\n",
    },
    sentinel: (name) => `api 'org:${name}:1'\n `,
    less: { 'settings.gradle': "include ':app'\n", 'build.gradle': "allprojects { group = 'org.other' }\n" },
  },
};

async function setUp({ texts, sentinel }: Team) {
  const disk: Record<string, string> = { ...texts };
  const [path = ''] = Object.keys(texts);
  const textWith = (more: string): string => (texts[path] ?? '').replace('SENTINEL', more);
  disk[path] = textWith('');
  const { client, received, pass } = await recordedClient({
    files: {
      read: async (uri) => disk[uri.slice(root.length)],
      find: async (directory, matches) =>
        Object.keys(disk)
          .map((it) => root + it)
          .filter((it) => it.startsWith(directory) && matches.test(it)),
    },
  });
  let version = 1;
  await client.open(root + path, disk[path]);
  await pass(1000);
  return {
    client,
    pass,
    isTold: () => received('acme-lib'),
    /** Puts a text on the disk, or nothing, and tells of it. */
    async put(name: string, now: string | undefined): Promise<void> {
      if (now === undefined) delete disk[name];
      else disk[name] = now;
      await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
        changes: [{ uri: root + name, type: now === undefined ? 3 : 2 }],
      });
    },
    /** Types another package, and sees that it is asked about: all was looked at again. */
    async seen(): Promise<void> {
      const name = `published-${++version}`;
      await client.change(root + path, version, textWith(sentinel(name)));
      await pass(1500);
      assert.ok(received(name), `${name} is asked about`);
    },
  };
}

describe('a file of a workspace with fewer members for a moment sends no name of a member', () => {
  for (const [title, team] of Object.entries(teams))
    for (const [name, less] of Object.entries(team.less))
      for (const [how, during] of [
        ['away', undefined],
        ['emptied', ''],
        ['saved with less', less],
      ] as const)
        test(`${title}, ${name}, ${how}`, async () => {
          const it = await setUp(team);
          assert.equal(it.isTold(), false);
          const whole = team.texts[name];
          await it.put(name, during);
          await it.seen();
          await it.put(name, whole);
          await it.seen();
          await it.pass(20_000);
          assert.equal(it.isTold(), false, 'it is back');
          await it.put(name, during);
          await it.seen();
          await it.pass(2500);
          assert.equal(it.isTold(), false, 'not yet for long');
          await it.pass(6000);
          // What is empty may be written any time, and is taken for a text that is not understood; a list may well be empty.
          assert.equal(it.isTold(), how !== 'emptied' || name.endsWith('.lst'), 'some seconds later');
          await it.client.stop();
        });
});

test('a report while a root is away sends no name of a member', async () => {
  const team = teams['npm'];
  assert.ok(team);
  const it = await setUp(team);
  await it.put('package.json', undefined);
  const report = it.client.connection.sendRequest('packageInsights/report', {}).catch(() => undefined);
  await it.pass(2000);
  assert.equal(it.isTold(), false);
  await it.pass(20_000);
  await report;
  await it.client.stop();
});

test('a lockfile that is written anew sends no name that it took from a private registry until then', async () => {
  const entry = { version: '1.0.0', resolved: 'https://npm.acme.example/acme-lib/-/acme-lib-1.0.0.tgz' };
  const whole = JSON.stringify({ packages: { 'node_modules/acme-lib': entry } });
  for (const during of [undefined, '', '{ "packages": {} }']) {
    const it = await setUp({
      texts: {
        'package.json': '{ "dependencies": { SENTINEL"acme-lib": "1.0.0" } }',
        'package-lock.json': whole,
      },
      sentinel: npm.sentinel,
      less: {},
    });
    assert.equal(it.isTold(), false);
    await it.put('package-lock.json', during);
    await it.pass(2500);
    await it.put('package-lock.json', whole);
    await it.pass(20_000);
    assert.equal(it.isTold(), false, 'it is back');
    await it.put('package-lock.json', during);
    await it.pass(2500);
    assert.equal(it.isTold(), false, 'not yet for long');
    await it.pass(6000);
    assert.equal(it.isTold(), true, 'some seconds later');
    await it.client.stop();
  }
});
