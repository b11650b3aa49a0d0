import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { registryReaders } from '../../../../server/src/engine/ecosystems/registries.ts';
import type { AccessSource } from '../../../../server/src/engine/model/registries/access.ts';
import type { RegistryReader } from '../../../../server/src/engine/model/registries/registry-reader.ts';
import { isSystem } from '../../../../server/src/engine/model/system.ts';
import { readPictures } from '../../../harness/picture.ts';

/*
 * A picture of one configuration: its files, the strongest first, a variable of the environment as a file with its name;
 * then under `SYSTEM` a name in each line, with the registries that are named for it. Under `anew`
 * another configuration begins. `name @ address` is what a lockfile
 * says of it, `plugin name` and `name 1.0` what its manifest does; `private` stands for an address that only the tool can work out, `(beside)` for one among several.
 */
for (const picture of readPictures(import.meta.dirname)) {
  test(picture.title, () => {
    const sources: AccessSource[] = [];
    for (const { name, text } of picture.sections) {
      if (name === 'anew') {
        sources.length = 0;
        continue;
      }
      if (!isSystem(name)) {
        const owner = /^[~/]|^[A-Z_]+$/.test(name) ? 'machine' : 'workspace';
        sources.push({ name: name.split('/').at(-1) ?? name, label: name, text: text.trim(), owner });
        continue;
      }
      const route = registryReaders[name].ownersOf(sources);
      for (const line of text.split('\n').filter((it) => it !== '')) {
        const [asked = '', expected] = line.split(/ +→ ?/);
        const [named = '', registry] = asked.replace('USUAL-INDEX', usualIndex).split(' @ ');
        const [, role, packageName = '', version] =
          /^(?:(plugin|library|profile) )?(\S*)(?: (\S+))?$/.exec(named) ?? [];
        const found = route({
          name: packageName,
          ...(registry !== undefined && { registries: [registry] }),
          ...((role === 'plugin' || role === 'library') && { role }),
          ...(role === 'profile' && { isInProfile: true }),
          ...(version !== undefined && { version }),
        }).map(
          ({ host = 'private', from = 'its own file', isAdditional }) =>
            `${host} by ${from}${isAdditional ? ' (beside)' : ''}`,
        );
        assert.equal(found.join(', ') || 'the usual one', expected, asked);
      }
    }
  });
}

/** The repository of Cargo's usual index; in pieces, since it has the name of a host. */
const usualIndex = ['crates', 'io-index'].join('.');

test('no reader throws, and none takes long, whatever a file holds', () => {
  const texts = [
    '',
    '[',
    '{'.repeat(2000),
    '<a>'.repeat(2000),
    '<add key='.repeat(2000),
    '[[['.repeat(2000),
    'registry='.repeat(2000),
    '-i '.repeat(2000),
    '*'.repeat(2000),
    '\uD800\uFEFF\0',
    `repositories {${' maven {'.repeat(2000)}`,
    `repositories {${' exclusiveContent { forRepository {'.repeat(2000)}`,
    `repositories {${' maven { url "https://a.example"; content { includeGroup "a" } }'.repeat(600)}}`,
    `<packageSourceMapping><packageSource key="a">${'<package pattern="*" />'.repeat(2000)}`.replace(
      /^/,
      '<configuration>',
    ),
  ];
  const names = [
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    'bunfig.toml',
    'pnpm-workspace.yaml',
    'pip.conf',
    'uv.toml',
    'pyproject.toml',
    'Pipfile',
    'Pipfile.lock',
    'a.txt',
    'nuget.config',
    'a.csproj',
    'settings.xml',
    'maven.config',
    'pdm.toml',
    'pom.xml',
    'build.gradle',
    'config.toml',
    'Cargo.toml',
    'env',
    'GOPRIVATE',
    'GOPROXY',
    'PIP_INDEX_URL',
  ];
  for (const reader of Object.values<RegistryReader>(registryReaders)) {
    for (const text of texts) {
      for (const name of names) reader.filesNamedBy?.({ name, label: name, text });
      const route = reader.ownersOf(names.map((name) => ({ name, label: name, text, owner: 'workspace' })));
      for (const name of ['', 'a', '@a', '@a/b', 'a:b', 'a/b/c', '*'.repeat(1000)]) route({ name, registries: [text] });
    }
  }
});

test('nothing of a password is told', () => {
  const secret = 's3cr3t';
  const lines = [
    `https://me:${secret}@npm.example/`,
    `https://me:${secret}@\${HOST}/`,
    `//me:${secret}@npm.example`,
    `https://${secret}@npm.example:x/`,
    `me:${secret}/@npm.example`,
    `https://me:${secret}/x@host name/`,
  ];
  for (const line of lines) {
    const route = registryReaders.NPM.ownersOf([
      { name: '.npmrc', label: '.npmrc', text: `registry=${line}`, owner: 'machine' },
    ]);
    assert.doesNotMatch(JSON.stringify(route({ name: 'a' })), new RegExp(secret), line);
  }
});

test('files are told by their names alone', () => {
  // A reader that missed the name of its own file would leave names unprotected without anybody noticing.
  const source = readFileSync(
    join(import.meta.dirname, '..', '..', '..', '..', 'server', 'src', 'platform', 'machine-settings.ts'),
    'utf8',
  );
  for (const it of ['.npmrc', '.yarnrc', '.yarnrc.yml', '.bunfig.toml', 'uv.toml', 'NuGet.Config', 'settings.xml']) {
    assert.ok(source.includes(`'${it}'`), it);
  }
});
