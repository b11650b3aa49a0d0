import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Running, run, start } from './processes.ts';
import type { ServerRelease } from './vscode.ts';

export interface EditorOptions {
  readonly release: ServerRelease;
  /** All data of the editor is below this folder; `User/settings.json` in it are the user's settings. */
  readonly home: string;
  /** Extensions to install. */
  readonly vsix: readonly string[];
  /** Where extensions are installed to, and found: below `home` unless said otherwise. */
  readonly extensions?: string;
  /** Whether the address may name tests to run inside. */
  readonly automation?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  /** Whether a folder has to be trusted by its person first; without, every folder is. */
  readonly asksForTrust?: true;
  /** The token that browsers must send; without one, every process that reaches the port has access. */
  readonly token?: string;
}

export interface EditorServer extends Running {
  /** `127.0.0.1:40123`. */
  readonly authority: string;
}

/** Writes the person's settings, beside those that keep the editor quiet. */
export function writeSettings(home: string, settings: Readonly<Record<string, unknown>>): void {
  mkdirSync(join(home, 'User'), { recursive: true });
  const all = JSON.stringify({ ...quietSettings, ...settings }, undefined, 2);
  writeFileSync(join(home, 'User', 'settings.json'), all);
  // A served editor reads machine settings on the server's side.
  writeMachineSettings(home, settings);
}

/** Writes the settings that a served editor puts above the person's, and reads again when they change. */
export function writeMachineSettings(home: string, settings: Readonly<Record<string, unknown>>): void {
  mkdirSync(join(home, 'Machine'), { recursive: true });
  writeFileSync(join(home, 'Machine', 'settings.json'), JSON.stringify(settings, undefined, 2));
}

/** Disables dialogs and background requests. */
export const quietSettings: Readonly<Record<string, unknown>> = {
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
  'remote.autoForwardPorts': false,
};

/** Serves VS Code to browsers on the loopback interface, at a port of its own choice. */
export async function startEditorServer(options: EditorOptions): Promise<EditorServer> {
  await installExtensions(options);
  const args = argumentsFor(options);
  const running = await start(
    {
      name: `VS Code ${options.release.version}`,
      command: options.release.node,
      args: [
        ...args,
        ...['--host', '127.0.0.1', '--port', '0', ...filter(options)],
        ...(options.asksForTrust ? [] : ['--disable-workspace-trust']),
        // The login shell would restore variables that the given environment omits.
        '--force-disable-user-env',
        ...(options.automation ? ['--enable-smoke-test-driver'] : []),
      ],
      env: environmentFor(options),
    },
    /Extension host agent listening on (\d+)/,
  );
  return { ...running, authority: `127.0.0.1:${running.said[1]}` };
}

/** The token is passed in a file, since command lines are public. */
function filter({ home, token }: EditorOptions): readonly string[] {
  if (token === undefined) return ['--without-connection-token'];
  const path = join(home, 'token');
  mkdirSync(home, { recursive: true });
  writeFileSync(path, token, { mode: 0o600 });
  return ['--connection-token-file', path];
}

function argumentsFor({ release, home, extensions = join(home, 'extensions') }: EditorOptions): readonly string[] {
  return [
    release.main,
    ...['--server-data-dir', join(home, 'server')],
    ...['--user-data-dir', home],
    ...['--extensions-dir', extensions],
    '--accept-server-license-terms',
    '--disable-telemetry',
  ];
}

/** Without the address of a gallery nothing is looked up in one. */
function environmentFor({ env = process.env }: EditorOptions): NodeJS.ProcessEnv {
  return { ...env, EXTENSIONS_GALLERY: '{}' };
}

/** Each takes some seconds. */
export async function installExtensions(options: EditorOptions): Promise<void> {
  for (const vsix of options.vsix) {
    const args = [...argumentsFor(options), '--install-extension', vsix];
    const program = { name: 'VS Code', command: options.release.node, args, env: environmentFor(options) };
    const { ok, how, output } = await run(program);
    if (!ok) throw new Error(`The extension could not be installed (${how}):\n${output}`);
  }
}

/** Where a browser finds a folder, or the file of a workspace; `payload` are the extras of the workbench, such as a file to open; `token` lets it in. */
export function editorUrl(
  authority: string,
  folder: string,
  payload: readonly (readonly [string, string])[] = [],
  token?: string,
): string {
  const kind = folder.endsWith('.code-workspace') ? 'workspace' : 'folder';
  const query = new URLSearchParams({ [kind]: folder, ...(token !== undefined && { tkn: token }) });
  if (payload.length > 0) query.set('payload', JSON.stringify(payload));
  return `http://${authority}/?${query}`;
}
