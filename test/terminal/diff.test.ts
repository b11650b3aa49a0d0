import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import '../harness/seed.ts';
import fc from 'fast-check';
import { unifiedDiff } from '../../server/src/terminal/check/diff.ts';
import { folderWith } from './program.ts';

/** What `patch` does: checks every line that a diff says it saw, and puts the others in their place. */
function patch(text: string, diff: string): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const out: string[] = [];
  let at = 0;
  let shift = 0;
  const [, , ...rest] = diff.match(/[^\n]*\n/g) ?? [];
  const hunk = rest.join('').split(/^(?=@@ )/m);
  for (const part of hunk.filter((it) => it !== '')) {
    const [head = '', ...body] = part.replaceAll('\n\\ No newline at end of file\n', '\u0000').split(/(?<=[\n\0])/);
    const match = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n$/.exec(head);
    assert.ok(match, head);
    const [, from, olds = '1', to, news = '1'] = match;
    const start = olds === '0' ? Number(from) : Number(from) - 1;
    assert.equal(news === '0' ? Number(to) : Number(to) - 1, start + shift, 'the new place follows from the old one');
    while (at < start) out.push(lines[at++] ?? '');
    for (const line of body) {
      const content = line.slice(1).replace('\u0000', '');
      if (line[0] !== '+') assert.equal(content, lines[at++]);
      if (line[0] !== '-') out.push(content);
    }
    assert.equal(at - start, Number(olds));
    assert.equal(body.filter((it) => it[0] !== '-').length, Number(news));
    shift += Number(news) - Number(olds);
  }
  return [...out, ...lines.slice(at)].join('');
}

test('what a diff says can be done again by what reads diffs', () => {
  const line = fc.constantFrom('a\n', 'bb\n', '\n', 'c\r\n', 'd');
  const edit = fc.record({ gap: fc.nat(40), length: fc.nat(4), newText: fc.constantFrom('', 'x', '1.2.3', 'y\nz') });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), fc.array(edit, { maxLength: 6 }), (parts, given) => {
      const text = parts.join('');
      const edits: { span: { start: number; end: number }; newText: string }[] = [];
      let at = 0;
      for (const { gap, length, newText } of given) {
        const start = Math.min(text.length, at + gap);
        const end = Math.min(text.length, start + length);
        if (edits.length > 0 && start === at && end === at) continue;
        edits.push({ span: { start, end }, newText });
        at = end;
      }
      const wanted = edits.reduceRight(
        (it, { span, newText }) => it.slice(0, span.start) + newText + it.slice(span.end),
        text,
      );
      assert.equal(patch(text, unifiedDiff('file', text, edits)), wanted);
    }),
    { numRuns: 300 },
  );
});

test('a name cannot add a file, or a line, to a patch that git reads', () => {
  for (const name of [
    'a b/package.json',
    'ä"b\\c/package.json',
    'a\n+++ b/other.yml\n@@ -0,0 +1 @@\n+x/package.json',
    'a\r\t\u0001/p',
  ]) {
    const folder = folderWith({ [name]: 'old\n' });
    try {
      const diff = unifiedDiff(name, 'old\n', [{ span: { start: 0, end: 3 }, newText: 'new' }]);
      const apply = spawnSync('git', ['apply', '-'], { cwd: folder.path, input: diff, encoding: 'utf8' });
      assert.equal(apply.stderr, '');
      assert.equal(readFileSync(join(folder.path, name), 'utf8'), 'new\n');
    } finally {
      folder.remove();
    }
  }
});
