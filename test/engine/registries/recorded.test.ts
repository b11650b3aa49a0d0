import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, describe, test } from 'node:test';
import type { Hover } from 'vscode-languageserver';
import { fileUri } from '../../../server/src/engine/base/uri.ts';
import { positionsIn } from '../../../server/src/engine/formats/text/positions.ts';
import { hostName, selfSigned } from '../../harness/certificate.ts';
import { startServiceForFile } from '../../harness/file-service.ts';
import { type LspClient, startLsp } from '../../harness/lsp-client.ts';
import { folderWith } from '../../terminal/program.ts';
import { type Recorded, startRecorder } from './recorder.ts';
import { cargoShapes } from './shapes/cargo.ts';
import { goShapes } from './shapes/go.ts';
import { mavenShapes } from './shapes/maven.ts';
import { npmShapes } from './shapes/npm.ts';
import { nugetShapes } from './shapes/nuget.ts';
import { home, variables } from './shapes/person.ts';
import { pythonShapes } from './shapes/python.ts';
import type { Shape } from './shapes/shape.ts';

/*
 * What the real server sends where: every host but this machine is behind a proxy that writes all requests down. The
 * shapes are folders of one workspace, so that one process serves all.
 */

const shapes: readonly Shape[] = [
  ...npmShapes,
  ...pythonShapes,
  ...mavenShapes,
  ...nugetShapes,
  ...cargoShapes,
  ...goShapes,
];
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

/** They require a token, whether it is theirs or not. */
const needsToken = /^(?:unset-|second-|moved-)?cargo\.acme\.example$|^theft\.example$/;

/** Every host has every package, except those that send requests elsewhere or have none. */
function answer(request: Recorded, response: ServerResponse): void {
  const { host, path, authorization } = request;
  const location = redirects[host] ?? (/^moved-/.test(host) ? `https://elsewhere.acme.example${path}` : undefined);
  const refusal = statusOf(request);
  if (host.startsWith('denied') || (needsToken.test(host) && !authorization)) response.writeHead(401).end();
  else if (location !== undefined) response.writeHead(302, { location }).end();
  else if (refusal !== undefined) response.writeHead(refusal).end();
  else {
    const [, type, text = () => ''] = bodies.find(([pattern]) => pattern.test(path)) ?? [];
    response.writeHead(200, { 'content-type': type });
    response.end(text(path, host));
  }
}

function statusOf({ host, path }: Recorded): number | undefined {
  if (host.startsWith('none-')) return 404;
  if (host === 'go.acme.example' && /secret-(?:second|third)/.test(path)) return 404;
  if (host === 'go.acme.example' && path.includes('secret-refused')) return 400;
  return host === 'second-go.acme.example' && path.includes('secret-third') ? 400 : undefined;
}

/** What a registry has at a path, by the protocol that the path is of. */
const bodies: readonly (readonly [RegExp, string, (path: string, host: string) => string])[] = [
  [
    /\/simple\//,
    'text/html',
    (path) => {
      const name = (path.split('/')[2] ?? '').replaceAll('-', '_');
      return ['1.0', '1.1']
        .map((it) => `<a href="${name}-${it}-py3-none-any.whl">${name}-${it}-py3-none-any.whl</a>`)
        .join('');
    },
  ],
  [
    /\/index\//,
    'text/plain',
    (path) =>
      ['1.0.0', '1.1.0']
        .map((vers) =>
          JSON.stringify({ name: path.split('/').at(-1), vers, deps: [], cksum: '', features: {}, yanked: false }),
        )
        .join('\n'),
  ],
  [/@v\/list$/, 'text/plain', () => 'v1.0.0\nv1.1.0\n'],
  [/@v\/.*\.info$/, 'application/json', () => '{ "Version": "v1.0.0", "Time": "2026-01-01T00:00:00Z" }'],
  [/@v\/.*\.mod$/, 'text/plain', (path) => `module ${path.slice(1, path.indexOf('/@v/'))}\n`],
  [
    /\/maven-metadata\.xml$/,
    'application/xml',
    () =>
      '<metadata><versioning><versions><version>1.0</version><version>1.1</version></versions></versioning></metadata>',
  ],
  [/\.pom$/, 'application/xml', () => '<project><licenses><license><name>MIT</name></license></licenses></project>'],
  [
    /\/v3\/index\.json$/,
    'application/json',
    (_, host) => {
      const registrations = `https://${host.startsWith('split-') ? 'elsewhere.acme.example' : host}/registration/`;
      return JSON.stringify({ resources: [{ '@type': 'RegistrationsBaseUrl/3.6.0', '@id': registrations }] });
    },
  ],
  [
    /^\/registration\//,
    'application/json',
    () => {
      const items = ['1.0.0', '1.1.0'].map((version) => ({ catalogEntry: { version, licenseExpression: 'MIT' } }));
      return JSON.stringify({ items: [{ items }] });
    },
  ],
  [
    /(?:)/,
    'application/json',
    (path) => {
      const name = decodeURIComponent(path.replace(/^.*\/(?=@)/, ''));
      const version = { name, version: '1.0.0', license: 'MIT' };
      return JSON.stringify({ name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } });
    },
  ],
];

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

/** The requests of a shape, each host and credential once. Shapes before it may still ask about other versions. */
function askedSince(from: number, at = 0): readonly string[] {
  const earlier = new Set(shapes.slice(0, at).flatMap(namesOf));
  const own = namesOf(shapes[at]);
  const all = upstream.recorded.slice(from).filter(({ path }) => {
    const has = (name: string): boolean => decodeURIComponent(path).includes(name);
    return own.some(has) || ![...earlier].some(has);
  });
  for (const it of all) assert.equal(it.method, 'GET');
  return [...new Set(all.map((it) => [it.host, it.authorization].filter((part) => part).join(' ')))].sort();
}

/** `@secret-home/a`, `acme.example/secret` */
function namesOf(shape: Shape | undefined): readonly string[] {
  return Object.values(shape?.files ?? {})[0]?.match(/[\w@./-]*secret[\w/-]*/g) ?? [];
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
      assert.deepEqual(askedSince(from, at), shape.asked);
      holdNothingTold();
    });
  }
  test('a credential that is not accepted is sent once', () => {
    for (const host of ['denied.acme.example', 'denied-pypi.acme.example', 'denied-cargo.acme.example']) {
      assert.equal(upstream.recorded.filter((it) => it.host === host).length, 1, host);
    }
  });
});

test('in a workspace that is not trusted, only registries that the person names are asked', async (context) => {
  const client = await startServer({ privateRegistries: 'ask', isTrusted: false });
  context.after(() => client.stop());
  for (const [at, shape] of shapes.entries()) {
    const from = upstream.recorded.length;
    const isOfPerson = !shape.isOfWorkspace && Object.keys(shape.files).length === 1;
    const shown = await hoverOf(client, shape, at);
    assert.ok(shown.includes(isOfPerson ? shape.hover : 'Not looked up'), shown);
    assert.deepEqual(askedSince(from, at), isOfPerson ? shape.asked : []);
  }
  holdNothingTold();
});

for (const privateRegistries of ['off', 'Ask', true, undefined]) {
  test(`nothing is sent with the setting ${privateRegistries}`, async (context) => {
    const client = await startServer({ privateRegistries });
    context.after(() => client.stop());
    const from = upstream.recorded.length;
    for (const [at, shape] of shapes.entries()) await hoverOf(client, shape, at);
    assert.deepEqual(askedSince(from), []);
    holdNothingTold();
  });
}

test('what is shown is removed and dropped once the setting is off, and asked for anew once it is on', async (context) => {
  let privateRegistries = 'ask';
  const current = (): object => ({ baseUrl: service.url, privateRegistries });
  const client = await startLsp({
    folder: root,
    person: environment,
    capabilities: { textDocument: { hover: {} }, workspace: { configuration: true } },
    settings: current(),
    answers: {
      'workspace/configuration': (asked) => (asked as { items: readonly unknown[] }).items.map(() => current()),
    },
  });
  context.after(() => client.stop());
  const at = shapes.findIndex((it) => it.asked.length === 1);
  const shape = shapes[at] ?? assert.fail();
  for (const [setting, isShown] of [
    ['ask', true],
    ['off', false],
    ['ask', true],
    ['Ask', false],
  ] as const) {
    privateRegistries = setting;
    const from = upstream.recorded.length;
    await client.connection.sendNotification('workspace/didChangeConfiguration', {
      settings: { packageInsights: current() },
    });
    for (;;) {
      const shown = await hoverOf(client, shape, at);
      if (shown.includes(shape.hover) === isShown) break;
    }
    assert.deepEqual(askedSince(from), isShown ? shape.asked : [], setting);
  }
  holdNothingTold();
});
