import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/engine/analysis/workspace.ts';
import type { Insight, VersionFacts } from '../../../server/src/engine/model/facts.ts';
import type { Files, Wanted } from '../../../server/src/engine/model/ports.ts';
import type { MachineRegistries } from '../../../server/src/engine/model/registry.ts';
import { readSettings } from '../../../server/src/engine/settings/read.ts';
import { knowingNothing, pending } from '../../harness/knowing-nothing.ts';

/** What a workspace asked for last of each document, as `kind name`. */
interface Asked {
  readonly wanted: readonly string[];
  readonly background: readonly string[];
}

interface World {
  readonly read?: Files['read'];
  readonly machine?: MachineRegistries;
  /** Read whenever they are needed. */
  readonly settings?: object;
  readonly version?: (name: string) => Insight<VersionFacts>;
}

function setUp({ read = async () => undefined, machine, version = () => pending, settings = {} }: World) {
  const asked = new Map<string, Asked>();
  const said = (all: readonly Wanted[]): string[] => all.map((it) => `${it.kind} ${'id' in it ? it.id : it.key.name}`);
  const insights = knowingNothing({
    version: ({ name }) => version(name),
    request: (owner, wanted, background = []) => {
      asked.set(owner, { wanted: said(wanted), background: said(background) });
    },
  });
  const files: Files = {
    read,
    find: async () => [],
    ...(machine && { machine: async () => machine }),
  };
  const environment = { now: () => 0, isTrusted: () => true };
  const workspace = new Workspace(files, insights, () => readSettings(settings), environment);
  return {
    workspace,
    asked,
    async asks(uri: string, text: string): Promise<Asked | undefined> {
      workspace.update({ uri, version: 1, text });
      await workspace.snapshot(uri);
      return asked.get(uri);
    },
  };
}

/** Facts of which only what is looked at stands there. */
function sound(isDefault: boolean): Insight<VersionFacts> {
  const facts = { isDefault, isDeprecated: false, advisories: [], licenses: [] } as Partial<VersionFacts>;
  return { state: 'ready', value: facts as VersionFacts, at: 0 };
}

test('no package is asked for where an alias names none', async () => {
  const { asks } = setUp({});
  const text = '{ "dependencies": { "a": "npm:@foo/@bar/@1.2.3", "b": "npm:@foo/@1", "c": "npm:lodash@1.0.0" } }';
  assert.deepEqual((await asks('file:///w/package.json', text))?.wanted, ['version lodash']);
});

test('what a sound dependency could be moved to is asked for in the background', async () => {
  const { asks } = setUp({ version: (name) => sound(name === 'newest') });
  assert.deepEqual(await asks('file:///w/package.json', '{ "dependencies": { "old": "1.0.0", "newest": "1.0.0" } }'), {
    wanted: ['version old', 'version newest'],
    background: ['package old'],
  });
});

test('whether that is asked for follows the setting, though nothing new is known', async () => {
  const settings = { lookUpDefaults: false };
  const uri = 'file:///w/package.json';
  const { asks, asked, workspace } = setUp({ version: () => sound(false), settings });
  const { background } = (await asks(uri, '{ "dependencies": { "old": "1.0.0" } }')) ?? {};
  assert.deepEqual(background, []);
  settings.lookUpDefaults = true;
  await workspace.reevaluateAll();
  assert.deepEqual(asked.get(uri)?.background, ['package old']);
});

test('what only a constraints file names is kept from the service where the machine names a private registry', async () => {
  const read = async (uri: string) => (uri === 'file:///w/constraints.txt' ? 'secret==1.0\n' : undefined);
  const conf = {
    name: 'pip.conf',
    label: '~/.pip/pip.conf',
    text: '[global]\nindex-url = https://pypi.acme.example\n',
  };
  const { asks, workspace } = setUp({ read, machine: { variables: [], files: [conf] } });
  const asked = await asks('file:///w/requirements.txt', '-c constraints.txt\n');
  assert.deepEqual(asked, { wanted: ['version requests'], background: [] });
  const included = (await workspace.snapshot('file:///w/requirements.txt'))?.included ?? [];
  assert.deepEqual(
    included.flatMap((it) => it.dependencies.map(({ linked }) => linked.registries?.map(({ host }) => host))),
    [['pypi.acme.example']],
  );
});

test('what is looked for around a manifest is read all at once, and nothing of it twice', async () => {
  const reads: string[] = [];
  let answer = (): void => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const read = async (uri: string): Promise<undefined> => {
    reads.push(uri);
    await answered;
  };
  const { workspace } = setUp({ read });
  const uri = 'file:///w/a/b/Cargo.toml';
  workspace.update({ uri, version: 1, text: '[dependencies]\nserde = "1"\n' });
  const looking = workspace.snapshot(uri);
  const names = ['a/b/Cargo.lock', ...['a/b/', 'a/', ''].map((it) => `${it}.package-insights.json`)];
  const expected = names.map((it) => `file:///w/${it}`);
  assert.deepEqual(
    expected.filter((it) => !reads.includes(it)),
    [],
  );
  answer();
  await looking;
  assert.deepEqual(reads.filter((it) => expected.includes(it)).sort(), expected.sort());
});
