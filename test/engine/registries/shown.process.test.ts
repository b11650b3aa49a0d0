import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Ajv } from 'ajv';
import type {
  CodeAction,
  CompletionItem,
  CompletionList,
  Hover,
  MarkupContent,
  WorkspaceEdit,
} from 'vscode-languageserver';
import type { DocumentStatus, Status } from '../../../server/src/editor/publish/status.ts';
import type { VersionsAnswer } from '../../../server/src/editor/requests/versions.ts';
import { fileUri } from '../../../server/src/engine/base/uri.ts';
import { positionsIn } from '../../../server/src/engine/formats/text/positions.ts';
import { startServiceForFile } from '../../harness/file-service.ts';
import { startLsp } from '../../harness/lsp-client.ts';
import { folderWith, runProgram } from '../../terminal/program.ts';

/* What a person sees of packages that a private registry has, in the terminal and over stdio. */

const packages: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  '@secret/old': { '1.0.0': { deprecated: 'use @secret/new' }, '1.1.0': {}, '1.2.0': {} },
  '@secret/range': { '1.0.0': {} },
  '@secret/gpl': { '1.0.0': { license: 'GPL-3.0-only' } },
};

const registry = createServer(({ url = '' }, response) => {
  const name = decodeURIComponent(url.slice(1));
  const found = packages[name];
  if (found === undefined) response.writeHead(name.startsWith('@down/') ? 400 : 404).end('{}');
  else {
    const versions = Object.fromEntries(
      Object.entries(found).map(([version, more]) => [version, { name, version, license: 'MIT', ...more }]),
    );
    const latest = Object.keys(found).at(-1);
    response.end(JSON.stringify({ name, 'dist-tags': { latest }, versions }));
  }
});
await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
const host = `127.0.0.1:${(registry.address() as AddressInfo).port}`;
const service = await startServiceForFile({ 'NPM lodash': { versions: ['4.17.21'], shared: { licenses: ['MIT'] } } });

const manifest = `{
  "dependencies": {
    "lodash": "4.17.21",
    "@secret/old": "1.0.0",
    "@secret/range": "^9.0.0",
    "@secret/none": "1.0.0",
    "@secret/gpl": "1.0.0"
  }
}
`;
const folder = folderWith({
  'home/.npmrc': `@secret:registry=http://${host}/\n@down:registry=http://${host}/\n`,
  'work/package.json': manifest,
  'work/.package-insights.json': '{ "licenses": { "deny": ["GPL-3.0-only"] } }',
  'down/package.json': '{ "dependencies": { "@down/a": "1.0.0" } }',
  'refused/.npmrc': '@refused:registry=https://${ACME_HOST}/\n',
  'refused/package.json': '{ "dependencies": { "@refused/a": "1.0.0" } }',
  'good/package.json': '{ "dependencies": { "lodash": "4.17.21", "@secret/range": "1.0.0" } }',
});
const person = { HOME: `${folder.path}/home`, USERPROFILE: `${folder.path}/home` };
after(() => {
  folder.remove();
  registry.close();
  registry.closeAllConnections();
});

const check = (...args: readonly string[]) =>
  runProgram(['check', '--base-url', service.url, '--ask-private-registries', ...args], folder.path, person);

function holdNothingTold(): void {
  for (const { path, body } of service.requests) assert.doesNotMatch(decodeURIComponent(path + body), /secret|down/);
}

const found = [
  ['@secret/old', 'deprecated'],
  ['@secret/range', 'no-match'],
  ['@secret/none', 'not-found'],
  ['@secret/gpl', 'license'],
];

test('check reports private packages, and that their advisories were not checked', async () => {
  const { out, error, code } = await check('work', '--format', 'json');
  const report = JSON.parse(out);
  assert.deepEqual(
    report.findings.map((it: { message: string; code: string }) => [it.message.split(/[ :]/)[0], it.code]),
    found,
  );
  const { total, lookedUp, unknown, withheld, withoutAdvisories } = report.coverage;
  assert.deepEqual([total, lookedUp, unknown, withheld, withoutAdvisories], [5, 5, 0, 0, 4]);
  assert.match(error, /4 from private registries, vulnerabilities not checked/);
  assert.equal(code, 1);
  const schema = join(import.meta.dirname, '..', '..', '..', 'docs', 'report.schema.json');
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(readFileSync(schema, 'utf8')));
  assert.ok(validate(report), JSON.stringify(validate.errors));
  holdNothingTold();
});

test('the table, the page and SARIF count packages whose advisories were not checked', async () => {
  const counted =
    /1 of 2 dependencies in 1 manifest checked.*Not checked: 1 from private registries, vulnerabilities not checked/s;
  const [table, page, sarif, agreed] = await Promise.all([
    check('good'),
    check('good', '--format', 'html'),
    check('good', '--format', 'sarif'),
    check('good', '--allow-private'),
  ]);
  assert.match(table.out, counted);
  assert.match(table.error, /vulnerabilities not checked: packages from private registries; the exit code is 2/);
  assert.match(page.out, counted);
  const [{ invocations }] = JSON.parse(sarif.out).runs;
  assert.equal(invocations[0].executionSuccessful, false);
  assert.match(
    JSON.stringify(invocations[0].toolExecutionNotifications),
    /1 from private registries, vulnerabilities not checked/,
  );
  assert.match(
    agreed.error,
    /vulnerabilities not checked: packages from private registries; accepted by --allow-private/,
  );
  assert.deepEqual([table.code, page.code, sarif.code, agreed.code], [2, 2, 2, 0]);
});

test('a registry that is down fails a check, and the reason names it', async () => {
  const { out, error, code } = await check('down', '--allow-private');
  assert.match(out + error, new RegExp(`${host}: HTTP 400`));
  assert.match(out, /Not checked: 1 failed/);
  assert.equal(code, 2);
});

test('a registry that may not be asked is reported with the reason', async () => {
  const { code, error } = await check('refused');
  assert.equal(code, 2);
  assert.match(
    error,
    /a private registry in \.npmrc, which is not asked: refused\/\.npmrc:1 is a file of the workspace and names .* ACME_HOST/,
  );
});

test('an editor is shown versions, findings, fixes and counts of private packages', async () => {
  const statuses: Status[] = [];
  const client = await startLsp({
    folder: fileUri(`${folder.path}/work`),
    person,
    capabilities: {
      textDocument: {
        hover: { contentFormat: ['markdown'] },
        completion: {},
        codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } },
      },
      workspace: { applyEdit: true },
      experimental: { packageInsightsStatus: true },
    },
    settings: { baseUrl: service.url, privateRegistries: 'ask' },
  });
  client.connection.onNotification('packageInsights/status', (it: Status) => void statuses.push(it));
  try {
    const uri = fileUri(`${folder.path}/work/package.json`);
    await client.open(uri, manifest);
    const pushed = await client.pushedUntil(uri, (all) =>
      found.every(([, code]) => all.some((it) => it.code === code)),
    );
    for (const [name = '', code] of found)
      assert.ok(
        pushed.some((it) => it.code === code && String(it.message).includes(name)),
        `${name} ${code}`,
      );

    const textDocument = { uri };
    const position = positionsIn(manifest).at(manifest.indexOf('1.0.0'));
    const hover = await client.connection.sendRequest<Hover>('textDocument/hover', { textDocument, position });
    const shown = (hover.contents as MarkupContent).value.replaceAll('\\', '');
    assert.match(shown, /use @secret\/new/);
    assert.ok(shown.includes(`From ${host} (~/.npmrc) · Vulnerabilities: not checked (private registry)`), shown);

    const deprecated = pushed.filter((it) => it.code === 'deprecated');
    const actions = await client.connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
      textDocument,
      range: { start: position, end: position },
      context: { diagnostics: deprecated },
    });
    const update = actions.find((it) => it.title.includes('1.2.0'));
    assert.ok(update, actions.map((it) => it.title).join());
    assert.deepEqual(newTextsIn(update.edit), ['1.2.0']);

    const offset = manifest.indexOf('1.0.0');
    const params = { uri, offset, name: '@secret/old' };
    const versions: VersionsAnswer = await client.connection.sendRequest('packageInsights/versions', params);
    assert.ok(versions.kind === 'list');
    assert.deepEqual(
      [...versions.targets, ...versions.versions].map((it) => [it.version, it.isDeprecated]),
      [
        ['1.1.0', false],
        ['1.2.0', false],
        ['1.0.0', true],
      ],
    );
    const completion = await client.connection.sendRequest<CompletionList | CompletionItem[]>(
      'textDocument/completion',
      {
        textDocument,
        position,
      },
    );
    const items = Array.isArray(completion) ? completion : completion.items;
    assert.deepEqual(
      items.map((it) => it.label).filter((it) => /^\d/.test(it)),
      ['1.2.0', '1.1.0', '1.0.0'],
    );
    const last = (): DocumentStatus | undefined => statuses.at(-1)?.documents[0];
    while (last()?.pending !== 0) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(last()?.lookups, { checked: 1, withheld: 0, unknown: 0, unchecked: 0, withoutAdvisories: 4 });
    holdNothingTold();
  } finally {
    await client.stop();
  }
});

function newTextsIn(edit: WorkspaceEdit | undefined): string[] {
  const documents = edit?.documentChanges?.flatMap((it) => ('edits' in it ? it.edits : [])) ?? [];
  const all = [...documents, ...Object.values(edit?.changes ?? {}).flat()];
  return all.flatMap((it) => ('newText' in it ? it.newText : []));
}
