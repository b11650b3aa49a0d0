import { ownOf } from '../../../formats/json/plain.ts';
import type { Source } from '../../../model/manifest.ts';
import { lockedSource } from '../specifier.ts';
import { npm } from '../versions.ts';
import { readArchiveAddress, readExactSpecifier } from './archive-address.ts';

/** What a place of a package ends in, before its name. */
export const folder = 'node_modules/';

/** The strings of an entry, and `true` for what is true. */
export type Fields = (name: string) => string | undefined;

/** @param entry as `JSON.parse` gives it */
export function fieldsOf(entry: Readonly<Record<string, unknown>>): Fields {
  return (name) => {
    const value = ownOf(entry, name);
    return typeof value === 'string' ? value : value === true ? 'true' : undefined;
  };
}

/** An entry, read from its fields. */
export interface Content {
  readonly packageName: string | undefined;
  readonly source: Source | undefined;
  readonly registry: string | undefined;
  /** Absent for an entry that does not come from a registry. */
  readonly published: Published | undefined;
  /** The version as it is written. */
  readonly written: string;
}

/** A published version in the text of a field. */
interface Published {
  readonly name?: string;
  readonly version: string;
  readonly field: 'version' | 'from';
  readonly start: number;
}

/** Undefined for an entry without a version. */
export function contentOf(field: Fields): Content | undefined {
  const link = field('link') === undefined ? undefined : field('resolved');
  const written = field('version') ?? link;
  if (written === undefined) return undefined;
  const address = field('resolved') || field('version') || '';
  const published = publishedIn(written, field('from'));
  const linked = link && (address.startsWith('..') || /^(?:[a-z]:|\/)/i.test(address) ? 'path' : 'workspace');
  const isAddress = /^https?:/i.test(address);
  const source =
    linked || (sourceOf(field('resolved') ?? '', written) ?? (published || !isAddress ? undefined : 'url'));
  if (source === undefined && !published) return undefined;
  return {
    packageName: published?.name ?? field('name'),
    source,
    registry: isAddress ? address : undefined,
    published: source ? undefined : published,
    written,
  };
}

function publishedIn(written: string, from: string | undefined): Published | undefined {
  if (!written.includes(':'))
    return npm.read(written).kind === 'pin' ? { version: written, field: 'version', start: 0 } : undefined;
  const archive = readArchiveAddress(written);
  if (archive) return { ...archive, field: 'version' };
  for (const [field, text] of [
    ['version', written],
    ['from', from ?? ''],
  ] as const) {
    const exact = readExactSpecifier(text);
    if (exact) return { ...exact, field, start: text.length - exact.version.length };
  }
  return undefined;
}

/** What is no address of an archive comes from elsewhere, however it is written: `GIT+ssh://…`, `./a.tgz`, `user/repository`. */
function sourceOf(resolved: string, version: string): Source | undefined {
  if (resolved !== '' && !/^https?:/i.test(resolved)) {
    const source = lockedSource(resolved);
    return source === 'registry' ? 'path' : source;
  }
  if (resolved !== '' || /^https?:/i.test(version)) return undefined;
  const source = lockedSource(version);
  return source === 'registry' ? undefined : source;
}
