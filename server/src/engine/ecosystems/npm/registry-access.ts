import type { AccessInputs, AccessReader, AccessSource } from '../../model/registries/access.ts';
import { askedRegistry, type ClientRegistry } from '../shared/client-registry.ts';
import { bunAddresses, bunfigs, bunRegistry } from './access/bun.ts';
import { type Dialect, type NpmLayer, npmAddresses, npmDialect, npmLayers, registryIn } from './access/npmrc.ts';
import { pnpmDialect, pnpmLayers } from './access/pnpm.ts';
import { yarnAddresses, yarnFiles, yarnRegistry } from './access/yarn.ts';
import { yarnClassicDialect, yarnClassicLayers } from './access/yarn-classic.ts';

/** How one tool finds the registry of a package. */
interface Tool {
  readonly lockfiles: readonly string[];
  /** Of two tools with the same lockfile, the first one whose settings are there. */
  readonly isUsed?: (inputs: AccessInputs) => boolean;
  readonly read: (inputs: AccessInputs) => {
    readonly registryOf: (name: string) => ClientRegistry | undefined;
    /** The addresses that a source names. */
    readonly namedBy: (source: AccessSource) => readonly string[];
  };
}

const npm: Tool = {
  lockfiles: ['package-lock.json', 'npm-shrinkwrap.json', 'deno.lock'],
  read: (inputs) => withLayers(npmLayers(inputs.sources), npmDialect, inputs),
};

const pnpm: Tool = {
  lockfiles: ['pnpm-lock.yaml'],
  read: (inputs) => withLayers(pnpmLayers(inputs.sources), pnpmDialect, inputs),
};

/** From version 2 on. */
const yarn: Tool = {
  lockfiles: ['yarn.lock'],
  isUsed: ({ sources }) =>
    sources.some((it) => it.name === '.yarnrc.yml' && it.owner === 'workspace') ||
    (yarnFiles(sources).length > 0 && !sources.some((it) => it.name === '.yarnrc')),
  read({ sources, variable }) {
    const files = yarnFiles(sources);
    return {
      registryOf: (name) => yarnRegistry(name, files, variable),
      namedBy: (source) => files.filter((it) => it.source === source).flatMap(yarnAddresses),
    };
  },
};

const yarnClassic: Tool = {
  lockfiles: ['yarn.lock'],
  read: (inputs) => withLayers(yarnClassicLayers(inputs.sources), yarnClassicDialect, inputs),
};

const bun: Tool = {
  lockfiles: ['bun.lock', 'bun.lockb'],
  read({ sources, variable }) {
    const files = bunfigs(sources);
    const layers = npmLayers(sources);
    return {
      registryOf: bunRegistry(sources, files, variable),
      namedBy: (source) => [
        ...files.filter((it) => it.source === source).flatMap(bunAddresses),
        ...layers.filter((it) => it.source === source).flatMap(npmAddresses),
        ...(source.name === 'BUN_CONFIG_REGISTRY' ? [source.text] : []),
      ],
    };
  },
};

const tools: readonly Tool[] = [npm, pnpm, yarn, yarnClassic, bun];

/**
 * npm, pnpm, yarn and bun ask one registry for a package: that of its scope, else that of everything. The lockfile beside
 * the manifest tells which of them is used. Without one, npm's settings count, and those of another where npm has none.
 */
export const npmAccess: AccessReader = {
  read(inputs) {
    const byLockfile = tools.filter((it) => it.lockfiles.some((name) => inputs.lockfiles.includes(name)));
    const [used] = byLockfile.filter((it) => it.isUsed?.(inputs) !== false);
    const readers = (used ? [used] : tools).map((it) => it.read(inputs));
    return ({ name }) => {
      for (const { registryOf, namedBy } of readers) {
        const found = registryOf(name);
        if (found) return { registries: [askedRegistry('npm', found, inputs, namedBy)], join: 'first' };
      }
      return undefined;
    };
  },
};

function withLayers(
  layers: readonly NpmLayer[],
  dialect: Dialect,
  { variable }: AccessInputs,
): ReturnType<Tool['read']> {
  return {
    registryOf: registryIn(layers, dialect, variable),
    namedBy: (source) => layers.filter((it) => it.source === source).flatMap(npmAddresses),
  };
}
