import { access, constants, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { UpdateScope } from '../engine/analysis/update-plan.ts';
import { fileTrouble } from '../engine/base/file-error.ts';
import { fileUri } from '../engine/base/uri.ts';
import { parseRegistryHost } from '../engine/model/links.ts';
import type { ConnectedInsights, Files } from '../engine/model/ports.ts';
import { fileNamePattern, namedFormats, type Settings } from '../engine/model/settings.ts';
import { type System, systems } from '../engine/model/system.ts';
import { EXCLUDE_PATTERN } from '../engine/policy/project-schema.ts';
import { findManifests } from '../engine/report/scan/find-manifests.ts';
import { createScanner, type ScanResult } from '../engine/report/scan/scan.ts';
import { type OptionTable, type OptionValues, type Terminal, UsageError } from './command.ts';
import { notOneOf, numberFrom, readServiceSettings, serviceOptions } from './options.ts';
import { progressLine } from './terminal.ts';

/** The arguments of a scan. */
export interface ScanOptions {
  /** Files and folders, as typed. */
  readonly paths: readonly string[];
  /** Globs of manifests in the folders that are left out, relative to the working directory. */
  readonly exclude: readonly string[];
  /** Whether to include lockfiles and BOMs in the folders. */
  readonly withRecords: boolean;
  readonly settings: Settings;
  /** Total time to wait for the service, in ms. */
  readonly patience: number;
  /** The project file of all manifests; absent where each manifest uses the nearest one. */
  readonly config?: string;
  readonly quiet?: boolean;
  /** The scope of the updates to make; absent where nothing is updated. */
  readonly updates?: UpdateScope;
  /** Whether to search the ways out of affected packages that dependencies bring. */
  readonly ways?: boolean;
  /** The texts of project files, by URI, before a change that may not loosen them. */
  readonly projectsBefore?: ReadonlyMap<string, string>;
  /** What files were before a change; absent where they are compared with the last commit. */
  readonly former?: NonNullable<Files['former']>;
}

/** In seconds: a day. */
const MAX_TIMEOUT = 86_400;

/** In seconds. */
const DEFAULT_TIMEOUT = 120;

const systemWords = systems.map((it) => it.toLowerCase());

export const allOption = {
  help: () => l10n.t('include lockfiles and SBOMs in the folders, and so transitive dependencies'),
};

/** The options of every command that scans manifests, besides `--all`. */
export const scanOptions = {
  exclude: {
    value: 'GLOB',
    isRepeatable: true,
    help: () =>
      l10n.t(
        'leave out manifests in the folders, with the rules of .gitignore: fixtures, /examples, *.csproj; repeatable',
      ),
    read(text: string, option: string): string {
      if (new RegExp(EXCLUDE_PATTERN).test(text)) return text;
      throw new UsageError(l10n.t('{0} requires a glob without “!” and “..”, not “{1}”', option, text));
    },
  },
  'file-name': {
    value: 'NAME=FORMAT',
    isRepeatable: true,
    help: () =>
      l10n.t('read files of this name as manifests of a format: {0}; repeatable', 'reqs*.txt=requirements.txt'),
    read(text: string, option: string): string {
      if (new RegExp(fileNamePattern).test(text)) return text;
      throw new UsageError(
        l10n.t('{0} requires a name and a format ({1}), not “{2}”', option, namedFormats.join(', '), text),
      );
    },
  },
  'disable-system': {
    value: 'SYSTEM',
    isRepeatable: true,
    names: systemWords,
    help: () => l10n.t('leave out manifests of this system: {0}; repeatable', systemWords.join(', ')),
    read(text: string, option: string): System {
      const system = systems.find((it) => it.toLowerCase() === text);
      if (system) return system;
      throw notOneOf(text, systemWords, option);
    },
  },
  'public-registry': {
    value: 'HOST',
    isRepeatable: true,
    help: () => l10n.t('packages of this registry are public and may be looked up; repeatable'),
    read(text: string, option: string): string {
      const host = parseRegistryHost(text);
      if (host !== undefined) return host;
      throw new UsageError(l10n.t('{0} requires a host without port, path or *, not “{1}”', option, text));
    },
  },
  'ask-private-registries': {
    help: () => l10n.t('ask private registries about their own packages, with the credentials of their clients'),
  },
  timeout: {
    value: 'SECONDS',
    help: () => l10n.t('total time to wait for the service; default: {0}', DEFAULT_TIMEOUT),
    read: numberFrom(1, MAX_TIMEOUT),
    default: DEFAULT_TIMEOUT,
  },
  ...serviceOptions,
} as const satisfies OptionTable;

/** Whether withheld packages affect the exit code. */
export const allowPrivateOption = {
  help: () => l10n.t('packages whose names stay private do not lead to exit code 2'),
};

export function readScanOptions(
  options: OptionValues<typeof scanOptions & { readonly all: typeof allOption }>,
  paths: readonly string[],
  terminal: Terminal,
): ScanOptions {
  return {
    paths: paths.length > 0 ? paths : ['.'],
    exclude: options.exclude,
    withRecords: options.all,
    settings: {
      ...readServiceSettings(options, terminal),
      publicRegistries: options['public-registry'],
      fileNames: options['file-name'],
      disabledSystems: options['disable-system'],
      privateRegistries: options['ask-private-registries'] ? 'ask' : 'off',
    },
    patience: options.timeout * 1000,
  };
}

export interface PreparedScan {
  /** Each call scans all manifests. */
  readonly scan: () => Promise<ScanResult>;
  /** The files that the scan may read. */
  readonly files: Files;
}

/** There are manifests, and all are excluded. */
export class AllExcludedError extends UsageError {}

/** Finds the manifests of the arguments. */
export async function prepareScan(
  options: ScanOptions,
  insights: ConnectedInsights,
  terminal: Terminal,
): Promise<PreparedScan> {
  const config = options.config === undefined ? undefined : await realFile(options.config, terminal.directory);
  // Who runs a check in a folder has chosen to trust its project files.
  const exclude = {
    patterns: options.exclude,
    ...(config !== undefined && { projectFile: config }),
    ...(options.projectsBefore && { projectsBefore: options.projectsBefore }),
    disabled: { systems: options.settings.disabledSystems, by: '--disable-system' },
    isTrusted: true,
  };
  const { withRecords } = options;
  const found = await findManifests(options.paths, terminal.directory, {
    withRecords,
    exclude,
    namesFor: () => options.settings.fileNames,
  });
  const { files, roots, closed, excluded, aside, hidden, excludedBy, refused } = found;
  for (const it of refused) throw new UsageError(it);
  if (files.length + closed.length === 0 && excludedBy.length > 0) {
    const by = excludedBy.map((it) => it.by).join(', ');
    throw new AllExcludedError(l10n.t('every manifest in {0} is excluded ({1})', options.paths.join(', '), by));
  }
  if (files.length + closed.length === 0) throw new UsageError(l10n.t('no manifest in {0}', options.paths.join(', ')));
  const readable = [...roots, ...(config === undefined ? [] : [dirname(config)])];
  const aborting = new AbortController();
  terminal.ended.then(() => aborting.abort());
  const onDisk = terminal.disk(readable.map((it) => `${fileUri(it)}/`));
  const disk = { ...onDisk, ...(options.former && { former: options.former }) };
  const scanner = createScanner({
    files: disk,
    insights,
    settings: options.settings,
    clock: terminal.clock,
    patience: options.patience,
    buildsHere: true,
    ...(config !== undefined && { projectFile: fileUri(config) }),
    ...(options.projectsBefore && { projectsBefore: options.projectsBefore }),
    ...(options.updates && { updates: options.updates }),
    ...(options.ways && { searchesWays: true }),
    signal: aborting.signal,
    progress: (counts) => options.quiet || terminal.status?.(progressLine(counts)),
  });
  async function scan(): Promise<ScanResult> {
    // Thousands of manifests take seconds before there is anything to count.
    if (!options.quiet && files.length > 1) terminal.status?.(l10n.t('checking {0} manifests', files.length));
    const scanned = await scanner.scan(files.map(fileUri), aside.map(fileUri), hidden.map(fileUri));
    terminal.status?.('');
    // Unreadable files count as not checked.
    return {
      ...scanned,
      excluded: excluded - (scanned.taken ?? 0),
      excludedBy,
      unread: [...new Set([...scanned.unread, ...closed.map(fileUri)])],
    };
  }
  return { scan, files: disk };
}

/**
 * The real path of a file argument.
 * @throws UsageError where it cannot be read: its project file would be ignored without notice
 */
async function realFile(typed: string, directory: string): Promise<string> {
  try {
    const path = await realpath(resolve(directory, typed));
    await access(path, constants.R_OK);
    if ((await stat(path)).isFile()) return path;
  } catch (error) {
    throw new UsageError(l10n.t('{0} cannot be read: {1}', typed, fileTrouble(error)));
  }
  throw new UsageError(l10n.t('{0} is not a file', typed));
}
