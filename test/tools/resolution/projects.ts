import type { NodeClient } from '../clients/programs.ts';
import { type Random, randomOf } from '../clients/random.ts';
import { aliasFor, rangeFor, type Universe, universeOf } from './universe.ts';

export const clients: readonly NodeClient[] = ['npm', 'pnpm', 'yarn', 'classic', 'bun', 'deno'];

/** The host of the registry in files, in the place of that of the loopback. */
export const registryHost = 'https://registry.example';

export interface ResolutionProject {
  readonly client: NodeClient;
  readonly universe: Universe;
  readonly files: Readonly<Record<string, string>>;
  /** What settings add to packages, by name. */
  readonly extensions: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The paths of those that require something. */
  readonly manifests: readonly string[];
}

type Json = Record<string, unknown>;

/** A project as people write them. */
export function projectOf(client: NodeClient, seed: number): ResolutionProject {
  const random = randomOf(seed * 100 + clients.indexOf(client));
  const universe = universeOf(random);
  const names = Object.keys(universe);
  const catalog: Record<string, string> = {};
  const legacy: Record<string, string> = {};
  const memberNames = random.is(0.4) ? ['member-a', '@acme/member-b'].slice(0, 1 + random.below(2)) : [];
  const hasCatalogs = (client === 'pnpm' || client === 'yarn' || client === 'bun') && random.is(0.35);

  const specifier = (name: string): string => {
    if (hasCatalogs && random.is(0.4)) {
      const into = random.is(0.7) ? catalog : legacy;
      into[name] ??= random.is(0.1) ? aliasFor(random, universe, names) : rangeFor(random, universe[name]) || '*';
      return into === catalog ? 'catalog:' : 'catalog:legacy';
    }
    if (random.is(0.06)) return 'latest';
    if (random.is(0.03)) return 'next';
    if (random.is(0.04) && client !== 'deno')
      return addressOf(name, random.one(Object.keys(universe[name]?.versions ?? {})));
    return rangeFor(random, universe[name]);
  };
  const requirements = (count: number): Record<string, string> => {
    const found: Record<string, string> = {};
    for (let it = 0; it < count; it++) {
      const name = random.one(names);
      if (random.is(0.08)) found[`${name.replace(/^@.*\//, '')}-alias`] = aliasFor(random, universe, [name]);
      else found[name] = specifier(name);
    }
    return found;
  };
  const manifest = (own: Json, siblings: readonly string[]): Json => {
    const dependencies: Record<string, string> = requirements(1 + random.below(3));
    for (const it of siblings) if (random.is(0.6)) dependencies[it] = sibling(client, random);
    const others = (count: number): Record<string, string> =>
      Object.fromEntries(Object.entries(requirements(count)).filter(([it]) => !(it in dependencies)));
    const devDependencies = others(random.below(3));
    const optionalDependencies = Object.fromEntries(
      Object.entries(random.is(0.2) ? others(1) : {}).filter(([it]) => !(it in devDependencies)),
    );
    const peerDependencies: Record<string, string> = {};
    for (const it of Object.keys(devDependencies))
      if (random.is(0.25) && it in universe) peerDependencies[it] = random.one(['*', '>=0.9.0', '^1.0.0 || ^2.0.0']);
    // Only these install peers of a project by themselves.
    if (random.is(0.1) && (client === 'npm' || client === 'pnpm' || client === 'bun')) {
      const name = random.one(names);
      if (!(name in dependencies || name in devDependencies || name in optionalDependencies))
        peerDependencies[name] = random.one(['*', '>=0.9.0']);
    }
    return { ...own, dependencies, devDependencies, optionalDependencies, peerDependencies };
  };

  const files: Record<string, string> = {};
  const members: Record<string, Json> = {};
  for (const [at, name] of memberNames.entries())
    members[`packages/${at === 0 ? 'a' : 'b'}/package.json`] = manifest(
      { name, version: '1.0.0' },
      memberNames.slice(at + 1),
    );
  const root = manifest(
    { name: 'app', version: '1.0.0', private: true },
    memberNames.filter(() => random.is(0.3)),
  );
  const rules = random.is(0.6) ? rulesOf(client, random, universe, root, memberNames) : {};
  const { workspace = {}, ...ofManifest } = rules;
  Object.assign(root, ofManifest);
  const manager = { npm: 'npm@12.2.1', pnpm: 'pnpm@12.21.0', yarn: 'yarn@4.18.1', classic: 'yarn@1.22.22' };
  if (client in manager) root['packageManager'] = manager[client as keyof typeof manager];
  if (memberNames.length > 0 && client !== 'pnpm') root['workspaces'] = ['packages/*'];
  const catalogs = {
    ...(Object.keys(catalog).length > 0 && { catalog }),
    ...(Object.keys(legacy).length > 0 && { catalogs: { legacy } }),
  };
  if (client === 'bun' && Object.keys(catalogs).length > 0)
    root['workspaces'] = { packages: memberNames.length > 0 ? ['packages/*'] : [], ...catalogs };
  if (client === 'pnpm') {
    const settings = { ...(memberNames.length > 0 && { packages: ['packages/*'] }), ...catalogs, ...workspace };
    if (Object.keys(settings).length > 0) files['pnpm-workspace.yaml'] = yamlOf(settings);
  } else if (client === 'yarn') {
    const settings = { ...catalogs, ...workspace };
    if (Object.keys(settings).length > 0) files['.yarnrc.yml'] = yamlOf(settings);
  }
  if (client === 'deno') {
    const { dependencies = {}, ...rest } = root;
    const imports: Record<string, string> = {};
    const kept: Record<string, unknown> = {};
    for (const [name, range] of Object.entries(dependencies as Record<string, string>)) {
      const isPlain = /^[\d~^*]/.test(range) && !range.includes(' ') && random.is(0.5);
      if (isPlain) imports[name] = `npm:${name}@${range}`;
      else kept[name] = range;
    }
    files['deno.json'] = JSON.stringify({
      imports,
      ...(memberNames.length > 0 && {
        workspace: Object.keys(members).map((it) => `./${it.slice(0, -'/package.json'.length)}`),
      }),
    });
    delete rest['workspaces'];
    files['package.json'] = JSON.stringify({ ...rest, dependencies: kept }, undefined, 2);
  } else files['package.json'] = JSON.stringify(root, undefined, 2);
  for (const [path, it] of Object.entries(members)) files[path] = JSON.stringify(it, undefined, 2);
  const manifests = Object.keys(files).filter((it) => /(?:package|deno)\.json$/.test(it));
  const extended = Object.entries(workspace['packageExtensions'] ?? {}) as [
    string,
    { dependencies: Record<string, string> },
  ][];
  const extensions = Object.fromEntries(extended.map(([it, { dependencies }]) => [it.slice(0, -2), dependencies]));
  return { client, universe, files, extensions, manifests };
}

export function addressOf(name: string, version: string): string {
  return `${registryHost}/${name}/-/${name.replace(/^@.*\//, '')}-${version}.tgz`;
}

function sibling(client: NodeClient, random: Random): string {
  if (client === 'npm' || client === 'classic' || client === 'deno') return random.one(['^1.0.0', '*', '1.0.0']);
  return random.one(['workspace:*', 'workspace:^', 'workspace:^1.0.0']);
}

/** Overrides, resolutions, and what else a project decides for all of its packages. */
function rulesOf(
  client: NodeClient,
  random: Random,
  universe: Universe,
  root: Json,
  members: readonly string[],
): Json & { workspace?: Json } {
  const names = Object.keys(universe);
  const required = Object.keys({ ...(root['dependencies'] as object), ...(root['devDependencies'] as object) });
  const direct = required.filter((it) => it in universe);
  const version = (name: string): string => random.one(Object.keys(universe[name]?.versions ?? {}));
  const value = (name: string): string => {
    // Of an alias Deno takes the range, and not the package.
    if (random.is(0.1) && client !== 'deno') return aliasFor(random, universe, names);
    return random.is(0.3) ? rangeFor(random, universe[name]) || '*' : version(name);
  };
  const selector = (): string => random.one(['1', '^1.0.0', '^2.0.0', '>=2', '<2', '1.0.0', '2.x']);
  const count = 1 + random.below(3);
  const all = Array.from({ length: count }, () => random.one(names));
  const parent = (): string => random.one([...names, ...names, ...direct, 'app', ...members]);
  switch (client) {
    case 'npm': {
      const overrides: Json = {};
      for (const name of all) {
        const way = random.below(6);
        // npm refuses what the root requires itself.
        if (direct.includes(name)) overrides[name] = `$${name}`;
        else if (way < 2) overrides[name] = value(name);
        else if (way === 2) overrides[`${name}@${selector()}`] = value(name);
        else if (way === 3 && direct.length > 0) overrides[name] = `$${random.one(direct)}`;
        else if (way === 4) overrides[random.one(names)] ??= { [name]: value(name) };
        else overrides[`${random.one(names)}@${selector()}`] ??= { '.': undefined, [name]: value(name) };
      }
      return { overrides };
    }
    case 'pnpm': {
      const overrides: Json = {};
      for (const name of all) {
        const way = random.below(8);
        if (way < 3) overrides[name] = value(name);
        else if (way === 3) overrides[`${name}@${selector()}`] = value(name);
        else if (way === 4) overrides[`${parent()}>${name}`] = value(name);
        else if (way === 5) overrides[`${parent()}@${selector()}>${name}@${selector()}`] = value(name);
        else if (way === 6 && direct.length > 0) overrides[name] = `$${random.one(direct)}`;
        else overrides[`${parent()}>${name}`] = '-';
      }
      const extended = random.is(0.25) ? extensions(random, universe) : {};
      return random.is(0.15)
        ? { resolutions: plainOf(overrides), workspace: extended }
        : { workspace: { overrides, ...extended } };
    }
    case 'yarn': {
      const resolutions: Json = {};
      for (const name of all) {
        const way = random.below(6);
        if (way < 2) resolutions[name] = value(name);
        else if (way === 2) resolutions[`${name}@npm:${selector()}`] = value(name);
        else if (way === 3) resolutions[`${name}@${rangeFor(random, universe[name]) || '*'}`] = value(name);
        else if (way === 4) resolutions[`${parent()}/${name}`] = value(name);
        else {
          const by = random.one(names);
          resolutions[`${by}@npm:${version(by)}/${name}`] = value(name);
        }
      }
      return { resolutions, workspace: random.is(0.25) ? extensions(random, universe) : {} };
    }
    case 'classic': {
      const resolutions: Json = {};
      for (const name of all) {
        const way = random.below(4);
        if (way < 2) resolutions[name] = value(name);
        else if (way === 2) resolutions[`**/${name}`] = value(name);
        else resolutions[`**/${parent()}/${name}`] = value(name);
      }
      return { resolutions };
    }
    case 'bun': {
      const overrides: Json = {};
      for (const name of all)
        overrides[name] = random.is(0.2) && direct.length > 0 ? `$${random.one(direct)}` : value(name);
      return random.is(0.3) ? { resolutions: plainOf(overrides) } : { overrides };
    }
    case 'deno': {
      const overrides: Json = {};
      for (const name of all) {
        const way = random.below(5);
        if (way < 3) overrides[name] = value(name);
        else if (way === 3) overrides[`${name}@${selector()}`] = value(name);
        else overrides[random.one(names)] ??= { [name]: value(name) };
      }
      return { overrides };
    }
  }
}

function plainOf(overrides: Json): Json {
  return Object.fromEntries(
    Object.entries(overrides).filter(([key, it]) => !/[>]/.test(key) && !/^[$-]/.test(String(it))),
  );
}

/** Dependencies that packages forgot to name. */
function extensions(random: Random, universe: Universe): Json {
  const names = Object.keys(universe);
  const at = random.below(names.length - 1);
  const name = names.at(-1 - at) ?? '';
  const later = names.slice(names.indexOf(name) + 1);
  if (later.length === 0) return {};
  const added = random.one(later);
  return {
    packageExtensions: { [`${name}@*`]: { dependencies: { [added]: rangeFor(random, universe[added]) || '*' } } },
  };
}

/** Plain maps, lists and strings. */
function yamlOf(value: unknown, indent = ''): string {
  if (Array.isArray(value)) return value.map((it) => `${indent}- ${JSON.stringify(it)}\n`).join('');
  return Object.entries(value as object)
    .map(([key, it]) => {
      const name = /^[a-z]+$/i.test(key) ? key : JSON.stringify(key);
      return typeof it === 'string'
        ? `${indent}${name}: ${JSON.stringify(it)}\n`
        : `${indent}${name}:\n${yamlOf(it, `${indent}  `)}`;
    })
    .join('');
}
