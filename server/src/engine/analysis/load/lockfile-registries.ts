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
  const readers = [...lockfiles.map((it) => namedBy(it, route)), ...closed.map((it) => mayBeNamedBy(it))];
  const [first] = readers;
  return (linked) => {
    const routed = route(linked);
    const own = routed.registries;
    const said = readers.length === 1 && first ? first(linked) : readers.flatMap((read) => read(linked));
    if (said.length === 0) return routed;
    if (own.length === 0) return { registries: said };
    const others = said.filter(({ host }) => host === undefined || own.every((it) => it.host !== host));
    return others.length === 0 ? routed : { ...routed, registries: [...own, ...others] };
  };
}

type Named = (linked: LinkedDependency) => readonly Registry[];

const NONE: readonly Registry[] = [];

function mayBeNamedBy({ uri, format, unreadable }: ClosedLockfile): Named {
  const any = [{ from: nameOf(uri), unreadable, isLocked: true }] as const;
  return ({ key }) => (format.opened.system === key.system ? any : NONE);
}

/** What a lockfile names, as its client reads it: of some addresses it takes another registry. */
function namedBy(found: FoundLockfile, route: Route): Named {
  const { format, directory, text } = found;
  const uri = directory + format.id;
  /** By addresses: a lockfile has thousands of packages, and few registries. */
  const read = new Map<readonly string[], readonly Registry[]>();

  function placed(it: Registry): Registry {
    return { ...it, from: nameOf(uri), place: { uri, line: lineOf(text, it.host) }, isLocked: true };
  }

  function at(address: string, linked: LinkedDependency): readonly Registry[] {
    // What comes from a folder is on this machine alone.
    if (isFolderAddress(address)) return [placed({})];
    const { registries } = route({ ...linked, dependency: { ...linked.dependency, registries: [address] } });
    // A configuration is the better reason.
    return registries.filter((it) => it.from === undefined).map(placed);
  }

  return (linked) => {
    if (format.opened.system !== linked.key.system) return NONE;
    const addresses = registriesIn(found).get(linked.key.name);
    if (addresses === undefined) return NONE;
    const known =
      read.get(addresses) ??
      sameAsBefore(
        found.lockfile,
        uri,
        addresses.flatMap((it) => at(it, linked)),
      );
    read.set(addresses, known);
    return known;
  };
}

/** The lists of a lockfile, by where it lies and what they name: routes of each keystroke are compared by identity. */
const lists = new WeakMap<Lockfile, Map<string, readonly Registry[]>>();

function sameAsBefore(lockfile: Lockfile, uri: string, registries: readonly Registry[]): readonly Registry[] {
  const all = lists.get(lockfile) ?? new Map<string, readonly Registry[]>();
  lists.set(lockfile, all);
  const id = JSON.stringify([uri, registries.map((it) => it.host)]);
  const before = all.get(id) ?? registries;
  all.set(id, before);
  return before;
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
