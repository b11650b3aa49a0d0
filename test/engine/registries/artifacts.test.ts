import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RegistryProtocol } from '../../../server/src/engine/model/registries/access.ts';
import type { Artifact } from '../../../server/src/engine/model/registries/registry-client.ts';
import { registryClients } from '../../../server/src/engine/registries/clients.ts';
import { type Answers, questionAt } from './question.ts';

/* The files of a version with their digests, as the list of each registry names them. */

const base = 'https://registry.example/team';
const [sha1, sha256, sha512] = ['a1'.repeat(20), 'B2'.repeat(32), 'c3'.repeat(64)];
const integrity = `sha512-${Buffer.from(sha512, 'hex').toString('base64')}`;
const json = (value: unknown): string => JSON.stringify(value);

const cases: readonly (readonly [string, RegistryProtocol, Answers, readonly Artifact[]])[] = [
  [
    'npm: the usual file',
    'npm',
    {
      '/core': json({
        versions: { '1.0.0': { dist: { shasum: sha1, integrity, tarball: `${base}/core/-/core-1.0.0.tgz` } } },
      }),
    },
    [
      {
        url: `${base}/core/-/core-1.0.0.tgz`,
        digests: [
          { type: 'SHA1', digest: sha1 },
          { type: 'SHA512', digest: sha512 },
        ],
      },
    ],
  ],
  [
    'npm: a file elsewhere, and an algorithm that no query has',
    'npm',
    {
      '/core': json({
        versions: {
          '1.0.0': { dist: { shasum: sha1, integrity: 'sha384-abcd', tarball: 'https://files.example/core.tgz' } },
        },
      }),
    },
    [{ url: 'https://files.example/core.tgz', digests: [{ type: 'SHA1', digest: sha1 }] }],
  ],
  [
    'npm: what is no digest',
    'npm',
    { '/core': json({ versions: { '1.0.0': { dist: { shasum: 'zz', integrity: 7 } } } }) },
    [],
  ],
  [
    'PyPI: each file, as JSON',
    'simple-index',
    {
      '/core/': {
        type: 'application/vnd.pypi.simple.v1+json',
        text: json({
          files: [
            { filename: 'core-1.0.0.tar.gz', url: 'core-1.0.0.tar.gz', hashes: { sha256, blake2b: 'ab' } },
            { filename: 'core-1.0.0-py3-none-any.whl', url: 'core.whl', hashes: {} },
          ],
        }),
      },
    },
    [{ url: `${base}/core/core-1.0.0.tar.gz`, digests: [{ type: 'SHA256', digest: sha256.toLowerCase() }] }],
  ],
  [
    'PyPI: as HTML',
    'simple-index',
    { '/core/': { type: 'text/html', text: `<a href="core-1.0.0.tar.gz#sha256=${sha256}">core</a>` } },
    [{ url: `${base}/core/core-1.0.0.tar.gz`, digests: [{ type: 'SHA256', digest: sha256.toLowerCase() }] }],
  ],
  [
    'Cargo: the checksum',
    'sparse-index',
    { '/co/re/core': json({ name: 'core', vers: '1.0.0', cksum: sha256, deps: [], features: {}, yanked: false }) },
    [{ digests: [{ type: 'SHA256', digest: sha256.toLowerCase() }] }],
  ],
];

for (const [title, protocol, answers, expected] of cases) {
  test(title, async () => {
    const answer = await registryClients[protocol].list(questionAt(protocol, 'core', answers));
    assert.equal(answer.kind, 'found');
    const artifacts = answer.value.artifacts?.('1.0.0') ?? [];
    assert.deepEqual(
      artifacts.map(({ url, digests }) => ({ ...(url !== undefined && { url }), digests })),
      expected,
    );
    assert.deepEqual(answer.value.artifacts?.('7.0.0'), []);
  });
}
