import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayHoldTogether } from '../../../../server/src/engine/ecosystems/python/graph/markers.ts';

/* Source of what is expected: PEP 508; Poetry's documentation, “Multiple constraints dependencies”. */

const together: readonly (readonly string[])[] = [
  [],
  [''],
  [`python_version < '3.9'`, `python_full_version >= '3.8'`],
  [`python_version < "3.9"`, `"3.8" <= python_version`],
  [`python_full_version < '3.9.2'`, `python_version >= '3.9'`],
  [`sys_platform == 'win32'`, `os_name == 'nt' and platform_system == 'Windows'`],
  [`sys_platform == 'emscripten'`, `platform_system == 'Linux'`],
  [`extra == 'dev'`, `extra == 'docs'`],
  [`platform_machine == 'x86_64'`, `platform_machine != 'x86_64'`],
  [`python_version < '3.9' or sys_platform == 'win32'`, `python_version >= '3.9'`],
  [`python_version == '3.7'`, 'python_version in "3.6, 3.7"'],
  ['python <3.9', `python_version < '3.9'`],
  ['python ^3.8', `python_version >= '3.9'`],
  ['platform linux', `sys_platform == 'linux'`],
  ['not a marker', `python_version < '3.9'`],
  [`python_version <`, `python_version >= '3'`],
  [`(`.repeat(1000), `python_version >= '3'`],
];
const apart: readonly (readonly string[])[] = [
  [`python_version < '3.9'`, `python_version >= '3.9'`],
  [`python_version < '3.9'`, `python_full_version >= '3.9'`],
  [`python_version < '3.9' and extra == 'dev'`, `python_version >= '3.9'`],
  [`(python_version < '3.9' or python_version >= '3.12')`, `python_version == '3.10'`],
  [`sys_platform == 'win32'`, `sys_platform != 'win32'`],
  [`sys_platform == 'win32'`, `platform_system == 'Linux'`],
  ['python <3.9', `python_version >= "3.9"`],
  ['python ^3.8', `python_version < "3.8"`],
  ['python <3.9', 'python >=3.9'],
  [`python_version not in '3.6 3.7'`, `python_version == '3.7'`],
  [`python_version ~= '3.8'`, `python_version < '3.8'`],
  ['platform linux', `sys_platform == 'win32'`],
  ['platform linux and python <3.8', `python_version >= '3.8' and sys_platform == 'linux'`],
];

for (const [markers, expected] of [
  ...together.map((it) => [it, true] as const),
  ...apart.map((it) => [it, false] as const),
])
  test(`${markers.join(' with ').slice(0, 100) || 'nothing'} ${expected ? 'may hold' : 'never holds'}`, () => {
    assert.equal(mayHoldTogether(markers), expected);
    assert.equal(mayHoldTogether(markers.toReversed()), expected);
  });
