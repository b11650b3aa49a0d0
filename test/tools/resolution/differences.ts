import { versioning } from '../../../server/src/engine/ecosystems/versioning.ts';
import type { Answers } from './engine.ts';
import type { Resolved } from './installed.ts';

/** What is compared: how often it is equal, and how often there is something. */
export const kinds = ['locked', 'predicted', 'brought', 'all'] as const;
export type Figures = Record<(typeof kinds)[number], { equal: number; count: number }> & { reused: number };

export function noFigures(): Figures {
  const made = kinds.map((it) => [it, { equal: 0, count: 0 }] as const);
  return { ...(Object.fromEntries(made) as Omit<Figures, 'reused'>), reused: 0 };
}

/** Where what the engine says, with the lockfile and without it, is not what is installed. */
export function differencesOf(
  installed: Resolved,
  { locked, predicted }: { readonly locked: Answers; readonly predicted: Answers },
  figures = noFigures(),
): string[] {
  const found: string[] = [];
  for (const [path, versions] of Object.entries(installed.direct)) {
    for (const [name, version] of Object.entries(versions)) {
      const theirs = version.includes('@') ? version : 'workspace';
      note('locked', `${path} ${name}`, theirs, locked.direct[path]?.[name] ?? 'nothing');
      const ours = predicted.direct[path]?.[name];
      // A tag is known to the registry alone.
      if (ours === undefined) continue;
      if (ours !== theirs && wasReused(installed, version, predicted.ranges[path]?.[name] ?? '')) figures.reused++;
      else note('predicted', `${path} ${name}`, theirs, ours);
    }
  }
  for (const [path, all] of Object.entries(locked.brought)) {
    for (const [name, ours] of Object.entries(all)) {
      const theirs = installed.brought[path]?.[name];
      if (theirs) note('brought', `${path} ${name}`, theirs.join(' '), ours.join(' '));
    }
  }
  // The lockfile of the first yarn does not say what the project requires itself.
  if (locked.all.length > 0) note('all', '', installed.all.join(' '), locked.all.join(' '));
  return found;

  function note(kind: (typeof kinds)[number], what: string, theirs: string, ours: string): void {
    figures[kind].count++;
    if (theirs === ours) figures[kind].equal++;
    else found.push(`${kind} ${what}: ${theirs} is installed, we say ${ours}`);
  }
}

/** Clients take a version that another package has already, where it will do: that one is known only to a lockfile. */
function wasReused({ brought }: Resolved, installed: string, range: string): boolean {
  const version = installed.slice(installed.indexOf('@', 1) + 1);
  const all = Object.values(brought).flatMap((it) => Object.values(it));
  const isElsewhere = all.filter((it) => it.includes(installed)).length > 1;
  return isElsewhere && versioning.NPM.satisfies(version, range || '*');
}
