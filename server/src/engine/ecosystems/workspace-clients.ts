import { packageJson } from './npm/package-json.ts';
import { conditionalSources, ownOverrides, poetryTable } from './shared/project-rules.ts';

/** In which a project names its package manager, and the root of a workspace has its overrides. */
export const clientManifest = packageJson;

const writers: ReadonlyMap<string, string> = new Map([
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
  ['yarn.lock', 'yarn'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['bun.lock', 'bun'],
  ['deno.lock', 'deno'],
  ['poetry.lock', 'poetry'],
  ['uv.lock', 'uv'],
  ['pdm.lock', 'pdm'],
]);

/** Without the version that it may be given with: `yarn 1`. */
export function nameOfClient(client: string): string {
  return client.replace(/ .*/, '');
}

/** The package manager that writes a lockfile. */
export function writerOf(lockfile: string): string | undefined {
  return writers.get(lockfile);
}

/** The package manager that wrote a lockfile, by its text: the first yarn and the later ones share a name. */
export function clientIn(lockfile: string, text: string): string | undefined {
  const writer = writerOf(lockfile);
  return writer === 'yarn' && !text.slice(0, MAX_HEADER_LENGTH).includes('__metadata:') ? 'yarn 1' : writer;
}

/** In characters. The later yarns write their version behind two lines of comments. */
const MAX_HEADER_LENGTH = 1000;

/** Settings that only one package manager reads, beside its lockfile. */
export const settingsOfClients: ReadonlyMap<string, string> = new Map([
  ['pnpm-workspace.yaml', 'pnpm'],
  ['.yarnrc.yml', 'yarn'],
  ['bunfig.toml', 'bun'],
  ['deno.json', 'deno'],
  ['deno.jsonc', 'deno'],
]);

/** The package managers that read a field which takes packages from elsewhere. */
const readers: ReadonlyMap<string, readonly string[]> = new Map([
  ['overrides', ['npm', 'bun', 'deno']],
  ['resolutions', ['yarn', 'pnpm', 'bun']],
  ['pnpm.overrides', ['pnpm']],
  // Of a dependency of the project itself: npm refuses such an override.
  [ownOverrides, ['bun', 'deno']],
  [poetryTable, ['poetry']],
]);

/**
 * Whether one of some fields is read by the package manager of a project: the one that wrote the lockfile beside it, else
 * the one that it names, else probably npm, or pip. What no list has is read by all.
 */
export function areFieldsRead(
  fields: readonly string[],
  lockfiles: readonly string[],
  named: string | undefined,
): 'yes' | 'no' | 'probably not' {
  // Where their conditions are false, the package comes from an index.
  if (fields.includes(conditionalSources)) return 'probably not';
  const written = [...new Set(lockfiles.flatMap((it) => writers.get(it) ?? []))];
  const clients = named !== undefined && written.length !== 1 ? [nameOfClient(named)] : written;
  const isRead = (by: readonly string[]): boolean =>
    fields.some((it) => readers.get(it)?.some((one) => by.includes(one)) ?? true);
  if (clients.length === 0) return isRead(['npm']) ? 'yes' : 'probably not';
  return isRead(clients) ? 'yes' : 'no';
}
