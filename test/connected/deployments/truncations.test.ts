import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { completionsAt } from '../../../server/src/connected/deployments/completion.ts';
import { findingsIn } from '../../../server/src/connected/deployments/findings.ts';
import { hintsIn } from '../../../server/src/connected/deployments/hints.ts';
import { hoverAt } from '../../../server/src/connected/deployments/hover.ts';
import { readManifest } from '../../../server/src/connected/deployments/manifest.ts';
import { parsePicture } from '../../harness/picture.ts';
import { worldOf } from './world.ts';

const path = join(import.meta.dirname, 'findings.txt');
const text = parsePicture(path, readFileSync(path, 'utf8')).sections[0]?.text ?? '';
const world = worldOf(new Map([['vm.jinja', '']]));

/** Asks for everything at one place of a text. All spans must lie in the text. */
function askAll(given: string, offset: number): void {
  const manifest = readManifest('a.yaml', given);
  const spans = completionsAt('a.yaml', given, offset, world).map((it) => it.span);
  for (const it of spans) {
    assert.ok(it.start <= offset && it.end >= offset, `a completion is not at the cursor ${offset}`);
    assert.ok(!given.slice(it.start, it.end).includes('\n'), 'a completion replaces a line end');
  }
  if (!manifest) return;
  const findings = findingsIn(given, manifest, world);
  for (const { span, fixes } of findings) {
    for (const it of [span, ...fixes.flatMap((fix) => fix.edits.map((edit) => edit.span))]) {
      assert.ok(
        it.start >= 0 && it.start <= it.end && it.end <= given.length,
        `${JSON.stringify(it)} is outside of ${given.length}`,
      );
    }
  }
  hintsIn(given, manifest, world);
  hoverAt(manifest, world, offset);
}

test('a manifest that ends anywhere gives an answer', () => {
  for (let end = 0; end <= text.length; end++) askAll(text.slice(0, end), end);
});

test('a manifest with any character missing gives an answer', () => {
  for (let at = 0; at < text.length; at++) askAll(text.slice(0, at) + text.slice(at + 1), at);
});

test('schemas that refer to themselves or are no schemas end', () => {
  const loop: Record<string, unknown> = { type: 'object', properties: { a: { $ref: '#' } }, allOf: [{ $ref: '#' }] };
  const strange = { type: 7, properties: [1], required: 'x', enum: {}, items: 3, $ref: '#/no', oneOf: [null, 4] };
  for (const input of [loop, strange, null, 'text', [], 7]) {
    const given = 'resources:\n- name: a\n  type: t\n  properties:\n    a: {a: {a: 1}}\n    b: [1]\n';
    const manifest = readManifest('a.yaml', given);
    assert.ok(manifest);
    const known = { ...world, typeOf: () => ({ kind: 'known' as const, facts: { name: 't', input } }) };
    findingsIn(given, manifest, known);
    hoverAt(manifest, known, given.indexOf('t\n'));
    completionsAt('a.yaml', given, given.length, known);
  }
});

test('thousands of resources that require each other are answered soon', () => {
  const count = 5000;
  const names = Array.from({ length: count }, (_, at) => at);
  const given = `resources:\n${names.map((it) => `- {name: r${it}, type: t, metadata: {dependsOn: [r${(it + 1) % count}]}}`).join('\n')}`;
  const manifest = readManifest('a.yaml', given);
  assert.ok(manifest);
  const cycles = findingsIn(given, manifest, world).filter((it) => it.code === 'reference-cycle');
  assert.ok(cycles.length <= 1);
});

test('what is wrong a thousand times is compared with other names only some times', () => {
  const names = Array.from({ length: 2000 }, (_, at) => `resource-${at}`);
  const given = `resources:\n${names.map((it) => `- {name: ${it}, type: t-${it}, metadata: {dependsOn: [x-${it}]}}`).join('\n')}`;
  let compared = 0;
  const unknown = {
    kind: 'unknown' as const,
    get similar() {
      compared++;
      return ['t'];
    },
  };
  const manifest = readManifest('a.yaml', given);
  assert.ok(manifest);
  const findings = findingsIn(given, manifest, { ...world, typeOf: () => unknown });
  assert.equal(findings.length, 500);
  assert.ok(compared > 0 && compared <= 50, String(compared));
});

test('a schema whose kinds and values multiply is read', () => {
  const kinds = Array.from({ length: 2000 }, () => 'array');
  const list = (items: unknown) => ({ type: kinds, items });
  const values = Array.from({ length: 5000 }, (_, at) => `v${at}`);
  const properties = { a: list(list(list(list({ type: 'string' })))), b: { enum: values } };
  const given = 'resources:\n- name: a\n  type: t\n  properties:\n    a: 1\n    b: other\n';
  const manifest = readManifest('a.yaml', given);
  assert.ok(manifest);
  const known = { kind: 'known' as const, facts: { name: 't', input: { properties } } };
  const findings = findingsIn(given, manifest, { ...world, typeOf: () => known });
  assert.deepEqual(
    findings.map((it) => it.message),
    ['A value of kind array of array of array of array is required here.'],
  );
});
