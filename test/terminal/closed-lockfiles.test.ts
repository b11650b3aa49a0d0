import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, afterEach, describe, test } from 'node:test';
import { fileUri } from '../../server/src/engine/base/uri.ts';
import { lockfileFormats } from '../../server/src/engine/ecosystems/lockfile-formats.ts';
import type { Report } from '../../server/src/engine/report/report.ts';
import { askedNames } from '../harness/asked-names.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import { startLsp } from '../harness/lsp-client.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

const service = await startServiceForFile({});
const folder = folderWith({ 'work/README.md': '' });
const work = join(folder.path, 'work');
after(() => folder.remove());

/** Requests of the tests before. */
let seen = 0;
const asked = (): string[] => askedNames(service.requests.slice(seen)).filter((it) => it.includes('secret'));
afterEach(() => {
  seen = service.requests.length;
  rmSync(work, { recursive: true });
  mkdirSync(work);
});

/** A manifest that each lockfile serves, with `secret` in it. */
const manifests: Readonly<Record<string, readonly [name: string, text: string]>> = {
  NPM: ['package.json', '{ "dependencies": { "secret": "1.0.0" } }'],
  CARGO: ['Cargo.toml', '[package]\nname = "a"\n[dependencies]\nsecret = "1.0.0"\n'],
  MAVEN: [
    'build.gradle',
    'repositories { mavenCentral() }\ndependencies { implementation "org.secret:secret:1.0.0" }\n',
  ],
  NUGET: [
    'a.csproj',
    '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="secret" Version="1.0.0" /></ItemGroup></Project>',
  ],
  PYPI: ['pyproject.toml', '[project]\nname = "a"\nversion = "1"\ndependencies = ["secret==1.0.0"]\n'],
  'Pipfile.lock': ['Pipfile', '[packages]\nsecret = "==1.0.0"\n'],
};

function put(path: string, text = ''): string {
  const at = join(work, path);
  mkdirSync(dirname(at), { recursive: true });
  writeFileSync(at, text);
  return at;
}

/** Ways to have a lockfile that cannot be read, also by an administrator. */
const ways = {
  'a folder': (path) => mkdirSync(join(work, path), { recursive: true }),
  'too large': (path) => truncateSync(put(path), 32 * 1024 * 1024 + 1),
  'a link to nothing': (path) => {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    symlinkSync(join(folder.path, 'not-mounted'), join(work, path));
  },
  'a link to a file outside': (path) => {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    symlinkSync(join(folder.path, 'outside'), join(work, path));
    writeFileSync(join(folder.path, 'outside'), '');
  },
} as const satisfies Record<string, (path: string) => void>;

describe('a lockfile that cannot be read keeps names private, and counts as not read', {
  skip: process.platform === 'win32',
}, () => {
  for (const { id, opened, below } of lockfileFormats) {
    const [name, text] = manifests[id] ?? manifests[opened.system] ?? ['', ''];
    for (const [way, make] of Object.entries(ways)) {
      for (const place of below ? ['', 'packages/a/'] : ['']) {
        test(`${id}: ${way}, for ${place}${name}`, async () => {
          put(place + name, text);
          make(id);
          const run = (...args: readonly string[]) =>
            runHere(['check', '--format', 'json', ...args], work, { baseUrl: service.url });
          const { code, out, error } = await run();
          assert.deepEqual(asked(), []);
          assert.equal(code, 2, error);
          const report = JSON.parse(out) as Report;
          assert.deepEqual(report.unread, [id]);
          assert.equal(report.coverage.withheld, 1, out);
          assert.match(error, new RegExp(`${id} cannot be read`));
          // It is no matter of privacy alone.
          assert.equal((await run('--allow-private')).code, 2);
        });
      }
    }
  }
});

describe('a text that is no lockfile cannot be read as one', () => {
  const texts = {
    'a pointer to a large file': 'version https://files.example/spec/v1\noid sha256:4d7a\nsize 12345\n',
    'a page': '<!DOCTYPE html>\n<html><body>404: not found</body></html>\n',
    'nothing but a merge': '<<<<<<< HEAD\n=======\n>>>>>>> topic\n',
    bytes: '\u0000\u0001\u0002',
  };
  for (const { id, opened } of lockfileFormats) {
    for (const [what, lock] of Object.entries(texts)) {
      test(`${id}: ${what}`, async () => {
        const [name, text] = manifests[id] ?? manifests[opened.system] ?? ['', ''];
        put(name, text);
        put(id, lock);
        const { code, out } = await runHere(['check', '--format', 'json'], work, { baseUrl: service.url });
        assert.deepEqual(asked(), []);
        assert.equal(code, 2);
        assert.deepEqual((JSON.parse(out) as Report).unread, [id]);
      });
    }
    test(`${id}: an empty one is none`, async () => {
      const [name, text] = manifests[id] ?? manifests[opened.system] ?? ['', ''];
      put(name, text);
      put(id, '\n');
      const { out } = await runHere(['check', '--format', 'json'], work, { baseUrl: service.url });
      assert.equal(asked().length, 1);
      assert.deepEqual((JSON.parse(out) as Report).unread, []);
    });
  }
});

describe('a lockfile that is understood in part makes a check incomplete', () => {
  const locks: Readonly<Record<string, readonly [text: string, line: number]>> = {
    'package-lock.json': ['{\n"lockfileVersion": 3,\n"packages": {\n"node_modules/secret": { "version": "1.0.0"', 4],
    'yarn.lock': ['# yarn lockfile v1\n\n<<<<<<< HEAD\n=======\n>>>>>>> a\nsecret@1.0.0:\n  version "1.0.0"\n', 3],
    'pnpm-lock.yaml': ["lockfileVersion: '9.0'\n<<<<<<< HEAD\n=======\n>>>>>>> a\npackages:\n  secret@1.0.0: {}\n", 2],
    'Cargo.lock': ['[[package]]\nname = "secret"\n<<<<<<< a\nversion = "1.0.0"\n=======\n>>>>>>> b\n', 3],
    'gradle.lockfile': ['org.secret:secret:1.0.0=a\n<<<<<<< HEAD\n=======\n>>>>>>> a\nempty=\n', 2],
    'uv.lock': ['version = 1\r\n[[package]]\r\n<<<<<<< a\r\n=======\r\n>>>>>>> b\r\nname = "secret"\r\n', 3],
    'Pipfile.lock': ['<<<<<<< HEAD\n=======\n>>>>>>> a\n{ "default": { "secret": { "version": "==1.0.0" } } }\n', 1],
  };
  for (const [id, [lock, line]] of Object.entries(locks)) {
    test(id, async () => {
      const system = lockfileFormats.find((it) => it.id === id)?.opened.system ?? '';
      const [name, text] = manifests[id] ?? manifests[system] ?? ['', ''];
      put(name, text);
      put(id, lock);
      for (const options of [[], ['--all']]) {
        const { code, out } = await runHere(['check', '--format', 'json', ...options], work, { baseUrl: service.url });
        assert.deepEqual((JSON.parse(out) as Report).unclear, [{ path: id, line }]);
        assert.equal(code, 2);
      }
    });
  }
});

test('a lockfile of another package manager that can be read changes nothing about it', async () => {
  put('package.json', manifests['NPM']?.[1]);
  put('package-lock.json', '{"lockfileVersion":3,"packages":{}}');
  ways['a folder']('yarn.lock');
  await runHere(['check'], work, { baseUrl: service.url });
  assert.deepEqual(asked(), []);
});

test('without a lockfile the name is looked up', async () => {
  put('package.json', manifests['NPM']?.[1]);
  await runHere(['check'], work, { baseUrl: service.url });
  assert.deepEqual(asked(), ['secret']);
});

test('the editor keeps the names, too, and says why', async () => {
  const uri = fileUri(put('package.json', manifests['NPM']?.[1]));
  ways['a folder']('package-lock.json');
  const client = await startLsp({
    settings: { baseUrl: service.url },
    folder: `${fileUri(work)}/`,
    capabilities: { textDocument: { hover: { contentFormat: ['plaintext'] } } },
  });
  await client.open(uri, manifests['NPM']?.[1] ?? '');
  const hover = await client.connection.sendRequest('textDocument/hover', {
    textDocument: { uri },
    position: { line: 0, character: 25 },
  });
  assert.match(
    JSON.stringify(hover),
    /package-lock\.json may configure its registry, but cannot be read: it is not a regular file/,
  );
  assert.equal(await client.stop(), 0);
  assert.deepEqual(asked(), []);
});
