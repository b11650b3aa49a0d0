import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { codeActions } from '../../server/src/language-server/features/code-actions.ts';
import { hover } from '../../server/src/language-server/features/hover.ts';
import { lockedProjects } from '../ecosystems/lockfiles/projects.ts';
import { openLab } from '../harness/lab.ts';

/** Those whose manifest does not lie beside them, or of which it cannot be said what they hold a way for. */
const withoutLine: ReadonlySet<string> = new Set(['project.assets.json']);

describe('the hover in an opened lockfile names the way from the direct dependency, and the line that requires it', () => {
  for (const { title, lockfile, files, text, recordsRequirements, names, manifest } of lockedProjects) {
    test(title, async () => {
      const own = text({ outer: undefined, inner: undefined });
      const known = [names?.outer ?? 'outer', names?.inner ?? 'inner'].flatMap((name) =>
        ['NPM', 'CARGO', 'PYPI', 'NUGET', 'MAVEN'].map((system) => [`${system} ${name}`, { versions: ['1.0.0'] }]),
      );
      const lab = await openLab(new Map([[lockfile, own], ...Object.entries(files)]), Object.fromEntries(known));
      try {
        const snapshot = await lab.settled(lockfile);
        const context = await lab.context(snapshot);
        const inner = snapshot.dependencies.find((it) => it.linked.key.name === (names?.inner ?? 'inner'));
        assert.ok(inner, 'the lockfile has it');
        const position = context.positions(snapshot.uri).range(inner.linked.dependency.nameSpan).start;
        const said = hover.answer(snapshot, { textDocument: { uri: snapshot.uri }, position }, context);
        const found = /Required in .*/.exec(JSON.stringify(said?.contents).replaceAll('\\n', '\n'))?.[0];
        if (recordsRequirements === undefined) assert.equal(found, undefined);
        else if (withoutLine.has(title)) assert.match(found ?? '', /outer.* → .*inner.* 1\.0\.0/i);
        else
          assert.match(
            found ?? '',
            new RegExp(`${manifest.replaceAll('.', '\\.')}.*line \\d+: .*outer → .*inner 1\\.0\\.0`, 'i'),
          );
      } finally {
        await lab.close();
      }
    });
  }
});

test('why an entry is not updated leads to the line of the manifest that pins what requires it', async () => {
  const { lockfile, files, text } = lockedProjects[0] ?? assert.fail('there is a project');
  const catalog = {
    'NPM outer': { versions: ['1.0.0'] },
    'NPM inner': { versions: ['1.0.0', '1.1.0'] },
    'advisory GHSA-a': {
      cvss3Score: 9,
      affected: [{ system: 'NPM', name: 'inner', ranges: [{ introduced: '0', fixed: '1.1.0' }] }],
    },
  } as const;
  const own = text({ outer: undefined, inner: undefined });
  const lab = await openLab(new Map([[lockfile, own], ...Object.entries(files)]), catalog);
  try {
    const snapshot = await lab.settled(lockfile);
    const context = await lab.context(snapshot);
    const range = context.positions(snapshot.uri).range({ start: 0, end: own.length });
    const params = { textDocument: { uri: snapshot.uri }, range, context: { diagnostics: [] } };
    const said = codeActions.answer(snapshot, params, context).map((it) => JSON.stringify(it));
    const why = said.find((it) => it.includes('Why is inner not updated to 1.1.0?'));
    assert.match(
      why ?? '',
      /then run npm install \(inner → 1\.1\.0\)\. Required in package\.json, line \d+: outer → inner 1\.0\.0\./,
    );
  } finally {
    await lab.close();
  }
});
