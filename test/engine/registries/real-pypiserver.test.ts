import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Hover } from 'vscode-languageserver';
import { fileUri } from '../../../server/src/engine/base/uri.ts';
import { startServiceForFile } from '../../harness/file-service.ts';
import { startLsp } from '../../harness/lsp-client.ts';
import { wheelOf } from '../../harness/wheel.ts';
import { folderWith } from '../../terminal/program.ts';
import { freePort } from '../../tools/free-port.ts';
import { start } from '../../tools/processes.ts';
import { pythonPackage } from '../../tools/python-packages.ts';

/*
 * pypiserver, an index that teams run themselves, is asked by the real language server as pip would ask it: with the
 * credential of a person's settings, and never by the public service.
 */
const packages = await pythonPackage('pypiserver[passlib]==2.4.2');
const skip = packages === undefined ? 'Python or pypiserver is missing: not tested here' : false;

test('packages of pypiserver are looked up with the credential of pip', { skip }, async () => {
  const port = await freePort();
  const folder = folderWith({
    // The user anna with the password secret, as SHA-1.
    htpasswd: 'anna:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n',
    'home/.config/pip/pip.conf': `[global]\nindex-url = http://anna:secret@127.0.0.1:${port}/simple/\n`,
    'work/requirements.txt': 'acme-core==1.0.0\nacme-missing==1.0\n',
  });
  after(() => folder.remove());
  mkdirSync(join(folder.path, 'packages'));
  for (const version of ['1.0.0', '1.2.0', '2.0.0rc1']) {
    const wheel = wheelOf('acme_core', version, `Metadata-Version: 2.1\nName: acme-core\nVersion: ${version}\n`);
    writeFileSync(join(folder.path, 'packages', `acme_core-${version}-py3-none-any.whl`), wheel);
  }
  const index = await start(
    {
      name: 'pypiserver',
      command: 'python3',
      args: [
        ...['-m', 'pypiserver', 'run', '-i', '127.0.0.1', '-p', String(port), '--disable-fallback', '-v'],
        ...['-a', 'update,list,download', '-P', join(folder.path, 'htpasswd'), join(folder.path, 'packages')],
      ],
      env: { ...process.env, PYTHONPATH: packages ?? '', PYTHONDONTWRITEBYTECODE: '1' },
    },
    /Listening on|serving/i,
  );
  after(() => index.stop());
  const service = await startServiceForFile({ 'PYPI requests': { versions: ['2.31.0'] } });
  const home = join(folder.path, 'home');
  const root = fileUri(join(folder.path, 'work'));
  const client = await startLsp({
    folder: root,
    person: { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: join(home, '.config'), NO_PROXY: '*' },
    capabilities: { textDocument: { hover: {} } },
    settings: { baseUrl: service.url, privateRegistries: 'ask' },
  });
  after(() => client.stop());
  const uri = `${root}/requirements.txt`;
  await client.open(uri, 'acme-core==1.0.0\nacme-missing==1.0\n');
  const known = await hoverAt(0, 'Update to');
  assert.match(known, /Update to 1\.2\.0 .*latest/);
  assert.match(known, new RegExp(`From 127\\.0\\.0\\.1:${port} `));
  assert.match(await hoverAt(1, 'From'), /^acme-missing is not in 127\.0\.0\.1/m);
  for (const { path, body } of service.requests) assert.doesNotMatch(decodeURIComponent(path + body), /acme/i);

  /** The hover of a line once it says something. */
  async function hoverAt(line: number, something: string): Promise<string> {
    for (;;) {
      const hover = await client.connection.sendRequest<Hover | null>('textDocument/hover', {
        textDocument: { uri },
        position: { line, character: 1 },
      });
      const contents =
        hover && typeof hover.contents === 'object' && 'value' in hover.contents ? hover.contents.value : '';
      const shown = contents.replace(/\\(.)/g, '$1');
      if (shown.includes(something) && !shown.includes('Requesting')) return shown;
    }
  }
});
