import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { fileUri } from '../../server/src/engine/base/uri.ts';
import { catalog as scratch } from '../editor/scratch.ts';
import { cli } from '../harness/cli.ts';
import { nobody } from '../harness/nobody.ts';
import { type InlineCatalog, startService } from '../harness/service.ts';
import { folderWith } from '../terminal/program.ts';
import { manifest, versionOf } from './editor.ts';

const required = (name: string) => ({
  npm: {
    dependencies: {
      dependencies: [{ name, requirement: '^4.0.0' }],
      ...{ devDependencies: [], optionalDependencies: [], peerDependencies: [], bundleDependencies: [] },
    },
    bundled: [],
  },
});
const catalog: InlineCatalog = {
  ...scratch,
  'NPM lodash': {
    versions: ['4.17.15', '4.17.21'],
    shared: { licenses: ['MIT'], links: [{ label: 'SOURCE_REPO', url: 'https://code.example/lodash' }] },
  },
  'NPM app': {
    versions: {
      '1.0.0': {
        requirements: required('lodash'),
        hashes: { SHA1: createHash('sha1').update('app').digest('hex') },
        artifact: 'app.tgz',
      },
      '2.0.0': { isDefault: true, requirements: required('other') },
    },
  },
};

/** An answer that the client printed, as far as it is looked at here. */
interface Printed {
  readonly [name: string]: Printed;
}

const skip = versionOf('python3') === undefined ? 'Python 3 is not installed: not tested here' : false;

test('a client that knows the protocol and docs/editors.md alone has everything answered', { skip }, async () => {
  const service = await startService(catalog);
  const folder = folderWith({ 'w/package.json': manifest, 'app.tgz': 'app' });
  const program = [process.execPath, '--disable-warning=ExperimentalWarning', cli, 'lsp', '--stdio'];
  const { stdout } = await promisify(execFile)('python3', [join(import.meta.dirname, 'stranger.py')], {
    timeout: 50_000,
    env: {
      ...{ PATH: process.env['PATH'], ...nobody, PACKAGE_INSIGHTS_CACHE_DIR: '', PROGRAM: JSON.stringify(program) },
      ...{ SERVICE: service.url, FOLDER: fileUri(join(folder.path, 'w')), MANIFEST: manifest },
      ARCHIVE: fileUri(join(folder.path, 'app.tgz')),
    },
  }).finally(async () => {
    await service.close();
    folder.remove();
  });
  const seen: Printed = JSON.parse(stdout);
  const look = (...names: readonly string[]): unknown =>
    names.reduce<Printed | undefined>((it, name) => it?.[name], seen);

  assert.deepEqual(look('offered', 'executeCommandProvider', 'commands'), [
    'packageInsights.server.refresh',
    'packageInsights.server.update',
    'packageInsights.server.explain',
    'packageInsights.server.updateAll',
    'packageInsights.server.ignore',
    'packageInsights.server.stopIgnoring',
    'packageInsights.server.showIgnore',
    'packageInsights.server.makePrivate',
    'packageInsights.server.wayOut',
    'packageInsights.server.documentCommand',
  ]);
  assert.deepEqual(look('early'), { error: -32002 });
  assert.deepEqual(look('pushed'), ['advisory', 'deprecated']);
  assert.match(String(look('hover', 'contents', 'value')), /GHSA-p6mc-m468-83gw/);
  assert.deepEqual(look('hints'), ['⚠ high → 4.17.21 · 1 vulnerability', '⚠ deprecated · no fix']);
  assert.equal(look('actions', '0', 'title'), 'Update lodash to 4.17.21 (patch, fixes the vulnerability, latest)');
  assert.equal(look('links', '0', 'target'), 'https://code.example/lodash');
  assert.deepEqual(look('completion'), ['4.17.21', '4.17.15']);
  assert.match(String(look('resolved', 'documentation', 'value')), /License MIT/);
  assert.equal(look('lenses', '0', 'command', 'title'), 'Update 1 affected dependency (safe)');
  assert.deepEqual([look('updateAll'), look('refresh')], [1, null]);
  const beside = fileUri(join(folder.path, 'w/'));
  assert.deepEqual(look('ignore'), { uri: `${beside}.package-insights.json` });
  assert.deepEqual(look('edits'), [`${beside}package.json`, `${beside}.package-insights.json`]);

  assert.equal(look('subjects', 'subjects', 'length'), 2);
  assert.equal(look('subject', 'subjects', '0', 'purl'), 'pkg:npm/lodash@4.17.15');
  assert.deepEqual(look('groups', 'groups'), [{ name: 'dependencies', scope: 'runtime', count: 1 }]);
  assert.equal(look('entries', 'entries', '0', 'version'), '4.17.21');
  assert.deepEqual([look('upgrade', 'to'), look('upgrade', 'adds', '0', 'name')], ['2.0.0', 'other']);
  assert.deepEqual([look('identified', 'kind'), look('identified', 'versions', '0', 'name')], ['found', 'app']);
  assert.equal(look('other', 'kind'), 'other');
  assert.deepEqual(look('purl'), {
    kind: 'purl',
    purl: 'pkg:npm/%40a/b@1',
    short: 'npm/@a/b@1',
    system: 'NPM',
    version: '1',
  });
  assert.equal(look('noPurl', 'kind'), 'invalid');
  assert.match(String(look('page', 'markdown')), /License MIT/);
  assert.deepEqual(look('line'), { kind: 'line', format: 'package.json', text: '"lodash": "4.17.15"' });
  assert.deepEqual([look('report', 'base'), look('report', 'report', 'findings', 'length')], [beside, 2]);
  assert.match(String(look('notices', 'text')), /^Licenses of 2 packages/);
  assert.deepEqual([look('misfit'), look('unheardOf')], [{ error: -32602 }, { error: -32601 }]);
  assert.match(String(look('overPurl', 'contents', 'value')), /4\.17\.21/);
  assert.deepEqual(look('progress'), ['begin', 'end', 'report']);
  assert.ok((look('told') as readonly string[]).includes('packageInsights/status'));
  assert.equal(look('exit'), 0);
});
