/*
 * `npm start`: the extension in an editor, on a sample workspace, with a Package Insights Service of its own.
 *
 *     npm start                           the sample
 *     npm start -- FOLDER                 another folder; asks whether the registries may be asked for its packages
 *     npm start -- FOLDER --registries    the same, without the question
 *     npm start -- --connected            the sample with all services connected
 *     npm start -- --public               the public service instead
 *     npm start -- --base-url URL         another service
 *     npm start -- --web                  the editor and the extension in a browser alone, as on vscode.dev
 *     npm start -- --no-open              print the address of the editor, open nothing
 */
import { randomUUID } from 'node:crypto';
import { cpSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { desktopCommand, openDesktop } from './desktop.ts';
import { editorUrl, installExtensions, quietSettings, startEditorServer, writeSettings } from './editor-server.ts';
import { npm } from './npm.ts';
import { openAddress } from './open.ts';
import { packVsix } from './packing.ts';
import { cache, root } from './paths.ts';
import { onEnd, type Running, stopAll } from './processes.ts';
import { mayAsk, registriesHere, showProgress, startRegistryService } from './registries.ts';
import { scratchFolder } from './scratch.ts';
import { connectAll, startService } from './service.ts';
import { catalogText, packTrial, publicService, trialOf } from './trial.ts';
import { vscodeServer } from './vscode.ts';
import { memoryFolder, serveWebEditor } from './web/web-host.ts';

interface Wishes {
  /** Absolute; absent for the sample. */
  readonly folder?: string;
  readonly baseUrl?: string;
  /** Whether the registries of this machine answer, too; absent: a person is asked. */
  readonly registries?: true;
  readonly open: boolean;
  readonly web: boolean;
  /** Whether every service of `serve` is connected. */
  readonly connected: boolean;
}

const usage =
  'Usage: npm start -- [FOLDER [--registries] | --connected] [--public | --base-url URL] [--web] [--no-open]';

/** The packed extension, where a run of all tests has packed it. */
const { PACKAGE_INSIGHTS_VSIX: packed } = process.env;

const wishes = readWishes();
// One for each run, so that several can go on at a time.
const scratch = scratchFolder(cache, 'start-');
let ending = false;
let hideProgress = (): void => {};

onEnd(() => end(0, 'Ending the editor and the service.'));

try {
  const { running, asking } = await startAll();
  console.log('Press Ctrl-C to end.');
  if (asking !== undefined) hideProgress = showProgress(asking);
  const first = await Promise.race(running.map(async (it) => `${it.name} ended (${await it.ended})`));
  await end(first.endsWith('(exit code 0)') ? 0 : 1, `${first}.`);
} catch (error) {
  await end(1, error instanceof Error ? error.message : String(error));
}

interface All {
  readonly running: readonly Running[];
  /** The address of the service, if it asks registries. */
  readonly asking?: string;
}

async function startAll(): Promise<All> {
  const product = packed ?? join(scratch, 'package-insights.vsix');
  if (packed === undefined) {
    console.error('Building and packing the extension.');
    await packVsix(product);
  }
  const registries = await chosenRegistries();
  const service = wishes.baseUrl === undefined && !registries ? await startService() : undefined;
  const own = registries ? await startRegistryService(registries) : service;
  const asking = registries && own?.url;
  const baseUrl = wishes.baseUrl ?? own?.url;
  console.log(`Package Insights Service: ${baseUrl}`);
  if (service !== undefined) console.log(catalogText());
  const folder = wishes.folder ?? copyOfSample();
  const isSample = wishes.folder === undefined;
  const running = own === undefined ? [] : [own];
  const settings = {
    'packageInsights.baseUrl': baseUrl,
    'editor.minimap.enabled': false,
    ...(service && !isSample && { 'packageInsights.publicRegistries': await usualRegistries() }),
    // No client can install what the sample shows: a name that is unknown, and a version that does not exist.
    ...(isSample && { 'packageInsights.offerInstall': false }),
  };
  if (wishes.web) {
    await startWebEditor(folder, product, settings);
    return { running, ...(asking && { asking }) };
  }
  const vsix = [
    product,
    await packTrial(scratch, trialOf(folder, { isSample, knows: registries ? 'registries' : service && 'catalog' })),
  ];
  const home = join(scratch, 'editor');
  const connected = service && wishes.connected ? connectAll(service) : undefined;
  writeSettings(home, { ...settings, ...connected?.settings });
  if (connected) console.log('Connected services, on the sample: connected/package.json and the view Connections.');
  const editor = await startEditor(home, folder, vsix, connected?.environment);
  return { running: [...running, editor], ...(asking && { asking }) };
}

/** The registries that answer for a folder of a person's own, if they may. */
async function chosenRegistries(): Promise<Awaited<ReturnType<typeof registriesHere>> | undefined> {
  if (wishes.folder === undefined || wishes.baseUrl !== undefined) return undefined;
  const found = await registriesHere();
  return wishes.registries || (await mayAsk(found)) ? found : undefined;
}

/**
 * The host that npm uses. The service of a trial names no public registry, so a lockfile with addresses would count as
 * private. Names go to this machine alone.
 */
async function usualRegistries(): Promise<readonly string[]> {
  const address = (await npm(['config', 'get', 'registry'], tmpdir())).trim();
  return URL.canParse(address) ? [new URL(address).hostname] : [];
}

async function startEditor(
  home: string,
  folder: string,
  vsix: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const code = wishes.open ? desktopCommand() : undefined;
  if (code !== undefined) {
    console.log(`Opening ${folder} in the VS Code of this machine (${code}), with settings and extensions of its own.`);
    return openDesktop(code, { home, folder, vsix, environment });
  }
  const release = await vscodeServer('newest');
  // The editor can run programs, so neither another page in the browser nor another user may open it.
  const token = randomUUID();
  const env = { ...process.env, ...environment };
  const editor = await startEditorServer({ release, home, vsix, token, env });
  const address = editorUrl(editor.authority, folder, [], token);
  console.log(`VS Code ${release.version}: ${address}`);
  if (wishes.open) openAddress(address);
  return editor;
}

/** The editor has a copy of the folder in memory: what is changed there is gone with its page. */
async function startWebEditor(
  folder: string,
  vsix: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const release = await vscodeServer('newest');
  const home = join(scratch, 'editor');
  await installExtensions({ release, home, vsix: [vsix] });
  const extensions = join(home, 'extensions');
  const [extension = ''] = readdirSync(extensions).filter((it) => it.startsWith('package-insights.'));
  const host = await serveWebEditor({
    release,
    extension: join(extensions, extension),
    folder,
    settings: { ...quietSettings, ...settings },
  });
  const manifest = trialOf(folder, { isSample: wishes.folder === undefined, knows: undefined }).manifest;
  const address = host.url(manifest === undefined ? [] : [['openFile', `${memoryFolder}/${manifest}`]]);
  console.log(`VS Code ${release.version} for the web: ${address}`);
  if (wishes.open) openAddress(address);
}

/** Edits of the sample must not change the checkout. */
function copyOfSample(): string {
  const folder = join(scratch, 'sample');
  cpSync(join(root, 'test', 'sample'), folder, { recursive: true });
  return folder;
}

async function end(code: number, message?: string): Promise<void> {
  // One Ctrl-C arrives several times: the terminal sends it to every process of its group.
  if (ending) return;
  ending = true;
  hideProgress();
  if (message !== undefined) (code === 0 ? console.log : console.error)(message);
  await stopAll();
  rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  process.exit(code);
}

function readWishes(): Wishes {
  const options = {
    'base-url': { type: 'string' },
    connected: { type: 'boolean' },
    public: { type: 'boolean' },
    web: { type: 'boolean' },
    registries: { type: 'boolean' },
    'no-open': { type: 'boolean' },
    help: { type: 'boolean' },
  } as const;
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (values.help) finish(0, usage);
    const [folder, ...others] = positionals;
    if (others.length > 0) throw new Error('Only one folder can be opened');
    if (values.public && values['base-url'] !== undefined) throw new Error('--public and --base-url are two services');
    if (values.registries && (folder === undefined || values.public || values['base-url'] !== undefined))
      throw new Error('--registries is for a folder, and for no other service');
    if (values.connected && (folder !== undefined || values.web || values.public || values['base-url'] !== undefined))
      throw new Error('--connected is for the sample in a desktop window, and for no other service');
    const address = values.public ? publicService : values['base-url'];
    return {
      open: values['no-open'] !== true,
      web: values.web === true,
      connected: values.connected === true,
      ...(folder === undefined ? {} : { folder: existingFolder(folder) }),
      ...(address === undefined ? {} : { baseUrl: httpAddress(address) }),
      ...(values.registries && { registries: true }),
    };
  } catch (error) {
    return finish(2, `${error instanceof Error ? error.message : error}\n${usage}`);
  }
}

function finish(code: number, message: string): never {
  (code === 0 ? console.log : console.error)(message);
  process.exit(code);
}

function existingFolder(given: string): string {
  // npm runs scripts in the checkout; this is where the person is.
  const folder = resolve(process.env.INIT_CWD ?? process.cwd(), given);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`There is no folder ${folder}`);
  return folder;
}

function httpAddress(given: string): string {
  if (!/^https?:$/.test(URL.parse(given)?.protocol ?? '')) throw new Error(`${given} is not an http(s) address`);
  return given;
}
