import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, describe, test } from 'node:test';
import type { Hover } from 'vscode-languageserver';
import { fileUri } from '../../server/src/base/uri.ts';
import { positionsIn } from '../../server/src/formats/text/positions.ts';
import { folderWith } from '../cli/program.ts';
import { hostName, selfSigned } from '../harness/certificate.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import { type LspClient, startLsp } from '../harness/lsp-client.ts';
import { type Recorded, startRecorder } from './recorder.ts';
import { home, type Shape, shapes, variables } from './shapes.ts';

/*
 * What the real server sends where: every host but this machine is behind a proxy that writes all requests down. The
 * shapes are folders of one workspace, so that one process serves all.
 */

const service = await startServiceForFile({ 'NPM lodash': { versions: ['4.17.21'] } });
const hosts = ['*.acme.example', 'taken.example', 'theft.example', '*.theft.example', 'metadata.google.internal'];
const certificate = selfSigned('recorder', hosts.map(hostName));
const upstream = await startRecorder(certificate, answer);
const folder = folderWith({
  'ca.pem': certificate.cert,
  ...Object.fromEntries(Object.entries(home).map(([path, text]) => [`home/${path}`, text])),
  ...Object.fromEntries(
    shapes.flatMap(({ files }, at) => Object.entries(files).map(([path, text]) => [`work/shape${at}/${path}`, text])),
  ),
});
const root = fileUri(`${folder.path}/work`);
const environment = {
  HOME: `${folder.path}/home`,
  USERPROFILE: `${folder.path}/home`,
  NODE_EXTRA_CA_CERTS: `${folder.path}/ca.pem`,
  HTTP_PROXY: upstream.url,
  HTTPS_PROXY: upstream.url,
  NO_PROXY: new URL(service.url).host,
  ...variables,
};

after(async () => {
  await upstream.close();
  folder.remove();
});

const redirects: Readonly<Record<string, string>> = {
  'moved.acme.example': 'https://elsewhere.acme.example/@secret-moved%2fa',
  'down.acme.example': 'http://down.acme.example/@secret-down%2fa',
  'inside.acme.example': 'https://169.254.169.254/latest',
  'circle.acme.example': 'https://circle.acme.example/@secret-circle%2fa',
};

/** They ask for a token, whether it is theirs or not. */
const needsToken = new Set(['cargo.acme.example', 'theft.example']);

/** Every host has every package, except those that send requests elsewhere. */
function answer({ host, path, authorization }: Recorded, response: ServerResponse): void {
  const location = redirects[host];
  if (location !== undefined) response.writeHead(302, { location }).end();
  else if (host === 'denied.acme.example' || (needsToken.has(host) && !authorization)) response.writeHead(401).end();
  else {
    const name = decodeURIComponent(path.replace(/^.*\/(?=@)/, ''));
    const version = { name, version: '1.0.0', license: 'MIT' };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }));
  }
}

async function startServer(settings: object): Promise<LspClient> {
  return startLsp({
    folder: root,
    person: environment,
    capabilities: { textDocument: { hover: {} } },
    settings: { baseUrl: service.url, ...settings },
  });
}

/** The hover of the private package of a shape. */
async function hoverOf(client: LspClient, { files }: Shape, at: number): Promise<string> {
  const [[name, text] = ['', '']] = Object.entries(files);
  const uri = `${root}/shape${at}/${name}`;
  await client.open(uri, text);
  const position = positionsIn(text).at(text.indexOf('secret') + 1);
  for (;;) {
    const hover = await client.connection.sendRequest<Hover | null>('textDocument/hover', {
      textDocument: { uri },
      position,
    });
    const contents =
      hover && typeof hover.contents === 'object' && 'value' in hover.contents ? hover.contents.value : '';
    const shown = contents.replace(/\\(.)/g, '$1');
    if (!shown.includes('Requesting')) return shown;
  }
}

/** The requests of a shape, each host and credential once. */
function askedSince(from: number): readonly string[] {
  const all = upstream.recorded.slice(from);
  for (const it of all) assert.equal(it.method, 'GET');
  return [...new Set(all.map((it) => [it.host, it.authorization].filter((part) => part).join(' ')))].sort();
}

function holdNothingTold(): void {
  for (const { path, body } of service.requests) assert.doesNotMatch(decodeURIComponent(path + body), /secret/i);
}

describe('with private registries asked', async () => {
  const client = await startServer({ privateRegistries: 'ask' });
  after(() => client.stop());
  for (const [at, shape] of shapes.entries()) {
    test(shape.title, async () => {
      const from = upstream.recorded.length;
      const shown = await hoverOf(client, shape, at);
      assert.ok(shown.includes(shape.hover), shown);
      assert.deepEqual(askedSince(from), shape.asked);
      holdNothingTold();
    });
  }
  test('a credential that is not accepted is sent once', () => {
    const denied = upstream.recorded.filter((it) => it.host === 'denied.acme.example');
    assert.equal(denied.length, 1);
  });
});

test('in a workspace that is not trusted, only registries that the person names are asked', async () => {
  const client = await startServer({ privateRegistries: 'ask', isTrusted: false });
  for (const [at, shape] of shapes.entries()) {
    const from = upstream.recorded.length;
    const isOfPerson = !shape.isOfWorkspace && Object.keys(shape.files).length === 1;
    const shown = await hoverOf(client, shape, at);
    assert.ok(shown.includes(isOfPerson ? shape.hover : 'Not looked up'), shown);
    assert.deepEqual(askedSince(from), isOfPerson ? shape.asked : []);
  }
  holdNothingTold();
  await client.stop();
});

for (const privateRegistries of ['off', 'Ask', true, undefined]) {
  test(`nothing is sent with the setting ${privateRegistries}`, async () => {
    const client = await startServer({ privateRegistries });
    const from = upstream.recorded.length;
    for (const [at, shape] of shapes.entries()) await hoverOf(client, shape, at);
    assert.deepEqual(askedSince(from), []);
    holdNothingTold();
    await client.stop();
  });
}
