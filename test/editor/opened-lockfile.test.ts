import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { codeActions } from '../../server/src/editor/features/code-actions.ts';
import { diagnosticsOfDocument } from '../../server/src/editor/features/diagnostics.ts';
import { hover } from '../../server/src/editor/features/hover.ts';
import { lockedProjects } from '../engine/ecosystems/lockfiles/projects.ts';
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

/** `inner` is affected, and 1.1.0 is not. */
const affected = {
  'NPM outer': { versions: ['1.0.0', '1.1.0'] },
  'NPM inner': { versions: ['1.0.0', '1.1.0'] },
  'advisory GHSA-a': {
    cvss3Score: 9,
    affected: [{ system: 'NPM', name: 'inner', ranges: [{ introduced: '0', fixed: '1.1.0' }] }],
  },
} as const;

/** The answer about a whole opened lockfile. */
async function lockfileOf(files: Readonly<Record<string, string>>, lockfile: string) {
  const lab = await openLab(new Map(Object.entries(files)), affected);
  try {
    const snapshot = await lab.settled(lockfile);
    const context = await lab.context(snapshot);
    const range = context.positions(snapshot.uri).range({ start: 0, end: files[lockfile]?.length ?? 0 });
    const params = { textDocument: { uri: snapshot.uri }, range, context: { diagnostics: [] } };
    return {
      actions: codeActions.answer(snapshot, params, context),
      problems: diagnosticsOfDocument(snapshot, context),
      uri: lab.uri,
    };
  } finally {
    await lab.close();
  }
}

const packageLock = (): readonly [string, Readonly<Record<string, string>>] => {
  const { lockfile, files, text } = lockedProjects[0] ?? assert.fail('there is a project');
  return [lockfile, { ...files, [lockfile]: text({ outer: undefined, inner: undefined }) }];
};

test('a problem of a lockfile leads to the line that requires it, and its first fix changes that line', async () => {
  const [lockfile, files] = packageLock();
  const { actions, problems, uri } = await lockfileOf(files, lockfile);
  const [problem] = problems;
  const related = { uri: uri('package.json'), message: 'Required in package.json, line 1: outer → inner 1.0.0' };
  assert.deepEqual(
    problem?.relatedInformation?.slice(0, 1).map((it) => ({ uri: it.location.uri, message: it.message })),
    [related],
  );
  const [first] = actions;
  assert.equal(first?.title, 'Change outer in package.json, line 1, which brings inner 1.0.0');
  const offset = files['package.json']?.indexOf('outer');
  const place = { uri: uri('package.json'), offset, name: 'outer' };
  assert.deepEqual(first && 'kind' in first && first.command?.arguments, [
    { ...place, kind: 'smallest', package: 'inner', affected: '1.0.0' },
  ]);
});

test('what the manifest itself requires is updated there', async () => {
  const files = {
    'package.json': '{ "dependencies": { "inner": "1.0.0" } }',
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: { '': { dependencies: { inner: '1.0.0' } }, 'node_modules/inner': { version: '1.0.0' } },
    }),
  };
  const { actions, uri } = await lockfileOf(files, 'package-lock.json');
  const [first] = actions;
  assert.equal(first?.title, 'Update inner to 1.1.0 in package.json, line 1');
  assert.deepEqual(first && 'kind' in first && first.command?.arguments, [
    { uri: uri('package.json'), offset: 21, name: 'inner', version: '1.1.0' },
  ]);
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
