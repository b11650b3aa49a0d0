import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { withoutRegistries } from '../harness/nobody.ts';
import { writeMachineSettings, writeSettings } from '../tools/editor-server.ts';
import { cache, root } from '../tools/paths.ts';
import { onEnd } from '../tools/processes.ts';
import { scratchFolder } from '../tools/scratch.ts';
import { connectAll, startService } from '../tools/service.ts';

// Ended before its end, a test leaves nothing behind: what it started is killed when this process exits.
onEnd(() => process.exit(143));

const sample = join(root, 'test', 'sample');

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
  /** What the editor's settings are, but for those that every test has. */
  readonly settings: () => Readonly<Record<string, unknown>>;
  /** Changes settings of the editor while it runs, by writing them into its files. */
  readonly change: (settings: Readonly<Record<string, unknown>>) => void;
  /**
   * Makes the sample and the settings what they were, but for these settings.
   * @throws where the editor has changed those of its person, which it would not read again
   */
  readonly putBack: (settings: Readonly<Record<string, unknown>>) => void;
  /** The environment of the editor. */
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * @param isConnected to every service of `serve`
 * @param isRestricted the editor does not trust the folder, and does not ask
 */
export async function surroundings(
  context: Afterwards,
  settings: Readonly<Record<string, unknown>> = {},
  isConnected = false,
  isRestricted = false,
): Promise<Surroundings> {
  const scratch = scratchFolder(cache, 'editor-');
  context.after(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));
  const service = await startService();
  context.after(() => service.stop());
  const home = join(scratch, 'home');
  const connected = isConnected ? connectAll(service) : undefined;
  const own = { 'packageInsights.baseUrl': service.url, ...connected?.settings };
  writeSettings(home, { ...own, ...(isRestricted && restrictedSettings) });
  const personal = join(home, 'User', 'settings.json');
  const untouched = readFileSync(personal, 'utf8');
  let now: Readonly<Record<string, unknown>> = {};
  const set = (all: Readonly<Record<string, unknown>>): void => {
    now = all;
    writeMachineSettings(home, now);
  };
  set({ ...own, ...settings });
  const folder = join(scratch, 'sample');
  cpSync(sample, folder, { recursive: true });
  return {
    home,
    folder,
    scratch,
    settings: () => now,
    change: (changed) => set({ ...now, ...changed }),
    putBack: (settings) => {
      assert.equal(readFileSync(personal, 'utf8'), untouched, 'The editor reads the settings of its person once.');
      putSampleBack(folder);
      set({ ...own, ...settings });
    },
    // What connections use is counted for the user, which no test may add to.
    environment: { ...environment, XDG_CACHE_HOME: join(scratch, 'cache'), ...connected?.environment },
  };
}

const restrictedSettings = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
};

/** Touches only what differs: an editor reads every file that is written, and says so to its extensions. */
function putSampleBack(folder: string): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!existsSync(join(sample, path))) rmSync(join(folder, path), { recursive: true, force: true });
  }
  for (const entry of readdirSync(sample, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const original = join(entry.parentPath, entry.name);
    const copy = join(folder, relative(sample, original));
    if (!existsSync(copy) || !readFileSync(copy).equals(readFileSync(original))) cpSync(original, copy);
  }
}

/** Writes a workspace of several folders into the folder that holds them, and tells where. */
export function workspaceOf(folders: readonly string[], folder: string): string {
  const path = join(folder, 'team.code-workspace');
  writeFileSync(path, JSON.stringify({ folders: folders.map((it) => ({ path: it })) }));
  return path;
}

/** The environment of an editor under test: without npm, whose facts the editor would mix into its own hovers. */
export const environment: NodeJS.ProcessEnv = {
  ...process.env,
  ...withoutRegistries,
  PATH: join(root, 'node_modules', 'node', 'bin'),
};
