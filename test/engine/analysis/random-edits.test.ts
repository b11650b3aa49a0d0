import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../harness/seed.ts';
import fc from 'fast-check';
import type { Snapshot } from '../../../server/src/engine/analysis/snapshot.ts';
import { Workspace } from '../../../server/src/engine/analysis/workspace.ts';
import { readPackage, readVersion } from '../../../server/src/engine/facts/service/read-answers.ts';
import type { Insight, PackageFacts, VersionFacts } from '../../../server/src/engine/model/facts.ts';
import { versionId } from '../../../server/src/engine/model/keys.ts';
import { readSettings } from '../../../server/src/engine/settings/read.ts';
import { knowingNothing, pending } from '../../harness/knowing-nothing.ts';

const uri = 'file:///w/package.json';
const names = ['a', 'b', 'c', 'd', 'e'] as const;
const ranges = ['1.0.0', '^1.0.0', '~1.1.0', '>=1.0.0 <3', '2.0.0', 'latest', 'workspace:^', ''] as const;
const versions = ['1.0.0', '1.1.0', '1.2.0', '2.0.0'] as const;

/** What happens to a document: its text changes, an answer arrives, or it is looked at. */
type Step =
  | { readonly edit: readonly (readonly [string, string])[] }
  | { readonly list: string }
  | { readonly version: readonly [string, string]; readonly is: 'sound' | 'deprecated' | 'unknown' }
  | { readonly look: 'all' | 'in view' | 'answers' };

const name = fc.constantFrom(...names);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ edit: fc.array(fc.tuple(name, fc.constantFrom(...ranges)), { maxLength: 8 }) }),
  fc.record({ list: name }),
  fc.record({
    version: fc.tuple(name, fc.constantFrom(...versions)),
    is: fc.constantFrom('sound' as const, 'deprecated' as const, 'unknown' as const),
  }),
  fc.record({ look: fc.constantFrom('all' as const, 'in view' as const, 'answers' as const) }),
);

/** Facts that arrive one after the other, and workspaces that know them. */
function setUp() {
  const lists = new Map<string, Insight<PackageFacts>>();
  const facts = new Map<string, Insight<VersionFacts>>();
  let revision = 0;
  const insights = knowingNothing({
    package: ({ name }) => lists.get(name) ?? pending,
    version: (key) => facts.get(versionId(key)) ?? pending,
    revision: () => revision,
  });
  const open = (text: string, version: number): Workspace => {
    const files = { read: async () => undefined, find: async () => [] };
    const environment = { now: () => 0, isTrusted: () => true };
    const workspace = new Workspace(files, insights, () => readSettings({}), environment);
    workspace.update({ uri, version, text });
    return workspace;
  };
  return {
    open,
    learnList(name: string) {
      revision++;
      const key = { system: 'NPM', name } as const;
      const listed = versions.map((version) => ({ versionKey: { ...key, version }, isDefault: version === '1.2.0' }));
      lists.set(name, { state: 'ready', at: 0, value: readPackage({ packageKey: key, versions: listed }, key) });
    },
    learnVersion(name: string, version: string, is: 'sound' | 'deprecated' | 'unknown') {
      revision++;
      const versionKey = { system: 'NPM', name, version } as const;
      const flaw = is === 'deprecated' ? { isDeprecated: true, deprecatedReason: 'old' } : {};
      const known: Insight<VersionFacts> =
        is === 'unknown'
          ? { state: 'unknown', at: 0 }
          : { state: 'ready', at: 0, value: readVersion({ versionKey, licenses: ['MIT'], ...flaw }) };
      facts.set(versionId(versionKey), known);
    },
  };
}

function textOf(dependencies: readonly (readonly [string, string])[]): string {
  const lines = dependencies.map(([name, range]) => `    ${JSON.stringify(name)}: ${JSON.stringify(range)}`);
  return `{\n  "dependencies": {\n${lines.join(',\n')}\n  }\n}\n`;
}

test('after any edits and answers, in any order, a document is as if it was opened only now', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { open, learnList, learnVersion } = setUp();
      let [text, version] = [textOf(names.map((it) => [it, '^1.0.0'])), 1];
      const workspace = open(text, version);
      for (const it of steps) {
        if ('edit' in it) {
          text = textOf(it.edit);
          workspace.update({ uri, version: ++version, text });
        } else if ('list' in it) learnList(it.list);
        else if ('version' in it) learnVersion(...it.version, it.is);
        // Nothing waits for it: the next step comes in between.
        else if (it.look === 'all') workspace.reevaluateAll().catch(assert.fail);
        else if (it.look === 'answers') await workspace.reevaluateAll();
        else await inView(workspace, text);
      }
      workspace.endTyping();
      const fresh = await open(text, version).reevaluate(uri);
      assert.ok(fresh);
      assert.deepEqual(await inView(workspace, text), fresh.dependencies);
      await workspace.reevaluateAll();
      const known = await workspace.snapshot(uri);
      assert.deepEqual(known?.dependencies, fresh.dependencies);
    }),
    { numRuns: 300 },
  );
});

/** The dependencies of the whole text as a request for its lines gets them. */
async function inView(workspace: Workspace, text: string): Promise<Snapshot['dependencies'] | undefined> {
  const snapshot = await workspace.snapshotOfRange(uri, () => ({ start: 0, end: text.length }));
  return snapshot?.dependencies;
}

test('work in the background ends when the document is edited, and evaluates nothing of the new text', async () => {
  const { open } = setUp();
  const many = (count: number) => textOf(Array.from({ length: count }, (_, at) => [`p${at}`, '1.0.0']));
  const workspace = open(many(500), 1);
  const evaluated = workspace.reevaluateAll();
  const [first, second] = [many(501), many(502)];
  workspace.update({ uri, version: 2, text: first });
  await evaluated;
  let isNeeded = true;
  const looked = workspace.snapshot(uri, () => isNeeded);
  isNeeded = false;
  workspace.update({ uri, version: 3, text: second });
  assert.equal(await looked, undefined);
  const snapshot = await workspace.snapshot(uri);
  assert.deepEqual([snapshot?.version, snapshot?.dependencies.length], [3, 502]);
});
