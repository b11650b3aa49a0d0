import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { fileUri } from '../../../server/src/engine/base/uri.ts';
import { positionsIn } from '../../../server/src/engine/formats/text/positions.ts';
import { hostName, selfSigned } from '../../harness/certificate.ts';
import { forms, secret } from '../../harness/faulty-service.ts';
import { startServiceForFile } from '../../harness/file-service.ts';
import { startLsp } from '../../harness/lsp-client.ts';
import { type Ended, folderWith, runProgram } from '../../terminal/program.ts';
import { type Recorded, startRecorder } from './recorder.ts';

/*
 * Credentials of private registries go to their registries, and are in nothing else; names of private packages are in no
 * file and go to nothing else. Each registry answers in another wrong way, and most repeat what they were sent.
 */

const texts = `<b>x</b>[x](command:evil) \u001b[31mred\u001b]8;;https://evil.example\u0007 \u202e${'`'.repeat(3)}`;
const json = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};
const packument = (version: object): object => ({
  'dist-tags': { latest: '1.2.0' },
  versions: { '1.0.0': version, '1.2.0': version, [`1.1.0${texts}`]: version },
});

/** What the registry of a scope answers. `own`: the decoded credential, as it was sent. */
const answers: Readonly<Record<string, (response: ServerResponse, sent: string) => void>> = {
  fine: (response) => json(response, 200, packument({ license: 'MIT' })),
  denied: (response, sent) => json(response, 401, { error: sent }, { 'www-authenticate': sent }),
  forbidden: (response, sent) => json(response, 403, { error: sent }),
  proxied: (response, sent) => json(response, 407, { error: sent }, { 'proxy-authenticate': `Basic realm="${sent}"` }),
  broken: (response, sent) => response.writeHead(500, sent.slice(0, 20)).end(sent),
  text: (response, sent) => response.writeHead(200).end(`${sent}{`),
  page: (response, sent) => response.writeHead(200, { 'content-type': 'text/html' }).end(`<html>${sent}</html>`),
  gzip: (response, sent) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(sent),
  other: (response, sent) => response.writeHead(200, { 'content-encoding': sent.slice(-10) }).end(sent),
  wait: (response) => json(response, 429, {}, { 'retry-after': '999999999' }),
  user: (response) => response.writeHead(302, { location: 'https://u:p@hop.acme.example/' }).end(),
  host: (response) => response.writeHead(302, { location: '//hop.acme.example/x' }).end(),
  dot: (response) => response.writeHead(307, { location: 'https://dot.acme.example./x' }).end(),
  upper: (response) => response.writeHead(308, { location: 'HTTPS://HOP.ACME.EXAMPLE/x' }).end(),
  port: (response) => response.writeHead(302, { location: 'https://port.acme.example:8443/x' }).end(),
  scheme: (response) => response.writeHead(302, { location: 'http://scheme.acme.example/x' }).end(),
  below: (response) => response.writeHead(302, { location: 'https://a.below.acme.example/x' }).end(),
  script: (response) => response.writeHead(302, { location: 'javascript:alert(1)' }).end(),
  decimal: (response) => response.writeHead(302, { location: 'https://2130706433/x' }).end(),
  octal: (response) => response.writeHead(302, { location: 'https://0177.0.0.1/x' }).end(),
  mapped: (response) => response.writeHead(302, { location: 'https://[::ffff:7f00:1]/x' }).end(),
  link: (response) => response.writeHead(302, { location: 'https://[fe80::1]/x' }).end(),
  local: (response) => response.writeHead(302, { location: 'https://LOCALHOST./x' }).end(),
  proto: (response) =>
    response.end('{"__proto__":{"versions":{}},"versions":{"__proto__":{"version":"1"},"1.0.0":{"license":[1,{}]}}}'),
  types: (response) =>
    json(response, 200, { versions: { '1.0.0': { license: 1, deprecated: {}, bugs: [] } }, time: 1 }),
  hostile: (response) =>
    json(
      response,
      200,
      packument({
        license: texts,
        deprecated: texts,
        homepage: 'command:evil',
        bugs: `https://x.example/${texts}`,
        repository: 'javascript:alert(1)',
      }),
    ),
};

const scopes = Object.keys(answers);
const service = await startServiceForFile({ 'NPM lodash': { versions: ['4.17.21'] } });
const certificate = selfSigned(
  'secrets',
  ['*.acme.example', '*.below.acme.example', 'dot.acme.example.'].map(hostName),
);
const upstream = await startRecorder(certificate, answer);

function answer({ host, authorization = '' }: Recorded, response: ServerResponse): void {
  const wrong = host.split('.').length === 3 ? answers[host.replace(/\..*$/, '')] : undefined;
  if (wrong) wrong(response, authorization);
  else response.writeHead(404).end();
}

const text = JSON.stringify(
  { dependencies: Object.fromEntries(scopes.map((it) => [`@hidden-${it}/core`, '^1.0.0'])) },
  null,
  1,
);
const folder = folderWith({
  'ca.pem': certificate.cert,
  'home/.npmrc': scopes
    .map((it) => `@hidden-${it}:registry=https://${it}.acme.example/\n//${it}.acme.example/:_authToken=${secret}\n`)
    .join(''),
  'work/package.json': text,
  'cache/empty': '',
});
const person = {
  HOME: `${folder.path}/home`,
  USERPROFILE: `${folder.path}/home`,
  NODE_EXTRA_CA_CERTS: `${folder.path}/ca.pem`,
  HTTP_PROXY: upstream.url,
  HTTPS_PROXY: upstream.url,
  NO_PROXY: new URL(service.url).host,
  PACKAGE_INSIGHTS_CACHE_DIR: `${folder.path}/cache`,
};

after(async () => {
  await upstream.close();
  folder.remove();
});

const protocol = 'protocol and log';
const outputs = new Map<string, string>();
let hovers = '';

before(async () => {
  const bytes: Buffer[] = [];
  const root = fileUri(`${folder.path}/work`);
  const client = await startLsp({
    folder: root,
    person,
    capabilities: { textDocument: { hover: { contentFormat: ['markdown'] } } },
    settings: { baseUrl: service.url, privateRegistries: 'ask', trace: { server: 'verbose' }, logLevel: 'trace' },
    onBytes: (it) => bytes.push(Buffer.from(it)),
  });
  const uri = `${root}/package.json`;
  await client.open(uri, text);
  for (const scope of scopes) {
    const position = positionsIn(text).at(text.indexOf(`@hidden-${scope}/`) + 2);
    for (;;) {
      const found = await client.connection.sendRequest<{ contents: { value: string } } | null>('textDocument/hover', {
        textDocument: { uri },
        position,
      });
      const shown = JSON.stringify(found);
      if (shown.includes('Requesting')) continue;
      hovers += `${found?.contents.value}\n`;
      break;
    }
  }
  const whole = { start: { line: 0, character: 0 }, end: positionsIn(text).at(text.length) };
  for (const [method, more] of [
    ['textDocument/codeAction', { range: whole, context: { diagnostics: [] } }],
    ['textDocument/inlayHint', { range: whole }],
    ['textDocument/documentLink', {}],
    ['textDocument/diagnostic', {}],
    ['packageInsights/status', {}],
    ['packageInsights/network', {}],
    ['packageInsights/report', {}],
  ] as const) {
    await client.connection.sendRequest(method, { textDocument: { uri }, ...more }).catch(() => undefined);
  }
  await client.stop();
  outputs.set(protocol, Buffer.concat(bytes).toString('latin1'));
  const ended = async (...args: string[]): Promise<Ended> =>
    runProgram([...args, '--ask-private-registries'], `${folder.path}/work`, {
      ...person,
      PACKAGE_INSIGHTS_BASE_URL: service.url,
      NODE_DEBUG: '',
    });
  const runs = [...['json', 'sarif', 'html', 'markdown'].map((it) => ['--format', it]), ['--verbose']];
  await Promise.all(
    runs.map(async (options) => {
      const { out, error } = await ended('check', ...options);
      outputs.set(options.join(' '), out + error);
    }),
  );
});

test('the credential of each registry goes to this registry, and is in no output and no file', () => {
  for (const [name, output] of outputs) {
    assert.ok(output.length > 100, `${name}: ${output}`);
    for (const form of forms) assert.equal(output.includes(form), false, name);
  }
  for (const { host, authorization } of upstream.recorded) {
    const isOwn = scopes.some((it) => host === `${it}.acme.example`);
    assert.equal(authorization, isOwn ? `Bearer ${secret}` : undefined, host);
  }
  for (const [name, content] of filesIn(`${folder.path}/cache`)) {
    for (const form of forms) assert.equal(content.includes(form), false, name);
  }
});

test('the name of a private package is in no file, and goes to no other host', () => {
  for (const [name, content] of filesIn(`${folder.path}/cache`)) assert.doesNotMatch(content, /hidden-/, name);
  for (const { path, body } of service.requests) assert.doesNotMatch(decodeURIComponent(path + body), /hidden-/);
});

test('redirects lead to no other scheme, to no user and not to this machine', () => {
  const hosts = new Set(upstream.recorded.map((it) => it.host));
  for (const it of scopes) hosts.delete(`${it}.acme.example`);
  assert.deepEqual([...hosts].sort(), [
    'a.below.acme.example',
    'dot.acme.example.',
    'hop.acme.example',
    'port.acme.example:8443',
  ]);
});

test('texts of a registry control neither the hover nor the terminal', () => {
  assert.doesNotMatch(hovers, /(?<!\\)\]\(command:evil|\(javascript:|(?<!\\)<b>x/);
  for (const line of hovers.split('\n')) assert.doesNotMatch(line, /[\p{Cc}\u202e]/u);
  for (const [name, output] of outputs) {
    if (name === protocol) continue;
    for (const line of stripVTControlCharacters(output).split(/[\n\t]/)) assert.doesNotMatch(line, /\p{Cc}/u, name);
  }
});

function filesIn(path: string): [name: string, content: string][] {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
  return files.map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'latin1')]);
}
