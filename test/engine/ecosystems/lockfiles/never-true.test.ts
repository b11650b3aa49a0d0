import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNeverTrue } from '../../../../server/src/engine/ecosystems/python/graph/never-true.ts';
import { pdmLock } from '../../../../server/src/engine/ecosystems/python/lockfiles/pdm-lock.ts';
import { poetryLock } from '../../../../server/src/engine/ecosystems/python/lockfiles/poetry-lock.ts';

const cases: readonly (readonly [marker: string, pythons: readonly string[], isNever: boolean])[] = [
  ['python_version < "3.8"', ['>=3.11'], true],
  ["python_version < '3.11'", ['>=3.11'], true],
  ['python_version < "3.12"', ['>=3.11'], false],
  ['python_version <= "3.11"', ['>=3.11.2'], false],
  ['python_full_version < "3.11.2"', ['>=3.11.2'], true],
  ['python_version == "3.10"', ['>=3.11'], true],
  ['python_version < "3.8" and sys_platform == "win32"', ['>=3.11,<4'], true],
  ['python_version < "3.8" or sys_platform == "win32"', ['>=3.11'], false],
  ['(python_version < "3.8")', ['^3.11'], true],
  ['python_version < "3.8"', ['>=3.11', '>=3.7'], false],
  ['python_version < "3.8"', ['>=3.7 || >=3.11'], false],
  ['python_version < "3.8"', ['<4'], false],
  ['python_version < "3.8"', [], false],
  ['python_version >= "3.8"', ['>=3.11'], false],
];

for (const [marker, pythons, isNever] of cases) {
  test(`${marker} in ${pythons.join(' and ')}`, () => assert.equal(isNeverTrue(marker, pythons), isNever));
}

test('what a package requires on older Pythons alone is not brought along', () => {
  const pdm = `[metadata]\n[[metadata.targets]]\nrequires_python = ">=3.11"\n
[[package]]\nname = "zeta"\nversion = "2.1"\ndependencies = [\n    "kappa>=0.5",\n    "lamda; python_version < \\"3.5\\"",\n]\n
[[package]]\nname = "kappa"\nversion = "1.0"\n\n[[package]]\nname = "lamda"\nversion = "1.0"\n`;
  const poetry = `[[package]]\nname = "zeta"\nversion = "2.1"\npython-versions = ">=3.6"\n
[package.dependencies]\nkappa = ">=0.5"\nlamda = {version = "*", markers = "python_version < \\"3.5\\""}\n
[[package]]\nname = "kappa"\nversion = "1.0"\n\n[[package]]\nname = "lamda"\nversion = "1.0"\n
[metadata]\nlock-version = "2.1"\npython-versions = ">=3.11"\n`;
  for (const [format, text] of [
    [pdmLock, pdm],
    [poetryLock, poetry],
  ] as const) {
    const graph = format.parse(text).graph();
    assert.ok(graph !== 'unrecorded');
    const names = [...graph.targets].map((it) => graph.nodes[it]?.name);
    assert.deepEqual(names, ['kappa'], format.id);
  }
});
