import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordedClient, root } from './recorded-client.ts';

/** A configuration that keeps `secret` on the machine, and the line of it that says so. */
interface Routed {
  /** The manifest: `MORE` stands where another dependency is put in. */
  readonly manifest: readonly [path: string, text: string];
  /** How a package that everybody may hear of is written into it. */
  readonly more: (name: string) => string;
  /** The file that says it, where it is another. */
  readonly config?: readonly [path: string, text: string];
  readonly line: string;
}

const npm: Pick<Routed, 'manifest' | 'more'> = {
  manifest: ['package.json', '{ "dependencies": { MORE"@secret/x": "1.0.0" } }'],
  more: (name) => `"${name}": "1.0.0", `,
};
const requirements = (first: string): Pick<Routed, 'manifest' | 'more'> => ({
  manifest: ['requirements.txt', `${first}MOREsecret==1.0\n`],
  more: (name) => `${name}==1.0\n`,
});
const cargo = (entry: string): Pick<Routed, 'manifest' | 'more'> => ({
  manifest: ['Cargo.toml', `[dependencies]\nMORE${entry}\n`],
  more: (name) => `${name} = { version = "1.0.0", registry = "crates-io" }\n`,
});
const pom = (before: string): Pick<Routed, 'manifest' | 'more'> => ({
  manifest: [
    'pom.xml',
    `<project>${before}<dependencies>MORE<dependency><groupId>org.secret</groupId><artifactId>x</artifactId><version>1</version></dependency></dependencies></project>`,
  ],
  more: () => '',
});

const cases: Readonly<Record<string, Routed>> = {
  '.npmrc': { ...npm, config: ['.npmrc', '@secret:registry=https://npm.acme.example/\n'], line: 'registry' },
  '.package-insights.json': {
    ...npm,
    config: ['.package-insights.json', '{ "private": ["npm/@secret/*"] }\n'],
    line: '"npm/@secret/*"',
  },
  '.yarnrc.yml': {
    ...npm,
    config: ['.yarnrc.yml', 'npmScopes:\n  secret:\n    npmRegistryServer: https://npm.acme.example/\n'],
    line: 'npmRegistryServer: https://npm.acme.example/',
  },
  'pnpm-workspace.yaml': {
    ...npm,
    config: ['pnpm-workspace.yaml', "registries:\n  '@secret': https://npm.acme.example/\n"],
    line: "'@secret': https://npm.acme.example/",
  },
  '.cargo/config.toml': {
    ...cargo('secret = { version = "1.0.0", registry = "acme" }'),
    line: ', registry = "acme"',
  },
  'a path of Cargo': {
    ...cargo('secret = { version = "1.0.0", path = "../x" }'),
    line: ', path = "../x"',
  },
  '--extra-index-url': {
    ...requirements('--extra-index-url https://pypi.acme.example/\n'),
    line: '--extra-index-url https://pypi.acme.example/\n',
  },
  '-r of a file with an index': {
    ...requirements('-r more.txt\n'),
    config: ['more.txt', '--extra-index-url https://pypi.acme.example/\n'],
    line: '--extra-index-url https://pypi.acme.example/\n',
  },
  '[[tool.uv.index]]': {
    manifest: [
      'pyproject.toml',
      '[project]\ndependencies = [MORE"secret==1.0"]\n[[tool.uv.index]]\nurl = "https://pypi.acme.example/"\n',
    ],
    more: (name) => `"${name}==1.0", `,
    line: 'url = "https://pypi.acme.example/"\n',
  },
  '<repositories>': {
    ...pom('<repositories><repository><id>a</id><url>https://maven.acme.example/</url></repository></repositories>'),
    line: '<repository><id>a</id><url>https://maven.acme.example/</url></repository>',
  },
  'repositories of Gradle': {
    manifest: [
      'build.gradle',
      "repositories {\n maven { url 'https://maven.acme.example/' }\n}\ndependencies {\n MOREapi 'org.secret:x:1'\n}\n",
    ],
    more: () => '',
    line: "maven { url 'https://maven.acme.example/' }",
  },
  RestoreSources: {
    manifest: [
      'a.csproj',
      '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><RestoreSources>https://nuget.acme.example/</RestoreSources></PropertyGroup><ItemGroup>MORE<PackageReference Include="Secret" Version="1.0.0" /></ItemGroup></Project>',
    ],
    more: () => '',
    line: '<RestoreSources>https://nuget.acme.example/</RestoreSources>',
  },
  'nuget.config': {
    manifest: [
      'a.csproj',
      '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup>MORE<PackageReference Include="Secret" Version="1.0.0" /></ItemGroup></Project>',
    ],
    more: () => '',
    config: [
      'nuget.config',
      '<configuration><packageSources><add key="a" value="https://nuget.acme.example/" /></packageSources></configuration>',
    ],
    line: '<add key="a" value="https://nuget.acme.example/" />',
  },
};

async function setUp({ manifest: [path, text], more, config }: Routed) {
  const disk: Record<string, string> = { [path]: text.replace('MORE', '') };
  if (config) disk[config[0]] = config[1];
  const { client, received, pass } = await recordedClient({
    files: { read: async (uri) => disk[uri.slice(root.length)], find: async () => [] },
  });
  let version = 1;
  const own = config?.[0] ?? path;
  const open = new Set<string>();
  const it = {
    client,
    disk,
    own,
    isTold: () => received('secret'),
    pass,
    open: async (name: string): Promise<void> => {
      if (!open.has(name)) await client.open(root + name, disk[name] ?? '');
      open.add(name);
      await pass(1000);
    },
    async type(name: string, now: string): Promise<void> {
      await client.change(root + name, ++version, now);
      await pass(1000);
    },
    async save(name: string, now: string): Promise<void> {
      disk[name] = now;
      await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri: root + name } });
      await it.written(name);
    },
    written: (...names: readonly string[]) =>
      client.connection.sendNotification('workspace/didChangeWatchedFiles', {
        changes: names.map((name) => ({ uri: root + name, type: 2 })),
      }),
    /** Puts another package into the manifest, and sees that it is asked about: everything was looked at again. */
    async seen(now = text): Promise<void> {
      const name = `published-${++version}`;
      await it.type(path, now.replace('MORE', more(name)));
      if (more(name) !== '' && /^(?:Cargo|package)/.test(path)) assert.ok(received(name), `${name} is asked about`);
    },
  };
  await it.open(path);
  assert.equal(it.isTold(), false);
  return it;
}

describe('cutting the line that keeps a name private sends no name', () => {
  for (const [title, one] of Object.entries(cases))
    test(title, async () => {
      const [path, text] = one.manifest;
      const before = one.config?.[1] ?? text.replace('MORE', '');
      const cut = before.replace(one.line, '');
      const it = await setUp(one);
      await it.open(it.own);
      await it.type(it.own, cut);
      const rest = one.config ? text : text.replace(one.line, '');
      await it.seen(rest);
      await it.pass(60_000);
      assert.equal(it.isTold(), false, 'while it is not saved');
      await it.type(path, one.config ? text.replace('MORE', '') : cut);
      await it.save(path, one.config ? text.replace('MORE', '') : cut);
      await it.save(it.own, cut);
      await it.pass(4000);
      assert.equal(it.isTold(), false, 'as soon as it is saved');
      await it.pass(4000);
      assert.equal(it.isTold(), true, 'some seconds after that it is looked up');
      await it.client.stop();
    });
});

describe('a file that is empty or away for a moment still keeps its names private', () => {
  for (const [title, one] of Object.entries(cases))
    if (one.config)
      for (const [how, during] of [
        ['emptied', ''],
        ['away', undefined],
      ] as const)
        test(`${title}, ${how}`, async () => {
          const it = await setUp(one);
          const [path, text] = one.config ?? ['', ''];
          const put = (now: string | undefined): Promise<void> => {
            if (now === undefined) delete it.disk[path];
            else it.disk[path] = now;
            return it.written(path);
          };
          await put(during);
          await it.seen();
          await put(text);
          await it.seen();
          await it.pass(20_000);
          assert.equal(it.isTold(), false);
          await put(during);
          await it.save(one.manifest[0], one.manifest[1].replace('MORE', ''));
          await it.type(one.manifest[0], one.manifest[1].replace('MORE', ''));
          await it.pass(3000);
          assert.equal(it.isTold(), false);
          await it.pass(8000);
          assert.equal(it.isTold(), true);
          await it.client.stop();
        });
});

test('a document that opens beside an unsaved file follows the saved text, too', async () => {
  const one = cases['.npmrc'];
  assert.ok(one?.config);
  const it = await setUp({ ...one, manifest: ['package.json', '{}'] });
  it.disk['packages/a/package.json'] = '{ "dependencies": { "@secret/x": "1.0.0", "published": "1.0.0" } }';
  await it.open('.npmrc');
  await it.type('.npmrc', '');
  await it.open('packages/a/package.json');
  await it.client.connection.sendRequest('packageInsights/report', {}).catch(() => undefined);
  await it.pass(20_000);
  assert.equal(it.isTold(), false);
  await it.client.stop();
});
