import assert from 'node:assert/strict';
import { test } from 'node:test';
import { table } from '../../server/src/report/formats/table.ts';
import { reportOf, tool } from './reports.ts';

const shown = (columns?: number): string[] => {
  const report = reportOf(['lodash']);
  const findings = report.findings.map((it) => ({ ...it, message: 'lodash 4.17.15 has 1 known advisory: GHSA-1 Odd' }));
  const page = () => ({ script: '', style: '' });
  const style = { color: false, tool, page, ...(columns !== undefined && { columns }) };
  const [group = ''] = table.write({ ...report, findings }, style).split('\n\n');
  return group.split('\n');
};

test('a finding has one line where there is room, and for programs in any case', () => {
  const whole = [
    'app/package.json',
    '  1:1  error  advisory  lodash 4.17.15 has 1 known advisory: GHSA-1 Odd  → 2.0.0',
  ];
  assert.deepEqual(shown(), whole);
  assert.deepEqual(shown(120), whole);
});

test('a message that is too long goes on below itself, and what to move to stands on a line of its own', () => {
  assert.deepEqual(shown(65), [
    'app/package.json',
    '  1:1  error  advisory  lodash 4.17.15 has 1 known advisory:',
    '                        GHSA-1 Odd',
    '                        → 2.0.0',
  ]);
});

test('in a narrow terminal a message stands below its code', () => {
  assert.deepEqual(shown(40), [
    'app/package.json',
    '  1:1  error  advisory',
    '    lodash 4.17.15 has 1 known advisory:',
    '    GHSA-1 Odd',
    '    → 2.0.0',
  ]);
});
