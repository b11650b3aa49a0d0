import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { CodeAction } from 'vscode-languageserver/node';
import { startLsp } from '../harness/lsp-client.ts';
import { startService } from '../harness/service.ts';

const managing = (core: string) =>
  ({ requirements: { maven: { dependencyManagement: [{ name: 'org.cat:core', version: core }] } } }) as const;

const parent = `<project><parent><groupId>org.boot</groupId><artifactId>boot</artifactId><version>2.7.0</version><relativePath/></parent>
<groupId>app</groupId><artifactId>app</artifactId><version>1</version><packaging>pom</packaging><modules><module>core</module></modules></project>`;
const sibling = `<project><parent><groupId>app</groupId><artifactId>app</artifactId><version>1</version></parent>
<artifactId>x</artifactId><dependencies><dependency><groupId>org.cat</groupId><artifactId>core</artifactId></dependency></dependencies></project>`;

/** The search through other files begins 0.2 s after a document is opened. In ms. */
const AFTER_SEARCH = 1500;

test('what a parent manages in another module counts, too, where its POM is answered after the search for modules', async () => {
  const service = await startService({
    'MAVEN org.boot:boot': {
      versions: { '2.7.0': managing('9.0.1'), '2.7.1': managing('9.0.2'), '2.7.2': managing('9.0.3') },
    },
    'MAVEN org.cat:core': { versions: ['9.0.1', '9.0.2', '9.0.3'] },
    'advisory GHSA-1111-2222-3333': {
      cvss3Score: 9.8,
      affected: [{ system: 'MAVEN', name: 'org.boot:boot', ranges: [{ introduced: '0', fixed: '2.7.1' }] }],
    },
    'advisory MAL-2026-1': { affected: [{ system: 'MAVEN', name: 'org.cat:core', versions: ['9.0.2'] }] },
  });
  const slow = createServer(async (request, response) => {
    if (/requirements/i.test(request.url ?? '')) await delay(AFTER_SEARCH);
    const body = await text(request);
    const answer = await fetch(service.url + request.url, {
      method: request.method ?? 'GET',
      headers: { 'content-type': String(request.headers['content-type'] ?? 'application/json') },
      ...(body !== '' && { body }),
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((done) => slow.listen(0, '127.0.0.1', done));
  const folder = mkdtempSync(join(tmpdir(), 'siblings-'));
  mkdirSync(join(folder, 'core'));
  writeFileSync(join(folder, 'pom.xml'), parent);
  writeFileSync(join(folder, 'core/pom.xml'), sibling);
  const client = await startLsp({
    folder: pathToFileURL(folder).href,
    settings: { baseUrl: `http://127.0.0.1:${(slow.address() as AddressInfo).port}` },
    capabilities: { textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } } } },
  });
  try {
    const uri = pathToFileURL(join(folder, 'pom.xml')).href;
    await client.open(uri, parent);
    const position = { line: 0, character: parent.indexOf('boot</artifactId>') };
    const titles = async (): Promise<string[]> => {
      const actions = await client.connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
        textDocument: { uri },
        range: { start: position, end: position },
        context: { diagnostics: [] },
      });
      return actions.map((it) => it.title).filter((it) => it.startsWith('Update org.boot'));
    };
    const isSound = (found: readonly string[]): boolean =>
      found.some((it) => it.includes('2.7.2')) && !found.some((it) => it.includes('2.7.1'));
    let found = await titles();
    for (let left = 100; left > 0 && !isSound(found); left--) {
      await delay(100);
      found = await titles();
    }
    assert.ok(isSound(found), found.join());
  } finally {
    await client.stop();
    slow.close();
    slow.closeAllConnections();
    await service.close();
    rmSync(folder, { recursive: true });
  }
});
