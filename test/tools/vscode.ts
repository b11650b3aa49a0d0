import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import downloads from './downloads.json' with { type: 'json' };
import { type Download, unpacked } from './downloads.ts';
import { npm } from './npm.ts';

/** The newest VS Code there is a server of, and the oldest that the extension supports. */
export type Release = keyof typeof downloads.editors;

export const releases: readonly Release[] = ['newest', 'oldest'];

/** A VS Code that is served to a browser. */
export interface ServerRelease {
  /** VS Code's version. */
  readonly version: string;
  /** The program to run, `server-main.js`. */
  readonly main: string;
  /** The Node it needs. */
  readonly node: string;
}

/** VS Code's server, fetched where it is not there yet. */
export async function vscodeServer(release: Release): Promise<ServerRelease> {
  const editor = downloads.editors[release];
  const folder = await unpacked(editor, 'lib/vscode', (it) => installServer(it, editor.dependencies));
  return { version: editor.vscode, main: join(folder, 'out', 'server-main.js'), node: await nodeOf(editor.node) };
}

/**
 * Installs VS Code's own dependencies, without native code to be compiled.
 * @param changes other versions of some, `null` for what is large and not needed here
 */
async function installServer(folder: string, changes: Readonly<Record<string, string | null>>): Promise<void> {
  editJson(join(folder, 'package.json'), (it) => {
    const dependencies = typeof it.dependencies === 'object' ? it.dependencies : {};
    const changed = Object.entries({ ...dependencies, ...changes }).filter(([, version]) => version !== null);
    return { ...it, dependencies: Object.fromEntries(changed) };
  });
  // Its lockfile is out of step with its package.json, so `npm ci` refuses it.
  await npm(['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
  rmSync(join(folder, 'extensions', 'copilot'), { recursive: true, force: true });
  for (const [name, source] of Object.entries(standIns)) {
    const module = join(folder, 'node_modules', name);
    if (!existsSync(module)) continue;
    writeFileSync(join(module, 'stand-in.cjs'), source);
    editJson(join(module, 'package.json'), (it) => ({ ...it, main: './stand-in.cjs', exports: undefined }));
  }
}

type Json = Readonly<Record<string, object | string | undefined>>;

function editJson(path: string, edit: (content: Json) => Json): void {
  writeFileSync(path, JSON.stringify(edit(JSON.parse(readFileSync(path, 'utf8')))));
}

const watchdog = `
// Ends this process when the one it serves is gone.
exports.start = (pid) => void setInterval(() => {
  try { process.kill(pid, 0); } catch { process.exit(87); }
}, 1000).unref();
exports.exit = (code) => process.exit(code);
`;

const logger = `
// A log that is a plain file.
const { appendFile, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');
const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];
class Logger {
  constructor(type, name, file) { this.file = file; this.level = 2; }
  write(level, text) {
    if (level >= this.level) appendFile(this.file, new Date().toISOString() + ' [' + levels[level] + '] ' + text + '\\n', () => undefined);
  }
  trace(text) { this.write(0, text); }
  debug(text) { this.write(1, text); }
  info(text) { this.write(2, text); }
  warn(text) { this.write(3, text); }
  error(text) { this.write(4, text); }
  critical(text) { this.write(5, text); }
  getLevel() { return this.level; }
  setLevel(level) { this.level = level; }
  setPattern() {}
  clearFormatters() {}
  flush() {}
  drop() {}
}
const create = async (name, file) => { mkdirSync(dirname(file), { recursive: true }); return new Logger('', name, file); };
// One by one, so that an import finds their names.
exports.setLevel = () => undefined;
exports.setFlushOn = () => undefined;
exports.Logger = Logger;
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
`;

/** Modules with native code that VS Code does not start without, in JavaScript. */
const standIns: Readonly<Record<string, string>> = {
  '@vscode/spdlog': logger,
  '@vscode/native-watchdog': watchdog,
  'native-watchdog': watchdog,
};

/** The Node of a major version: this one, or one fetched from npm. */
export async function nodeOf(major: string): Promise<string> {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const platform = `${process.platform}-${process.arch}`;
  const nodes: Readonly<Record<string, Readonly<Record<string, Download>>>> = downloads.nodes;
  const download = nodes[major]?.[platform];
  if (download === undefined) throw new Error(`There is no Node ${major} for ${platform} among the downloads.`);
  return join(await unpacked(download, 'bin'), 'node');
}
