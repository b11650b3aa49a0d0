import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RegistrySource } from '../../server/src/engine/model/registry.ts';
import { recordedClient, root } from './recorded-client.ts';

/** What a file of the machine says, and a manifest with `secret` in it, which that keeps. */
interface Kept {
  readonly file: readonly [name: string, text: string];
  readonly manifest: readonly [path: string, text: string];
}

const cases: Readonly<Record<string, Kept>> = {
  '~/.npmrc': {
    file: ['.npmrc', '@secret:registry=https://npm.acme.example/\n'],
    manifest: ['package.json', '{ "dependencies": { "@secret/x": "1.0.0" } }'],
  },
  'pip.conf': {
    file: ['pip.conf', '[global]\nextra-index-url = https://pypi.acme.example/\n'],
    manifest: ['requirements.txt', 'secret==1.0\n'],
  },
  GOENV: {
    file: ['env', 'GOPRIVATE=acme.example\n'],
    manifest: ['go.mod', 'module m\n\nrequire acme.example/secret v1.0.0\n'],
  },
  'NuGet.Config': {
    file: [
      'NuGet.Config',
      '<configuration><packageSources><add key="a" value="https://nuget.acme.example/" /></packageSources></configuration>',
    ],
    manifest: [
      'a.csproj',
      '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="Secret" Version="1.0.0" /></ItemGroup></Project>',
    ],
  },
  'settings.xml': {
    file: [
      'settings.xml',
      '<settings><mirrors><mirror><id>a</id><url>https://maven.acme.example/</url><mirrorOf>*</mirrorOf></mirror></mirrors></settings>',
    ],
    manifest: [
      'pom.xml',
      '<project><dependencies><dependency><groupId>org.secret</groupId><artifactId>x</artifactId><version>1</version></dependency></dependencies></project>',
    ],
  },
};

async function setUp({ file: [name, text], manifest: [path, manifest] }: Kept) {
  const whole: RegistrySource = { name, label: `~/${name}`, text };
  let files: readonly RegistrySource[] = [whole];
  const { client, received, pass } = await recordedClient({
    files: { read: async (uri) => (uri === root + path ? manifest : undefined), find: async () => [] },
    machine: async () => ({ variables: [], files }),
  });
  let version = 1;
  await client.open(root + path, manifest);
  const it = {
    client,
    whole,
    isTold: () => received('secret'),
    put(now: readonly RegistrySource[]): void {
      files = now;
    },
    pass,
    /** Somebody types, so that all is looked at again, and saves nothing new. */
    async look(): Promise<void> {
      await client.change(root + path, ++version, `${manifest}\n`);
      await pass(1000);
      await client.change(root + path, ++version, manifest);
      await pass(1000);
    },
  };
  await pass(1000);
  assert.equal(it.isTold(), false);
  return it;
}

describe('a file of the machine that is empty or away for a moment still keeps its names private', () => {
  for (const [title, one] of Object.entries(cases))
    for (const how of ['emptied', 'away', 'unreadable'] as const)
      test(`${title}, ${how}`, async () => {
        const it = await setUp(one);
        const { whole } = it;
        const during: readonly RegistrySource[] = {
          emptied: [{ ...whole, text: '' }],
          away: [],
          unreadable: [{ ...whole, text: '', unreadable: { why: 'failed' } as const }],
        }[how];
        it.put(during);
        await it.look();
        it.put([whole]);
        await it.pass(30_000);
        assert.equal(it.isTold(), false, 'it is back, and nobody told of it');
        it.put(during);
        await it.look();
        assert.equal(it.isTold(), false, 'not yet for long');
        await it.pass(8000);
        assert.equal(it.isTold(), how !== 'unreadable', 'some seconds later');
        await it.client.stop();
      });
});
