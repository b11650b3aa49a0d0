import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { InlineCatalog, StartedService } from '../harness/service.ts';
import { sourceKinds, startServiceOver, whyNotOver } from '../harness/service-over.ts';
import { openStores } from '../harness/stores.ts';

/* The contract of the interface, over everything that answers can come from. */

const catalog: InlineCatalog = {
  'NPM lodash': {
    shared: { licenses: ['MIT'], licenseDetails: [{ license: 'MIT', spdx: 'MIT' }] },
    versions: {
      '4.17.15': {
        publishedAt: '2019-07-19T02:28:46Z',
        hashes: { SHA1: 'b447f6670a0455bbfeedd11392eff330ea097548' },
        artifact: 'lodash-4.17.15.tgz',
        requirements: { npm: { dependencies: { dependencies: [] } } },
      },
      '4.17.21': { isDefault: true },
    },
  },
  'NPM @babel/traverse': { versions: ['7.23.0', '7.23.2'] },
  'NPM JSONStream': { versions: ['1.3.5'] },
  'NPM old': { versions: { '1.0.0': { deprecated: 'use new' }, '1.0.1': { deprecated: '' } } },
  'GO github.com/dgrijalva/jwt-go': {
    versions: {
      'v3.2.0+incompatible': { isDefault: true, hashes: { SHA1: 'b447f6670a0455bbfeedd11392eff330ea097548' } },
    },
  },
  'MAVEN org.yaml:snakeyaml': { versions: ['1.33', '2.0'] },
  'PYPI Zope.Interface': { versions: ['5.0', '6.0a1'] },
  'NUGET Newtonsoft.Json': { versions: ['12.0.1', '13.0.1'] },
  'CARGO time': { versions: ['0.1.45'] },
  'NPM lodahs': { versions: ['1.0.0'], similar: ['lodash'] },
  'project code.example/lodash/lodash': {
    starsCount: 59_000,
    license: 'MIT',
    scorecard: {
      date: '2026-11-02T00:00:00Z',
      commit: 'abc',
      version: 'v5',
      overallScore: 6.4,
      checks: [{ name: 'Fuzzing', description: 'Fuzzed?', url: 'https://checks.example/', score: -1, reason: 'no' }],
    },
  },
  'project code.example/lodash/unscored': {},
  'advisory GHSA-29mw-wpgm-hmr9': {
    title: 'Regular Expression Denial of Service (ReDoS) in lodash',
    aliases: ['CVE-2020-28500'],
    cvss3Score: 5.3,
    cvss3Vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L',
    affected: [{ system: 'NPM', name: 'lodash', ranges: [{ introduced: '4.0.0', fixed: '4.17.21' }] }],
  },
  'advisory GO-2026-0001': {
    cvss4Score: 8.8,
    cvss4Vector: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:H/VA:N/SC:N/SI:N/SA:N',
    knownExploited: true,
  },
  'advisory GO-2026-0002': { severity: 'HIGH' },
};

const stores = await openStores();
after(() => stores.close());

for (const kind of sourceKinds)
  suite(kind, { skip: whyNotOver(kind, stores) }, () => {
    let service: StartedService;
    before(async () => {
      service = await startServiceOver(kind, stores, catalog);
    });
    after(() => service.close());

    async function get(path: string): Promise<{ status: number; body: string; headers: Headers }> {
      const response = await fetch(service.url + path);
      return { status: response.status, body: await response.text(), headers: response.headers };
    }

    async function getJson(path: string) {
      const { status, body } = await get(path);
      assert.equal(status, 200, body);
      return JSON.parse(body);
    }

    async function post(path: string, body: unknown) {
      const response = await fetch(service.url + path, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      return { status: response.status, body: await response.text() };
    }

    async function expectText(path: string, status: number, text: string | RegExp) {
      const answer = await get(path);
      assert.equal(answer.status, status, path);
      assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/);
      if (typeof text === 'string') assert.equal(answer.body, text, path);
      else assert.match(answer.body, text, path);
    }

    const lodash = '/v3alpha/systems/NPM/packages/lodash';

    test('GetVersion answers every field in the order of the interface', async () => {
      const { body } = await get(`${lodash}/versions/4.17.15`);
      assert.equal(
        body,
        JSON.stringify({
          versionKey: { system: 'NPM', name: 'lodash', version: '4.17.15' },
          purl: 'pkg:npm/lodash@4.17.15',
          publishedAt: '2019-07-19T02:28:46Z',
          isDefault: false,
          isDeprecated: false,
          deprecatedReason: '',
          licenses: ['MIT'],
          licenseDetails: [{ license: 'MIT', spdx: 'MIT' }],
          advisoryKeys: [{ id: 'GHSA-29mw-wpgm-hmr9' }],
          links: [],
          slsaProvenances: [],
          attestations: [],
          registries: ['https://registry.example/npm/'],
          relatedProjects: [],
          upstreamIdentifiers: [],
        }),
      );
    });

    test('a time that is not known is left out, and everything else stays', async () => {
      const version = await getJson(`${lodash}/versions/4.17.21`);
      assert.ok(!('publishedAt' in version));
      assert.equal(version.isDefault, true);
      assert.deepEqual(version.advisoryKeys, []);
    });

    test('a batch answers in order, echoes each request, and misses by leaving the version out', async () => {
      const keys = [
        { system: 'NPM', name: 'lodash', version: '4.17.21' },
        { system: 'NPM', name: 'nowhere', version: '1' },
        { system: 'npm', name: 'lodash', version: '4.17.15' },
        { system: 'PEAR', name: 'x', version: '1' },
      ];
      const { status, body } = await post('/v3alpha/versionbatch', {
        requests: keys.map((versionKey) => ({ versionKey })),
      });
      assert.equal(status, 200, body);
      const { responses, nextPageToken } = JSON.parse(body);
      assert.equal(nextPageToken, '');
      assert.deepEqual(
        responses.map((it: { request: { versionKey: object } }) => it.request.versionKey),
        keys,
      );
      assert.deepEqual(
        responses.map((it: { version?: { purl: string } }) => it.version?.purl),
        ['pkg:npm/lodash@4.17.21', undefined, 'pkg:npm/lodash@4.17.15', undefined],
      );
      assert.deepEqual(Object.keys(responses[1]), ['request']);
    });

    test('GetPackage lists the versions', async () => {
      assert.deepEqual(await getJson('/v3alpha/systems/NPM/packages/%40babel%2Ftraverse'), {
        packageKey: { system: 'NPM', name: '@babel/traverse' },
        purl: 'pkg:npm/%40babel/traverse',
        versions: [
          {
            versionKey: { system: 'NPM', name: '@babel/traverse', version: '7.23.0' },
            purl: 'pkg:npm/%40babel/traverse@7.23.0',
            isDefault: false,
            isDeprecated: false,
          },
          {
            versionKey: { system: 'NPM', name: '@babel/traverse', version: '7.23.2' },
            purl: 'pkg:npm/%40babel/traverse@7.23.2',
            isDefault: true,
            isDeprecated: false,
          },
        ],
      });
    });

    test('a list that is not whole says so, beside what the interface names', async () => {
      const sample = await startServiceOver(kind, stores, {
        'NUGET some': { sample: true, versions: { '1.0.0': {} } },
        'NUGET all': { versions: { '1.0.0': {} } },
      });
      const answer = async (path: string) => (await fetch(`${sample.url}/v3alpha/${path}`)).json() as Promise<object>;
      assert.deepEqual(Object.entries(await answer('systems/NUGET/packages/some')).at(-1), ['versionsComplete', false]);
      const looked = (await answer('purl/pkg%3Anuget%2Fsome')) as { package: object };
      assert.deepEqual(Object.entries(looked.package).at(-1), ['versionsComplete', false]);
      assert.deepEqual(Object.keys(await answer('systems/NUGET/packages/all')), ['packageKey', 'purl', 'versions']);
      await sample.close();
    });

    test('a path value is percent-encoded, in either spelling of the hexadecimal digits', async () => {
      for (const name of ['%40babel%2Ftraverse', '@babel%2ftraverse']) {
        const version = await getJson(`/v3alpha/systems/NPM/packages/${name}/versions/7.23.2`);
        assert.equal(version.purl, 'pkg:npm/%40babel/traverse@7.23.2');
      }
      const snakeyaml = await getJson('/v3alpha/systems/MAVEN/packages/org.yaml%3Asnakeyaml/versions/2.0');
      assert.equal(snakeyaml.purl, 'pkg:maven/org.yaml/snakeyaml@2.0');
      const go = '/v3alpha/systems/GO/packages/github.com%2Fdgrijalva%2Fjwt-go/versions';
      assert.equal((await getJson(`${go}/v3.2.0%2Bincompatible`)).isDefault, true);
      assert.equal((await getJson(`${go}/v3.2.0+incompatible`)).isDefault, true);
      await expectText('/v3alpha/systems/NPM/packages/@babel/traverse', 404, 'page not found');
      await expectText('/v3alpha/systems/NPM/packages/%zz', 400, 'the path is not percent-encoded correctly');
      await expectText('/v3alpha/systems/NPM/packages/%ff', 400, 'the path is not percent-encoded correctly');
    });

    test('names and versions are found under every spelling of theirs, and answered in one', async () => {
      const newtonsoft = await getJson('/v3alpha/systems/NUGET/packages/NEWTONSOFT.json/versions/13.0.1.0');
      assert.deepEqual(newtonsoft.versionKey, { system: 'NUGET', name: 'newtonsoft.json', version: '13.0.1' });
      assert.deepEqual(newtonsoft.upstreamIdentifiers, [
        { packageName: 'Newtonsoft.Json', versionString: '13.0.1', source: 'https://registry.example/nuget/' },
      ]);
      const zope = await getJson('/v3alpha/systems/pypi/packages/zope_interface/versions/5');
      assert.deepEqual(zope.versionKey, { system: 'PYPI', name: 'zope-interface', version: '5.0.0' });
      assert.equal(zope.upstreamIdentifiers[0].versionString, '5.0');
      assert.equal((await getJson('/v3alpha/systems/NPM/packages/JSONStream')).purl, 'pkg:npm/JSONStream');
      await expectText('/v3alpha/systems/NPM/packages/jsonstream', 404, 'package not found');
      assert.deepEqual(
        (await getJson('/v3alpha/systems/NPM/packages/JSONStream/versions/1.3.5')).upstreamIdentifiers,
        [],
      );
    });

    test('an unknown package is a 404 with a plain sentence', async () => {
      await expectText('/v3alpha/systems/PEAR/packages/x', 404, 'system not found');
      await expectText('/v3alpha/systems/PEAR/packages/x/versions/1', 404, 'system not found');
      await expectText('/v3alpha/systems/NPM/packages/nowhere', 404, 'package not found');
      await expectText('/v3alpha/systems/NPM/packages/nowhere/versions/1', 404, 'package not found');
      await expectText(`${lodash}/versions/9.9.9`, 404, 'version not found');
      await expectText(`${lodash}/versions/9.9.9:requirements`, 404, 'version not found');
      await expectText(`${lodash}/versions/4.17.21:requirements`, 404, 'requirements not found');
      await expectText(
        '/v3alpha/systems/CARGO/packages/time/versions/0.1.45:requirements',
        404,
        'requirements not found',
      );
      await expectText('/v3alpha/advisories/GHSA-none', 404, 'advisory not found');
      await expectText('/v3alpha/purl/pkg%3Anpm%2Fnowhere%401', 404, 'package not found');
      await expectText('/v3alpha/purl/pkg%3Anpm%2Flodash%409.9.9', 404, 'version not found');
      await expectText('/', 404, 'page not found');
      await expectText('/v3alpha/systems/NPM/packages/', 404, 'page not found');
    });

    test('GetRequirements answers the object of the system', async () => {
      assert.deepEqual(await getJson(`${lodash}/versions/4.17.15:requirements`), {
        npm: { dependencies: { dependencies: [] } },
      });
    });

    test('GetAdvisory', async () => {
      const { body } = await get('/v3alpha/advisories/GHSA-29mw-wpgm-hmr9');
      assert.equal(
        body,
        JSON.stringify({
          advisoryKey: { id: 'GHSA-29mw-wpgm-hmr9' },
          url: 'https://advisories.example/GHSA-29mw-wpgm-hmr9',
          title: 'Regular Expression Denial of Service (ReDoS) in lodash',
          aliases: ['CVE-2020-28500'],
          cvss3Score: 5.3,
          cvss3Vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L',
          // Beyond the contract.
          fixedVersions: [{ packageKey: { system: 'NPM', name: 'lodash' }, versions: ['4.17.21'] }],
        }),
      );
    });

    test('GetAdvisory says more than the contract only where there is more', async () => {
      const rating = async (id: string) => {
        const {
          advisoryKey: _,
          url: __,
          title: ___,
          aliases: ____,
          ...rest
        } = JSON.parse((await get(`/v3alpha/advisories/${id}`)).body);
        return JSON.stringify(rest);
      };
      assert.equal(
        await rating('GO-2026-0001'),
        '{"cvss3Score":0,"cvss3Vector":"","cvss4Score":8.8,"cvss4Vector":"CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:H/VA:N/SC:N/SI:N/SA:N","knownExploited":true}',
      );
      assert.equal(await rating('GO-2026-0002'), '{"cvss3Score":0,"cvss3Vector":"","severity":"HIGH"}');
    });

    test('GetProject', async () => {
      const { body } = await get('/v3alpha/projects/code.example%2FLodash%2Flodash');
      assert.equal(
        body,
        JSON.stringify({
          projectKey: { id: 'code.example/lodash/lodash' },
          openIssuesCount: 0,
          starsCount: 59_000,
          forksCount: 0,
          license: 'MIT',
          description: '',
          homepage: '',
          scorecard: {
            date: '2026-11-02T00:00:00Z',
            repository: { name: 'code.example/lodash/lodash', commit: 'abc' },
            scorecard: { version: 'v5', commit: '' },
            checks: [
              {
                name: 'Fuzzing',
                documentation: { shortDescription: 'Fuzzed?', url: 'https://checks.example/' },
                score: -1,
                reason: 'no',
                details: [],
              },
            ],
            overallScore: 6.4,
            metadata: [],
          },
        }),
      );
      assert.equal((await getJson('/v3alpha/projects/code.example%2Flodash%2Funscored')).scorecard, undefined);
      await expectText('/v3alpha/projects/code.example%2Fno%2Fwhere', 404, 'project not found');
    });

    test('GetSimilarlyNamedPackages', async () => {
      const { body } = await get('/v3alpha/systems/NPM/packages/lodahs:similarlyNamedPackages');
      assert.equal(
        body,
        JSON.stringify({
          packageKey: { system: 'NPM', name: 'lodahs' },
          packages: [{ packageKey: { system: 'NPM', name: 'lodash' } }],
        }),
      );
      assert.deepEqual((await getJson(`${lodash}:similarlyNamedPackages`)).packages, []);
      await expectText('/v3alpha/systems/NPM/packages/nowhere:similarlyNamedPackages', 404, 'package not found');
    });

    test('deprecated with a reason and without one', async () => {
      const versions = '/v3alpha/systems/NPM/packages/old/versions';
      const [one, two] = [await getJson(`${versions}/1.0.0`), await getJson(`${versions}/1.0.1`)];
      assert.deepEqual([one.isDeprecated, one.deprecatedReason], [true, 'use new']);
      assert.deepEqual([two.isDeprecated, two.deprecatedReason], [true, '']);
    });

    test('the wrong method is 405 and says the right one', async () => {
      const answer = await fetch(`${service.url}${lodash}`, { method: 'POST', body: '{}' });
      assert.equal(answer.status, 405);
      assert.equal(answer.headers.get('allow'), 'GET');
      assert.equal(await answer.text(), 'method not allowed');
      assert.equal((await get('/v3alpha/versionbatch')).headers.get('allow'), 'POST');
      assert.equal((await fetch(`${service.url}${lodash}`, { method: 'HEAD' })).status, 200);
    });

    test('an answer may be cached for an hour and read from anywhere', async () => {
      const { headers } = await get(lodash);
      assert.equal(headers.get('cache-control'), 'public, max-age=3600');
      assert.equal(headers.get('access-control-allow-origin'), '*');
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
      const missing = await get('/v3alpha/systems/NPM/packages/nowhere');
      assert.equal(missing.headers.get('cache-control'), null);
      assert.equal(missing.headers.get('access-control-allow-origin'), '*');
    });
  });
