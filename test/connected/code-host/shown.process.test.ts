import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { Ajv } from 'ajv';
import type { Hover, MarkupContent } from 'vscode-languageserver';
import { type StartedCodeHost, startCodeHost } from '../../harness/code-host.ts';
import { type LspClient, startLsp } from '../../harness/lsp-client.ts';
import { type InlineCatalog, type StartedService, startService } from '../../harness/service.ts';
import { folderWith, runProgram } from '../../terminal/program.ts';

const source = (id: string) => ({
  relatedProjects: [
    {
      projectKey: { id: `code.example/${id}` },
      relationProvenance: 'UNVERIFIED_METADATA',
      relationType: 'SOURCE_REPO',
    },
  ],
});
const catalog = {
  'NPM request': { versions: ['2.88.2'], shared: { licenses: ['MIT'], ...source('request/request') } },
  'NPM lodash': { versions: ['4.17.21'], shared: { licenses: ['MIT'], ...source('lodash/lodash') } },
  'NPM elsewhere': {
    versions: ['1.0.0'],
    shared: { links: [{ label: 'SOURCE_REPO', url: 'https://other.example/a/b' }] },
  },
} as unknown as InlineCatalog;
const repositories = [
  {
    id: 1,
    fullName: 'request/request',
    archived: true,
    pushedAt: '2020-02-11T00:00:00Z',
    openIssues: 128,
    license: 'Apache-2.0',
  },
  { id: 2, fullName: 'lodash/lodash', pushedAt: '2026-01-01T00:00:00Z', openIssues: 1, license: 'MIT' },
];
const manifest = '{ "dependencies": {\n"request": "2.88.2",\n"lodash": "4.17.21",\n"elsewhere": "1.0.0" } }\n';
const uri = 'file:///w/package.json';

const line =
  'Repository [request/request](https://code.example/request/request) (code.example, claimed by the package): archived · last push 2020-02-11 · 128 open issues · license there: Apache-2.0';
const finding =
  'Source repository archived: code.example/request/request (claimed by the package), last push 2020-02-11.';

async function both<T>(work: (service: StartedService, host: StartedCodeHost) => Promise<T>): Promise<T> {
  const [service, host] = [await startService(catalog), await startCodeHost(repositories)];
  try {
    return await work(service, host);
  } finally {
    await service.close();
    await host.close();
  }
}

function environment(host: StartedCodeHost, token?: string): Record<string, string> {
  return {
    PACKAGE_INSIGHTS_CODE_HOST_URL: host.baseUrl,
    ...(token !== undefined && { PACKAGE_INSIGHTS_CODE_HOST_TOKEN: token }),
  };
}

const schema = join(import.meta.dirname, '..', '..', '..', 'docs', 'report.schema.json');
const validate = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(readFileSync(schema, 'utf8')));

const clients: LspClient[] = [];
afterEach(async () => {
  for (const it of clients.splice(0)) await it.stop();
});

interface Subjects {
  readonly subjects: readonly { readonly name: string; readonly repository?: string; readonly isArchived?: true }[];
}

/** The hover of the dependency on a line. */
async function hoverOn(line: number, given: { readonly url: string; readonly env: Record<string, string> }) {
  const client = await startLsp({
    settings: { baseUrl: given.url },
    env: { PATH: process.env['PATH'], ...given.env },
    capabilities: { textDocument: { hover: { contentFormat: ['markdown'] } } },
  });
  clients.push(client);
  await client.open(uri, manifest);
  const hover = async (): Promise<string> => {
    const found: Hover = await client.connection.sendRequest('textDocument/hover', {
      textDocument: { uri },
      position: { line, character: 3 },
    });
    return (found.contents as MarkupContent).value;
  };
  return { client, hover };
}

/** What a hover shows once it contains a text; the last one if it never does. */
async function untilShown(hover: () => Promise<string>, text: string): Promise<string> {
  let last = '';
  for (let turn = 0; turn < 100 && !last.includes(text); turn++) {
    last = await hover();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return last;
}

test('a hover shows the repository, and an archived one is a finding', () =>
  both(async ({ url }, host) => {
    const { client, hover } = await hoverOn(1, { url, env: environment(host, 'good') });
    const shown = await untilShown(hover, 'last push');
    assert.ok(shown.replaceAll('\\', '').includes(line), shown);
    const pushed = await client.pushedUntil(uri, (all) => all.some((it) => it.code === 'archived'));
    const [archived] = pushed.filter((it) => it.code === 'archived');
    assert.deepEqual([archived?.message, archived?.severity], [`request 2.88.2: ${finding}`, 3]);
    const { subjects } = await client.connection.sendRequest<Subjects>('packageInsights/subjects', {
      textDocument: { uri },
    });
    assert.deepEqual(
      subjects.map(({ name, repository = '', isArchived }) => [name, repository.slice(0, 40), isArchived]),
      [
        ['request', 'request/request (claimed by the package)', true],
        ['lodash', 'lodash/lodash (claimed by the package): ', undefined],
        ['elsewhere', '', undefined],
      ],
    );
    assert.deepEqual(host.seen.toSorted(), [
      '/code.example/repos/lodash/lodash',
      '/code.example/repos/request/request',
    ]);
  }));

test('without a credential, the hover alone requests a repository', () =>
  both(async ({ url }, host) => {
    const { hover } = await hoverOn(2, { url, env: environment(host) });
    const shown = await untilShown(hover, '1 open issue');
    assert.match(shown.replaceAll('\\', ''), /last push 2026-01-01 · 1 open issue$/m);
    assert.deepEqual(host.seen, ['/code.example/repos/lodash/lodash']);
  }));

test('without a connection there is no word of a repository', () =>
  both(async ({ url }, host) => {
    const { hover } = await hoverOn(1, { url, env: {} });
    const shown = await untilShown(hover, 'License MIT');
    assert.doesNotMatch(shown, /Repository|archived/);
    assert.deepEqual(host.seen, []);
  }));

test('check reports archived repositories if the environment connects a code host with a token', () =>
  both(async ({ url }, host) => {
    const folder = folderWith({ 'package.json': manifest });
    try {
      const args = ['check', '--base-url', url, '--format', 'json'];
      const { out, code } = await runProgram(args, folder.path, environment(host, 'good'));
      const report = JSON.parse(out);
      const found = report.findings.map((it: { code: string; message: string }) => [it.code, it.message]);
      assert.deepEqual(found, [['archived', `request 2.88.2: ${finding}`]]);
      assert.equal(code, 0);
      assert.equal(host.seen.length, 2);
      const packages = report.packages.map((it: { name: string; repository?: object }) => [it.name, it.repository]);
      const { elsewhere, request } = Object.fromEntries(packages);
      assert.equal(elsewhere, undefined);
      const { at, ...repository } = request;
      assert.ok(Date.parse(at) > 0);
      assert.deepEqual(repository, {
        name: 'request/request',
        url: 'https://code.example/request/request',
        provenance: 'UNVERIFIED_METADATA',
        archived: true,
        disabled: false,
        pushed: '2020-02-11T00:00:00.000Z',
        openIssues: 128,
        license: 'Apache-2.0',
        text: 'request/request (claimed by the package): archived · last push 2020-02-11 · 128 open issues · license there: Apache-2.0',
      });
      assert.ok(validate(report), JSON.stringify(validate.errors));
      const strict = await runProgram([...args, '--fail-on', 'archived'], folder.path, environment(host, 'good'));
      assert.equal(strict.code, 1);
      const without = await runProgram(args, folder.path, environment(host));
      assert.deepEqual(JSON.parse(without.out).findings, []);
      assert.equal(host.seen.length, 4);
      folder.write(
        '.package-insights.json',
        '{ "ignores": [{ "id": "archived", "package": "request", "reason": "it is stable" }] }',
      );
      const ignored = await runProgram([...args, '--fail-on', 'archived'], folder.path, environment(host, 'good'));
      assert.equal(ignored.code, 0);
    } finally {
      folder.remove();
    }
  }));

test('check says what it could not look up at the code host', async () => {
  const service = await startService(catalog);
  const host = await startCodeHost(repositories, { user: 1 });
  const folder = folderWith({ 'package.json': manifest });
  try {
    const args = ['check', '--base-url', service.url, '--format', 'json'];
    const { code, out } = await runProgram(args, folder.path, environment(host, 'good'));
    const { failures, repositories: unanswered } = JSON.parse(out);
    assert.match(unanswered[0].reason, /^the rate limit is used up, until \d/);
    assert.deepEqual(
      [code, unanswered[0].count, unanswered.length, failures.length, host.seen.length],
      [0, 1, 1, 0, 2],
    );
    // Where archived repositories fail the check, one that is not known does so, too.
    const failing = ['check', '--base-url', service.url, '--fail-on', 'archived'];
    const strict = await runProgram(failing, folder.path, {
      ...environment(host, 'good'),
      PACKAGE_INSIGHTS_CACHE_DIR: '',
    });
    assert.equal(strict.code, 2);
    assert.match(strict.out, /^2 repositories not checked$/m);
    assert.match(strict.error, /2 repositories not checked: the rate limit is used up/);
  } finally {
    folder.remove();
    await service.close();
    await host.close();
  }
});

/** What a run asks of the code host that cannot be asked, by how it is connected. */
const unasked: Readonly<Record<string, (host: StartedCodeHost) => Record<string, string>>> = {
  'no code host is connected': () => ({}),
  'the code host is connected without a credential': (host) => environment(host),
  'the address of the code host names no host of repositories': (host) => ({
    ...environment(host, 'good'),
    PACKAGE_INSIGHTS_CODE_HOST_URL: new URL('/', host.baseUrl).href,
  }),
  'the connection of the code host is not valid': (host) => ({
    ...environment(host, 'good'),
    PACKAGE_INSIGHTS_CODE_HOST_URL: 'http://code.example',
  }),
};

for (const [reason, connected] of Object.entries(unasked)) {
  test(`a check that archived repositories fail is incomplete where ${reason}`, () =>
    both(async ({ url }, host) => {
      const folder = folderWith({
        'package.json': manifest,
        'project/.package-insights.json': '{ "failOn": ["archived"] }',
        'project/package.json': manifest,
      });
      const check = (...args: readonly string[]) =>
        runProgram(['check', ...args, '--base-url', url], folder.path, connected(host));
      try {
        const usual = await check('package.json');
        assert.equal(usual.code, 0, usual.error);
        assert.doesNotMatch(usual.out, /repositor/);
        for (const args of [['package.json', '--fail-on', 'archived'], ['project']]) {
          const { code, out, error } = await check(...args);
          assert.equal(code, 2, error);
          assert.match(out, /^Incomplete: .*3 repositories not checked$/ms);
          assert.ok(error.includes(`3 repositories not checked: ${reason}`), error);
        }
        const { out } = await check('package.json', '--fail-on', 'archived', '--format', 'json');
        assert.deepEqual(JSON.parse(out).repositories, [{ reason, count: 3 }]);
      } finally {
        folder.remove();
      }
    }));
}
