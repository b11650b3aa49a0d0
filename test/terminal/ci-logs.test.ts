import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { withoutLogCommands } from '../../server/src/engine/base/log-commands.ts';
import { csvCell } from '../../server/src/terminal/csv.ts';
import { type StartedService, startService } from '../harness/service.ts';
import { type Folder, folderWith } from './program.ts';
import { runHere } from './terminal.ts';

/*
 * Whatever a package, a file or an argument says, the log of a CI must not take a line of ours for a command: it would set
 * a variable or a secret of the job.
 */

/**
 * Lines that a CI acts upon. Sources: Azure Pipelines, "Logging commands"; GitHub Actions, the runner's `ActionCommand`.
 * Sections of GitLab and Travis CI need an escape or a return.
 */
const commands = [
  /##vso\[/i,
  /##\[/,
  /##teamcity\[/,
  /(?:^|[\r\n\u0085\u2028\u2029])[\s\u0085]*::/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\r(?!\n)/,
];

/** Lines that Buildkite folds others below. Source: Buildkite, "Managing log output". A patch has some of its own. */
const groups = /^(?:---|\+\+\+|~~~|\^\^\^) /m;

const attacks = [
  '##vso[task.setvariable variable=PATH]x',
  '##VSO[task.complete result=Succeeded]',
  '###[error]x',
  '##[add-path]/tmp',
  '##teamcity[buildStatus status=SUCCESS]',
  '::set-env name=NODE_OPTIONS::--require=/tmp/x',
  '\u00a0\t::add-mask::a',
  'a\r::error::x',
  'a\u2028::error::x',
  '\u001b[0Ksection_start:1:a[collapsed=true]\r\u001b[0Kx',
  'travis_fold:start:a\r\u001b[0K',
  '\u001b]8;;https://evil.example\u0007x\u001b]8;;\u0007',
  '--- x',
  '+++ x',
  '^^^ +++',
];
const all = attacks.join('\n');

let service: StartedService;
let folder: Folder;
before(async () => {
  service = await startService({
    'NPM lodash': {
      versions: {
        '1.0.0': {
          deprecated: all,
          licenses: ['non-standard'],
          licenseDetails: [{ license: all, spdx: 'non-standard' }],
        },
        '1.0.1': { isDefault: true },
      },
    },
    'advisory GHSA-0000-0000-0001': {
      title: all,
      url: `https://a.example/${encodeURI(all)}`,
      cvss3Score: 9,
      affected: [{ system: 'NPM', name: 'lodash', ranges: [{ introduced: '0', fixed: '1.0.1' }] }],
    },
    'PYPI flask': { versions: { '1.0': { deprecated: 'old' }, '2.0': { isDefault: true } } },
  });
  folder = folderWith({
    // A project file gives its own words.
    '.package-insights.json': JSON.stringify({ ignores: [{ id: 'license', package: 'lodash', reason: all }] }),
    '##vso[task.complete]/package.json': '{ "dependencies": { "lodash": "1.0.0", "--- x": "1.0.0" } }',
    // Lines around a change are in the patch.
    'plain/requirements.txt': '# a\tb\r\nflask==1.0\r\n',
    'requirements.txt': `${attacks.join('\n')}\n# \u001b[8m\u0007\nflask==1.0\n${attacks.join('\n')}\n`,
  });
});
after(async () => {
  folder.remove();
  await service.close();
});

const runs: readonly (readonly string[])[] = [
  ...['table', 'json', 'sarif', 'markdown', 'html', 'cyclonedx'].map((it) => ['check', '--format', it]),
  ['check', '--ways', '--all', '--show-not-found'],
  ['check', '--fix', '--dry-run'],
  ['check', '--fix=default', '--dry-run', '--format', 'json'],
  ['notices'],
  ['notices', '--format', 'markdown'],
  ['notices', '--format', 'json'],
  ['lookup', 'pkg:npm/lodash@1.0.0'],
  ['lookup', 'pkg:npm/lodash@1.0.0', '--json'],
  ...attacks.flatMap((it) => [
    [it],
    ['check', it],
    ['lookup', it],
    ['check', '--format', it],
    ['check', '--exclude', it],
  ]),
];

for (const args of runs) {
  test(`${JSON.stringify(args.join(' '))} prints no command`, async () => {
    const page = () => ({ script: '', style: '' });
    const { out, error } = await runHere(args, folder.path, { baseUrl: service.url, page });
    assert.ok(out + error !== '');
    for (const it of commands) {
      assert.doesNotMatch(out, it);
      assert.doesNotMatch(error, it);
    }
    if (!args.includes('--dry-run')) assert.doesNotMatch(out + error, groups);
    // The data of programs stays exact.
    if (args[0] === 'check' && args.includes('json') && !args.includes('--dry-run')) {
      assert.ok(JSON.parse(out).findings.some((it: { details?: string }) => JSON.stringify(it).includes('##vso[')));
    }
  });
}

test('a patch with lines that a log would act upon says that it cannot be applied', async () => {
  const dry = async (name: string) =>
    (await runHere(['check', '--fix', '--dry-run', name], folder.path, { baseUrl: service.url })).error;
  assert.match(await dry('requirements.txt'), /this patch is for reading only: requirements\.txt/);
  assert.doesNotMatch(await dry('plain/requirements.txt'), /reading only/);
});

test('a report that is written to a file and printed later is no command, either', async () => {
  for (const format of ['table', 'markdown', 'json', 'html']) {
    const args = ['check', '--format', format, '--output', 'report'];
    await runHere(args, folder.path, { baseUrl: service.url });
    for (const it of commands) assert.doesNotMatch(readFileSync(join(folder.path, 'report'), 'utf8'), it);
  }
});

test('the text can still be read, and others stay as they are', () => {
  assert.equal(withoutLogCommands('see ##vso[x]y'), 'see # #vso[x]y');
  assert.equal(withoutLogCommands('a\n  ::error::b'), 'a\n  : :error::b');
  for (const it of ['# Title', '## Title', 'std::vector', 'C## [x]', 'a ::b', ''])
    assert.equal(withoutLogCommands(it), it);
});

test('a cell of a table is neither a formula nor several cells', () => {
  for (const [value, cell] of [
    ['=1+1', "'=1+1"],
    [' +1', "' +1"],
    ['＝1', "'＝1"],
    ['a;=cmd()', '"a;=cmd()"'],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['\t@x', "' @x"],
    ['a\r\nb', 'a b'],
    ['MIT', 'MIT'],
  ] as const)
    assert.equal(csvCell(value), cell);
});
