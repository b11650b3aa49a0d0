import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, describe, test } from 'node:test';
import { fileUri } from '../../server/src/engine/base/uri.ts';
import { askedNames } from '../harness/asked-names.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import { type Folder, folderWith } from '../terminal/program.ts';
import { runHere } from '../terminal/terminal.ts';
import { strictClient } from './strict-client.ts';

const service = await startServiceForFile({
  'NPM lodash': { versions: ['4.17.21'] },
  'NPM left-pad': { versions: ['1.3.0'] },
  'PYPI flask': { versions: ['1.0'] },
  'PYPI requests': { versions: ['2.31.0'] },
  'PYPI attrs': { versions: ['1.0'] },
  'CARGO atty': { versions: ['0.2.14'] },
});

interface Repository {
  readonly title: string;
  /** Those that git tracks. */
  readonly tracked: Readonly<Record<string, string>>;
  readonly untracked?: Readonly<Record<string, string>>;
  /** The manifest that is opened, or checked; its folder is all that is open. */
  readonly opened: string;
  readonly asked: readonly string[];
}

const packageJson = (...names: readonly string[]): string =>
  JSON.stringify({ dependencies: Object.fromEntries(names.map((it) => [it, '1.0.0'])) });

/** What names of a part of a repository nobody hears of, and which are asked about. */
const repositories: readonly Repository[] = [
  {
    title: 'settings of registries at its root count, tracked or not',
    tracked: { 'packages/app/package.json': packageJson('@secret/x', 'left-pad') },
    untracked: { '.npmrc': '@secret:registry=https://npm.secret.example/' },
    opened: 'packages/app/package.json',
    asked: ['left-pad'],
  },
  {
    title: 'members of the workspace count, tracked or not',
    tracked: {
      'package.json': '{ "workspaces": ["packages/*"] }',
      'packages/app/package.json': packageJson('secret-lib', 'secret-new', 'left-pad'),
      'packages/lib/package.json': '{ "name": "secret-lib" }',
    },
    untracked: { 'packages/new/package.json': '{ "name": "secret-new" }' },
    opened: 'packages/app/package.json',
    asked: ['left-pad'],
  },
  {
    title: 'what the root of a workspace takes from elsewhere counts',
    tracked: {
      'Cargo.toml': '[workspace]\nmembers = ["app"]\n[workspace.dependencies]\nsecret-a = { path = "../a" }\n',
      'app/Cargo.toml': '[dependencies]\nsecret-a = { workspace = true }\nsecret-b = "1"\natty = "0.2.14"\n',
      '.cargo/config.toml': '[patch.crates-io]\nsecret-b = { git = "https://host.example" }\n',
    },
    opened: 'app/Cargo.toml',
    asked: ['atty'],
  },
  {
    title: 'what a line includes is read where git tracks it',
    tracked: {
      'work/app/requirements.txt': '-r ../common.txt\nflask==1.0\n',
      'work/common.txt': 'attrs==1.0\n',
    },
    opened: 'work/app/requirements.txt',
    asked: ['flask', 'attrs'],
  },
  {
    title: 'what git does not track is not read, and may name a registry for all',
    tracked: { 'work/app/requirements.txt': '-r ../../.vault-token\n-r ../untracked.txt\nsecret==1.0\n' },
    untracked: { '.vault-token': 'secret-token\n', 'work/untracked.txt': 'secret-list\n' },
    opened: 'work/app/requirements.txt',
    asked: [],
  },
];

function repositoryOf({ tracked, untracked = {} }: Repository): Folder {
  const folder = folderWith({ ...tracked, ...untracked });
  execFileSync('git', ['init', '-q'], { cwd: folder.path });
  execFileSync('git', ['add', ...Object.keys(tracked)], { cwd: folder.path });
  return folder;
}

after(() => service.close());

for (const where of ['as the folder', 'as a file alone'])
  describe(`of a part of a repository that an editor opens ${where}`, () => {
    for (const one of repositories)
      test(one.title, async () => {
        const folder = repositoryOf(one);
        const uri = fileUri(`${folder.path}/${one.opened}`);
        const from = service.requests.length;
        const client = await strictClient({
          capabilities: { textDocument: { diagnostic: {} } },
          initialize:
            where === 'as the folder'
              ? { workspaceFolders: [{ uri: uri.slice(0, uri.lastIndexOf('/')), name: 'part' }] }
              : {},
          settings: { baseUrl: service.url },
        });
        await client.open(uri, one.tracked[one.opened] ?? '');
        const asked = () => askedNames(service.requests.slice(from));
        for (let turn = 0; turn < 3 || (turn < 100 && !one.asked.every((it) => asked().includes(it))); turn++) {
          await client.ask('textDocument/diagnostic', uri);
          await client.ask('packageInsights/subjects', uri);
        }
        await client.stop();
        folder.remove();
        assert.deepEqual(
          asked().filter((it) => /secret/.test(it)),
          [],
        );
        for (const it of one.asked) assert.ok(asked().includes(it), `${it} is looked up`);
      });
  });

describe('of a part of a repository that is checked', () => {
  for (const one of repositories)
    test(one.title, async () => {
      const folder = repositoryOf(one);
      const from = service.requests.length;
      await runHere(['check', one.opened, '--base-url', service.url], folder.path);
      const asked = askedNames(service.requests.slice(from));
      folder.remove();
      assert.deepEqual(
        asked.filter((it) => /secret/.test(it)),
        [],
      );
      for (const it of one.asked) assert.ok(asked.includes(it), `${it} is looked up`);
    });
});
