import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type InlineCatalog, startService } from '../harness/service.ts';

const run = promisify(execFile);

/** How long, in ms, an editor may take on a slow machine before it is ended. */
const patience = 30_000;

/** One dependency with an advisory and a way out of it, one deprecated. */
export const catalog: InlineCatalog = {
  'NPM lodash': { versions: ['4.17.15', '4.17.21'], shared: { licenses: ['MIT'] } },
  'NPM request': {
    versions: { '2.88.2': { isDefault: true, deprecated: 'no longer maintained', licenses: ['Apache-2.0'] } },
  },
  'advisory GHSA-p6mc-m468-83gw': {
    title: 'Prototype pollution',
    cvss3Score: 7.4,
    affected: [{ system: 'NPM', name: 'lodash', ranges: [{ introduced: '3.7.0', fixed: '4.17.19' }] }],
  },
};

/** The astral character before the requirement shows whether the editor and the server count alike. */
export const manifest = `{
  "name": "scratch",
  "dependencies": {
    "lodash": /* 😀 */ "4.17.15",
    "request": "2.88.2"
  }
}
`;

/** What an editor saw, or why it did not get that far. */
export type Seen<T> = T | { readonly failed: string };

/** The first line that `program --version` prints; undefined where it is not installed. */
export function versionOf(program: string): string | undefined {
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8' }).split('\n')[0];
  } catch {
    return undefined;
  }
}

/**
 * Starts an editor on a manifest in a scratch folder, with a service on loopback, and reads the report that it leaves.
 * Its own home is the scratch folder as well: nobody's configuration takes part.
 */
export async function work<T>(program: string, args: readonly string[]): Promise<Seen<T>> {
  const service = await startService(catalog);
  const scratch = mkdtempSync(join(tmpdir(), 'package-insights-client-'));
  const folder = join(scratch, 'project');
  const report = join(scratch, 'report.json');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), manifest);
  const cli = join(import.meta.dirname, '..', '..', 'server', 'src', 'cli.ts');
  try {
    const { stderr } = await run(program, [...args], {
      cwd: folder,
      timeout: patience,
      env: {
        PATH: process.env['PATH'],
        HOME: scratch,
        TERM: 'dumb',
        LC_ALL: 'C.UTF-8',
        SERVER_COMMAND: JSON.stringify([
          process.execPath,
          '--disable-warning=ExperimentalWarning',
          cli,
          'lsp',
          '--stdio',
        ]),
        BASE_URL: service.url,
        FOLDER: folder,
        REPORT: report,
      },
    });
    return readReport(report) ?? { failed: `no report; it said: ${stderr}` };
  } finally {
    await service.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function readReport<T>(path: string): Seen<T> | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
