import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type LicenseVerdict, licenseVerdicts } from '../../../../server/src/engine/model/license-policy.ts';
import { evaluateLicenses } from '../../../../server/src/engine/policy/license-policy.ts';

const file = join(import.meta.dirname, 'evaluate.txt');

test('licenses are judged as the table says', () => {
  const text = readFileSync(file, 'utf8');
  let lists = readLists('');
  const painted = text.split('\n').map((line) => {
    if (!line.startsWith('  ')) {
      lists = readLists(line);
      return line;
    }
    const [licenses = ''] = line.trim().split(/\s+→/);
    return `  ${licenses.padEnd(46)} → ${answer(licenses, lists)}`;
  });
  if (process.env['UPDATE']) writeFileSync(file, painted.join('\n'));
  assert.equal(painted.join('\n'), text);
});

function answer(licenses: string, lists: ReturnType<typeof readLists>): string {
  const { verdict, because } = evaluateLicenses(licenses === '(none)' ? [] : licenses.split(', '), lists);
  const reasons = because.map(({ license, rule, class: listed }) =>
    [license || '(none)', rule, ...(listed ? [`(${listed})`] : [])].join(' '),
  );
  return [verdict, reasons.join(', ')].join(': ');
}

/** `deny A, B | allow C` */
function readLists(line: string) {
  const given = new Map(
    line.split(' | ').map((it) => {
      const [name = '', ...rest] = it.split(' ');
      return [name, rest.join(' ').split(', ').filter(Boolean)] as const;
    }),
  );
  const of = (name: string): readonly string[] => given.get(name) ?? [];
  const unknown: LicenseVerdict = licenseVerdicts.find((it) => of('unknown').includes(it)) ?? 'review';
  return { allow: of('allow'), deny: of('deny'), review: of('review'), excepted: of('excepted'), unknown };
}
