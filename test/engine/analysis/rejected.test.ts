import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLab } from '../../harness/lab.ts';

const manifest = 'module example.com/m\n\ngo 1.22\n\nrequire example.com/a v1.0.0\n';

test('a version that go.mod excludes is no target from the keystroke on that excludes it', async (context) => {
  const lab = await openLab(new Map([['go.mod', manifest]]), {
    'GO example.com/a': { versions: ['v1.0.0', 'v1.1.0', 'v1.2.0'] },
  });
  context.after(() => lab.close());
  const targets = async (): Promise<(string | undefined)[]> =>
    (await lab.settled('go.mod')).dependencies.map((it) => it.targets.at(-1)?.version);
  assert.deepEqual(await targets(), ['v1.2.0']);
  lab.edit('go.mod', `${manifest}\nexclude example.com/a v1.2.0\n`);
  assert.deepEqual(await targets(), ['v1.1.0']);
  lab.edit('go.mod', manifest);
  assert.deepEqual(await targets(), ['v1.2.0']);
});
