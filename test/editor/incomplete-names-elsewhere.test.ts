import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { InlayHint } from 'vscode-languageserver';
import { askedNames } from '../harness/asked-names.ts';
import { type FakeClock, fakeClock } from '../harness/fake-clock.ts';
import { type Act, json, type ScriptedServer, scriptedServer } from '../harness/scripted-server.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

/*
 * Names that are being typed, where they count in other documents, at several places, or by another name.
 */

let server: ScriptedServer;
let client: StrictClient;
let clock: FakeClock;
let version = 1;

const answer: Act = (request, response) => {
  const { requests = [] } = request.body === '' ? {} : JSON.parse(request.body);
  const responses = requests.map((it: object) => ({ request: it, version: it }));
  const managed = [{ name: 'org.x:managed', version: '2.5' }];
  const bom = { maven: { dependencyManagement: request.path.includes('spring-boot-dependencies') ? managed : [] } };
  return json(request.method === 'POST' ? { responses, nextPageToken: '' } : bom)(request, response);
};

const addressOf = (name: string) => `file:///workspace/${name}`;

async function start(): Promise<void> {
  server = await scriptedServer(answer);
  clock = fakeClock();
  client = await strictClient({
    settings: { baseUrl: server.url },
    clock,
    capabilities: {
      textDocument: { diagnostic: {}, inlayHint: {}, completion: {} },
      workspace: { diagnostics: { refreshSupport: true }, inlayHint: { refreshSupport: true } },
    },
  });
}

const look = (name: string) => client.ask('textDocument/diagnostic', addressOf(name));

async function hints(name: string): Promise<unknown[]> {
  const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
  const all = await client.ask<readonly InlayHint[]>('textDocument/inlayHint', addressOf(name), { range });
  return all.map((it) => it.label);
}

const asked = (): string[] => askedNames(server.arrived);

/** Gives a document one text after the other, while an editor shows some documents. */
async function type(name: string, texts: readonly string[], ...shown: readonly string[]): Promise<void> {
  for (const text of texts) {
    await client.change(addressOf(name), ++version, text);
    for (const it of [name, ...shown]) await look(it);
  }
}

afterEach(async () => {
  await client.stop();
  await server.close();
});

test('what is typed in a catalog is asked about when it is whole, also for the script that uses it', async () => {
  await start();
  const [catalog, script] = ['gradle/libs.versions.toml', 'build.gradle.kts'];
  const textOf = (it: string) => `[libraries]\nsecret = { module = "${it}", version = "1.0" }\n`;
  await client.open(addressOf(catalog), textOf(''));
  await client.open(addressOf(script), 'dependencies {\n  implementation(libs.secret)\n}\n');
  await Promise.all([look(catalog), look(script)]);
  await type(catalog, ['o', 'o:', 'o:s', 'o:se'].map(textOf), script);
  assert.deepEqual(asked(), []);
  await clock.advance(800);
  await server.reached(1);
  assert.deepEqual(asked(), ['o:se']);
});

test('nor is a name looked up letter by letter in a document that was not evaluated', async () => {
  await start();
  const textOf = (it: string) => `{ "dependencies": { "a": "1.0.0", "${it}": "1.0.0" } }`;
  await client.open(addressOf('package.json'), textOf(''));
  await type('package.json', ['b', 'bc'].map(textOf));
  await server.reached(1);
  assert.deepEqual(asked(), ['a']);
});

test('nor where several cursors type', async () => {
  await start();
  const textOf = (it: string) => `{ "dependencies": {\n  "@a${it}/one": "1.0.0",\n  "@a${it}/two": "1.0.0"\n} }`;
  await client.open(addressOf('package.json'), textOf(''));
  await look('package.json');
  await server.reached(1);
  await type('package.json', ['c', 'cm', 'cme'].map(textOf));
  await clock.advance(800);
  await server.reached(2);
  assert.deepEqual(asked(), ['@a/one', '@a/two', '@acme/one', '@acme/two']);
});

test('what a BOM manages that a plugin brings along stays known while a name is typed', async () => {
  await start();
  const textOf = (it: string) => `plugins {
  id("org.springframework.boot") version "3.2.0"
  id("io.spring.dependency-management") version "1.1.4"
}
dependencies {
  implementation("org.x:managed")
  implementation("${it}:1.0")
}
`;
  const script = 'build.gradle.kts';
  await client.open(addressOf(script), textOf(''));
  await look(script);
  await server.reached(3);
  let before = await hints(script);
  for (; before.length < 3; before = await hints(script)) await clock.advance(100);
  await type(script, ['o', 'o:', 'o:s'].map(textOf));
  assert.deepEqual(await hints(script), before);
});

test('a document sends no names if it was not evaluated since a change of another that it depends on', async () => {
  await start();
  const [catalog, script] = ['gradle/libs.versions.toml', 'build.gradle.kts'];
  const textOf = (it: string) => `[libraries]\nsecret = { module = "o:${it}", version = "1.0" }\n`;
  await client.open(addressOf(catalog), textOf(''));
  await client.open(addressOf(script), 'dependencies {\n  implementation(libs.secret)\n}\n');
  await Promise.all([look(catalog), look(script)]);
  await type(catalog, [`${textOf('')}\n`, `${textOf('s')}\n`]);
  await look(script);
  await type(catalog, [`${textOf('se')}\n`], script);
  await clock.advance(800);
  await server.reached(1);
  assert.deepEqual(asked(), ['o:se']);
});

test('who is offered versions behind the first letters of a name asks for none of them', async () => {
  await start();
  const name = 'requirements.txt';
  await client.open(addressOf(name), 'flask==3.0.0\n');
  await look(name);
  await server.reached(1);
  for (const it of ['d', 'dj']) {
    await type(name, [`${it}==3.0.0\n`]);
    const position = { line: 0, character: it.length };
    void client.ask('textDocument/completion', addressOf(name), { position }).catch(() => {});
    await look(name);
  }
  await clock.advance(800);
  await server.reached(2);
  assert.deepEqual(asked(), ['flask', 'dj']);
});

test('what another system has a package of is no whole name for that', async () => {
  await start();
  await client.open(addressOf('package.json'), '{ "dependencies": { "request": "2.88.2" } }');
  await look('package.json');
  await server.reached(1);
  await client.open(addressOf('requirements.txt'), 'Flask==3.0.0\n');
  await type('requirements.txt', ['Flask==3.0.0\nrequest', 'Flask==3.0.0\nrequests']);
  const ofPython = () => askedNames(server.arrived.filter(({ path, body }) => (path + body).includes('PYPI')));
  await server.reached(2);
  assert.deepEqual(ofPython(), ['flask']);
  await clock.advance(800);
  await server.reached(3);
  assert.deepEqual(ofPython(), ['flask', 'requests']);
});
