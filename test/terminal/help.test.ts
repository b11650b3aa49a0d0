import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commands as groups } from '../../server/src/bin/commands.ts';
import { padTo, widthOf, wrap } from '../../server/src/engine/report/formats/wrap.ts';
import type { Command } from '../../server/src/terminal/command.ts';
import { commandHelp } from '../../server/src/terminal/help.ts';
import { runHere } from './terminal.ts';

const commands = [...groups.own, ...groups.connected];

const check: Command = {
  name: 'check',
  usage: '[PATH…]',
  summary: () => 'Check the dependencies of the manifests in some folders',
  options: {
    all: { help: () => 'lockfiles and bills of materials in the folders, too: what dependencies bring along' },
    'public-registry': { value: 'HOST', help: () => 'packages of this registry are public' },
    'dry-run': {},
  },
  examples: ['package-insights check services/*/pom.xml --fail-on advisory:high,no-match'],
  takesPositionals: true,
  run: async () => 0,
};

test('a help keeps its columns where there is room for two', () => {
  assert.equal(
    commandHelp(check, 50),
    `\
package-insights check [PATH…]

Check the dependencies of the manifests in some
folders.

  --all               lockfiles and bills of
                      materials in the folders,
                      too: what dependencies bring
                      along
  --public-registry HOST
                      packages of this registry
                      are public

Examples:
  package-insights check services/*/pom.xml --fail-on advisory:high,no-match`,
  );
});

test('in a narrow terminal what an option means stands below it', () => {
  assert.equal(
    commandHelp(check, 40).split('\n').slice(5, 11).join('\n'),
    `\
  --all
      lockfiles and bills of materials
      in the folders, too: what
      dependencies bring along
  --public-registry HOST
      packages of this registry are
`.trimEnd(),
  );
});

test('without a terminal a help is wrapped at 100 columns', () => {
  assert.equal(commandHelp(check, undefined), commandHelp(check, 100));
});

test('every help fits a terminal of 80 columns, but for commands to be copied', async () => {
  for (const name of ['check', 'notices', 'lookup', 'identify', 'call', 'serve', 'lsp']) {
    const { out } = await runHere([name, '--help'], import.meta.dirname, { columns: 80 });
    const long = out.split('\n').filter((it) => it.length > 80 && !/^ {2}package-insights /.test(it));
    assert.deepEqual(long, []);
  }
});

test('“help” and the name of a command is another way to ask for its help', async () => {
  const asked = await runHere(['help', 'check'], import.meta.dirname);
  assert.deepEqual(asked, await runHere(['check', '--help'], import.meta.dirname));
  assert.equal(asked.code, 0);
});

test('widths count what a terminal shows', () => {
  assert.deepEqual(['abc', 'für', '依赖', 'e\u0301', '✅'].map(widthOf), [3, 3, 4, 1, 2]);
  assert.equal(padTo('依赖', 6), '依赖  ');
  assert.deepEqual(wrap('依赖 依赖 a', 9), ['依赖 依赖', 'a']);
  assert.deepEqual(wrap('a longer-than-the-line b', 8), ['a', 'longer-than-the-line', 'b']);
});

test('docs/terminal.md describes every command and option that a help lists', () => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'terminal.md'), 'utf8');
  const names = commands.flatMap(({ name, options }) => [
    `package-insights ${name}`,
    ...Object.entries(options).flatMap(([option, { help }]) => (help ? [`--${option}`] : [])),
  ]);
  // Editors start it: docs/editors.md.
  const missing = names.filter((it) => it !== 'package-insights lsp' && !new RegExp(`${it}\\b`).test(text));
  assert.deepEqual(missing, []);
});

test('every command prints the version, and the help lists those of connected services last', async () => {
  for (const { name } of commands) {
    const { out, code } = await runHere([name, '--version'], import.meta.dirname);
    assert.deepEqual([out.trim(), code], ['1.0.0', 0], name);
  }
  const { out: help } = await runHere(['--help'], import.meta.dirname);
  const at = help.indexOf('\nConnected services:\n');
  for (const { name } of commands)
    assert.equal(
      help.indexOf(`\n  ${name} `) > at,
      ['connections', 'schedule', 'deploy', 'audit', 'call', 'usage'].includes(name),
      name,
    );
});
