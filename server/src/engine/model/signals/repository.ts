import { isLoopback } from '../../base/loopback.ts';
import type { Insight, VersionFacts } from '../facts.ts';
import { browsableAddress } from '../links.ts';
import { byRank } from '../relations.ts';
import { relationOf } from './provenance.ts';

/** A repository of the connected code host: `lodash/lodash`, in lower case. */
export type RepositoryId = string;

/** What the code host reports of a repository. */
export interface RepositoryFacts {
  /** As the code host spells it; another name than the requested one if it was renamed: `request/request`. */
  readonly name: string;
  /** Its web page. */
  readonly url: string;
  readonly isArchived: boolean;
  readonly isDisabled: boolean;
  /** Milliseconds since the epoch; absent if nothing was ever pushed, or it is unknown. */
  readonly pushedAt?: number;
  /** Pull requests included; absent if unknown. */
  readonly openIssues?: number;
  /** SPDX identifier; absent if the code host recognizes none. */
  readonly license?: string;
}

/** The repository that a version names, and how sure that is. */
export interface NamedRepository {
  readonly id: RepositoryId;
  /** As in `RelatedProject`. */
  readonly provenance: string;
}

/** The connected code host. Another object whenever it changes. */
export interface CodeHost {
  /** The host of its repositories: `github.com`. */
  readonly host: string;
  /** Whether repositories may be requested before a person hovers them: there is a credential. */
  readonly looksAhead: boolean;
}

/** A repository to request. */
export interface WantedRepository {
  readonly kind: 'repository';
  readonly id: RepositoryId;
  /** A person waits for it. */
  readonly isAsked?: true;
}

/** A window of a limit of the code host, as its last answer reported it. */
export interface RateWindow {
  /** `core` */
  readonly resource: string;
  /** Requests an hour. */
  readonly limit: number;
  readonly remaining: number;
  /** In ms since the epoch. */
  readonly reset: number;
}

/** The facts of repositories. Reading never waits and sends nothing; `request` does. */
export interface Repositories {
  /** Undefined while no code host is connected. */
  codeHost(): CodeHost | undefined;
  repository(id: RepositoryId): Insight<RepositoryFacts>;
  /** Replaces everything that `owner` wants. Without a credential, only what a person asks for is requested. */
  request(owner: string, wanted: readonly WantedRepository[]): void;
  release(owner: string): void;
  /** Resolves when everything that a person asks for through `owner` has an answer, or after `patience` ms. */
  whenSettled(owner: string, patience: number, signal?: AbortSignal): Promise<void>;
  /** Called when facts, the address or the credential have changed. Returns a function that unsubscribes. */
  onDidChange(listener: () => void): () => void;
  revision(): number;
  /** The settings or the credential may have changed. Resolves when it is known who calls, and of whom. */
  refresh(): Promise<void>;
  /** Marks every fact as stale. */
  expire(): void;
  windows(): readonly RateWindow[];
  /** Requests the state of the limits: for a person who asks. Undefined if there is no answer. */
  requestWindows(signal?: AbortSignal): Promise<readonly RateWindow[] | undefined>;
  close(): void;
}

/**
 * The host whose repositories a code host has:
 *
 *     https://api.github.com                → github.com
 *     https://code.example/api/v3           → code.example
 *     http://127.0.0.1:8080/github.com      → github.com, for a service on this machine
 *
 * @param baseUrl a valid address of a connection
 * @returns undefined if the address names none
 */
export function hostBehind(baseUrl: string): string | undefined {
  if (!URL.canParse(baseUrl)) return undefined;
  const { hostname, host, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, '');
  if (isLoopback(hostname)) return /\/([a-z\d-]+(?:\.[a-z\d-]+)+)$/i.exec(path)?.[1]?.toLowerCase();
  if (path === '' && /^api\.[^.]+\.[^.]/.test(hostname)) return host.slice('api.'.length);
  return /^\/api\/v\d+$/.test(path) ? host : undefined;
}

/** The source repository of a version on a host; undefined if the service names none there. */
export function repositoryOf(facts: VersionFacts, host: string): NamedRepository | undefined {
  const named: NamedRepository[] = [];
  const add = (address: string | undefined, provenance: string): void => {
    const id = address === undefined ? undefined : idIn(address, host);
    if (id !== undefined) named.push({ id, provenance });
  };
  for (const it of facts.provenances)
    if (it.verified) add(browsableAddress(it.sourceRepository), relationOf(it, facts));
  for (const it of facts.projects) if (it.type === 'SOURCE_REPO') add(`https://${it.id}`, it.provenance);
  for (const it of facts.links) if (it.label === 'SOURCE_REPO') add(browsableAddress(it.url), 'UNVERIFIED_METADATA');
  return named.sort(byRank)[0];
}

/** `https://github.com/lodash/lodash/tree/main` → `lodash/lodash` */
function idIn(address: string, host: string): RepositoryId | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.host !== host && url.host !== `www.${host}`) return undefined;
  const [, owner = '', name = ''] = url.pathname.toLowerCase().split('/');
  const id = `${owner}/${name.replace(/\.git$/, '')}`;
  return isRepositoryId(id) ? id : undefined;
}

/** Names that can be part of a path as they are. Source: the code host's rules for names of accounts and repositories. */
export function isRepositoryId(id: string): boolean {
  return /^[a-z\d][a-z\d_-]{0,99}\/(?!\.{1,2}$)[a-z\d._-]{1,100}$/.test(id);
}
