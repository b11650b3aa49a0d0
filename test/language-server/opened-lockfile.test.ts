import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
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
