import * as l10n from '@vscode/l10n';
import { fileTrouble } from '../base/file-error.ts';
import type { VersionKey } from '../model/keys.ts';
import {
  type HashType,
  type Lookup,
  type Lookups,
  type OldAnswer,
  olderAnswer,
  type QueryResult,
} from '../model/lookups.ts';
import { type Digests, hashTypes, type LocalFile } from './local-file.ts';

/** The result of identifying a file. */
export type IdentifiedFile = { readonly name: string } & (
  | ({ readonly digests: Digests } & (
      | Answered
      /** The service knows it as another version than the claimed one. */
      | {
          readonly kind: 'other';
          readonly by: HashType;
          readonly results: readonly QueryResult[];
          readonly old?: OldAnswer;
        }
    ))
  /** The file could not be read. */
  | { readonly digests?: undefined; readonly kind: 'failed'; readonly reason: string }
);

type Answered =
  | {
      readonly kind: 'found';
      readonly by: HashType;
      readonly results: readonly QueryResult[];
      /** The oldest answer that was used, where one is stale. */
      readonly old?: OldAnswer;
    }
  /** The service knows none of its digests. `knowsClaim`: whether it knows the claimed version. */
  | { readonly kind: 'unknown'; readonly knowsClaim?: boolean; readonly old?: OldAnswer }
  | { readonly kind: 'failed'; readonly reason: string };

/** Versions in one answer. Source: contract of the Package Insights Service, “Limits”. */
export const MAX_RESULTS = 1000;

/** Whether the service may know more versions than it listed. */
export function isTruncated({ results }: { readonly results: readonly QueryResult[] }): boolean {
  return results.length >= MAX_RESULTS;
}

/**
 * Finds the versions that a file belongs to. Only its digests are sent.
 * @param claim the version that the file is said to be of
 * @param tell called with the number of bytes read so far
 */
export async function identifyFile(
  { name, digests }: Pick<LocalFile, 'name' | 'digests'>,
  lookups: Lookups,
  claim: VersionKey | undefined,
  signal: AbortSignal,
  tell?: (read: number) => void,
): Promise<IdentifiedFile> {
  const read = await digests(signal, tell).catch((error: unknown) =>
    signal.aborted ? l10n.t('interrupted') : fileTrouble(error),
  );
  if (typeof read === 'string') return { name, kind: 'failed', reason: read };
  const about = { name, digests: read };
  const ask = async (version: VersionKey | undefined) => firstAnswer(read, lookups, version, signal);
  const claimed = await ask(claim);
  if (claimed.kind !== 'unknown' || claim === undefined) return { ...about, ...claimed };
  const free = await ask(undefined);
  const old = olderAnswer(claimed.old, free.kind === 'failed' ? undefined : free.old);
  if (free.kind === 'found') return { ...about, ...free, kind: 'other', ...(old && { old }) };
  if (free.kind === 'failed') return { ...about, ...free };
  const known = await lookups.purl({ key: claim, version: claim.version }, signal);
  const isTold = known.kind === 'found' || known.kind === 'unknown';
  const oldest = olderAnswer(old, isTold ? known.old : undefined);
  return {
    ...about,
    kind: 'unknown',
    ...(isTold && { knowsClaim: known.kind === 'found' }),
    ...(oldest && { old: oldest }),
  };
}

/**
 * Explains that the service knows no digest of a file, in a sentence. If it does not know the claimed version either,
 * the result proves nothing.
 * @param name of the file
 * @param claim the version that it was said to be, for people
 */
export function unknownText(
  { knowsClaim }: Extract<IdentifiedFile, { readonly kind: 'unknown' }>,
  name: string,
  claim: string,
): string {
  if (knowsClaim === undefined)
    return l10n.t('Unknown: the service knows no published version with the content of {0}.', name);
  return knowsClaim
    ? l10n.t(
        'Unknown: the service knows {1}, but no published version with the content of {0}. The file may have been changed or rebuilt, or the service has no digest of it.',
        name,
        claim,
      )
    : l10n.t('Unknown: the service knows neither {1} nor a published version with the content of {0}.', name, claim);
}

/** Queries one digest after another until one is known. */
async function firstAnswer(
  digests: Digests,
  lookups: Lookups,
  version: VersionKey | undefined,
  signal: AbortSignal,
): Promise<Answered> {
  let old: OldAnswer | undefined;
  for (const type of hashTypes) {
    const query = { hash: { type, digest: digests[type] }, ...(version && { version }) };
    const answer: Lookup<readonly QueryResult[]> = await lookups.query(query, signal);
    if (answer.kind === 'failed') return answer;
    if (answer.kind === 'aborted') return { kind: 'failed', reason: l10n.t('interrupted') };
    old = olderAnswer(old, answer.old);
    if (answer.kind === 'found' && answer.value.length > 0)
      return { kind: 'found', by: type, results: answer.value, ...(old && { old }) };
  }
  return { kind: 'unknown', ...(old && { old }) };
}

/** `SHA256` → `SHA-256` */
export function nameOfHash(type: HashType): string {
  return type.replace(/^SHA/, 'SHA-');
}
