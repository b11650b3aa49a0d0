import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutRegistries } from '../harness/nobody.ts';
import { writeSettings } from '../workbench/editor-server.ts';
import { cache, root } from '../workbench/paths.ts';
import { onEnd } from '../workbench/processes.ts';
import { scratchFolder } from '../workbench/scratch.ts';
import { startService } from '../workbench/service.ts';

// Ended before its end, a test leaves nothing behind: what it started is killed when this process exits.
onEnd(() => process.exit(143));

/** What is to be done when a test is over: its context, or a list that somebody keeps. */
export interface Afterwards {
  after(action: () => Promise<void> | void): void;
}

/** What an editor under test works in: folders of its own, and a service of its own. Gone when the test is. */
export interface Surroundings {
  /** The editor's settings, extensions and state. */
  readonly home: string;
  /** A copy of the sample. */
  readonly folder: string;
  /** Anything else. */
  readonly scratch: string;
}

export async function surroundings(
  context: Afterwards,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Surroundings> {
  const scratch = scratchFolder(cache, 'editor-');
  context.after(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));
  const service = await startService();
  context.after(() => service.stop());
  const home = join(scratch, 'home');
  writeSettings(home, { 'packageInsights.baseUrl': service.url, ...settings });
  const folder = join(scratch, 'sample');
  cpSync(join(root, 'test', 'sample'), folder, { recursive: true });
  return { home, folder, scratch };
}

/** Writes a workspace of several folders into the folder that holds them, and tells where. */
export function workspaceOf(folders: readonly string[], sample: string): string {
  const path = join(sample, 'team.code-workspace');
  writeFileSync(path, JSON.stringify({ folders: folders.map((it) => ({ path: it })) }));
  return path;
}

/** The environment of an editor under test: without npm, whose facts the editor would mix into its own hovers. */
export const environment: NodeJS.ProcessEnv = {
  ...process.env,
  ...withoutRegistries,
  PATH: join(root, 'node_modules', 'node', 'bin'),
};
