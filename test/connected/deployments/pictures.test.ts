import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completionsAt } from '../../../server/src/connected/deployments/completion.ts';
import { findingsIn } from '../../../server/src/connected/deployments/findings.ts';
import { hintsIn } from '../../../server/src/connected/deployments/hints.ts';
import { hoverAt } from '../../../server/src/connected/deployments/hover.ts';
import { type DeploymentManifest, readManifest } from '../../../server/src/connected/deployments/manifest.ts';
import { toMarkdown } from '../../../server/src/editor/features/markup.ts';
import { expectPicture, paint, readPictures, type Section, variants } from '../../harness/picture.ts';
import { worldOf } from './world.ts';

/*
 * A picture of what a person sees in a deployment manifest. The first file is the one that is open; other files are those
 * beside it. Findings are painted under the text. Further sections are answers: `hints` (the text with its hints), `hover`
 * and `completion` (at the `$0` in the text), `actions` (every quick fix), `after: TITLE` (the text once it was taken).
 */
for (const picture of readPictures(import.meta.dirname)) {
  test(picture.title, () => {
    const [main, ...others] = picture.sections;
    assert.ok(main, 'a picture has a file');
    const files = new Map(others.filter(isFile).map((it) => [it.name, it.text]));
    for (const variant of variants(main.text)) {
      const cursor = variant.text.indexOf('$0');
      const text = variant.text.replace('$0', '');
      const manifest = readManifest(main.name, text);
      const world = worldOf(files);
      const findings = manifest ? findingsIn(text, manifest, world) : [];
      const marks = findings.map((it) => ({ span: it.span, label: `${it.severity}[${it.code}]: ${it.message}` }));
      const fixes = findings.flatMap((it) => it.fixes);
      const answer = ({ name, painted }: Section): string => {
        if (name === 'hints') return withHints(text, manifest, world);
        if (name === 'hover') {
          const found = manifest && hoverAt(manifest, world, cursor);
          return found ? toMarkdown(found.prose, undefined) : '';
        }
        if (name === 'completion') {
          return completionsAt(main.name, text, cursor, world)
            .map(({ label, span, newText, detail }) => {
              const shown = [label, ...(detail === undefined ? [] : [`(${detail})`])].join(' ');
              return `${shown}: ${JSON.stringify(text.slice(span.start, span.end))} → ${JSON.stringify(newText)}`;
            })
            .join('\n');
        }
        if (name === 'actions') {
          return fixes.map((it) => `${it.title}${it.isPreferred ? ' [preferred]' : ''}`).join('\n');
        }
        if (!name.startsWith('after: ')) return painted;
        const fix = fixes.find((it) => `after: ${it.title}` === name);
        assert.ok(fix, `there is no fix for ${name}`);
        return paint(edited(text, fix.edits), []);
      };
      try {
        expectPicture(picture, [
          { name: main.name, painted: cursor < 0 ? paint(text, marks) : main.painted },
          ...others.map((it) => ({ name: it.name, painted: answer(it) })),
        ]);
      } catch (error) {
        throw new Error(`with ${variant.name}: ${error instanceof Error ? error.message : error}`);
      }
    }
  });
}

function isFile({ name }: Section): boolean {
  return !/^(hints|actions|completion|hover|after: .*)$/.test(name);
}

function withHints(text: string, manifest: DeploymentManifest | undefined, world: ReturnType<typeof worldOf>): string {
  const hints = manifest ? hintsIn(text, manifest, world) : [];
  return paint(
    edited(
      text,
      hints.map((it) => ({ span: { start: it.offset, end: it.offset }, newText: `⟨${it.text}⟩` })),
    ),
    [],
  );
}

function edited(text: string, edits: readonly { span: { start: number; end: number }; newText: string }[]): string {
  return [...edits]
    .sort((a, b) => b.span.start - a.span.start)
    .reduce((it, { span, newText }) => it.slice(0, span.start) + newText + it.slice(span.end), text);
}
