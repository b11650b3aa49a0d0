import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileUri } from '../../server/src/engine/base/uri.ts';
import { registryReaders } from '../../server/src/engine/ecosystems/registries.ts';
import { projectFileName } from '../../server/src/engine/model/project.ts';
import { type System, systems } from '../../server/src/engine/model/system.ts';
import { diskFiles } from '../../server/src/platform/files.ts';
import { machinePlaces, machineRegistries } from '../../server/src/platform/machine-settings.ts';
import { askedNames } from '../harness/asked-names.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import { startLsp } from '../harness/lsp-client.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

/*
 * A settings file that is a link to nothing, or lies in a folder that is one: a share that is not mounted.
 */

const service = await startServiceForFile({});
const folder = folderWith({});
after(() => folder.remove());

const manifests: Readonly<Record<System, readonly [name: string, text: string]>> = {
  NPM: ['package.json', '{ "dependencies": { "secret": "1.0.0" } }'],
  CARGO: ['Cargo.toml', '[package]\nname = "a"\n[dependencies]\nsecret = "1.0.0"\n'],
  MAVEN: [
    'pom.xml',
    '<project><dependencies><dependency><groupId>org.secret</groupId><artifactId>x</artifactId><version>1</version></dependency></dependencies></project>',
  ],
  NUGET: [
    'a.csproj',
    '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="secret" Version="1.0.0" /></ItemGroup></Project>',
  ],
  PYPI: ['requirements.txt', 'secret==1.0.0\n'],
  GO: ['go.mod', 'module m\n\nrequire acme.example/secret v1.0.0\n'],
};

function linkToNothing(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(folder.path, 'not-mounted'), path);
}

/** What the service is asked while a manifest is checked, and what the program reports. */
async function check(system: System, home: string, work: string) {
  const seen = service.requests.length;
  const machine = { environment: {}, platform: 'linux', home } as const;
  const disk = (roots: readonly string[]) => ({
    ...diskFiles(() => roots),
    machine: machineRegistries(() => roots, machine),
  });
  const { code, out, error } = await runHere(['check', manifests[system][0]], work, { baseUrl: service.url, disk });
  const asked = askedNames(service.requests.slice(seen)).filter((it) => it.includes('secret'));
  return { code, asked, all: out + error };
}

function fresh(system: System): { readonly home: string; readonly work: string } {
  const { path, write } = folder;
  rmSync(path, { recursive: true, force: true });
  const [name, text] = manifests[system];
  write(`work/${name}`, text);
  mkdirSync(join(path, 'home'));
  return { home: join(path, 'home'), work: join(path, 'work') };
}

/** The file itself, and the folder that it is in. */
function linksTo(file: string): string[] {
  return file.includes('/') ? [file, dirname(file)] : [file];
}

/** Links are for administrators there. */
const skip = process.platform === 'win32';

describe('a settings file that is a link to nothing keeps names private', { skip }, () => {
  for (const system of systems) {
    test(`${system}: without one the name is looked up`, async () => {
      const { home, work } = fresh(system);
      assert.equal((await check(system, home, work)).asked.length, 1);
    });

    const settings = [...registryReaders[system].above, projectFileName].filter((it) => it !== manifests[system][0]);
    for (const link of settings.flatMap(linksTo))
      test(`${system}: ${link} in the workspace`, async () => {
        const { home, work } = fresh(system);
        linkToNothing(join(work, link));
        const { code, asked, all } = await check(system, home, work);
        assert.deepEqual(asked, []);
        assert.equal(code, 2);
        assert.match(all, /from a registry that the unreadable \S+ may configure/);
      });

    const places = machinePlaces({}, 'linux', '/home/me')[system].map((it) => it.path);
    const own = places.filter((it) => it.startsWith('/home/me/') && !it.includes('*')).map((it) => it.slice(9));
    for (const link of new Set(own.flatMap(linksTo)))
      test(`${system}: ~/${link}`, async () => {
        const { home, work } = fresh(system);
        linkToNothing(join(home, link));
        const { code, asked } = await check(system, home, work);
        assert.deepEqual(asked, []);
        assert.equal(code, 2);
      });
  }
});

test('a folder on PATH that is gone keeps nothing private', { skip }, async () => {
  const { home } = fresh('NPM');
  linkToNothing(join(home, 'gone'));
  const environment = { PATH: join(home, 'gone', 'bin') };
  const read = machineRegistries(() => [], { environment, platform: 'linux', home });
  assert.deepEqual(
    (await read('NPM')).files.filter((it) => it.unreadable),
    [],
  );
});

test('the editor keeps the names, too, and says why', { skip }, async () => {
  const { work } = fresh('NPM');
  const seen = service.requests.length;
  linkToNothing(join(work, '.npmrc'));
  const [name, text] = manifests.NPM;
  const uri = fileUri(join(work, name));
  const client = await startLsp({
    settings: { baseUrl: service.url },
    folder: `${fileUri(work)}/`,
    capabilities: { textDocument: { hover: { contentFormat: ['plaintext'] } } },
  });
  await client.open(uri, text);
  const hover = await client.connection.sendRequest('textDocument/hover', {
    textDocument: { uri },
    position: { line: 0, character: 25 },
  });
  assert.match(JSON.stringify(hover), /\.npmrc may configure its registry, but cannot be read: its link leads nowhere/);
  assert.equal(await client.stop(), 0);
  assert.ok(!askedNames(service.requests.slice(seen)).includes('secret'));
});
