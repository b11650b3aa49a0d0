import type { ExcludedManifests } from '../report.ts';
import type { DisabledSystems, NamesFor } from './disabled-systems.ts';

/** The manifests of some folders, as the search of a file system finds them. */
export interface FolderManifests {
  /** URI of the nearest common directory, with its final slash. */
  readonly base: string;
  /** URIs, folder by folder. */
  readonly manifests: readonly string[];
  /** Number of further manifests beyond the limit. */
  readonly left: number;
  /** URIs of manifests and folders that cannot be read. */
  readonly closed: readonly string[];
  /** Number of manifests that were excluded on purpose. */
  readonly excluded: number;
  /** Of these, URIs of those that are scanned where a project is built from them. */
  readonly aside: readonly string[];
  /** Others, not counted, that are scanned likewise. */
  readonly hidden?: readonly string[];
  /** The manifests that project files exclude. */
  readonly excludedBy: readonly ExcludedManifests[];
}

/**
 * Searches the folders of a workspace.
 * @param folders URIs
 * @param isTrusted whether project files may exclude manifests
 */
export type FindFolderManifests = (
  folders: readonly string[],
  isTrusted: boolean,
  disabled?: DisabledSystems,
  namesFor?: NamesFor,
) => Promise<FolderManifests>;

/** A larger workspace is scanned in part. Each manifest takes about 100 kB of memory until the report is complete. */
export const MAX_MANIFESTS = 5000;

/** Searches folders of the disk in one way, and those of other file systems in another. */
export function searchEach(onDisk: FindFolderManifests, elsewhere: FindFolderManifests): FindFolderManifests {
  return async (folders, ...how) => {
    const isOnDisk = (it: string): boolean => /^file:/i.test(it);
    const [first, second] = [folders.filter(isOnDisk), folders.filter((it) => !isOnDisk(it))];
    if (second.length === 0) return onDisk(first, ...how);
    if (first.length === 0) return elsewhere(second, ...how);
    const [a, b] = await Promise.all([onDisk(first, ...how), elsewhere(second, ...how)]);
    return {
      base: a.base,
      manifests: [...a.manifests, ...b.manifests],
      left: a.left + b.left,
      closed: [...a.closed, ...b.closed],
      excluded: a.excluded + b.excluded,
      aside: [...a.aside, ...b.aside],
      hidden: [...(a.hidden ?? []), ...(b.hidden ?? [])],
      excludedBy: [...a.excludedBy, ...b.excludedBy],
    };
  };
}
