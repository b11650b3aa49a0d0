import type { Clock, Files } from '../model/ports.ts';

/** Files that are not looked at on the disk again for every keystroke. */
export interface RecentFiles extends Files {
  /** Word came that something changed: everything is looked at again when next needed. */
  forget(): void;
}

const limits = {
  /** How long what was read is taken for what stands on the disk, in ms: the keystrokes of a word share one look. */
  life: 1000,
  /** Addresses, most of them of what is not there: a manifest looks for some 50 names in the folders above it. */
  most: 1000,
} as const;

export function recentFiles(files: Files, clock: Clock): RecentFiles {
  const known = new Map<string, { readonly at: number; readonly text: Promise<string | undefined> }>();
  return {
    ...files,
    read(uri) {
      const now = clock.now();
      const before = known.get(uri);
      if (before && Math.abs(now - before.at) < limits.life) return before.text;
      if (known.size >= limits.most) known.clear();
      const text = files.read(uri);
      known.set(uri, { at: now, text });
      return text;
    },
    forget: () => known.clear(),
  };
}
