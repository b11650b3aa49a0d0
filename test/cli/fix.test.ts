import assert from 'node:assert/strict';
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type StartedService, startService } from '../harness/service.ts';
import { type Folder, folderWith } from './program.ts';
import { runHere } from './terminal.ts';

let service: StartedService;
before(async () => {
  service = await startService({
    'NUGET serilog': { versions: { '1.0.0': { deprecated: 'old' }, '2.0.0': { isDefault: true } } },
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
