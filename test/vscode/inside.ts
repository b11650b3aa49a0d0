import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { runTests } from '@vscode/test-electron';
import { build } from 'esbuild';
import { cache, root } from '../tools/paths.ts';
import type { Release } from '../tools/vscode.ts';
import { editors } from './editors.ts';
import { startFarService } from './far-service.ts';
import type { Result } from './host/runner.ts';
import { surroundings } from './workspace.ts';

/** Runs the tests of the folder `host` inside one of the editors. */
export async function testInside(which: Release): Promise<void> {
  const suite = join(cache, `host-suite-${which}`, 'index.js');
  await build({
    entryPoints: [join(import.meta.dirname, 'host', 'index.ts')],
    outfile: suite,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.18',
    external: ['vscode'],
  });
  const { name, executable, args } = (await editors())[which];
  test(`inside ${name}`, async (context) => {
    const { home, folder, scratch } = await surroundings(context);
    const far = await startFarService(context);
    const results = join(scratch, 'results');
    const log: string[] = [];
    const collect = new Writable({
      write(chunk, _encoding, done) {
        log.push(String(chunk));
        done();
      },
    });
    const outcome = await runTests({
      vscodeExecutablePath: executable,
      extensionDevelopmentPath: root,
      extensionTestsPath: suite,
      extensionTestsEnv: { PACKAGE_INSIGHTS_RESULTS: results, PACKAGE_INSIGHTS_FAR_SERVICE: far.url },
      launchArgs: [...args, `--user-data-dir=${home}`, `--extensions-dir=${join(home, 'extensions')}`, folder],
      stdout: collect,
      stderr: collect,
    }).catch((error: unknown) => error);
    const lines = existsSync(results) ? readFileSync(results, 'utf8').trimEnd().split('\n') : [];
    for (const line of lines) {
      const { name, error }: Result = JSON.parse(line);
      await context.test(name, () => {
        if (error !== undefined) throw failureInside(error);
      });
    }
    if (lines.length > 0) {
      await context.test('what no tab has shown was not looked up', () => {
        const asked = JSON.stringify(far.requests).match(/example-(?:shown-late|never-shown)/g);
        assert.deepEqual([...new Set(asked)], ['example-shown-late']);
      });
    }
    // Where it ended badly before or between the tests, only what it printed tells why.
    const failed = lines.some((it) => 'error' in JSON.parse(it));
    if (lines.length === 0 || (outcome !== 0 && !failed)) throw new Error(`${outcome}\n${log.join('')}`);
  });
}

/** An error with the stack it had inside. */
function failureInside(stack: string): Error {
  const error = new Error(stack.split('\n')[0]);
  error.stack = stack;
  return error;
}
