import { type Random, randomOf } from '../clients/random.ts';

/** The index in files, in the place of that of the loopback. */
export const cargoIndex = 'registry+https://registry.example/index';

export interface CargoDependency {
  readonly name: string;
  readonly req: string;
  readonly kind: 'normal' | 'dev' | 'build';
  readonly optional: boolean;
  readonly target: string | null;
}

export interface CargoRelease {
  readonly deps: readonly CargoDependency[];
  readonly isYanked?: true;
}

/** By name and version. */
export type CargoUniverse = Readonly<Record<string, Readonly<Record<string, CargoRelease>>>>;

export interface CargoProject {
  readonly universe: CargoUniverse;
  readonly files: Readonly<Record<string, string>>;
  readonly manifests: readonly string[];
}

const names = ['alpha', 'beta-core', 'gamma_x', 'delta', 'eps', 'zeta', 'eta', 'theta', 'iota', 'kappa'];
const pool = [
  ...['0.0.3', '0.1.0', '0.1.4', '0.2.0', '0.9.0', '1.0.0-alpha.1', '1.0.0', '1.0.1', '1.1.0', '1.2.0-rc.1', '1.2.0'],
  ...['1.2.3', '2.0.0-beta.1', '2.0.0', '2.1.0', '2.1.1+build.5', '3.0.0', '4.0.0-rc.1'],
];
const targets = ['cfg(windows)', 'cfg(target_os = "linux")', 'x86_64-pc-windows-msvc', 'cfg(all(unix, not(test)))'];

function universeOf(random: Random): CargoUniverse {
  const made: Record<string, Record<string, CargoRelease>> = {};
  for (const name of names.toReversed()) {
    const versions = pool.filter((it) => it === '1.0.0' || random.is(it.includes('-') ? 0.35 : 0.6));
    const others = Object.keys(made);
    made[name] = Object.fromEntries(
      versions.map((version): [string, CargoRelease] => {
        const count = others.length === 0 ? 0 : random.below(3);
        const deps = Array.from({ length: count }, (): CargoDependency => {
          const to = random.one(others);
          const kind = random.is(0.1) ? random.one(['dev', 'build'] as const) : 'normal';
          return {
            name: to,
            req: requirement(random, made[to] ?? {}),
            kind,
            optional: kind === 'normal' && random.is(0.2),
            target: random.is(0.15) ? random.one(targets) : null,
          };
        });
        const distinct = deps.filter(({ name: it }, at) => deps.findIndex((one) => one.name === it) === at);
        return [version, { deps: distinct, ...(random.is(0.08) && { isYanked: true as const }) }];
      }),
    );
  }
  return made;
}

function requirement(random: Random, versions: Readonly<Record<string, CargoRelease>>): string {
  const usable = Object.keys(versions).filter((it) => !versions[it]?.isYanked);
  const stable = usable.filter((it) => !it.includes('-'));
  const picked =
    random.is(0.08) && usable.length > 0 ? random.one(usable) : random.one(stable.length > 0 ? stable : pool);
  const version = picked.replace(/\+.*/, '');
  const [major = '1', minor = '0'] = version.split('.');
  switch (random.one(['', '', '', '', '^', '~', '=', '>=', '<', '*', 'major', 'minor', 'wild', 'between'])) {
    case '^':
      return `^${version}`;
    case '~':
      return `~${version}`;
    case '=':
      return `=${version}`;
    case '>=':
      return `>=${version}`;
    case '<':
      return `<${Number(major) + 1}`;
    case '*':
      return '*';
    case 'major':
      return major;
    case 'minor':
      return `${major}.${minor}`;
    case 'wild':
      return `${major}.*`;
    case 'between':
      return `>=${version}, <${Number(major) + 2}`;
    default:
      return version;
  }
}

/** A project as people write them. */
export function cargoProjectOf(seed: number): CargoProject {
  const random = randomOf(seed * 100 + 50);
  const universe = universeOf(random);
  const hasMember = random.is(0.3);
  const shared = new Map<string, string>();
  const member = (name: string, isRoot: boolean): string => {
    const taken = new Set<string>();
    const line = (it: string): string => {
      const name = random.one(names);
      if (taken.has(name) || it === '') return '';
      taken.add(name);
      const req = requirement(random, universe[name] ?? {});
      if (hasMember && random.is(0.25)) {
        shared.set(name, shared.get(name) ?? req);
        return random.is(0.5) ? `${name}.workspace = true\n` : `${name} = { workspace = true }\n`;
      }
      if (random.is(0.12)) return `${name}-again = { package = "${name}", version = "${req}" }\n`;
      const rest = random.one(['', ', default-features = false', ', features = []']);
      return random.is(0.6) ? `${name} = "${req}"\n` : `${name} = { version = "${req}"${rest} }\n`;
    };
    const table = (head: string, count: number): string => {
      const lines = Array.from({ length: count }, () => line('x')).join('');
      return lines === '' ? '' : `\n[${head}]\n${lines}`;
    };
    return [
      `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n`,
      table('dependencies', 1 + random.below(4)),
      table('dev-dependencies', random.below(2)),
      table('build-dependencies', random.below(2)),
      random.is(0.25) ? table(`target.'${random.one(targets)}'.dependencies`, 1) : '',
      isRoot ? '\n' : '',
    ].join('');
  };
  const root = member('app', true);
  const lib = hasMember ? member('lib', false) : '';
  const workspace = hasMember
    ? `[workspace]\nmembers = ["lib"]\n${shared.size > 0 ? `\n[workspace.dependencies]\n${[...shared].map(([name, it]) => `${name} = "${it}"\n`).join('')}` : ''}\n`
    : '';
  const patched = random.is(0.2) ? random.one(names) : undefined;
  const version = patched && random.one(Object.keys(universe[patched] ?? {}).filter((it) => !it.includes('-')));
  const patch = patched ? `\n[patch.crates-io]\n${patched} = { path = "vendor/${patched}" }\n` : '';
  return {
    universe,
    files: {
      'Cargo.toml': root + workspace + patch,
      'src/lib.rs': '',
      ...(hasMember && { 'lib/Cargo.toml': lib, 'lib/src/lib.rs': '' }),
      ...(patched && {
        [`vendor/${patched}/Cargo.toml`]: `[package]\nname = "${patched}"\nversion = "${version}"\nedition = "2021"\n`,
        [`vendor/${patched}/src/lib.rs`]: '',
      }),
    },
    manifests: ['Cargo.toml', ...(hasMember ? ['lib/Cargo.toml'] : [])],
  };
}
