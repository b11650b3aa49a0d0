import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { versioning } from '../../../../server/src/engine/ecosystems/versioning.ts';
import { isSystem } from '../../../../server/src/engine/model/system.ts';
import { readTable } from '../../../harness/version-table.ts';

const table = readTable(join(import.meta.dirname, 'bounded.txt')).map((row) =>
  row.map((it) => it.replaceAll('∥', '||')),
);

for (const [system = '', range = '', version = '', widened = '', replaced = ''] of table) {
  test(`${system}: ${range} is widened or replaced for ${version}`, () => {
    assert.ok(isSystem(system));
    const { rewrite } = versioning[system];
    const [, text = '', moved] = /^(.*?)( \(moved\))?$/.exec(widened) ?? [];
    const expected = { ok: true, text, end: moved ? 'replaced' : 'widened' };
    assert.deepEqual(rewrite(range, version), expected, 'as without the setting');
    assert.deepEqual(rewrite(range, version, 'widen'), expected);
    const result = rewrite(range, version, 'replace');
    assert.equal(result.ok ? result.text : result.reason, replaced);
    const refused = rewrite(range, version, 'never');
    assert.ok(!refused.ok);
    assert.match(refused.reason, / excludes .*, and packageInsights\.boundedRanges is "never"$/);
  });
}
