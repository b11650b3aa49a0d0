import { cooldownOf } from '../../../server/src/engine/analysis/evaluate/cooldown.ts';
import { verdictOf } from '../../../server/src/engine/analysis/verdict.ts';
import { openLab } from '../../harness/lab.ts';
import { type Random, randomOf } from '../clients/random.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const managerNames = ['npm', 'pnpm', 'yarn', 'bun', 'deno', 'uv', 'pip', 'poetry', 'pdm', 'cargo'] as const;
export type ManagerName = (typeof managerNames)[number];

const systemOf: Readonly<Record<ManagerName, 'NPM' | 'PYPI' | 'CARGO'>> = {
  npm: 'NPM',
  pnpm: 'NPM',
  yarn: 'NPM',
  bun: 'NPM',
  deno: 'NPM',
  uv: 'PYPI',
  pip: 'PYPI',
  poetry: 'PYPI',
  pdm: 'PYPI',
  cargo: 'CARGO',
};

const names: Readonly<Record<'NPM' | 'PYPI' | 'CARGO', readonly string[]>> = {
  NPM: ['alpha', '@acme/beta', 'gamma'],
  PYPI: ['alpha', 'beta-b'],
  CARGO: ['alpha', 'beta-b'],
};

/** A project with one dependency in version 1.0.0, and what there is of its package. */
export interface CooldownProject {
  readonly manager: ManagerName;
  readonly name: string;
  /** The settings of the manager. */
  readonly files: Readonly<Record<string, string>>;
  /** By version, in ms. */
  readonly ages: Readonly<Record<string, number>>;
  /** The version that fixes an advisory of 1.0.0. */
  readonly fixed?: string;
}

/** What a manager said of each version of a project. */
export interface Recorded {
  readonly seed: number;
  /** When it was asked, in ms since the epoch. */
  readonly now: number;
  readonly accepted: Readonly<Record<string, boolean>>;
}

/** @param now the moment at which dates in settings are meant, in ms since the epoch */
export function projectOf(manager: ManagerName, seed: number, now: number): CooldownProject {
  const random = randomOf(seed * 1000 + managerNames.indexOf(manager));
  const name = random.one(names[systemOf[manager]]);
  const ages: Record<string, number> = { '1.0.0': 400 * DAY };
  let age = random.below(60) * DAY + random.below(24) * HOUR;
  for (const version of ['1.0.1', '1.1.0', '1.2.0', '2.0.0'].filter(() => random.is(0.8))) {
    ages[version] = age + 13 * MINUTE;
    age = Math.floor(age * random.one([0.1, 0.3, 0.6, 0.9]));
  }
  const higher = Object.keys(ages).slice(1);
  const fixed = higher.length > 0 && random.is(0.4) ? random.one(higher) : undefined;
  return { manager, name, files: settings[manager](random, now, name), ages, ...(fixed && { fixed }) };
}

const dayCounts = [0, 1, 2, 3, 5, 7, 14, 30];
const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Settings as people write them, with exceptions that are meant for the package, for others, or for no package. */
const settings: Readonly<
  Record<ManagerName, (random: Random, now: number, name: string) => Readonly<Record<string, string>>>
> = {
  npm(random, now, name) {
    const lines = random.is(0.7)
      ? [`min-release-age=${random.one(dayCounts)}`]
      : [
          `before=${random.is(0.5) ? isoDay(now - random.below(20) * DAY) : new Date(now - random.below(400) * HOUR).toISOString()}`,
        ];
    if (random.is(0.1)) lines.push('min-release-age=3');
    for (const it of exceptionsFor(random, name, ['@acme/*', '*', '{alpha,gamma}', 'al*', '!gamma', 'alpha,gamma']))
      lines.push(`min-release-age-exclude[]=${it}`);
    return { '.npmrc': `${lines.join('\n')}\n` };
  },
  pnpm(random, _now, name) {
    const lines = [`minimumReleaseAge: ${random.one(dayCounts) * 1440 + random.below(3) * 60}`];
    const except = exceptionsFor(random, name, [
      '"@acme/*"',
      '"*"',
      'al*',
      `"${name}@1.1.0"`,
      `"${name}@1.1.0 || 2.0.0"`,
    ]);
    if (except.length > 0) lines.push('minimumReleaseAgeExclude:', ...except.map((it) => `  - ${quoted(it)}`));
    return { 'pnpm-workspace.yaml': `${lines.join('\n')}\n` };
  },
  yarn(random, _now, name) {
    const value = random.one(['3d', '1w', '36h', '90m', '0', '1440', '4320', '14d', '30d']);
    const lines = [`npmMinimalAgeGate: ${value}`];
    const except = exceptionsFor(random, name, [
      '"@acme/*"',
      '"*"',
      `"${name}@^1.0.0"`,
      `"${name}@npm:~1.1.0"`,
      '"{alpha,gamma}"',
    ]);
    if (except.length > 0) lines.push('npmPreapprovedPackages:', ...except.map((it) => `  - ${quoted(it)}`));
    if (random.is(0.2)) lines.push('npmScopes:', '  acme:', `    npmMinimalAgeGate: ${random.one(['0', '20d'])}`);
    return { '.yarnrc.yml': `${lines.join('\n')}\n` };
  },
  bun(random, _now, name) {
    const lines = ['[install]', `minimumReleaseAge = ${random.one(dayCounts) * 86_400 + random.below(3) * 3600}`];
    const except = exceptionsFor(random, name, ['@acme/*', '*', 'alph']);
    if (except.length > 0) lines.push(`minimumReleaseAgeExcludes = ${JSON.stringify(except)}`);
    return { 'bunfig.toml': `${lines.join('\n')}\n` };
  },
  deno(random, now, name) {
    const days = random.one(dayCounts);
    const age = random.one([`P${days}D`, days * 1440, isoDay(now - days * DAY), `PT${days * 24}H`]);
    const exclude = exceptionsFor(random, name, ['@acme/*']).map((it) => `npm:${it}`);
    return { 'deno.json': JSON.stringify({ minimumDependencyAge: random.is(0.5) ? { age, exclude } : age }) };
  },
  uv(random, now, name) {
    const days = random.one(dayCounts);
    const value = random.one([
      `${days} days`,
      `P${days}D`,
      `PT${days * 24 + 1}H`,
      '1 week',
      isoDay(now - days * DAY),
      new Date(now - days * DAY).toISOString(),
    ]);
    const own = random.is(0.3)
      ? random.one(['false', '"1 day"', '"30 days"', `"${isoDay(now - 9 * DAY)}"`])
      : undefined;
    const lines = [`exclude-newer = "${value}"`];
    if (own !== undefined)
      lines.push(`exclude-newer-package = { ${random.one([name, name.replace('-', '_'), 'other'])} = ${own} }`);
    return { 'uv.toml': `${lines.join('\n')}\n` };
  },
  pip(random, now) {
    const days = random.one(dayCounts);
    const value = random.one([`P${days}D`, isoDay(now - days * DAY), new Date(now - days * DAY).toISOString()]);
    return { '.venv/pip.conf': `[${random.one(['install', 'global'])}]\nuploaded-prior-to = ${value}\n` };
  },
  poetry(random, _now, name) {
    const lines = ['[solver]', `min-release-age = ${random.one(dayCounts)}`];
    const except = exceptionsFor(random, name, [name.replace('-', '_'), '*', ':all:', 'al*']);
    if (except.length > 0)
      lines.push(`min-release-age-exclude = ${JSON.stringify(random.is(0.8) ? except : except.join(','))}`);
    return { 'poetry.toml': `${lines.join('\n')}\n` };
  },
  pdm(random, now, name) {
    const days = random.one(dayCounts);
    const value = random.one([
      `${days}d`,
      `${days * 24 + 1}h`,
      '2w',
      isoDay(now - days * DAY),
      new Date(now - days * DAY).toISOString(),
      new Date(now - days * DAY).toISOString().slice(0, 19),
    ]);
    if (random.is(0.4)) return { 'pdm.toml': `[strategy]\nexclude-newer = "${value}"\n` };
    if (random.is(0.2)) return { 'pyproject.toml': `[tool.pdm.options]\nlock = ["--exclude-newer", "${value}"]\n` };
    const lines = ['[tool.pdm.resolution]', `exclude-newer = "${value}"`];
    const own = random.is(0.3) ? random.one(['false', '"1d"', '"30d"', `"${isoDay(now - 9 * DAY)}"`]) : undefined;
    if (own !== undefined)
      lines.push(
        '[tool.pdm.resolution.exclude-newer-override]',
        `${random.one([name, name.replace('-', '_'), 'other'])} = ${own}`,
      );
    return { 'pyproject.toml': `${lines.join('\n')}\n` };
  },
  cargo(random) {
    const days = random.one(dayCounts);
    const value = random.one([`${days} days`, `${days}day`, `${days * 24 + 1} hours`, '2 weeks', '1 month', '0']);
    const lines = random.is(0.8) ? ['[registry]', `global-min-publish-age = "${value}"`] : [];
    if (lines.length === 0 || random.is(0.3))
      lines.push(
        `[registries.${random.one(['crates-io', 'crates-io', 'acme'])}]`,
        `min-publish-age = "${random.one(['0', '5 days', '3 weeks'])}"`,
      );
    if (random.is(0.2)) lines.push('[resolver]', `incompatible-publish-age = "${random.one(['allow', 'deny'])}"`);
    return { '.cargo/config.toml': `${lines.join('\n')}\n` };
  },
};

function exceptionsFor(random: Random, name: string, others: readonly string[]): string[] {
  return random.is(0.5) ? [] : [random.one([name, 'other', ...others])];
}

function quoted(text: string): string {
  return text.startsWith('"') ? text : `"${text}"`;
}

/** The manifest with the dependency in a version. */
export function manifestOf({ manager, name, files }: CooldownProject, version: string): readonly [string, string] {
  switch (manager) {
    case 'uv':
    case 'poetry':
    case 'pdm':
      return [
        'pyproject.toml',
        `[project]\nname = "x"\nversion = "1"\nrequires-python = ">=3.9"\ndependencies = ["${name}==${version}"]\n${files['pyproject.toml'] ?? ''}`,
      ];
    case 'cargo':
      return [
        'Cargo.toml',
        `[package]\nname = "x"\nversion = "1.0.0"\nedition = "2021"\n[lib]\npath = "lib.rs"\n[dependencies]\n${name} = "=${version}"\n`,
      ];
    case 'pip':
      return ['requirements.txt', `${name}==${version}\n`];
    case 'deno': {
      const settings = JSON.parse(files['deno.json'] ?? '{}');
      return ['deno.json', JSON.stringify({ ...settings, imports: { [name]: `npm:${name}@${version}` } })];
    }
    default:
      return ['package.json', JSON.stringify({ name: 'x', version: '1.0.0', dependencies: { [name]: version } })];
  }
}

/** The versions that the engine offers to move 1.0.0 to, and those that a cooldown keeps back. */
export async function offeredIn(
  project: CooldownProject,
  now: number,
): Promise<{ readonly offered: readonly string[]; readonly held: readonly string[] }> {
  const { manager, name, files, ages, fixed } = project;
  const system = systemOf[manager];
  const last = Object.keys(ages).at(-1);
  const versions = Object.fromEntries(
    Object.entries(ages).map(([version, age]) => [
      version,
      { publishedAt: new Date(now - age).toISOString(), ...(version === last && { isDefault: true }) },
    ]),
  );
  const catalog: Record<string, object> = { [`${system} ${name}`]: { shared: { licenses: ['MIT'] }, versions } };
  if (fixed !== undefined)
    catalog['advisory GHSA-aaaa-bbbb-cccc'] = {
      title: 'A flaw',
      cvss3Score: 6.1,
      cvss3Vector: 'CVSS:3.1/AV:N',
      aliases: [],
      affected: [{ system, name, ranges: [{ introduced: '0', fixed }] }],
    };
  const [path, text] = manifestOf(project, '1.0.0');
  const lab = await openLab(new Map([...Object.entries(files), [path, text]]), catalog, {}, now);
  try {
    const { dependencies } = await lab.settled(path);
    const offered = dependencies.flatMap((it) => verdictOf(it).targets.map((target) => target.version));
    const held = dependencies.flatMap(({ cooldown, linked }) =>
      Object.entries(ages).flatMap(([version, age]) =>
        cooldownOf(cooldown, linked.key).heldBack(version, now - age, '1.0.0') ? [version] : [],
      ),
    );
    return { offered: [...new Set(offered)], held };
  } finally {
    await lab.close();
  }
}
