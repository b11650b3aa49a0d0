import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pipfile } from '../../../../server/src/engine/ecosystems/python/pipfile.ts';
import { pyproject } from '../../../../server/src/engine/ecosystems/python/pyproject.ts';

test('an edit keeps the quotes around a requirement', () => {
  const text = `[project]\ndependencies = ["a>=1 ; extra == \\"x\\"", 'b==1']\n[tool.poetry.dependencies]\nc = "^1"\n`;
  const { dependencies } = pyproject.parse(text);
  const edited = dependencies.toReversed().reduce((it, { requirement }) => {
    if (requirement.kind !== 'literal') return it;
    const { span, encode } = requirement.at;
    return it.slice(0, span.start) + encode('~=2.0') + it.slice(span.end);
  }, text);
  assert.equal(
    edited,
    `[project]\ndependencies = ["a~=2.0 ; extra == \\"x\\"", 'b~=2.0']\n[tool.poetry.dependencies]\nc = "~=2.0"\n`,
  );
});

test('names of the prototype are names like others', () => {
  const names = ['__proto__', 'constructor', 'toString'];
  const lines = names.map((it) => `${it} = "^1"`).join('\n');
  assert.deepEqual(
    pyproject
      .parse(`[tool.poetry.dependencies]\n${lines}\n[tool.uv.sources]\n${lines}`)
      .dependencies.map((it) => it.name),
    names,
  );
  assert.deepEqual(
    pipfile.parse(`[constructor]\n${lines}`).dependencies.map((it) => it.scope),
    ['optional', 'optional', 'optional'],
  );
});

test('only files of these very names are read', () => {
  for (const it of ['/w/pyproject.toml', 'pyproject.toml']) assert.ok(pyproject.files.test(it), it);
  for (const it of ['/w/mypyproject.toml', '/w/pyproject.toml.bak']) assert.ok(!pyproject.files.test(it), it);
  for (const it of ['/w/Pipfile', 'Pipfile']) assert.ok(pipfile.files.test(it), it);
  for (const it of ['/w/Pipfile.lock', '/w/pipfile.py']) assert.ok(!pipfile.files.test(it), it);
});

test('hostile text is read at once', () => {
  for (const unit of ['a', '=', '==1,', ' ', ';', '[', '(', '-e ', '#egg=', '{', '^1 || ', '\\u0041', '*', '.']) {
    const long = unit.repeat(Math.ceil(40_000 / unit.length));
    const list = pyproject.parse(
      `[project]\ndependencies = ["a${long}", "${long}", "-e ${long}#egg=a${long}", "last"]`,
    );
    assert.equal(list.dependencies.at(-1)?.name, 'last', unit);
    const table = pipfile.parse(`[packages]\na = "${long}"\nb = { version = "${long}" }\nlast = "*"`);
    assert.equal(table.dependencies.at(-1)?.name, 'last', unit);
  }
  const nested = pyproject.parse(`[tool.hatch.envs]\n${'a.'.repeat(20_000)}dependencies = []\n`);
  assert.equal(nested.dependencies.length, 0);
});
