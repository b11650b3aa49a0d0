import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { cacheFile } from '../../server/src/engine/facts/cache/disk.ts';
import { catalogSource } from '../../server/src/service/catalog/source.ts';
import { serveHttp } from '../../server/src/service/http-server.ts';
import { type InlineCatalog, inlineCatalog } from '../harness/service.ts';
import { folderWith, runProgram } from './program.ts';

/* The real program over a real service, the file of kept answers between two runs; and what was published meanwhile. */

const sqlite = process.getBuiltinModule('node:sqlite');
export const options = { skip: sqlite === undefined, concurrency: true };

const former: InlineCatalog = {
  'NPM lodash': { versions: { '4.17.15': { licenses: ['MIT'] }, '4.17.21': { isDefault: true } } },
};
const published: InlineCatalog = {
  'NPM lodash': { versions: { '4.17.15': { licenses: ['ISC'] }, '4.17.21': { isDefault: true } } },
  'NPM new-here': { versions: ['1.0.0'] },
  'advisory GHSA-p6mc-m468-83gw': {
    title: 'Prototype Pollution in lodash',
    cvss3Score: 7.4,
    affected: [
      { system: 'NPM', name: 'lodash', ranges: [{ introduced: '0', fixed: '4.17.19' }] },
      { system: 'NPM', name: 'new-here', ranges: [{ introduced: '0' }] },
    ],
  },
};

export const lodash = '{ "dependencies": { "lodash": "4.17.15" } }';
export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Looks a manifest up, then has the service know more. */
export async function lookedUp(t: TestContext, manifest: string) {
  const folder = folderWith({ 'app/package.json': manifest });
  let source = catalogSource(inlineCatalog(former));
  const service = await serveHttp({
    source: {
      package: (it) => source.package(it),
      version: (it) => source.version(it),
      requirements: (it) => source.requirements(it),
      advisory: (it) => source.advisory(it),
      query: (it) => source.query(it),
    },
  });
  const close = async (): Promise<void> => service.close();
  t.after(async () => {
    folder.remove();
    await close();
  });
  const cache = join(folder.path, 'cache');
  const app = join(folder.path, 'app');
  const environment = { PACKAGE_INSIGHTS_BASE_URL: service.url, PACKAGE_INSIGHTS_CACHE_DIR: cache };
  const run = (...args: readonly string[]) => runProgram(args, app, environment);
  const { code, error } = await run('check');
  assert.equal(code, 0, error);
  source = catalogSource(inlineCatalog(published));
  return {
    app,
    cache,
    url: service.url,
    close,
    run,
    /** Has what is kept be older than it is. */
    grow(ms: number): void {
      assert.ok(sqlite);
      const store = new sqlite.DatabaseSync(join(cache, cacheFile));
      store.exec(`UPDATE answers SET at = at - ${ms}, fresh_until = fresh_until - ${ms}`);
      store.close();
    },
  };
}
