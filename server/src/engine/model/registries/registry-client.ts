import type { PackageFacts, VersionFacts } from '../facts.ts';
import type { HashType, Requirements } from '../lookups.ts';
import type { AskedRegistry, Refusal, RegistryProtocol } from './access.ts';

/** How the registries of one protocol are asked: a row of `registries/clients.ts`. Functions never reject. */
export interface RegistryClient {
  readonly protocol: RegistryProtocol;
  /** All versions of a package, and what the list says about each of them. */
  readonly list: (question: RegistryQuestion) => Promise<RegistryAnswer<ListedPackage>>;
  /** What the list leaves open about one version, such as its license. Absent if a list says everything. */
  readonly version?: (question: RegistryQuestion, version: string) => Promise<RegistryAnswer<VersionFacts>>;
  /** What one version requires, as it was published. Absent if nothing asks for it. */
  readonly requirements?: (question: RegistryQuestion, version: string) => Promise<RegistryAnswer<Requirements>>;
}

export interface RegistryQuestion {
  readonly registry: AskedRegistry;
  /** The name of the package as its manifest writes it. */
  readonly name: string;
  /** Sends GET requests with the credential of the registry, and to no refused address. */
  readonly send: SendToRegistry;
  /** What `list` said of the package before `version` is called. */
  readonly listed?: ListedPackage;
}

export interface ListedPackage {
  /** Its `key` has no `registry`: the caller adds it. */
  readonly facts: PackageFacts;
  /** Undefined for a version that the list does not have. Called for few of thousands. */
  readonly version: (version: string) => VersionFacts | undefined;
  /** The files of a version that the list names, with their digests. Absent if it names none. */
  readonly artifacts?: (version: string) => readonly Artifact[];
  /** Whether a version may exist that the list does not have, such as a commit. `RegistryClient.version` finds out. */
  readonly mayHave?: (version: string) => boolean;
}

/** A published file. */
export interface Artifact {
  readonly url?: string;
  readonly digests: readonly Digest[];
}

export interface Digest {
  readonly type: HashType;
  /** In lower-case hexadecimal. */
  readonly digest: string;
}

export type RegistryAnswer<T> =
  | { readonly kind: 'found'; readonly value: T }
  /** The registry answered that it does not have the package or version. */
  | { readonly kind: 'absent' }
  /** 401 or 403: without a credential, or with one that the registry does not accept. `isForbidden`: 403. */
  | { readonly kind: 'denied'; readonly isForbidden?: true }
  /** `reason`: a clause to show. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'aborted' };

export interface RegistryRequest {
  /** Absolute: at the registry, or one that the registry names. The credential goes to the registry's own origin alone. */
  readonly url: string;
  readonly accept?: string;
  /** What is there never changes: a file of a published version. */
  readonly isConstant?: true;
  /** Whether a text is about what was asked for: nothing else is kept. */
  readonly isOf?: (text: string) => boolean;
  /** Headers under which the registry answers that nothing has changed: 304. */
  readonly conditions?: Readonly<Partial<Record<'if-none-match' | 'if-modified-since', string>>>;
  /** Only so many bytes of a file, each of which becomes one character of the text. The registry may send all. */
  readonly firstBytes?: number;
}

export type RegistryReply =
  | {
      readonly kind: 'reply';
      readonly status: number;
      /** By lower-case name. */
      readonly headers: Readonly<Record<string, string>>;
      readonly text: string;
      /** Where it came from, after redirects. */
      readonly url: string;
    }
  /** `isTooLarge`: there is an answer, which exceeds what is read of one. */
  | { readonly kind: 'failed'; readonly reason: string; readonly isTooLarge?: true }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'aborted' };

export type SendToRegistry = (request: RegistryRequest) => Promise<RegistryReply>;

/** The answer to a reply that has no facts; undefined for one with status 200. */
export function withoutFacts(reply: RegistryReply): Exclude<RegistryAnswer<never>, { kind: 'found' }> | undefined {
  if (reply.kind !== 'reply') return reply;
  switch (reply.status) {
    case 200:
      return undefined;
    case 404:
    case 410:
      return { kind: 'absent' };
    case 401:
      return { kind: 'denied' };
    case 403:
      return { kind: 'denied', isForbidden: true };
    default:
      return { kind: 'failed', reason: `HTTP ${reply.status}` };
  }
}
