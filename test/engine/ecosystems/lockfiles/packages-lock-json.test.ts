import assert from 'node:assert/strict';
import { test } from 'node:test';
import { msbuildProject } from '../../../../server/src/engine/ecosystems/nuget/msbuild.ts';
import { packagesLockJson } from '../../../../server/src/engine/ecosystems/nuget/packages-lock-json.ts';
import { projectAssets } from '../../../../server/src/engine/ecosystems/nuget/project-assets.ts';

const lock = JSON.stringify({
  version: 1,
  dependencies: {
    'net8.0': {
      Serilog: { type: 'Direct', requested: '[3.1.1, )', resolved: '3.1.1', contentHash: 'x' },
      'Newtonsoft.Json': { type: 'Direct', requested: '[13.0.1, )', resolved: '13.0.3' },
      'System.Memory': { type: 'Transitive', resolved: '4.5.5' },
      Core: { type: 'Project' },
    },
    'net8.0/win-x64': {},
    '.NETFramework,Version=v4.7.2': {
      Serilog: { type: 'Direct', requested: '[2.12.0, )', resolved: '2.12.0' },
      'System.Memory': { type: 'Direct', resolved: '4.5.4' },
    },
    '.NETStandard,Version=v2.0': { Serilog: { type: 'Direct', resolved: '2.0.0' } },
    '.NETCoreApp,Version=v3.1': { Serilog: { type: 'Direct', resolved: '2.1.0' } },
  },
});

/** What the lockfile says of every package of a project, in the order of the text. */
function locked(items: string, text = lock, importer = '', format = packagesLockJson): (string | undefined)[] {
  const read = format.parse(text);
  const project = `<Project><ItemGroup>${items}</ItemGroup></Project>`;
  return msbuildProject.parse(project).dependencies.map((it) => read.locked(it, importer));
}

const item = (name: string, condition = '') => `<PackageReference Include="${name}" Version="1.0" ${condition} />`;
const framework = (name: string) => `Condition="'$(TargetFramework)' == '${name}'"`;

test('what a project asks for is found in any case, what others bring along is not', () => {
  assert.deepEqual(locked(item('serilog') + item('newtonsoft.json')), ['3.1.1', '13.0.3']);
  assert.deepEqual(locked(item('Core') + item('Missing')), [undefined, undefined]);
});

test('a condition says which framework is meant, however the lockfile spells it', () => {
  const frameworks = ['net8.0', 'net472', 'netstandard2.0', 'netcoreapp3.1', 'net9.0'];
  const items = frameworks.map((it) => item('Serilog', framework(it))).join('');
  assert.deepEqual(locked(items), ['3.1.1', '2.12.0', '2.0.0', '2.1.0', '3.1.1']);
  assert.deepEqual(locked(item('System.Memory')), ['4.5.4']);
});

test('a project in another directory is not served', () => {
  assert.deepEqual(locked(item('Serilog'), lock, 'src/App'), [undefined]);
});

test('a broken file gives what can be read', () => {
  const pretty = JSON.stringify(JSON.parse(lock), undefined, 2);
  const cut = pretty.slice(0, pretty.indexOf('System.Memory'));
  assert.deepEqual(locked(item('Serilog'), cut), ['3.1.1']);
  for (const text of [
    '',
    '[]',
    '{"dependencies":[]}',
    '{"dependencies":{"net8.0":{"Serilog":null}}}',
    '{"dependencies":{"net8.0":null}}',
    '['.repeat(9999),
  ]) {
    assert.deepEqual(locked(item('Serilog'), text), [undefined]);
  }
});

test('without a lockfile the last restore says the versions', () => {
  const assets = JSON.stringify({
    version: 3,
    targets: {
      'net8.0': {
        'Serilog/3.1.1': { type: 'package', compile: {} },
        'Core/1.0.0': { type: 'project' },
        broken: { type: 'package' },
      },
      '.NETFramework,Version=v4.7.2/win-x64': { 'Serilog/2.12.0': { type: 'package' } },
    },
  });
  const items = item('Serilog') + item('Serilog', framework('net472')) + item('Core') + item('broken');
  assert.deepEqual(locked(items, assets, '', projectAssets), ['3.1.1', '2.12.0', undefined, undefined]);
  assert.deepEqual(locked(items, assets, 'src', projectAssets), Array(4).fill(undefined));
  assert.deepEqual(locked(item('Serilog'), '{"targets":[]}', '', projectAssets), [undefined]);
});

test('of frameworks without number or end only what a project could have is looked for', () => {
  const serilog = { Serilog: { type: 'Direct', resolved: '1.0.0' } };
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`net${at}`, at === 100 ? serilog : {}]));
  const long = { [`net${'8'.repeat(100)}`]: serilog };
  for (const dependencies of [many, long]) {
    assert.deepEqual(locked(item('Serilog'), JSON.stringify({ dependencies })), [undefined]);
  }
});
