import type { AccessInputs, AccessSource } from '../../model/registries/access.ts';
import type { RegistryReader } from '../../model/registries/registry-reader.ts';
import type { Registry } from '../../model/registry.ts';
import { askedRegistry, type ClientRegistry } from '../shared/client-registry.ts';
import { distinctRegistries, ownRegistries, registryAt } from '../shared/registry-address.ts';
import { bunLayers, bunRegistryIn, bunSyntaxes } from './registries/bun.ts';
import {
  isOf,
  isScope,
  type NpmLayer,
  npmAddresses,
  npmDialect,
  npmSyntaxes,
  readNpmrc,
  registryIn,
  type Syntaxes,
  scopeOf,
} from './registries/npmrc.ts';
import { pnpmDialect, pnpmLayers, pnpmSyntaxes } from './registries/pnpm.ts';
import { yarnRegistryIn, yarnSyntaxes } from './registries/yarn.ts';
import { yarnClassicDialect, yarnClassicLayers, yarnClassicSyntaxes } from './registries/yarn-classic.ts';

/** How one tool is told of registries. */
interface Tool {
  /** Of its own settings. */
  readonly syntaxes: Syntaxes;
  readonly lockfiles: readonly string[];
  /** Of two tools with the same lockfile, the first one whose settings are there. */
  readonly isUsed?: (layers: readonly NpmLayer[]) => boolean;
  /** All settings that it reads, the strongest first. */
  readonly layers: (all: readonly NpmLayer[]) => readonly NpmLayer[];
  readonly registryIn: (
    layers: readonly NpmLayer[],
    environment: AccessInputs['variable'],
  ) => (name: string) => ClientRegistry | undefined;
}

const npm: Tool = {
  syntaxes: npmSyntaxes,
  lockfiles: ['package-lock.json', 'npm-shrinkwrap.json', 'deno.lock'],
  layers: (all) => all.filter(isOf(npmSyntaxes)),
  registryIn: (layers, environment) => registryIn(layers, npmDialect, environment),
};

const pnpm: Tool = {
  syntaxes: pnpmSyntaxes,
  lockfiles: ['pnpm-lock.yaml'],
  layers: pnpmLayers,
  registryIn: (layers, environment) => registryIn(layers, pnpmDialect, environment),
};

/** From version 2 on. */
const yarn: Tool = {
  syntaxes: yarnSyntaxes,
  lockfiles: ['yarn.lock'],
  isUsed: (all) =>
    all.some(({ source }) => source.name === '.yarnrc.yml' && source.owner === 'workspace') ||
    (all.some(isOf(yarnSyntaxes)) && !all.some(({ source }) => source.name === '.yarnrc')),
  layers: (all) => all.filter(isOf(yarnSyntaxes)),
  registryIn: yarnRegistryIn,
};

const yarnClassic: Tool = {
  syntaxes: yarnClassicSyntaxes,
  lockfiles: ['yarn.lock'],
  layers: yarnClassicLayers,
  registryIn: (layers, environment) => registryIn(layers, yarnClassicDialect, environment),
};

const bun: Tool = {
  syntaxes: bunSyntaxes,
  lockfiles: ['bun.lock', 'bun.lockb'],
  layers: bunLayers,
  registryIn: bunRegistryIn,
};

const tools: readonly Tool[] = [npm, pnpm, yarn, yarnClassic, bun];

const syntaxes: Syntaxes = Object.assign({}, ...tools.map((it) => it.syntaxes));

/**
 * npm, pnpm, yarn and bun ask one registry for a package: that of its scope, else that of everything. The lockfile beside
 * the manifest tells which of them is used. Without one, npm's settings count, and those of another where npm has none.
 */
export const npmRegistries: RegistryReader = {
  above: ['.npmrc', '.yarnrc', '.yarnrc.yml', 'pnpm-workspace.yaml', 'bunfig.toml'],
  filesNamedByVariable: ({ name, text }) => (name === 'YARN_RC_FILENAME' ? [{ name: '.yarnrc.yml', label: text }] : []),
  // Settings of a project may name the file of further settings, instead of a person's own: `userconfig=ci.npmrc`.
  filesNamedBy: ({ name, text }) =>
    [...(name === '.npmrc' ? readNpmrc(text) : [])].flatMap(([key, label]) =>
      /^(?:(?:user|global)config|npmrc-auth-file)$/.test(key) ? [{ name, label }] : [],
    ),
  ownersOf(sources) {
    const all = layersIn(sources);
    // Which tool a person uses is not known, so the word of each counts, and so do its own files by themselves.
    const chains = tools.flatMap((it) => [all.filter(isOf(it.syntaxes)), it.layers(all)]);
    const known = new Map<string, readonly Registry[]>();
    return (asked) => {
      const scope = scopeOf(asked.name);
      const found = known.get(scope) ?? distinctRegistries(chains.flatMap((it) => ownersIn(it, scope)));
      known.set(scope, found);
      const own = ownRegistries(asked);
      return own.length === 0 ? found : [...found, ...own];
    };
  },
  accessTo(inputs) {
    const all = layersIn(inputs.sources);
    const byLockfile = tools.filter((it) => it.lockfiles.some((name) => inputs.lockfiles.includes(name)));
    const [used] = byLockfile.filter((it) => it.isUsed?.(all) !== false);
    const readers = (used ? [used] : tools).map((tool) => {
      const layers = tool.layers(all);
      const namedBy = (source: AccessSource) => layers.filter((it) => it.source === source).flatMap(npmAddresses);
      return { registryOf: tool.registryIn(layers, inputs.variable), namedBy };
    });
    return ({ name }) => {
      for (const { registryOf, namedBy } of readers) {
        const found = registryOf(name);
        if (found) return { registries: [askedRegistry('npm', found, inputs, namedBy)], join: 'first' };
      }
      return undefined;
    };
  },
};

function layersIn(sources: readonly AccessSource[]): readonly NpmLayer[] {
  return sources.flatMap((source) => {
    const read = Object.hasOwn(syntaxes, source.name) ? syntaxes[source.name] : undefined;
    return read ? [{ source, settings: read(source.text) }] : [];
  });
}

/** The nearest registry of a scope, else that of everything, and those of scopes whose names a variable has. */
function ownersIn(layers: readonly NpmLayer[], scope: string): Registry[] {
  const perhaps = scope === '' ? [] : layers.flatMap(ofAnyScope);
  const nearest = (key: string): NpmLayer | undefined => layers.find((it) => it.settings.get(key));
  const key = [`${scope}:registry`, 'registry'].find((it) => it !== ':registry' && nearest(it)) ?? '';
  const found = nearest(key);
  return [...perhaps, ...(found ? owner(found, found.settings.get(key) ?? '') : [])];
}

function ofAnyScope(layer: NpmLayer): Registry[] {
  return [...layer.settings].flatMap(([key, value]) =>
    isScope.test(key) && key.includes('${') && value !== '' ? owner(layer, value) : [],
  );
}

function owner({ source }: NpmLayer, address: string): Registry[] {
  const registry = registryAt(address, source.label);
  return registry ? [registry] : [];
}
