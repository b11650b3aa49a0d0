import { versioning } from '../../engine/ecosystems/versioning.ts';
import type { PackageKey } from '../../engine/model/keys.ts';
import { formatPurl } from '../../engine/model/purl.ts';
import type { KeptAnswer } from '../store/store.ts';

/** The answer to GetPackage that the answers to GetVersion amount to: a list that may lack versions, and is marked so. */
export function packageOfVersions(key: PackageKey, versions: readonly KeptAnswer[]): object {
  const { compare } = versioning[key.system];
  const summaries = versions.map(({ body = '{}' }) => summary(JSON.parse(body) as Readonly<Record<string, unknown>>));
  return {
    packageKey: key,
    purl: formatPurl(key),
    versions: summaries.sort((a, b) => compare(a.versionKey.version, b.versionKey.version)),
    versionsComplete: false,
  };
}

function summary(version: Readonly<Record<string, unknown>>) {
  const { versionKey, purl, publishedAt, isDefault = false, isDeprecated = false } = version;
  return {
    // Every kept version was read before it was written.
    versionKey: versionKey as { readonly version: string },
    purl,
    ...(publishedAt !== undefined && { publishedAt }),
    isDefault,
    isDeprecated,
  };
}
