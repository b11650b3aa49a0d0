import assert from 'node:assert/strict';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { type InlineCatalog, type StartedService, startService } from '../harness/service.ts';
import { type Folder, folderWith, runProgram, spawnProgram } from './program.ts';

const catalog: InlineCatalog = {
  'NPM lodash': { versions: ['4.17.15', '4.17.21'] },
  'NPM left-pad': { versions: ['1.3.0'] },
  'advisory GHSA-p6mc-m468-83gw': {
    title: 'Prototype Pollution in lodash',
    cvss3Score: 7.4,
    affected: [{ system: 'NPM', name: 'lodash', ranges: [{ introduced: '0', fixed: '4.17.19' }] }],
  },
};

let service: StartedService;
let folder: Folder;

before(async () => {
  service = await startService(catalog);
  folder = folderWith({
    'affected/package.json': '{ "dependencies": { "lodash": "4.17.15" } }',
    'clean/package.json': '{ "dependencies": { "left-pad": "1.3.0" } }',
  });
});

after(async () => {
  await service.close();
  folder.remove();
});

const check = (...args: readonly string[]) =>
  runProgram(['check', ...args], folder.path, { PACKAGE_INSIGHTS_BASE_URL: service.url });

/** A process takes a second to start, most of it waiting. */
const options = { concurrency: true };

test('the program in a process of its own', options, async (context) => {
  await Promise.all([
    context.test('prints findings plainly into a pipe, and ends with 1', async () => {
      const { code, out, error } = await check();
      assert.equal(
        out,
        [
          'lodash 4.17.15  high 7.4  1 vulnerability  → 4.17.21 (patch)',
          '    affected/package.json:1:32',
          '    GHSA-p6mc-m468-83gw  Prototype Pollution in lodash',
          '',
          '2 dependencies in 2 manifests checked: 1 finding (1 error)',
          '',
        ].join('\n'),
      );
      assert.deepEqual([code, error], [1, '']);
    }),

    context.test('says that certificates are checked although the environment says otherwise', async () => {
      const environment = { PACKAGE_INSIGHTS_BASE_URL: service.url, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
      const { code, error } = await runProgram(['check', 'clean'], folder.path, environment);
      assert.equal(code, 0);
      assert.match(error, /^package-insights: NODE_TLS_REJECT_UNAUTHORIZED=0 is ignored: .*NODE_EXTRA_CA_CERTS.*\n$/);
    }),

    context.test('sends nothing where the variable with the address of the service is invalid', async () => {
      for (const address of ['', '127.0.0.1:8099', 'ftp://x.example']) {
        const environment = { PACKAGE_INSIGHTS_BASE_URL: address };
        const { code, error } = await runProgram(['check', 'clean'], folder.path, environment);
        const said = `PACKAGE_INSIGHTS_BASE_URL requires an http or https address, not “${address}”`;
        assert.deepEqual([code, error.includes(said)], [2, true], error);
      }
    }),

    context.test('ends with 0 where all is clean', async () => {
      assert.deepEqual(await check('clean'), {
        code: 0,
        out: '1 dependency in 1 manifest checked: no findings\n',
        error: '',
      });
    }),

    context.test('ends with 2 where the service cannot be reached, and tells what is known', async () => {
      const gone = await startService(catalog);
      await gone.close();
      const { code, out, error } = await check('clean', '--base-url', gone.url);
      assert.equal(out, 'Incomplete: 0 of 1 dependency in 1 manifest checked, no findings\nNot checked: 1 failed\n');
      const told = ['lookups failed: connection refused', `the service is ${gone.url}`];
      assert.equal(error, told.map((it) => `package-insights check: ${it}\n`).join(''));
      assert.equal(code, 2);
    }),

    context.test(
      'ends with 2 where the report cannot be written down',
      { skip: !existsSync('/dev/full') },
      async () => {
        const full = openSync('/dev/full', 'w');
        const child = spawnProgram(['check', 'clean'], folder.path, { PACKAGE_INSIGHTS_BASE_URL: service.url }, full);
        let error = '';
        child.stderr?.setEncoding('utf8').on('data', (it: string) => {
          error += it;
        });
        const [code] = await once(child, 'close');
        closeSync(full);
        assert.deepEqual([code, error], [2, 'package-insights: standard output cannot be written: the disk is full\n']);
      },
    ),

    context.test('ends quietly where the reader of its output closes the pipe', async () => {
      const child = spawnProgram(['check'], folder.path, { PACKAGE_INSIGHTS_BASE_URL: service.url });
      child.stdout?.destroy();
      let error = '';
      child.stderr?.setEncoding('utf8').on('data', (it: string) => {
        error += it;
      });
      const [code] = await once(child, 'close');
      assert.deepEqual([code, error], [0, '']);
    }),

    context.test('ends with 2 where the command line is wrong', async () => {
      const { code, out, error } = await check('nowhere');
      assert.deepEqual([code, out, error], [2, '', 'package-insights check: no such file or folder: nowhere\n']);
    }),
  ]);
});
