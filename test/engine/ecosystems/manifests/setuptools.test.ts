import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setupPy } from '../../../../server/src/engine/ecosystems/python/code/setup-py.ts';
import { setupCfg } from '../../../../server/src/engine/ecosystems/python/setup-cfg.ts';

test('variables that go round in a circle, or are used twice, are read once', () => {
  const names = (text: string) => setupPy.parse(text).dependencies.map((it) => it.name);
  assert.deepEqual(names('a = b + ["x"]\nb = a + ["y"]\nsetup(install_requires=a + b)'), ['x', 'y']);
  assert.deepEqual(names('a = ["x"]\nsetup(install_requires=a, tests_require=a, extras_require={"all": a})'), ['x']);
  const chain = Array.from({ length: 5000 }, (_, at) => `v${at} = v${at + 1}`).join('\n');
  assert.deepEqual(names(`${chain}\nsetup(install_requires=v0)`), []);
});

test('an edit of a requirement is the text itself', () => {
  const [inCall] = setupPy.parse('setup(install_requires=["a>=1"])').dependencies;
  const [inFile] = setupCfg.parse('[options]\ninstall_requires = a>=1').dependencies;
  for (const it of [inCall, inFile]) {
    assert.ok(it?.requirement.kind === 'literal');
    assert.equal(it.requirement.at.encode('>=2'), '>=2');
  }
});

test('hostile text is read at once', () => {
  const units = [
    'a',
    '=',
    '"',
    "'",
    '[',
    ']',
    '(',
    ')',
    '{',
    '}',
    '\\',
    '\\\n',
    ' ',
    '\t',
    '#',
    '#\n',
    ',',
    ':',
    '+',
    '*',
  ];
  const more = ['"""', 'a=[', 'a=', 'a:', 'a+=', '[[', '])', '"a"', '"a",', 'install_requires=', 'install_requires=['];
  const others = ['"install_requires":', 'a.append(', '*a,', '"a":', ';', '\n', '\na=a\n', '[a]\n', ' a\n', '[a', '\f'];
  for (const unit of [...units, ...more, ...others]) {
    const long = unit.repeat(Math.ceil(8_000 / unit.length));
    for (const before of [
      '',
      'a = ',
      'setup(install_requires=',
      'setup(install_requires=["a',
      'extras_require={"a":',
    ]) {
      setupPy.parse(before + long);
    }
    for (const before of ['', '[options]\ninstall_requires =', '[options]\ninstall_requires = a\n  b']) {
      setupCfg.parse(before + long);
    }
  }
});
