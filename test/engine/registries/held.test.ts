import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { RegistryProtocol } from '../../../server/src/engine/model/registries/access.ts';
import { registryClients } from '../../../server/src/engine/registries/clients.ts';
import { type Answers, questionAt } from './question.ts';

/* Lists are kept while others are asked for, so what a list holds decides how much memory thousands of packages take. */

const versions = Array.from({ length: 200 }, (_, at) => `1.${at}.0`);
const words = 'words of the publisher '.repeat(40);
const time = '2026-01-02T03:04:05Z';
const digest = 'a'.repeat(64);

const answers: Readonly<Partial<Record<RegistryProtocol, (name: string) => Answers>>> = {
  npm: (name) => ({
    [`/${name}`]: JSON.stringify({
      time: Object.fromEntries(['created', ...versions].map((it) => [it, time])),
      versions: Object.fromEntries(
        versions.map((version) => [version, { name, version, license: 'MIT', description: words }]),
      ),
    }),
  }),
  'sparse-index': (name) => ({
    [`/${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`]: versions
      .map((vers) => JSON.stringify({ name, vers, cksum: digest, features: { words: [words] }, deps: [] }))
      .join('\n'),
  }),
  'simple-index': (name) => ({
    [`/${name}/`]: {
      type: 'application/vnd.pypi.simple.v1+json',
      text: JSON.stringify({
        files: versions.map((it) => ({
          filename: `${name}-${it}.tar.gz`,
          url: `https://files.example/${name}-${it}.tar.gz`,
          words,
        })),
      }),
    },
  }),
  nuget: (name) => ({
    '': JSON.stringify({
      resources: [{ '@id': 'https://registry.example/team/reg/', '@type': 'RegistrationsBaseUrl/3.6.0' }],
    }),
    [`/reg/${name}/index.json`]: JSON.stringify({
      items: [
        {
          items: versions.map((version) => ({
            catalogEntry: { id: name, version, licenseExpression: 'MIT', published: time, description: words },
          })),
        },
      ],
    }),
  }),
};

for (const [protocol, answersOf] of Object.entries(answers)) {
  test(`${protocol}: a list holds some hundred bytes of each version, and not what it was read from`, async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const used = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const client = registryClients[protocol as RegistryProtocol];
    const list = (at: number) => {
      const name = `core${at}`;
      return client.list(questionAt(client.protocol, name, answersOf(name)));
    };
    const first = await list(0);
    assert.equal(first.kind, 'found');
    const before = used();
    const lists: unknown[] = [];
    for (let at = 1; at <= 20; at++) lists.push(await list(at));
    const each = (used() - before) / (lists.length * versions.length);
    assert.ok(each < MOST, `${Math.round(each)} bytes of each version`);
  });
}

const MOST = 600;
