import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHere } from './terminal.ts';

const said: readonly (readonly [string, string])[] = [
  ['check --frob', 'unknown option --frob; package-insights check --help lists all options'],
  ['check -x', 'unknown option -x; package-insights check --help lists all options'],
  ['check --__proto__', 'unknown option --__proto__; package-insights check --help lists all options'],
  ['check --json', 'unknown option --json; did you mean --format json?'],
  ['notices --html', 'unknown option --html; package-insights notices --help lists all options'],
  ['lookup --format json', 'unknown option --format; did you mean --json?'],
  ['serve --format json', 'unknown option --format; package-insights serve --help lists all options'],
  ['check --output', '--output requires a value'],
  ['check --output --quiet', '--output requires a value'],
  ['check --config=', '--config requires a value'],
  ['check --quiet=yes', '--quiet does not take a value'],
  ['lsp here', 'lsp does not accept “here”'],
];

for (const [line, message] of said) {
  test(`package-insights ${line}: ${message}`, async () => {
    const { code, out, error } = await runHere(line.split(' '), import.meta.dirname);
    assert.deepEqual([code, out, error.split('\n')[0]], [2, '', `package-insights ${line.split(' ')[0]}: ${message}`]);
    assert.match(error, /\nusage: package-insights \w+ /);
  });
}

test('a value that begins with a dash is given with “=”', async () => {
  const { error } = await runHere(['check', '--format=-x'], import.meta.dirname);
  assert.match(error, /--format requires one of .*, not “-x”/);
});

test('help for what is no command says so', async () => {
  const { code, out, error } = await runHere(['help', 'nonsense'], import.meta.dirname);
  assert.deepEqual([code, out], [2, '']);
  assert.match(error, /^package-insights: unknown command “nonsense”\n/);
});

test('help for a command is what the command says of itself', async () => {
  const here = import.meta.dirname;
  assert.deepEqual(await runHere(['help', 'lookup'], here), await runHere(['lookup', '--help'], here));
  assert.deepEqual(await runHere(['help', 'help'], here), await runHere(['help'], here));
});
