import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/engine/analysis/workspace.ts';
import { placeOf } from '../../../server/src/engine/model/evaluated-dependency.ts';
import type { Files } from '../../../server/src/engine/model/ports.ts';
import { readSettings } from '../../../server/src/engine/settings/read.ts';
import { knowingNothing } from '../../harness/knowing-nothing.ts';

/** A workspace over files that exist only here, and nothing is known of any package. */
function setUp(texts: Map<string, string>): Workspace {
  return workspaceOver({
    read: async (uri) => texts.get(uri),
    find: async (directory, matches) => [...texts.keys()].filter((it) => it.startsWith(directory) && matches.test(it)),
  });
}

function workspaceOver(files: Files): Workspace {
  return new Workspace(files, knowingNothing(), () => readSettings({}), { now: () => 0, isTrusted: () => true });
}

const central = 'file:///w/Directory.Packages.props';
const versions = `<Project>
  <PropertyGroup><ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally></PropertyGroup>
  <ItemGroup><PackageVersion Include="Serilog" Version="2.0.0" /></ItemGroup>
</Project>`;
const project = '<Project><ItemGroup><PackageReference Include="Serilog" /></ItemGroup></Project>';

/** How many dependencies of other files the first one of a document stands for. */
async function dependents(workspace: Workspace, uri: string): Promise<number> {
  const snapshot = await workspace.snapshot(uri);
  const [evaluated] = snapshot?.dependencies ?? [];
  const place = evaluated && placeOf(evaluated.linked);
  assert.ok(snapshot && evaluated && place);
  return (await workspace.dependents(snapshot, [evaluated]))(place).length;
}

test('who moves a central version in its own file is told how many projects go along, new ones included', async () => {
  const texts = new Map([
    [central, versions],
    ['file:///w/a/a.csproj', project],
  ]);
  const workspace = setUp(texts);
  workspace.update({ uri: central, version: 1, text: versions });
  assert.equal(await dependents(workspace, central), 1);
  texts.set('file:///w/b/b.csproj', project);
  workspace.filesChanged(['file:///w/b/b.csproj']);
  assert.equal(await dependents(workspace, central), 2);
});

test('the nearest lockfile alone says what is installed', async () => {
  const lock = (packages: object): string => JSON.stringify({ lockfileVersion: 3, packages });
  const texts = new Map([
    ['file:///w/a/package-lock.json', lock({ 'node_modules/near': { version: '1.1.0' } })],
    [
      'file:///w/package-lock.json',
      lock({
        a: { dependencies: { near: '^1.0.0', far: '^1.0.0' } },
        'node_modules/near': { version: '1.2.0' },
        'node_modules/far': { version: '1.3.0' },
      }),
    ],
  ]);
  const workspace = setUp(texts);
  const uri = 'file:///w/a/package.json';
  workspace.update({ uri, version: 1, text: '{ "dependencies": { "near": "^1.0.0", "far": "^1.0.0" } }' });
  const snapshot = await workspace.snapshot(uri);
  assert.deepEqual(
    snapshot?.dependencies.map(({ resolution }) =>
      resolution.kind === 'version' ? resolution.version : resolution.kind,
    ),
    ['1.1.0', 'pending'],
  );
});

test('what changes while a text that names it is being read is read again', async () => {
  const [uri, other] = ['file:///w/requirements.txt', 'file:///w/more.txt'];
  const texts = new Map([[other, 'old==1\n']]);
  let reached = (): void => {};
  let release = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    release = resolve;
  });
  const read = async (it: string): Promise<string | undefined> => {
    const text = texts.get(it);
    if (text?.startsWith('old')) {
      reached();
      await opened;
    }
    return text;
  };
  const workspace = workspaceOver({ read, find: async () => [] });
  workspace.update({ uri, version: 1, text: 'own==1\n' });
  await workspace.snapshot(uri);
  workspace.update({ uri, version: 2, text: 'own==1\n-r more.txt\n' });
  const looking = workspace.snapshot(uri);
  await arrived;
  texts.set(other, 'new==1\n');
  assert.deepEqual(workspace.filesChanged([other]), [uri]);
  release();
  const names = (await looking)?.included.flatMap((it) => it.dependencies.map(({ linked }) => linked.key.name));
  assert.deepEqual(names, ['new']);
});

test('a file that is added to the code of a build counts', async () => {
  const [uri, code] = ['file:///w/app/build.gradle.kts', 'file:///w/buildSrc/src/main/kotlin/acme/Deps.kt'];
  const texts = new Map<string, string>();
  const workspace = setUp(texts);
  workspace.update({ uri, version: 1, text: 'import acme.Deps\ndependencies { implementation(Deps.core) }\n' });
  const names = async () => (await workspace.snapshot(uri))?.dependencies.map(({ linked }) => linked.key.name);
  assert.deepEqual(await names(), ['Deps.core']);
  texts.set(code, 'package acme\nobject Deps { const val core = "g:core:1.0" }\n');
  assert.deepEqual(workspace.filesChanged([code]), [uri]);
  assert.deepEqual(await names(), ['g:core']);
});
