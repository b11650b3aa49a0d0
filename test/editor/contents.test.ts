import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import type { ClientCapabilities, DefinitionLink, Location } from 'vscode-languageserver';
import { positionsIn } from '../../server/src/engine/formats/text/positions.ts';
import { startService } from '../harness/service.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

const npm = (dependencies: Readonly<Record<string, string>>) => ({
  npm: {
    dependencies: {
      dependencies: Object.entries(dependencies).map(([name, requirement]) => ({ name, requirement })),
      devDependencies: [],
      optionalDependencies: [],
      peerDependencies: [],
      bundleDependencies: [],
    },
    bundled: [],
  },
});

const service = await startService({
  'MAVEN org.boot:parent': {
    versions: {
      '3.0': {
        requirements: {
          maven: {
            properties: [{ name: 'json.version', value: '2.0' }],
            dependencyManagement: [{ name: 'org.json:databind', version: '${json.version}' }],
          },
        },
      },
    } as never,
  },
  'MAVEN org.json:databind': { versions: ['2.0', '2.1'] },
  'NPM linked': {
    versions: {
      '1.0.0': { requirements: npm({}) },
      '1.1.0': { isDefault: true, requirements: npm({}) },
    } as never,
    shared: {
      links: [
        { label: 'SOURCE_REPO', url: 'https://github.com/owner/linked' },
        { label: 'ORIGIN', url: 'https://github.com/owner/linked/tree/v1.1.0' },
      ],
    },
  },
  'NPM app': {
    versions: {
      '1.0.0': { requirements: npm({ lodash: '^4', 'left*pad': '1' }) },
      '2.0.0': { isDefault: true, requirements: npm({ lodash: '^5', leaf: '1' }) },
    } as never,
  },
});
after(() => service.close());

const uri = 'file:///w/pom.xml';
const pom = `<project>
  <parent><groupId>org.boot</groupId><artifactId>parent</artifactId><version>3.0</version><relativePath/></parent>
  <artifactId>app</artifactId>
  <properties><json.version>2.0</json.version></properties>
  <dependencies><dependency><groupId>org.json</groupId><artifactId>databind</artifactId></dependency>
  <dependency><groupId>org.json</groupId><artifactId>databind</artifactId><version>\${json.version}</version><type>pom</type></dependency></dependencies>
</project>`;

const usual: ClientCapabilities = {
  textDocument: { publishDiagnostics: {}, definition: { linkSupport: true }, rename: { prepareSupport: true } },
};

async function open(t: TestContext, takesContents: boolean): Promise<StrictClient> {
  const client = await strictClient({
    capabilities: { ...usual, ...(takesContents && { workspace: { textDocumentContent: {} } }) },
    settings: { baseUrl: service.url },
    initialize: { workspaceFolders: [{ uri: 'file:///w', name: 'w' }] },
    files: { read: async (it) => (it === uri ? pom : undefined), find: async () => [uri] },
  });
  t.after(() => client.stop());
  await client.open(uri, pom);
  return client;
}

const at = (text: string) => positionsIn(pom).at(pom.indexOf(text));

/** The place that the service's answer leads to, as soon as it is there. */
async function definition(client: StrictClient): Promise<DefinitionLink> {
  for (;;) {
    const [found] = await client.ask<DefinitionLink[]>('textDocument/definition', uri, { position: at('databind<') });
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function content(client: StrictClient, address: string): Promise<string> {
  const { text } = await client.connection.sendRequest<{ text: string }>('workspace/textDocumentContent', {
    uri: address,
  });
  return text;
}

test('a version that a published parent manages leads into its POM, in an editor that shows such texts', async (t) => {
  const client = await open(t, true);
  const { targetUri, targetSelectionRange } = await definition(client);
  assert.equal(targetUri, 'package-insights-text:/pom/org.boot%3Aparent/3.0/parent-3.0.pom');
  const text = await content(client, targetUri);
  assert.equal(
    text,
    `<project>
  <groupId>org.boot</groupId>
  <artifactId>parent</artifactId>
  <version>3.0</version>
  <properties>
    <json.version>2.0</json.version>
  </properties>
  <dependencyManagement>
    <dependencies>
      <dependency>
        <groupId>org.json</groupId>
        <artifactId>databind</artifactId>
        <version>\${json.version}</version>
      </dependency>
    </dependencies>
  </dependencyManagement>
</project>
`,
  );
  const { start, end } = targetSelectionRange;
  assert.equal((text.split('\n')[start.line] ?? '').slice(start.character, end.character), 'databind');
});

test('in other editors it leads to the parent that names it', async (t) => {
  const client = await open(t, false);
  const { targetUri, targetSelectionRange } = await definition(client);
  assert.equal(targetUri, uri);
  assert.deepEqual(targetSelectionRange.start, at('parent</artifactId>'));
});

test('a property that a published parent uses keeps its name', async (t) => {
  const client = await open(t, true);
  await definition(client);
  await assert.rejects(
    client.ask<Location>('textDocument/rename', uri, { position: at('json.version>'), newName: 'other' }),
    { message: 'org.boot:parent 3.0, which is published, uses json.version and would not get its value.' },
  );
});

test('what an update changes is a document', async (t) => {
  const client = await open(t, true);
  const text = await content(client, 'package-insights-text:/changes/NPM/app/1.0.0/2.0.0.md');
  assert.equal(
    text,
    '# `app` 1.0.0 → 2.0.0\n\n## Requires in addition\n- `leaf` 1\n\n## No longer requires\n- `left*pad` 1\n\n## Requires other versions\n- `lodash` ^4 → ^5\n',
  );
});

test('what an update changes links the pages of the code host, and fetches none of them', async (t) => {
  const client = await open(t, true);
  const text = await content(client, 'package-insights-text:/changes/NPM/linked/1.0.0/1.1.0.md');
  const pages = 'https://github.com/owner/linked';
  assert.ok(
    text.includes(
      `- [Changes of the code (github.com)](${pages}/compare/v1.0.0...v1.1.0)\n- [Release notes (github.com)](${pages}/releases/tag/v1.1.0)\n`,
    ),
    text,
  );
});

test('the report is a document', async (t) => {
  const client = await open(t, true);
  assert.match(await content(client, 'package-insights-text:/report.md'), /^### Dependencies\n/);
});

test('an address of nothing says so, and one of a POM that no manifest names asks for nothing', async (t) => {
  const client = await open(t, true);
  await definition(client);
  const before = service.requests.length;
  for (const it of ['nothing', 'pom', 'pom/a%3Ab/1/b-1.pom', 'pom/%', 'changes/NPM/app', 'changes/X/a/1/2.md'])
    await assert.rejects(content(client, `package-insights-text:/${it}`), { message: 'There is no such document.' });
  assert.equal(service.requests.length, before);
});
