import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Running, start } from './processes.ts';
import type { ServerRelease } from './vscode.ts';

export interface EditorOptions {
  readonly release: ServerRelease;
  /** Everything the editor keeps goes below this folder; `User/settings.json` in it are the person's settings. */
  readonly home: string;
  /** Extensions to install. */
  readonly vsix: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly output?: (text: string) => void;
}

export interface EditorServer extends Running {
  /** `127.0.0.1:40123`. */
  readonly authority: string;
}

/** Writes the person's settings, beside those that keep the editor quiet. */
export function writeSettings(home: string, settings: Readonly<Record<string, unknown>>): void {
  mkdirSync(join(home, 'User'), { recursive: true });
  const all = { ...quietSettings, ...settings };
  writeFileSync(join(home, 'User', 'settings.json'), JSON.stringify(all, undefined, 2));
}

/** What a person would have to click away, and what would ask the network behind their back. */
const quietSettings: Readonly<Record<string, unknown>> = {
  'security.workspace.trust.enabled': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'json.schemaDownload.enable': false,
  'npm.fetchOnlinePackageInfo': false,
  'typescript.disableAutomaticTypeAcquisition': true,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'git.enabled': false,
};

/** Serves VS Code to browsers on the loopback interface, at a port of its own choice. */
export async function startEditorServer(options: EditorOptions): Promise<EditorServer> {
  const args = [
    options.release.main,
    ...['--server-data-dir', join(options.home, 'server')],
    ...['--user-data-dir', options.home],
    ...['--extensions-dir', join(options.home, 'extensions')],
    '--accept-server-license-terms',
    '--disable-telemetry',
  ];
  // Without the address of a gallery nothing is looked up in one.
  const env = { ...(options.env ?? process.env), EXTENSIONS_GALLERY: '{}' };
  for (const vsix of options.vsix) install(options.release.node, [...args, '--install-extension', vsix], env);
  const running = await start({
    name: `VS Code ${options.release.version}`,
    command: options.release.node,
    args: [
      ...args,
      ...['--host', '127.0.0.1', '--port', '0', '--without-connection-token'],
      '--disable-workspace-trust',
      '--enable-smoke-test-driver',
    ],
    env,
    ready: /Extension host agent listening on (\d+)/,
    ...(options.output ? { output: options.output } : {}),
  });
  return { ...running, authority: `127.0.0.1:${running.said[1]}` };
}

function install(node: string, args: readonly string[], env: NodeJS.ProcessEnv): void {
  const result = spawnSync(node, args, { encoding: 'utf8', env });
  if (result.status !== 0) throw new Error(`The extension could not be installed:\n${result.stdout}${result.stderr}`);
}

/** Where a browser finds a folder; `payload` are the extras of the workbench, such as a file to open. */
export function editorUrl(
  authority: string,
  folder: string,
  payload: readonly (readonly [string, string])[] = [],
): string {
  const query = new URLSearchParams({ folder });
  if (payload.length > 0) query.set('payload', JSON.stringify(payload));
  return `http://${authority}/?${query}`;
}
