import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLookout } from '../harness/lookout.ts';
import { recordingHttp } from '../harness/recording-http.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

const root = 'file:///w/';

const team = {
  'package.json': JSON.stringify({ workspaces: ['packages/*'], dependencies: { '@acme/lib': '1.0.0' } }),
  'packages/app/package.json': '{ "name": "@acme/app" }',
  'packages/lib/package.json': '{ "name": "@acme/lib" }',
};

/** A workspace in which somebody types, and every word that the service was sent. */
async function setUp(isWatching: boolean, saved: Readonly<Record<string, string>> = team) {
  const texts: Record<string, string> = { ...saved };
  const lookout = createLookout();
  const { http, received } = recordingHttp(lookout.happened);
  const client: StrictClient = await strictClient({
    http,
    capabilities: isWatching ? { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } } : {},
    answer: () => null,
    settings: { baseUrl: 'http://service.example' },
    initialize: { workspaceFolders: [{ uri: root, name: 'w' }] },
    files: {
      read: async (uri) => texts[uri.slice(root.length)],
      find: async (directory, matches) =>
        Object.keys(texts)
          .map((it) => root + it)
          .filter((it) => it.startsWith(directory) && matches.test(it)),
    },
  });
  let version = 1;
  return {
    client,
    received,
    sent: (word: string) => lookout.until(() => received(word) || undefined, 60_000),
    open: (path: string) => client.open(root + path, texts[path] ?? ''),
    /** Types a text, with a package in it that is published, and waits until that one is asked about. */
    async type(path: string, before: string, after: string): Promise<void> {
      const sentinel = `published-${++version}`;
      await client.change(root + path, version, `${before}"${sentinel}": "1.0.0"${after}`);
      await lookout.until(() => received(sentinel) || undefined, 60_000);
    },
    async save(path: string, text: string): Promise<void> {
      texts[path] = text;
      await client.change(root + path, ++version, text);
      await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri: root + path } });
    },
  };
}

/** The root as somebody gets at what makes it one. Each but the first says less of its members than the saved file. */
const typed: readonly (readonly [string, string])[] = [
  ['{ "workspaces": ["packages/*"], "dependencies": { "@acme/lib": "1.0.0", ', ' } }'],
  ['{ "workspaces": ["packages/*"], "dependencies": { "@acme/lib": "1.0.0", "@acme/app": "1.0.0", ', ''],
  ['{ "workspaces": [], "dependencies": { "@acme/lib": "1.0.0", ', ' } }'],
  ['{ "workspace": ["packages/*"], "dependencies": { "@acme/lib": "1.0.0", ', ' } }'],
  ['{ "dependencies": { "@acme/lib": "1.0.0", "@acme/app": "1.0.0", ', ' } }'],
];

test('typing in the root of a workspace sends no name of a member', async () => {
  const { client, open, type, received } = await setUp(true);
  await open('package.json');
  await open('packages/app/package.json');
  for (const [before, after] of typed) await type('package.json', before, after);
  await type('packages/app/package.json', '{ "name": "@acme/app", "dependencies": { "@acme/lib": "1.0.0", ', ' } }');
  await client.stop();
  assert.equal(received('@acme'), false);
});

for (const isWatching of [true, false]) {
  const title = isWatching ? 'an editor that watches files' : 'one that watches none';
  test(`a member that is made or renamed counts as soon as it is saved, in ${title}`, async () => {
    const { client, open, type, save, received } = await setUp(isWatching);
    const asking = (...names: readonly string[]) =>
      `{ "name": "@acme/app", "dependencies": { ${names.map((it) => `"@acme/${it}": "1.0.0", `).join('')}`;
    await open('packages/app/package.json');
    await type('packages/app/package.json', asking('lib'), ' } }');
    await open('packages/lib/package.json');
    // Nobody asks for the old name any more.
    await type('packages/app/package.json', asking(), ' } }');
    await save('packages/lib/package.json', '{ "name": "@acme/renamed" }');
    await type('packages/app/package.json', asking('renamed'), ' } }');
    await open('packages/new/package.json');
    await save('packages/new/package.json', '{ "name": "@acme/new" }');
    await type('packages/app/package.json', asking('renamed', 'new'), ' } }');
    await client.stop();
    assert.equal(received('@acme'), false);
  });
}

const locked = ['org.acme:lib', 'org.acme.far:far', 'org:published'];
const lockedByGradle = locked.map((it) => `${it}:1=compileClasspath\n`).join('');
const verifiedByGradle = `<verification-metadata><components>${locked
  .map((it) => it.split(':'))
  .map(([group, name]) => `<component group="${group}" name="${name}" version="1"></component>`)
  .join('')}</components></verification-metadata>`;

/** By the file that is opened: what it asks for is made, or taken from elsewhere, but for what is called `published`. */
const others: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'app/Cargo.toml': {
    'app/Cargo.toml': '[dependencies]\nacme-fork = "1"\nacme-lib = "1"\nacme-over = "1"\npublished = "1.0.0"\n',
    'Cargo.toml':
      '[workspace]\nmembers = ["app", "lib"]\n[patch.crates-io]\nacme-fork = { git = "https://host.example" }\n',
    'lib/Cargo.toml': '[package]\nname = "acme-lib"\n',
    '.cargo/config.toml': 'paths = ["over"]\n',
    'over/Cargo.toml': '[package]\nname = "acme-over"\n',
  },
  'app/deno.json': {
    'app/deno.json': '{ "imports": { "a": "npm:@acme/lib@1.0.0", "b": "npm:published@1.0.0" } }',
    'deno.json': '{ "workspace": ["app", "lib"] }',
    'lib/deno.json': '{ "name": "@acme/lib" }',
  },
  'app/pyproject.toml': {
    'app/pyproject.toml': '[project]\ndependencies = ["acme-lib==1", "acme-fork==1", "published==1"]\n',
    'pyproject.toml': '[tool.uv.workspace]\nmembers = ["*"]\n[tool.uv.sources]\nacme-fork = { path = "../fork" }\n',
    'lib/pyproject.toml': '[project]\nname = "acme-lib"\n',
  },
  'requirements.txt': {
    'requirements.txt': '-r more.txt\nacme-lib==1\nacme-other==1\npublished==1\n',
    'more.txt': '-e ./lib\nacme-other @ file:./other\n',
    'lib/pyproject.toml': '[project]\nname = "acme-lib"\n',
  },
  'app/build.gradle': {
    'app/build.gradle': "dependencies {\n api 'org.acme:lib:1'\n api 'org.acme:far:1'\n api 'org:published:1'\n}\n",
    'settings.gradle': "include ':app', ':lib'\nincludeBuild '../w/far'\n",
    'build.gradle': "allprojects { group = 'org.acme' }\n",
    'far/settings.gradle': "rootProject.name = 'far'\n",
  },
  ...Object.fromEntries(
    Object.entries({
      'app/gradle.lockfile': lockedByGradle,
      'app/buildscript-gradle.lockfile': lockedByGradle,
      'gradle/verification-metadata.xml': verifiedByGradle,
    }).map(([path, text]) => [
      path,
      {
        [path]: text,
        'settings.gradle': "include ':app', ':lib'\nincludeBuild 'far'\n",
        'build.gradle': "allprojects { group = 'org.acme' }\n",
        'far/settings.gradle': "rootProject.name = 'far'\n",
        'far/build.gradle': "group = 'org.acme.far'\n",
      },
    ]),
  ),
};

for (const [path, texts] of Object.entries(others)) {
  test(`what is made beside ${path}, or taken from elsewhere, is not sent`, async () => {
    const { client, open, sent, received } = await setUp(true, texts);
    await open(path);
    await sent('published');
    await client.stop();
    assert.equal(received('acme'), false);
  });
}

/** By the file: what stands around an entry, and the entry as it is typed. It becomes a path in the end. */
const begun: Readonly<
  Record<string, { readonly around: readonly [string, string]; readonly typed: readonly string[] }>
> = {
  'Cargo.toml': {
    around: ['[dependencies]\n', '\nSENTINEL = "1.0.0"\n'],
    typed: [
      'acme',
      'acme =',
      'acme = {',
      'acme = {}',
      'acme = { pa }',
      'acme = { path = }',
      'acme = { path = "',
      'acme.wor',
    ],
  },
  'pyproject.toml': {
    around: ['[tool.poetry.dependencies]\n', '\nSENTINEL = "1.0.0"\n'],
    typed: ['acme =', 'acme = {', 'acme = { pa }', 'acme = { path = "../a', 'acme = [{'],
  },
  'package.json': {
    around: ['{ "dependencies": { ', ', "SENTINEL": "1.0.0" } }'],
    typed: [
      '"acme"',
      '"acme":',
      '"acme": "f"',
      '"acme": "fil"',
      '"acme": "file:"',
      '"acme": "lin"',
      '"acme": "."',
      '"acme": {}',
    ],
  },
};

for (const [path, { around, typed: entries }] of Object.entries(begun)) {
  test(`what is being typed in ${path}, and becomes a path, is not sent`, async () => {
    const { client, open, sent, received } = await setUp(true, { [path]: around.join('') });
    await open(path);
    for (const [at, entry] of entries.entries()) {
      await client.change(root + path, at + 2, around.join(entry).replace('SENTINEL', `published-${at}`));
      await sent(`published-${at}`);
    }
    await client.stop();
    assert.equal(received('acme'), false);
  });
}
