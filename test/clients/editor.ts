import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { catalog } from '../editor/scratch.ts';
import { cli } from '../harness/cli.ts';
import { startService } from '../harness/service.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
/** How long, in ms, an editor may take on a slow machine before it is ended. */
const patience = 150_000;

/** The astral character before the requirement shows whether the editor and the server count alike. */
export const manifest = `{
  "name": "scratch",
  "dependencies": {
    "lodash": /* 😀 */ "4.17.15",
    "request": "2.88.2"
  }
}
`;

/** Two more files, which name a catalog that is renamed. */
export const named = {
  'pnpm-workspace.yaml': 'packages:\n  - b\ncatalogs:\n  old:\n    minimist: 1.2.8\n',
  'b/package.json': '{\n  "dependencies": { "minimist": "catalog:old" }\n}\n',
} as const;

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
 * @param heading the section of docs/editors.md whose setup is to be used
 */
export async function work<T>(heading: string, program: string, args: readonly string[]): Promise<Seen<T>> {
  const service = await startService(catalog);
  const scratch = mkdtempSync(join(tmpdir(), 'package-insights-client-'));
  const path = (name: string): string => join(scratch, name);
  mkdirSync(path('project'));
  mkdirSync(path('bin'));
  writeFileSync(path('project/package.json'), manifest);
  for (const [name, text] of Object.entries(named)) {
    mkdirSync(dirname(path(`project/${name}`)), { recursive: true });
    writeFileSync(path(`project/${name}`), text);
  }
  writeFileSync(path('setup'), setupFrom(heading).replace('http://127.0.0.1:8080', service.url));
  writeFileSync(path('bin/package-insights'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`, { mode: 0o755 });
  try {
    const { stderr } = await run(program, [...args], {
      cwd: path('project'),
      timeout: patience,
      env: {
        PATH: `${path('bin')}:${process.env['PATH']}`,
        HOME: scratch,
        TERM: 'dumb',
        LC_ALL: 'C.UTF-8',
        SETUP: path('setup'),
        MANIFEST: path('project/package.json'),
        REPORT: path('report.json'),
      },
    });
    return readReport(path('report.json')) ?? { failed: `no report; it said: ${stderr}` };
  } finally {
    await service.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The first code block of a section of docs/editors.md. */
function setupFrom(heading: string): string {
  const page = readFileSync(join(root, 'docs', 'editors.md'), 'utf8');
  const section = page.slice(page.indexOf(`\n## ${heading}\n`));
  const block = /\n```\w+\n(.*?\n)```/s.exec(section);
  if (!block?.[1]) throw new Error(`docs/editors.md has no setup under “${heading}”`);
  return block[1];
}

function readReport<T>(path: string): Seen<T> | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
