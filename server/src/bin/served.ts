import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { fileTrouble } from '../engine/base/file-error.ts';
import { hasSqlite } from '../engine/storage/database.ts';
import { narrow } from '../engine/storage/private-file.ts';
import { type CallerOf, callersOf, ownUser, type ServedUser } from '../service/callers.ts';
import type { ServedService } from '../service/http-server.ts';
import type { OfferedServices, OfferOptions } from '../service/offered-services.ts';
import { createCodeHostService, type ServedRepository } from '../stand-ins/code-host/code-host-service.ts';
import { readRepositoryFile } from '../stand-ins/code-host/repository-file.ts';
import { noDurations, usualDurations } from '../stand-ins/deployments/advance.ts';
import { createDeploymentsService, type DeploymentsService } from '../stand-ins/deployments/service.ts';
import { openStore } from '../stand-ins/deployments/store.ts';
import { readTypeCatalog, type TypeCatalog } from '../stand-ins/deployments/type-catalog.ts';
import { readListFile, type UnsafeEntry } from '../stand-ins/link-safety/list-file.ts';
import { createLinkSafetyService } from '../stand-ins/link-safety/service.ts';
import { createSchedulingService } from '../stand-ins/scheduling/service.ts';
import { openCalendarStore } from '../stand-ins/scheduling/store.ts';
import { createServedCalls, openServedCalls } from '../stand-ins/token-audit/served-calls.ts';
import { createTokenAuditService } from '../stand-ins/token-audit/service.ts';

/*
 * The services of `serve` besides the Package Insights Service. A bundle of its own, which the terminal program loads for
 * that command alone. What is printed is for programs, so it is English.
 */

/** The host whose repositories are served. */
const codeHost = 'github.com';

/** What the address of a service has behind its name. */
const addressEnds: Readonly<Record<string, string>> = {
  'code-host': `/${codeHost}`,
  deployments: '/v2beta/projects',
  scheduling: '/v3',
};

/** @throws `Unusable` for files, folders and addresses that cannot be used */
export async function offerServices({ clock, catalog, state, ...given }: OfferOptions): Promise<OfferedServices> {
  const repositories = await readRepositories(given.repositories, catalog);
  const entries = await readUnsafeLinks(given.unsafeLinks, catalog);
  if (state !== undefined) await prepare(state);
  const callers = await tokensOf([ownUser, ...furtherUsers(given.users)], state);
  const [own, ...users] = callers;
  const { token } = own;
  const callerOf = callersOf(callers);
  const calls =
    state === undefined
      ? createServedCalls()
      : opened(state, () => openServedCalls(join(state, 'served-calls-1.sqlite')));
  const deployments = await deploymentsOf({ clock, catalog, state, callerOf, isInstant: given.isInstant === true });
  const accepts = (it: string): boolean => callerOf({ authorization: `Bearer ${it}` }) !== undefined;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const calendars = hasSqlite()
    ? opened(state ?? '', () => openCalendarStore(fileIn(state, 'calendars-1.sqlite')))
    : undefined;
  const scheduling = calendars && createSchedulingService({ store: calendars, clock, callerOf, timeZone });
  const services: ServedService[] = [
    { name: 'code-host', ...createCodeHostService({ repositories, clock, host: codeHost, accepts }) },
    { name: 'link-safety', ...createLinkSafetyService({ entries, key: token }) },
    { name: 'token-audit', ...createTokenAuditService({ calls, token }) },
    ...(deployments ? [{ name: 'deployments', ...deployments }] : []),
    ...(scheduling ? [{ name: 'scheduling', ...scheduling }] : []),
  ];
  return {
    services,
    token,
    users,
    notes: hasSqlite()
      ? []
      : ['deployments', 'scheduling'].map((it) =>
          l10n.t('{0} is not served: {1}', it, l10n.t('this Node has no SQLite')),
        ),
    addresses: (url) => services.map(({ name }) => [name, `${url}/${name}${addressEnds[name] ?? ''}`]),
    note({ service, method, path, userAgent, address, responseBytes }) {
      const [client = ''] = userAgent.split(/[/ ]/);
      calls.add({ at: clock.now(), api: service, method: `${method} ${path}`, responseBytes, client, address });
    },
    close() {
      calls.close();
      deployments?.close();
      scheduling?.close();
    },
  };
}

/** Undefined without SQLite. */
async function deploymentsOf({
  clock,
  catalog,
  state,
  callerOf,
  isInstant,
}: Pick<OfferOptions, 'clock' | 'catalog' | 'state'> & {
  readonly callerOf: CallerOf;
  readonly isInstant: boolean;
}): Promise<DeploymentsService | undefined> {
  const types = await readTypes(catalog);
  const store =
    state === undefined ? openStore(':memory:') : opened(state, () => openStore(join(state, 'deployments-1.sqlite')));
  if (store === undefined) return undefined;
  const durations = isInstant ? noDurations : usualDurations;
  return createDeploymentsService({ catalog: types, store, clock, callerOf, durations });
}

/** What was given cannot be used. The message is for the person. */
class Unusable extends Error {
  /** Programs in other bundles know the error by its name. */
  override readonly name = 'Unusable';
}

/** @returns email addresses in lower case */
function furtherUsers(given: readonly string[]): readonly string[] {
  const emails = [...new Set(given.map((it) => it.toLowerCase()))];
  const invalid = emails.find((it) => !/^[^\s@]+@[^\s@]+$/.test(it) || it === ownUser);
  if (invalid !== undefined) throw new Unusable(l10n.t('{0}: invalid user: {1}', '--user', invalid));
  return emails;
}

/**
 * The tokens of users, in their order. Those in the folder stay valid over restarts, as what they give access to does. They
 * are beside it, readable for the same user alone.
 */
async function tokensOf(
  emails: readonly [string, ...string[]],
  folder: string | undefined,
): Promise<readonly [ServedUser, ...ServedUser[]]> {
  const path = folder && join(folder, 'tokens.json');
  const kept = path === undefined ? undefined : await readTokens(path);
  const tokens = new Map(kept);
  const userOf = (email: string): ServedUser => {
    const token = tokens.get(email) ?? randomBytes(18).toString('base64url');
    tokens.set(email, token);
    return { email, token };
  };
  const [own, ...others] = emails;
  const users = [userOf(own), ...others.map(userOf)] as const;
  if (path === undefined || tokens.size === kept?.size) return users;
  const isWritten = await writeTokens(path, tokens, kept === undefined);
  // Another process has just made the file: its tokens count.
  return isWritten ? users : tokensOf(emails, folder);
}

/** Undefined without a file. */
async function readTokens(path: string): Promise<ReadonlyMap<string, string> | undefined> {
  opened(path, () => narrow(path));
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unusable(path, error);
  });
  if (text === undefined) return undefined;
  try {
    const tokens = Object.entries(JSON.parse(text) as object);
    if (tokens.every(([, it]) => typeof it === 'string' && it.length >= MIN_TOKEN)) return new Map(tokens);
  } catch {
    // It is reported below.
  }
  throw new Unusable(l10n.t('{0} is no list of tokens; delete it to make new ones', path));
}

/** Shorter ones could be guessed. */
const MIN_TOKEN = 16;

/** Writes all of them or none. False if there is a file and `isFirst`. */
async function writeTokens(path: string, tokens: ReadonlyMap<string, string>, isFirst: boolean): Promise<boolean> {
  const draft = `${path}.${process.pid}`;
  try {
    await writeFile(draft, JSON.stringify(Object.fromEntries(tokens)), { mode: 0o600 });
    if (isFirst) await link(draft, path).finally(() => rm(draft));
    else await rename(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw unusable(path, error);
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function fileIn(folder: string | undefined, name: string): string {
  return folder === undefined ? ':memory:' : join(folder, name);
}

async function prepare(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unusable(folder, error);
  }
}

function opened<T>(folder: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw unusable(folder, error);
  }
}

function unusable(folder: string, error: unknown): Unusable {
  return new Unusable(l10n.t('{0} cannot be used: {1}', folder, fileTrouble(error)));
}

/** The file that is named, or that of the catalog, which need not have one. */
async function read(path: string | undefined, fallback: string): Promise<string | undefined> {
  try {
    return await readFile(path ?? fallback, 'utf8');
  } catch (error) {
    if (path === undefined) return undefined;
    throw new Unusable(l10n.t('{0} cannot be read: {1}', path, fileTrouble(error)));
  }
}

async function readRepositories(path: string | undefined, catalog: string): Promise<readonly ServedRepository[]> {
  const text = await read(path, join(catalog, 'services', 'repositories.json'));
  const found = readRepositoryFile(text ?? '[]');
  if (found) return found;
  throw new Unusable(l10n.t('{0} is no list of repositories', path ?? 'repositories.json'));
}

async function readUnsafeLinks(path: string | undefined, catalog: string): Promise<readonly UnsafeEntry[]> {
  const text = await read(path, join(catalog, 'services', 'unsafe-links.jsonl'));
  const found = readListFile(text ?? '');
  if (found.kind === 'entries') return found.entries;
  throw new Unusable(l10n.t('{0} is no list of unsafe links: {1}', path ?? 'unsafe-links.jsonl', found.reason));
}

/** The types of resources. A catalog need not have any. */
async function readTypes(catalog: string): Promise<TypeCatalog> {
  const path = join(catalog, 'services', 'deployment-types.json');
  const found = readTypeCatalog((await read(undefined, path)) ?? '{"providers":[]}');
  if (found.kind === 'catalog') return found.catalog;
  throw new Unusable(l10n.t('{0} is no list of resource types: {1}', path, found.reason));
}
