import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { WholeTerminal } from '../../server/src/bin/commands.ts';
import { diskFiles } from '../../server/src/platform/files.ts';
import { type StartedService, startService } from '../harness/service.ts';
import { type Folder, folderWith } from './program.ts';
import { runHere } from './terminal.ts';

let service: StartedService;
before(async () => {
  service = await startService({
    'NUGET serilog': { versions: { '1.0.0': { deprecated: 'old' }, '2.0.0': { isDefault: true } } },
    'NPM lodash': { versions: ['4.17.15', '4.17.21', '4.18.1', '5.0.0'] },
    'NPM fine': { versions: ['1.0.0', '1.0.1', '1.2.0', '2.0.0'] },
    'NPM trap': { versions: { '1.0.0': {}, '1.1.0': {}, '2.0.0': { deprecated: 'a mistake' } } },
    'NPM jump': { versions: ['1.0.0', '1.1.0', '2.0.0'] },
    'NPM ahead': { versions: ['1.0.0', '1.1.0'] },
    'NPM apart': { versions: ['1.0.0', '2.0.0'] },
    'PYPI urllib3': { versions: ['1.26.0', '2.0.0'] },
    'advisory GHSA-p6mc-m468-83gw': {
      cvss3Score: 7.4,
      affected: [{ system: 'NPM', name: 'lodash', ranges: [{ introduced: '0', fixed: '4.17.19' }] }],
    },
    'advisory GHSA-0000-0000-0001': {
      cvss3Score: 5.3,
      affected: [{ system: 'NPM', name: 'jump', ranges: [{ introduced: '0', fixed: '2.0.0' }] }],
    },
    'advisory GHSA-0000-0000-0000': {
      cvss3Score: 9.8,
      affected: [{ system: 'PYPI', name: 'urllib3', ranges: [{ introduced: '0', fixed: '2.0.0' }] }],
    },
  });
});
after(() => service.close());

const fix = (folder: Folder, ...args: readonly string[]) =>
  runHere(['check', '--fix', ...args], folder.path, { baseUrl: service.url });

const project = (version: string): string =>
  `<Project>\r\n  <PackageReference Include="Serilog" Version="${version}" /> <!-- für 😀 -->\r\n</Project>\r\n`;
const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');

test('a fixed file keeps its encoding, its line ends and its mode, and nothing else appears', async () => {
  const folder = folderWith({ 'app.csproj': utf16(project('1.0.0')) });
  const path = join(folder.path, 'app.csproj');
  chmodSync(path, 0o640);
  const { code, out } = await fix(folder);
  assert.equal(code, 0);
  assert.match(out, /^-.*Version="1\.0\.0".*\r\n\+.*Version="2\.0\.0".*\r\n/m);
  assert.deepEqual(readFileSync(path), utf16(project('2.0.0')));
  assert.equal(statSync(path).mode & 0o777, 0o640);
  assert.deepEqual(readdirSync(folder.path), ['app.csproj']);
  folder.remove();
});

test('what a link leads to is fixed, and the link stays', async () => {
  const folder = folderWith({ 'real/shared.props': project('1.0.0') });
  symlinkSync(join('real', 'shared.props'), join(folder.path, 'linked.props'));
  await fix(folder, 'linked.props');
  assert.ok(lstatSync(join(folder.path, 'linked.props')).isSymbolicLink());
  assert.equal(readFileSync(join(folder.path, 'real', 'shared.props'), 'utf8'), project('2.0.0'));
  folder.remove();
});

test('with a format for programs, the patch does not stand in their way', async () => {
  const folder = folderWith({ 'app.csproj': project('1.0.0') });
  const { out, error } = await fix(folder, '--format', 'json');
  assert.equal(JSON.parse(out).findings.length, 0);
  assert.match(error, /^--- a\/app\.csproj\n\+\+\+ b\/app\.csproj\n/);
  folder.remove();
});

test('a dry run changes nothing, and ends as the check of now does', async () => {
  const folder = folderWith({ 'app.csproj': project('1.0.0') });
  const { code, out } = await fix(folder, '--dry-run', '--fail-on', 'deprecated');
  assert.equal(code, 1);
  assert.ok(out.startsWith('--- a/app.csproj') && !out.includes('finding'));
  assert.equal(readFileSync(join(folder.path, 'app.csproj'), 'utf8'), project('1.0.0'));
  folder.remove();
});

const posix = { skip: process.platform === 'win32' };
const mayWriteAll = process.getuid === undefined || process.getuid() === 0;

test('a file that is protected stays as it is', { skip: mayWriteAll }, async () => {
  const folder = folderWith({ 'app.csproj': project('1.0.0') });
  chmodSync(join(folder.path, 'app.csproj'), 0o444);
  const { code, out, error } = await fix(folder);
  assert.equal(code, 2);
  assert.doesNotMatch(out, /^---/);
  assert.match(error, /app\.csproj was not changed: permission denied/);
  assert.equal(readFileSync(join(folder.path, 'app.csproj'), 'utf8'), project('1.0.0'));
  folder.remove();
});

const scoped = {
  'package.json': '{ "dependencies": {\n"lodash": "4.17.15",\n"fine": "1.0.0",\n"trap": "1.0.0" } }\n',
  'requirements.txt': 'urllib3==1.26.0 --hash=sha256:0000\n',
};

test('a scope decides which dependencies move, and how far', async () => {
  for (const [args, versions] of [
    [['--fix'], ['4.17.21', '1.0.0', '1.0.0']],
    [['--fix=safe'], ['4.17.21', '1.0.0', '1.0.0']],
    [['--fix=in-major'], ['4.18.1', '1.2.0', '1.1.0']],
    // No update moves to a version with a problem.
    [['--fix=default'], ['5.0.0', '2.0.0', '1.0.0']],
  ] as const) {
    const folder = folderWith(scoped);
    await runHere(['check', ...args], folder.path, { baseUrl: service.url });
    const { dependencies } = JSON.parse(readFileSync(join(folder.path, 'package.json'), 'utf8'));
    assert.deepEqual(Object.values(dependencies), versions, args.join(' '));
    folder.remove();
  }
});

test('standard error lists what moves from where to where, and what cannot and why; the patch stays a patch', async () => {
  const folder = folderWith(scoped);
  const dry = (...args: readonly string[]) =>
    runHere(['check', ...args, '--dry-run'], folder.path, { baseUrl: service.url });
  const { out, error } = await dry('--fix=in-major');
  assert.match(out, /^--- a\/package\.json\n/);
  assert.ok(!/updates?\b/.test(out));
  assert.equal(
    error,
    [
      'package-insights check: 3 updates',
      '  lodash 4.17.15 → 4.18.1 (minor, fixes the vulnerability, latest minor)  package.json:2',
      '  fine 1.0.0 → 1.2.0 (minor, latest minor)  package.json:3',
      '  trap 1.0.0 → 1.1.0 (minor, latest minor)  package.json:4',
      'package-insights check: 1 dependency cannot be updated',
      '  urllib3 1.26.0 → 2.0.0: pinned by hash  requirements.txt:1',
      '',
    ].join('\n'),
  );
  assert.equal((await dry('--fix', '--quiet')).error, '');
  folder.remove();
});

test('no major step is made without one, and no step back from a version that is not published', async () => {
  const folder = folderWith({
    'package.json': '{ "dependencies": {\n"jump": "1.0.0",\n"ahead": "^9.0.0",\n"apart": "1.5.0" } }\n',
  });
  const dry = async (scope: string): Promise<string[]> => {
    const args = ['check', `--fix=${scope}`, '--dry-run'];
    return (await runHere(args, folder.path, { baseUrl: service.url })).error.trimEnd().split('\n');
  };
  assert.deepEqual(await dry('in-major'), [
    'package-insights check: 3 dependencies cannot be updated',
    '  jump 1.0.0 → 2.0.0: only a major step fixes it  package.json:2',
    '  ahead → 1.1.0: lower than the one written  package.json:3',
    '  apart → 2.0.0: only a major step fixes it  package.json:4',
  ]);
  assert.deepEqual(await dry('safe'), [
    'package-insights check: 2 updates',
    '  jump 1.0.0 → 2.0.0 (major, fixes the vulnerability, latest)  package.json:2',
    '  apart → 2.0.0 (major, latest)  package.json:4',
    'package-insights check: 1 dependency cannot be updated',
    '  ahead → 1.1.0: lower than the one written  package.json:3',
  ]);
  folder.remove();
});

test('a mistaken scope gets the nearest, also where it is not behind “=”', async () => {
  const folder = folderWith(scoped);
  for (const [args, says] of [
    [['--fix=inmajor'], '--fix requires one of safe, in-major, default, not “inmajor”; did you mean in-major?'],
    [['--fix=everything'], '--fix requires one of safe, in-major, default, not “everything”\n'],
    [['--fix', 'default'], '--fix takes its value behind “=”: --fix=default'],
    [['--fix='], '--fix requires a value'],
    [
      ['--format', 'sarf'],
      '--format requires one of table, json, sarif, markdown, html, cyclonedx, not “sarf”; did you mean sarif?',
    ],
    [['--fail-on', 'advisoy'], '--fail-on: “advisoy” is not one of malicious, advisory, advisory-below'],
  ] as const) {
    const { code, error } = await runHere(['check', ...args], folder.path, { baseUrl: service.url });
    assert.equal(code, 2);
    assert.ok(error.startsWith(`package-insights check: ${says}`), error);
  }
  folder.remove();
});

const exchanged = {
  'a link that leads out of the folder': (path: string, outside: string) => symlinkSync(outside, path),
  'a pipe': (path: string) => execFileSync('mkfifo', [path]),
  'a folder': (path: string) => mkdirSync(path),
  'another file': (path: string) => writeFileSync(path, `${project('1.0.0')}<!-- mine -->`),
} as const;

for (const [what, exchange] of Object.entries(exchanged)) {
  for (const after of ['tryRead', 'read'] as const) {
    const when = after === 'read' ? 'while it is fixed' : 'after it was checked';
    test(`a manifest that is exchanged for ${what} ${when} is not fixed, and nothing outside is`, posix, async () => {
      const folder = folderWith({ 'in/app.csproj': project('1.0.0'), 'out/app.csproj': project('1.0.0') });
      const [path, outside] = ['in', 'out'].map((it) => join(folder.path, it, 'app.csproj')) as [string, string];
      let isExchanged = false;
      const disk: WholeTerminal['disk'] = (roots) => {
        const files = diskFiles(() => roots);
        const exchanging =
          <T>(read: (uri: string) => Promise<T>) =>
          async (uri: string) => {
            const text = await read(uri);
            if (!isExchanged && uri.endsWith('app.csproj')) {
              isExchanged = true;
              rmSync(path);
              exchange(path, outside);
            }
            return text;
          };
        const read = files[after];
        return read ? { ...files, [after]: exchanging<unknown>(read) } : files;
      };
      const { code, error } = await runHere(['check', '--fix'], join(folder.path, 'in'), {
        baseUrl: service.url,
        disk,
      });
      assert.equal(code, 2);
      assert.match(error, /app\.csproj was not changed: it has changed in the meantime/);
      assert.equal(readFileSync(outside, 'utf8'), project('1.0.0'));
      assert.deepEqual(readdirSync(join(folder.path, 'in')), ['app.csproj']);
      folder.remove();
    });
  }
}
