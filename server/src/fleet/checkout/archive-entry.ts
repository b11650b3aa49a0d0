/** A file in an archive. */
export interface ArchiveEntry {
  /** As the archive has it, with `/`. */
  readonly path: string;
  /** In bytes, as the archive declares it. */
  readonly size: number;
  /** `other`: a device, a hard link, an encrypted or a sparse file. */
  readonly kind: 'file' | 'link' | 'other';
}

/** Reads an archive. Rejects with `ArchiveError`, and with errors of the disk. */
export interface Archive {
  list(): Promise<readonly ArchiveEntry[]>;
  /**
   * Reads some files, one after the other.
   * @param paths as `list` has them
   */
  read(paths: ReadonlySet<string>, take: (path: string, content: Buffer) => Promise<void>): Promise<void>;
}

/** The message is a clause for the person. */
export class ArchiveError extends Error {}

export const archiveLimits = {
  /** Chosen: five times the largest public monorepos. */
  entries: 1_000_000,
  /** Of all that is unpacked, in bytes. */
  bytes: 2 * 1024 * 1024 * 1024,
} as const;
