import { nameOf } from '../../base/uri.ts';
import { registriesByName } from '../../ecosystems/shared/lockfile.ts';
import { isFolderAddress } from '../../ecosystems/shared/registry-address.ts';
import type { LinkedDependency } from '../../model/evaluated-dependency.ts';
import type { Lockfile } from '../../model/lockfile.ts';
import type { ClosedLockfile, FoundLockfile } from '../../model/manifest-chain.ts';
import type { Registry } from '../../model/registry.ts';
import type { Route } from '../privacy/registry-history.ts';

type RegistriesByName = ReadonlyMap<string, readonly string[]>;

/** Each lockfile serves all manifests of its workspace. */
const known = new WeakMap<Lockfile, RegistriesByName>();

/**
 * Adds to a route what the lockfiles beside a manifest say: a package that one of them takes from a private registry is
 * private, in any version, although no configuration may name that registry any more. One that cannot be read may take any
 * package from one.
 */
export function routeWithLockfiles(
  route: Route,
  lockfiles: readonly FoundLockfile[],
  closed: readonly ClosedLockfile[],
): Route {
  if (lockfiles.length + closed.length === 0) return route;
  return (linked) => {
    const routed = route(linked);
    const said = [
      ...lockfiles.flatMap((it) => namedBy(it, linked, route)),
      ...closed.flatMap((it) => mayBeNamedBy(it, linked)),
    ];
    const own = routed.registries ?? [];
    const others = said.filter(({ host }) => host === undefined || own.every((it) => it.host !== host));
    return others.length === 0 ? routed : { ...routed, registries: [...own, ...others] };
  };
}

function mayBeNamedBy({ uri, format, unreadable }: ClosedLockfile, { key }: LinkedDependency): readonly Registry[] {
  return format.opened.system === key.system ? [{ from: nameOf(uri), unreadable, isLocked: true }] : [];
}

/** What a lockfile names, as its client reads it: of some addresses it takes another registry. */
function namedBy(found: FoundLockfile, linked: LinkedDependency, route: Route): readonly Registry[] {
  const { format, directory, text } = found;
  if (format.opened.system !== linked.key.system) return [];
  const addresses = registriesIn(found).get(linked.key.name);
  if (addresses === undefined) return [];
  const uri = directory + format.id;
  const placed = (it: Registry): Registry => {
    const place = { uri, line: lineOf(text, it.host) };
    return { ...it, from: nameOf(uri), place, isLocked: true };
  };
  const registries = addresses.filter((it) => !isFolderAddress(it));
  const named = route({ ...linked, dependency: { ...linked.dependency, registries } }).registries ?? [];
  // A configuration is the better reason. What comes from a folder is on this machine alone.
  const own = named.filter((it) => it.from === undefined).map(placed);
  return registries.length < addresses.length ? [...own, placed({})] : own;
}

function registriesIn({ format, lockfile }: FoundLockfile): RegistriesByName {
  const { system } = format.opened;
  const before = known.get(lockfile);
  if (before || system === 'any') return before ?? new Map();
  const read = lockfile.registries?.() ?? registriesByName(system, lockfile.packages);
  known.set(lockfile, read);
  return read;
}

/** The first line, from 0, that contains the host; the first of all where none does: some write it encoded. */
function lineOf(text: string, host: string | undefined): number {
  const at = host === undefined ? -1 : text.indexOf(host);
  return text.slice(0, Math.max(0, at)).split('\n').length - 1;
}
