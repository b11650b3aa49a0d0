import { type Clock, type Files, readBy } from '../model/ports.ts';

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
  const all: { clear(): void }[] = [];
  const recent = readBy(files, (look) => {
    const known = new Map<string, { readonly at: number; readonly text: ReturnType<typeof look> }>();
    all.push(known);
    return (uri) => {
      const now = clock.now();
      const before = known.get(uri);
      if (before && Math.abs(now - before.at) < limits.life) return before.text;
      if (known.size >= limits.most) known.clear();
      const text = look(uri);
      known.set(uri, { at: now, text });
      return text;
    };
  });
  return {
    ...recent,
    forget() {
      for (const it of all) it.clear();
    },
  };
}
