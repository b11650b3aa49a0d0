import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { systemClock } from '../../../server/src/platform/clock.ts';
import { startServiceForFile } from '../../harness/file-service.ts';
import { startService } from '../../harness/service.ts';
import { folderWith } from '../../terminal/program.ts';
import { runHere } from '../../terminal/terminal.ts';

const files = {
  'package.json': '{ "dependencies": { "express": "^4.17.0" } }',
  'package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { express: '^4.17.0' } },
      'node_modules/express': { version: '4.17.0', dependencies: { qs: '*', git: '*', unheard: '*' } },
      'node_modules/qs': { version: '6.11.0' },
      'node_modules/git': { version: '1.0.0', resolved: 'git+ssh://git@git.acme.example/secret.git#abc' },
      'node_modules/unheard': { version: '1.0.0' },
    },
  }),
};
const service = await startServiceForFile({
  'NPM express': { versions: ['4.17.0'] },
  'NPM qs': { versions: ['6.11.0'] },
});

test('what was not checked below is counted in the summary and the numbers of a check', async () => {
  const folder = folderWith(files);
  const { out, code } = await runHere(['check', 'package.json', '--base-url', service.url], folder.path);
  const { out: json } = await runHere(
    ['check', 'package.json', '--format', 'json', '--base-url', service.url],
    folder.path,
  );
  const { out: cyclonedx } = await runHere(
    ['check', 'package.json', '--format', 'cyclonedx', '--base-url', service.url],
    folder.path,
  );
  folder.remove();
  assert.match(out, /2 of 3 that dependencies bring not checked \(1 private or from no registry, 1 unknown to the/);
  assert.equal(code, 2);
  assert.deepEqual(JSON.parse(json).coverage.below, { total: 3, withheld: 1, elsewhere: 1, unknown: 1, failed: 0 });
  assert.match(cyclonedx, /"package-insights:coverage:below:withheld"/);
});

const faults: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'an error': (response) => response.writeHead(500).end(),
  'no answer': () => {},
  'no JSON': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('<html>'),
  'other JSON': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"responses":5}'),
  'a wait': (response) => response.writeHead(429, { 'retry-after': '5' }).end(),
  'a closed connection': (response) => response.destroy(),
};

for (const [title, answer] of Object.entries(faults)) {
  test(`a check whose lookups below get ${title} is incomplete`, async () => {
    const relay = createServer(async (request, response) => {
      const body = await text(request);
      if (body.includes('"qs"')) return answer(response);
      const { method = 'GET', url = '/' } = request;
      const sent = await fetch(`${service.url}${url}`, method === 'POST' ? { method, body } : {});
      response.writeHead(sent.status, { 'content-type': 'application/json' }).end(await sent.text());
    });
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
    const folder = folderWith(files);
    const { out, error, code } = await runHere(
      ['check', 'package.json', '--timeout', '2', '--base-url', url],
      folder.path,
      { clock: systemClock },
    );
    folder.remove();
    relay.closeAllConnections();
    relay.close();
    assert.match(out, /^Incomplete: /m);
    assert.match(out, /3 of 3 that dependencies bring not checked \(1 private or from no registry, 2 failed\)/);
    assert.match(error, /lookups failed: /);
    assert.equal(code, 2);
  });
}

test('a version that the lockfile has for another framework is checked, too', async () => {
  const nuget = await startService({
    'NUGET serilog': { versions: ['2.0.0', '3.1.1'] },
    'advisory GHSA-serilog': {
      cvss3Score: 7.5,
      affected: [{ system: 'NUGET', name: 'serilog', ranges: [{ introduced: '0', fixed: '3.0.0' }] }],
    },
  });
  const direct = (resolved: string) => ({ Serilog: { type: 'Direct', requested: '[2.0.0, )', resolved } });
  const folder = folderWith({
    'app.csproj': `<Project><PropertyGroup><TargetFrameworks>net8.0;net472</TargetFrameworks></PropertyGroup>
      <ItemGroup><PackageReference Include="Serilog" Version="[2.0.0,4.0.0)" /></ItemGroup></Project>`,
    // Source: the documentation of NuGet: the versions of each framework are locked by themselves.
    'packages.lock.json': JSON.stringify({
      version: 1,
      dependencies: { 'net8.0': direct('3.1.1'), '.NETFramework,Version=v4.7.2': direct('2.0.0') },
    }),
  });
  const args = ['check', 'app.csproj', '--base-url', nuget.url];
  const { out, error, code } = await runHere(args, folder.path);
  folder.remove();
  await nuget.close();
  assert.match(out, /^Serilog 2\.0\.0 .*\n.* when '\$\(TargetFramework\)' == 'net472'$/m);
  assert.match(out, /1 dependency in 1 manifest checked: 1 finding/);
  assert.doesNotMatch(error, /failed|no answer/);
  assert.equal(code, 1);
});
