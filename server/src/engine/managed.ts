import { versioning } from '../versions/index.ts';
import { type Found, type Gap, isGap } from './definitions.ts';

/** What is known of a POM by itself: the versions that it manages. */
export interface Bill {
  find(id: string): Managed | Gap | undefined;
}

export interface Managed extends Found {
  /** What it comes to. */
  readonly version: string;
}

/** The first that manages something. Those behind one that is not known yet are looked at as well, so all are asked for at once. */
export function first(bills: readonly Bill[], id: string): Managed | Gap | undefined {
  let pending: Gap | undefined;
  for (const it of bills) {
    const found = it.find(id);
    if (found === undefined) continue;
    if (!isGap(found) || found.kind !== 'pending') return pending ?? found;
    pending = found;
  }
  return pending;
}

/** Gradle takes the highest version that any bill asks for. */
export function highest(bills: readonly Bill[], id: string): Managed | Gap | undefined {
  const all = bills.map((it) => it.find(id)).filter((it) => it !== undefined);
  const gaps = all.filter(isGap);
  const found = all.flatMap((it) => (isGap(it) ? [] : [it]));
  const order = versioning.MAVEN.compare;
  return (
    gaps.find((it) => it.kind === 'pending') ?? gaps[0] ?? found.sort((a, b) => order(a.version, b.version)).at(-1)
  );
}
