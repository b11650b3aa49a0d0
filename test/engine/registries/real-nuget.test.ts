import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Hover } from 'vscode-languageserver';
import { fileUri } from '../../../server/src/engine/base/uri.ts';
import { positionsIn } from '../../../server/src/engine/formats/text/positions.ts';
import { rowsOf } from '../../../server/src/engine/model/facts.ts';
import { nugetClient } from '../../../server/src/engine/registries/nuget.ts';
import { startServiceForFile } from '../../harness/file-service.ts';
import { startLsp } from '../../harness/lsp-client.ts';
import { folderWith } from '../../terminal/program.ts';
import { freePort } from '../../tools/free-port.ts';
import { npmPackage } from '../../tools/npm-package.ts';
import { start } from '../../tools/processes.ts';
import { anna, questionTo } from './served.ts';

/*
 * A feed of a server of others, nuget-server, which requires a user. It is 320 MB and takes a minute to fetch, so only with
 * REAL_CLIENTS=all.
 */
const skip = process.env['REAL_CLIENTS'] === 'all' ? false : 'REAL_CLIENTS=all';

const packages = `
import sys, zipfile, os
for version, more in [('1.0.0', '<license type="expression">MIT OR Apache-2.0</license>'), ('1.10.0', '<license type="expression">MIT</license>'), ('1.9.0', ''), ('2.0.0-beta.1', '')]:
    folder = os.path.join(sys.argv[1], 'Acme.Secret', version)
    os.makedirs(folder)
    nuspec = '<?xml version="1.0"?><package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd"><metadata><id>Acme.Secret</id><version>%s</version><authors>a</authors><description>d</description><projectUrl>https://acme.example/core</projectUrl>%s</metadata></package>' % (version, more)
    with zipfile.ZipFile(os.path.join(folder, 'Acme.Secret.%s.nupkg' % version), 'w') as it:
        it.writestr('Acme.Secret.nuspec', nuspec)
    open(os.path.join(folder, 'Acme.Secret.nuspec'), 'w').write(nuspec)
`;

test('a feed of another server is read, and shown by ours', { skip }, async (context) => {
  const program = await npmPackage('nuget-server', '1.11.0', { 'typed-message': '1.17.0' });
  if (program === undefined) return context.skip('nuget-server cannot be fetched');
  const salt = 'salt';
  const passwordHash = createHash('sha1').update(`${anna.password}${salt}`).digest('base64');
  const now = new Date().toISOString();
  const secret = { passwordHash, salt, createdAt: now };
  const user = { id: '1', username: anna.user, ...secret, apiPasswords: [{ label: 'test', ...secret }], role: 'read' };
  const port = await freePort('localhost');
  const address = `http://localhost:${port}/v3/index.json`;
  const project =
    '<Project><ItemGroup><PackageReference Include="Acme.Secret" Version="1.0.0" /></ItemGroup></Project>';
  const folder = folderWith({
    'users.json': JSON.stringify([{ ...user, updatedAt: now }]),
    'home/.nuget/NuGet/NuGet.Config': `<configuration><packageSources><add key="own" value="${address}" /></packageSources>
      <packageSourceCredentials><own><add key="Username" value="${anna.user}" /><add key="ClearTextPassword" value="${anna.password}" /></own></packageSourceCredentials></configuration>`,
    'work/app.csproj': project,
  });
  assert.equal(spawnSync('python3', ['-c', packages, join(folder.path, 'packages')]).status, 0);
  const args = [
    ...[join(program, 'dist/cli.mjs'), '-p', `${port}`, '-b', `http://localhost:${port}`, '-d', 'packages'],
    ...['-u', 'users.json', '--auth-mode', 'full'],
  ];
  const feed = await start(
    { name: 'nuget-server', command: process.execPath, args, cwd: folder.path },
    /Fastify server listening/,
  );
  after(async () => {
    await feed.stop();
    folder.remove();
  });

  assert.equal(
    (await nugetClient.list(questionTo('nuget', address, 'Acme.Secret', { stranger: true }))).kind,
    'denied',
  );
  const answer = await nugetClient.list(questionTo('nuget', address, 'Acme.Secret'));
  const { facts, version } = answer.kind === 'found' ? answer.value : assert.fail(JSON.stringify(answer));
  assert.deepEqual(
    rowsOf(facts.versions).map((it) => `${it.version}${it.isDefault ? ' (default)' : ''}`),
    ['1.0.0', '1.9.0', '1.10.0 (default)', '2.0.0-beta.1'],
  );
  assert.deepEqual(version('1.0.0')?.licenses, ['MIT OR Apache-2.0']);
  assert.deepEqual(version('1.10.0')?.links, [{ label: 'HOMEPAGE', url: 'https://acme.example/core' }]);

  const service = await startServiceForFile({ 'NUGET newtonsoft.json': { versions: ['13.0.3'] } });
  const root = fileUri(join(folder.path, 'work'));
  const client = await startLsp({
    folder: root,
    person: { HOME: join(folder.path, 'home'), USERPROFILE: join(folder.path, 'home') },
    capabilities: { textDocument: { hover: {} } },
    settings: { baseUrl: service.url, privateRegistries: 'ask' },
  });
  const uri = `${root}/app.csproj`;
  await client.open(uri, project);
  const position = positionsIn(project).at(project.indexOf('Secret'));
  let shown = 'Requesting';
  while (shown.includes('Requesting')) {
    const hover = await client.connection.sendRequest<Hover | null>('textDocument/hover', {
      textDocument: { uri },
      position,
    });
    shown = JSON.stringify(hover);
  }
  await client.stop();
  assert.match(shown, /MIT OR Apache/);
  for (const { path, body } of service.requests) assert.doesNotMatch(path + body, /secret/i);
});
