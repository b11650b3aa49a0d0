import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { folderWith, runProgram } from './program.ts';

/* A credential is sent to the address that it is for, and is in nothing else, whatever the service does. */

const secret = 'open/sesame+0123456789';
/** The secret as it stands in texts, queries and JSON. */
const forms = [
  secret,
  encodeURIComponent(secret),
  secret.replaceAll('/', '\\/'),
  Buffer.from(secret).toString('base64'),
];

const folder = folderWith({});
after(() => folder.remove());

/** Another host: whatever arrives here was not meant for it. */
const elsewhere: string[] = [];
const other = createServer(({ url, headers }, response) => {
  elsewhere.push(JSON.stringify([url, headers]));
  response.end('{}');
});

type Fault = (request: IncomingMessage, response: ServerResponse) => void;

const json = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

const faults: Readonly<Record<string, Fault>> = {
  echo: ({ url, headers }, response) => json(response, 200, { url, headers, items: [{ events: [{ name: secret }] }] }),
  'echo in an error': ({ url }, response) =>
    json(response, 403, { error: { message: `no access with ${secret} to ${url}` } }, { 'x-token': secret }),
  unauthorized: (_, response) => json(response, 401, { message: `bad credential ${encodeURIComponent(secret)}` }),
  limited: (_, response) => json(response, 429, { message: secret }, { 'retry-after': '1' }),
  broken: ({ url }, response) => response.writeHead(500, { 'content-type': 'text/plain' }).end(`${url} ${secret}`),
  garbage: (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"a": "${secret}" not json`),
  page: ({ url }, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${url}${secret}</p>`),
  redirect: ({ url }, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${portOf(other)}${url}` }).end(),
  'cut off': (request) => request.socket.destroy(),
};

let fault: Fault = () => {};
const received: string[] = [];
const server = createServer((request, response) => {
  received.push(JSON.stringify([request.url, request.headers]));
  fault(request, response);
});
for (const it of [server, other]) await new Promise<void>((resolve) => it.listen(0, '127.0.0.1', resolve));
after(() => {
  for (const it of [server, other]) {
    it.closeAllConnections();
    it.close();
  }
});

function portOf(it: Server): number {
  return (it.address() as AddressInfo).port;
}

const services = ['CODE_HOST', 'LINK_SAFETY', 'TOKEN_AUDIT'];
/** One for each place of a credential: in a header, and in the query under two names. */
const commands = [
  ['call', 'code-host.rateLimit.get'],
  ['call', 'link-safety.threatLists.list'],
  ['audit', '--json', '--all-clients'],
] as const;

for (const [name, behavior] of Object.entries(faults)) {
  test(`a service that answers with “${name}” gets no credential into outputs, files or other hosts`, async () => {
    fault = behavior;
    const cache = join(folder.path, name);
    const environment = Object.fromEntries([
      ['PACKAGE_INSIGHTS_CACHE_DIR', cache],
      ...services.flatMap((it) => [
        [`PACKAGE_INSIGHTS_${it}_URL`, `http://127.0.0.1:${portOf(server)}/api`],
        [`PACKAGE_INSIGHTS_${it}_TOKEN`, secret],
      ]),
    ]);
    const before = received.length;
    const outputs = await Promise.all(commands.map((args) => runProgram(args, folder.path, environment)));
    // It was sent, so it could have leaked.
    assert.ok(received.slice(before).some((it) => forms.some((form) => it.includes(form))));
    const files = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
    assert.ok(files.some((it) => it.name.startsWith('ledger')));
    const texts: [string, string][] = [
      ...outputs.map(({ out, error }, at): [string, string] => [`output ${at}`, out + error]),
      ...files.map((it): [string, string] => [it.name, readFileSync(join(it.parentPath, it.name), 'latin1')]),
    ];
    for (const [where, text] of texts) {
      for (const form of forms) assert.equal(text.includes(form), false, `${where}: ${text.slice(0, 500)}`);
    }
    assert.deepEqual(elsewhere, []);
  });
}

test('the lists of connections and of their use contain no credential', async () => {
  const environment = { PACKAGE_INSIGHTS_CACHE_DIR: join(folder.path, 'echo') };
  const token = { PACKAGE_INSIGHTS_CODE_HOST_URL: 'https://code.example', PACKAGE_INSIGHTS_CODE_HOST_TOKEN: secret };
  for (const args of [['connections'], ['usage', '--format', 'json']]) {
    const { code, out, error } = await runProgram(args, folder.path, { ...environment, ...token });
    assert.equal(code, 0, error);
    for (const form of forms) assert.equal(`${out}${error}`.includes(form), false);
  }
});
