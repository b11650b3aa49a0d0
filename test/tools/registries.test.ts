import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { hostsOf, progressText } from './registries.ts';

/* What a trial with the registries of this machine says. */

test('the question names each host once, those of scopes, too', () => {
  const asked = new Map([
    ['NPM', ['https://npm.acme.example', 'https://ours.acme.example/npm']],
    ['PYPI', ['https://npm.acme.example/pypi']],
  ] as const);
  assert.deepEqual(hostsOf(asked), ['npm.acme.example', 'ours.acme.example']);
});

test('the line of progress counts what registries were asked', () => {
  const metrics = [
    '# TYPE insights_upstream_seconds histogram',
    'insights_upstream_seconds_bucket{le="1",outcome="answer"} 9',
    'insights_upstream_seconds_count{outcome="answer"} 12',
    'insights_upstream_seconds_count{outcome="failed"} 2',
  ].join('\n');
  assert.equal(progressText('http://127.0.0.1:1', metrics), 'http://127.0.0.1:1 · registries asked: 14, failed: 2');
  assert.equal(progressText('http://127.0.0.1:1', ''), 'http://127.0.0.1:1 · registries asked: 0');
});

/** Runs a program in a terminal of its own, and types what is given when it asks. */
const inTerminal = `
import os, pty, sys
typed, program = sys.argv[1].encode(), sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0: os.execv(program[0], program)
said, asked = b'', False
while True:
    try: part = os.read(terminal, 4096)
    except OSError: break
    if not part: break
    said += part
    if not asked and b'[y/N]' in said:
        asked = True
        os.write(terminal, typed)
os.waitpid(pid, 0)
print(said.decode())
`;
const asking = `
import { mayAsk } from ${JSON.stringify(join(import.meta.dirname, 'registries.ts'))};
process.on('SIGINT', () => { console.log('ended'); process.exit(0); });
console.log('may ask: ' + await mayAsk({ asked: new Map([['NPM', ['https://npm.acme.example/all']]]) }));
`;
const options = ['--input-type=module', '--eval', asking];
const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0;

for (const [title, typed, said] of [
  ['Enter alone', '\r', 'may ask: false'],
  ['n', 'n\r', 'may ask: false'],
  ['Ctrl-D', '\x04', 'may ask: false'],
  ['y', 'y\r', 'may ask: true'],
  ['Yes', ' Yes \r', 'may ask: true'],
  ['Ctrl-C', '\x03', 'ended'],
] as const) {
  test(`the question is answered in a terminal: ${title}`, { skip: !hasPython && 'no python3 with pty' }, () => {
    const { stdout } = spawnSync('python3', ['-c', inTerminal, typed, process.execPath, ...options], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    assert.match(stdout, /registries that this machine’s package managers use: npm\.acme\.example\./);
    assert.match(stdout, new RegExp(`^${said}\\r?$`, 'm'));
  });
}

test('without a terminal the question is not asked, and means no', () => {
  const { stdout } = spawnSync(process.execPath, options, { encoding: 'utf8', input: 'y\n' });
  assert.equal(stdout, 'may ask: false\n');
});
