import type { Random } from '../clients/random.ts';

/** A version of a package as its manifest says it. */
export interface Release {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: true }>>;
  readonly deprecated?: string;
}

export interface Package {
  readonly versions: Readonly<Record<string, Release>>;
  readonly tags: Readonly<Record<string, string>>;
}

/** Everything that a registry has, by name. */
export type Universe = Readonly<Record<string, Package>>;

const names = ['alpha', '@acme/beta', 'gamma', 'delta', '@acme/eps', 'zeta', 'eta', 'theta', 'iota', 'kappa'];
const pool = ['0.9.0', '1.0.0', '1.0.1', '1.1.0', '1.2.0', '2.0.0', '2.1.0', '3.0.0'];

/** Packages that require those after them, so that there is an answer. */
export function universeOf(random: Random): Universe {
  const made: Record<string, Package> = {};
  for (const name of names.toReversed()) {
    const stable = pool.filter((it) => it === '1.0.0' || random.is(0.6));
    const versions = random.is(0.3) ? [...stable, '4.0.0-beta.1'] : stable;
    const latest = random.is(0.75) ? stable.at(-1) : random.one(stable);
    const others = Object.keys(made);
    made[name] = {
      versions: Object.fromEntries(versions.map((it) => [it, releaseOf(random, others, made)])),
      tags: { latest: latest ?? '1.0.0', next: versions.at(-1) ?? '1.0.0' },
    };
  }
  return made;
}

function releaseOf(random: Random, others: readonly string[], known: Universe): Release {
  const pick = (chance: number, range: (name: string) => string): Record<string, string> => {
    const found: Record<string, string> = {};
    for (let it = 0; it < 2; it++) {
      const name = others.length > 0 && random.is(chance) ? random.one(others) : undefined;
      if (name !== undefined) found[name] = range(name);
    }
    return found;
  };
  const dependencies = pick(0.6, (it) =>
    random.is(0.05) ? aliasFor(random, known, others) : rangeFor(random, known[it]),
  );
  // Nobody requires a package in two ways.
  const without = (all: Record<string, string>, ...named: object[]): Record<string, string> =>
    Object.fromEntries(Object.entries(all).filter(([it]) => !named.some((one) => it in one)));
  const optionalDependencies = without(
    pick(0.1, (it) => rangeFor(random, known[it])),
    dependencies,
  );
  const peerDependencies = without(
    pick(0.08, () => random.one(['*', '>=0.9.0', '>=1.0.0'])),
    dependencies,
    optionalDependencies,
  );
  const optionalPeers = Object.keys(peerDependencies).filter(() => random.is(0.4));
  const some = (all: object): boolean => Object.keys(all).length > 0;
  return {
    ...(some(dependencies) && { dependencies }),
    ...(some(optionalDependencies) && { optionalDependencies }),
    ...(some(peerDependencies) && { peerDependencies }),
    ...(optionalPeers.length > 0 && {
      peerDependenciesMeta: Object.fromEntries(optionalPeers.map((it) => [it, { optional: true as const }])),
    }),
    ...(random.is(0.08) && { deprecated: 'old' }),
  };
}

/** A range that a version of the package is in. */
export function rangeFor(random: Random, of: Package | undefined): string {
  const version = random.one(Object.keys(of?.versions ?? {}).filter((it) => !it.includes('-')));
  const [major = '1', minor = '0'] = version.split('.');
  const styles = ['^', '^', '^', '^', '~', '', '>=', '<=', '*', 'x', 'minor', 'major', 'either', 'between', 'hyphen'];
  const style = random.one(styles);
  switch (style) {
    case '*':
      return random.one(['*', '', 'x']);
    case 'x':
      return `${major}.x`;
    case 'minor':
      return `${major}.${minor}`;
    case 'major':
      return major;
    case 'either':
      return `^7.0.0 || ^${version}`;
    case 'between':
      return `>=${version} <${Number(major) + 1}`;
    case 'hyphen':
      return `0.9.0 - ${version}`;
    default:
      return `${style}${version}`;
  }
}

export function aliasFor(random: Random, universe: Universe, names: readonly string[]): string {
  const name = random.one(names);
  return `npm:${name}@${rangeFor(random, universe[name]) || '*'}`;
}
