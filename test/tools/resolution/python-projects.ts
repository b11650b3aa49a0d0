import { type Random, randomOf } from '../clients/random.ts';

/** The host of the index in files, in the place of that of the loopback. */
export const indexHost = 'https://registry.example';

export const pythonClients = ['pip', 'pip-tools', 'uv', 'poetry', 'pdm', 'pipenv'] as const;
export type PythonClient = (typeof pythonClients)[number];

/** A version of a package as its metadata says it. */
export interface PythonRelease {
  /** Specifiers of PEP 508. */
  readonly requires: readonly string[];
  readonly isYanked?: true;
}

/** Everything that the index has, by name and version. */
export type PythonUniverse = Readonly<Record<string, Readonly<Record<string, PythonRelease>>>>;

export interface PythonProject {
  readonly client: PythonClient;
  readonly universe: PythonUniverse;
  readonly files: Readonly<Record<string, string>>;
  /** The file that is looked at. */
  readonly manifest: string;
  /** The names of packages that are required by it under no condition, or under one that is true here. */
  readonly active: readonly string[];
}

/** As people publish them, in the order of PEP 440. */
const pool = [
  ...['0.9', '1.0a1', '1.0.0', '1.0.1.dev2', '1.0.1', '1.1', '1.1.post1', '1.2.0rc1', '1.2.0', '2.0.0b1', '2.0.0'],
  ...['2.0.1', '2.1', '2.1.1rc2', '3.0.0a1', '3.0', '3.1.0', '4.0.0.dev1', '4.0.0rc1'],
];
const direct = ['alpha', 'Beta_Core', 'gamma.x', 'delta', 'eps-2', 'zeta', 'eta'];
const others = ['theta', 'iota', 'kappa', 'lamda', 'mu'];

const isPre = (version: string): boolean => /[a-z]/.test(version.replace(/\.?post\d/, ''));

/** Markers, and whether they are true in the Python of the clients, on Linux. */
const markers: readonly (readonly [string, boolean])[] = [
  ["python_version >= '3.8'", true],
  ["sys_platform != 'win32'", true],
  ["sys_platform == 'win32'", false],
  ["python_version < '3.5'", false],
  ["platform_system == 'Linux' and implementation_name == 'cpython'", true],
];

function universeOf(random: Random): PythonUniverse {
  const made: Record<string, Record<string, PythonRelease>> = {};
  for (const name of [...direct, ...others].toReversed()) {
    const versions = pool.filter((it) => (isPre(it) ? random.is(0.35) : it === '1.0.0' || random.is(0.65)));
    if (random.is(0.05)) versions.splice(0, versions.length, '1.0a1', '2.0.0b1');
    const lower = Object.keys(made).filter((it) => others.includes(it));
    made[name] = Object.fromEntries(
      versions.map((version) => {
        const requires = Array.from({ length: random.below(3) }, (_, at) => {
          if (lower.length === 0 || random.is(0.3)) return [];
          const to = random.one(lower);
          // Nearly everything suits everything: what one package excludes for another is not asked here.
          const range = random.is(0.9) ? random.one(['', '>=0.9', '>=0.5,!=1.0.5']) : rangeFor(random, made[to] ?? {});
          const when = at === 1 ? (random.is(0.5) ? " ; extra == 'more'" : ` ; ${random.one(markers)[0]}`) : '';
          return [`${to}${range}${when}`];
        }).flat();
        return [version, { requires: [...new Set(requires)], ...(random.is(0.07) && { isYanked: true as const }) }];
      }),
    );
  }
  return made;
}

/** A range that a version of the package is in. */
function rangeFor(random: Random, versions: Readonly<Record<string, PythonRelease>>, isPoetry = false): string {
  const all = Object.keys(versions);
  const stable = all.filter((it) => !isPre(it));
  const version = random.is(0.12) || stable.length === 0 ? random.one(all) : random.one(stable);
  const [major = '1', minor = '0'] = version.replace(/[a-z].*/, '').split('.');
  const style = random.one([
    ...['>=', '>=', '>=', '==', '<=', '<', '~=', '!=', '>', 'any', 'any', 'wild', 'between', 'between', 'except'],
    ...(isPoetry ? ['^', '^', '^', '^', '~', '~', 'bare', 'either', 'star'] : []),
  ]);
  switch (style) {
    case 'any':
      return isPoetry ? '*' : '';
    case 'wild':
      return `==${major}.*`;
    case 'star':
      return `${major}.*`;
    case 'between':
      return `>=${version},<${Number(major) + 1}`;
    case 'except':
      return `>=${major},!=${version}`;
    case 'bare':
      return version;
    case 'either':
      return `^7.0 || ^${version}`;
    case '<':
      return `<${Number(major) + 1}`;
    case '~=':
      return `~=${major}.${minor}`;
    default:
      return `${style}${version}`;
  }
}

interface Requirement {
  readonly name: string;
  readonly range: string;
  readonly extra: boolean;
  readonly marker?: string;
  readonly isActive: boolean;
  readonly address?: string;
}

export function wheelAddress(name: string, version: string): string {
  return `${indexHost}/files/${name.replaceAll(/[-.]/g, '_')}-${version}-py3-none-any.whl`;
}

function requirementsOf(random: Random, universe: PythonUniverse, count: number, isPoetry = false): Requirement[] {
  const names = new Set(Array.from({ length: count }, () => random.one([...direct, ...direct, ...others])));
  return [...names].map((name) => {
    const versions = universe[name] ?? {};
    const [marker, isActive] = random.is(0.2) ? random.one(markers) : [undefined, true];
    const stable = Object.keys(versions).filter((it) => !isPre(it));
    const isAddress = random.is(0.04) && stable.length > 0;
    return {
      name,
      range: rangeFor(random, versions, isPoetry),
      extra: random.is(0.15),
      isActive,
      ...(marker !== undefined && { marker }),
      ...(isAddress && { address: wheelAddress(name, random.one(stable)) }),
    };
  });
}

function specifier({ name, range, extra, marker, address }: Requirement, random: Random): string {
  const when = marker === undefined ? '' : ` ; ${marker}`;
  const named = `${random.is(0.3) ? name.toLowerCase().replaceAll(/[._]/g, '-') : name}${extra ? '[more]' : ''}`;
  return address ? `${named} @ ${address}${when}` : `${named}${range}${when}`;
}

const listOf = (all: readonly string[]): string => `[${all.map((it) => JSON.stringify(it)).join(', ')}]`;

export function projectOf(client: PythonClient, seed: number): PythonProject {
  const random = randomOf(seed * 100 + pythonClients.indexOf(client));
  const universe = universeOf(random);
  const isPoetry = client === 'poetry' && random.is(0.6);
  const count = 1 + random.below(4);
  const own = requirementsOf(random, universe, count, isPoetry);
  const more = requirementsOf(random, universe, random.below(3), isPoetry).filter(
    (it) => !own.some((one) => one.name === it.name),
  );
  const rules = (chance: number, range: (name: string) => string): string[] =>
    random.is(chance)
      ? Array.from({ length: 1 + random.below(2) }, () => {
          const { name } = random.is(0.7) ? random.one([...own, ...more]) : { name: random.one(others) };
          return [name, range(name)] as const;
        })
          .filter(([name], at, all) => all.findIndex(([it]) => it === name) === at)
          .flatMap(([name, it]) => (it === '' ? [] : [`${name}${it}`]))
      : [];
  const ranged = (name: string): string => rangeFor(random, universe[name] ?? {});
  const pinned = (name: string): string => `==${random.one(Object.keys(universe[name] ?? {}))}`;
  const active = [...own, ...more].filter((it) => it.isActive).map((it) => it.name);
  const text = (all: readonly Requirement[]): string => all.map((it) => `${specifier(it, random)}\n`).join('');
  const made = (files: Record<string, string>, manifest: string): PythonProject => ({
    client,
    universe,
    files,
    manifest,
    active,
  });

  switch (client) {
    case 'pip':
    case 'pip-tools': {
      const constraints = rules(0.4, ranged);
      const name =
        client === 'pip'
          ? 'requirements.txt'
          : random.one(['requirements.in', 'requirements-dev.in', 'requirements/dev.in']);
      const beside = name.slice(0, name.lastIndexOf('/') + 1);
      const options = [
        ...(random.is(0.2) ? ['--pre'] : []),
        ...(client === 'pip' && random.is(0.1) ? [`--only-final ${random.one(own).name}`] : []),
        ...(client === 'pip' && random.is(0.1) ? [`--all-releases ${random.one(own).name}`] : []),
        ...(more.length > 0 ? [random.one(['-r base.txt', '--requirement=base.txt', '-rbase.txt'])] : []),
        ...(constraints.length > 0 ? [random.one(['-c limits.txt', '--constraint limits.txt'])] : []),
      ].map((it) => `${it}\n`);
      return made(
        {
          [name]: `# what is needed\n${options.join('')}${text(own)}`,
          ...(more.length > 0 && { [`${beside}base.txt`]: text(more) }),
          ...(constraints.length > 0 && { [`${beside}limits.txt`]: `${constraints.join('\n')}\n` }),
        },
        name,
      );
    }
    case 'uv': {
      const packages = random.is(0.15)
        ? `prerelease-package = { ${JSON.stringify(random.one(own).name)} = "${random.one(['allow', 'disallow', 'if-necessary'])}" }\n`
        : '';
      const mode = random.is(0.3)
        ? `prerelease = "${random.one(['allow', 'disallow', 'if-necessary', 'explicit'])}"\n`
        : '';
      const isApart = random.is(0.3);
      const settings = `${mode}${packages}`;
      const constraints = rules(0.3, ranged);
      const overrides = rules(0.2, (name) => (random.is(0.6) ? pinned(name) : ranged(name)));
      const inGroup = random.is(0.5);
      return made(
        {
          'pyproject.toml': `[project]
name = "app"
version = "0"
requires-python = ">=3.11"
dependencies = ${listOf(own.map((it) => specifier(it, random)))}
${more.length > 0 ? `\n${inGroup ? '[dependency-groups]\ndev' : '[project.optional-dependencies]\nextra'} = ${listOf(more.map((it) => specifier(it, random)))}\n` : ''}
[tool.uv]
${constraints.length > 0 ? `constraint-dependencies = ${listOf(constraints)}\n` : ''}${overrides.length > 0 ? `override-dependencies = ${listOf(overrides)}\n` : ''}${isApart ? '' : settings}`,
          ...(isApart && settings !== '' && { 'uv.toml': settings }),
        },
        'pyproject.toml',
      );
    }
    case 'poetry': {
      const line = (it: Requirement): string => {
        const parts = [
          it.address ? `url = "${it.address}"` : `version = "${it.range}"`,
          ...(it.extra ? ['extras = ["more"]'] : []),
          ...(it.marker ? [`markers = ${JSON.stringify(it.marker)}`] : []),
          ...(!it.address && random.is(0.15) ? [`allow-prereleases = ${random.is(0.7)}`] : []),
        ];
        const simple = parts.length === 1 && !it.address && random.is(0.7);
        return `${JSON.stringify(it.name)} = ${simple ? `"${it.range}"` : `{ ${parts.join(', ')} }`}\n`;
      };
      const source = `\n[[tool.poetry.source]]\nname = "own"\nurl = "${indexHost}/simple/"\npriority = "primary"\n`;
      const group = more.length > 0 ? `\n[tool.poetry.group.dev.dependencies]\n${more.map(line).join('')}` : '';
      const tool = isPoetry
        ? `[tool.poetry]\npackage-mode = false\n\n[tool.poetry.dependencies]\npython = ">=3.11"\n${own.map(line).join('')}${group}${source}`
        : `[project]\nname = "app"\nversion = "0"\nrequires-python = ">=3.11"\ndependencies = ${listOf(own.map((it) => specifier(it, random)))}\n\n[tool.poetry]\npackage-mode = false\n${more.length > 0 ? `\n[tool.poetry.group.dev.dependencies]\n${more.map((it) => line({ ...it, range: it.range === '' ? '*' : it.range })).join('')}` : ''}${source}`;
      return made({ 'pyproject.toml': tool }, 'pyproject.toml');
    }
    case 'pdm': {
      const overrides = rules(0.3, (name) => (random.is(0.6) ? pinned(name) : ranged(name)));
      const switches = random.is(0.35) ? `allow-prereleases = ${random.is(0.7)}\n` : '';
      return made(
        {
          'pyproject.toml': `[project]
name = "app"
version = "0"
requires-python = ">=3.11"
dependencies = ${listOf(own.map((it) => specifier(it, random)))}
${more.length > 0 ? `\n[dependency-groups]\ndev = ${listOf(more.map((it) => specifier(it, random)))}\n` : ''}
[tool.pdm]
distribution = false
${switches === '' && overrides.length === 0 ? '' : `\n[tool.pdm.resolution]\n${switches}`}${overrides.length === 0 ? '' : `\n[tool.pdm.resolution.overrides]\n${overrides.map((it) => it.replace(/^([\w.-]+?)([=<>!~].*)$/, (_, name, range) => `${JSON.stringify(name)} = "${range}"\n`)).join('')}`}`,
        },
        'pyproject.toml',
      );
    }
    case 'pipenv': {
      const line = (it: Requirement): string => {
        const range = it.range === '' ? '*' : it.range;
        const parts = [
          it.address ? `file = "${it.address}"` : `version = "${range}"`,
          ...(it.extra ? ['extras = ["more"]'] : []),
          ...(it.marker ? [`markers = ${JSON.stringify(it.marker)}`] : []),
        ];
        const simple = parts.length === 1 && !it.address;
        return `${JSON.stringify(it.name)} = ${simple ? `"${range}"` : `{ ${parts.join(', ')} }`}\n`;
      };
      return made(
        {
          Pipfile: `[[source]]\nurl = "${indexHost}/simple"\nverify_ssl = false\nname = "own"\n\n[packages]\n${own.map(line).join('')}\n[dev-packages]\n${more.map(line).join('')}\n${random.is(0.3) ? `[pipenv]\nallow_prereleases = ${random.is(0.8)}\n` : ''}`,
        },
        'Pipfile',
      );
    }
  }
}
