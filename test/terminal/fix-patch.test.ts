import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type StartedService, startService } from '../harness/service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

let service: StartedService;
before(async () => {
  service = await startService({
    'NUGET serilog': { versions: { '1.0.0': { deprecated: 'old' }, '2.0.0': { isDefault: true } } },
  });
});
after(() => service.close());

const project = (version: string): string =>
  `<Project>\n  <PackageReference Include="Serilog" Version="${version}" /> <!-- für 😀 -->\n</Project>`;

/** By encoding and line ends, the bytes of a file. */
const written: Readonly<Record<string, (text: string) => Buffer>> = {
  'UTF-8': (it) => Buffer.from(it),
  'UTF-8 with a mark': (it) => Buffer.from(`\uFEFF${it}`),
  'CR LF': (it) => Buffer.from(it.replaceAll('\n', '\r\n')),
  'a line end at the end': (it) => Buffer.from(`${it}\n`),
  'Windows-1252': (it) => Buffer.from(it.replace('für 😀', 'on'), 'latin1'),
};

for (const [where, directory, argument] of [
  ['the folder that is checked', '.', '.'],
  ['a folder above', '.', 'my app'],
  ['a folder of a repository', 'my app', '.'],
  ['a folder beside', 'other', '../my app'],
] as const)
  for (const [name, bytesOf] of Object.entries(written))
    test(`git makes what a dry run shows in ${where}: ${name}`, async () => {
      const folder = folderWith({
        'my app/app.csproj': bytesOf(project('1.0.0')),
        'my app/in ä/b.csproj': bytesOf(project('1.0.0')),
        'other/read.me': '',
      });
      try {
        const git = (cwd: string, args: readonly string[], input = ''): string =>
          execFileSync('git', ['-c', 'core.autocrlf=false', ...args], { cwd, input, encoding: 'utf8' });
        git(folder.path, ['init', '-q']);
        const at = join(folder.path, directory);
        const { out, error } = await runHere(['check', argument, '--fix', '--dry-run'], at, { baseUrl: service.url });
        const [, base = '.'] = /git -C "(\S+)" apply/.exec(error) ?? [];
        git(at, ['-C', base, 'apply', '-'], out);
        for (const file of ['my app/app.csproj', 'my app/in ä/b.csproj'])
          assert.deepEqual(readFileSync(join(folder.path, file)), bytesOf(project('2.0.0')), file);
      } finally {
        folder.remove();
      }
    });

test('a patch that git cannot make is for reading only, and says so', async () => {
  for (const [encoding, bytes] of [
    ['windows-1252', Buffer.from(project('1.0.0').replace('😀', ''), 'latin1')],
    ['utf-16le', Buffer.from(`\uFEFF${project('1.0.0')}`, 'utf16le')],
  ] as const) {
    const folder = folderWith({ 'app.csproj': bytes });
    const { error } = await runHere(['check', '--fix', '--dry-run'], folder.path, { baseUrl: service.url });
    assert.match(error, new RegExp(`this patch is for reading only: app\\.csproj is in ${encoding}\n`));
    folder.remove();
  }
});
