import type { AccessInputs, AccessReader, AccessSource } from '../../model/registries/access.ts';
import { askedRegistry, type ClientRegistry, type NamedBy } from '../shared/client-registry.ts';
import { npmAddresses, npmLayers, npmRegistry } from './access/npmrc.ts';

/** How one tool finds the registry of a package. */
interface Tool {
  readonly lockfiles: readonly string[];
  readonly read: (inputs: AccessInputs) => {
    readonly registryOf: (name: string) => ClientRegistry | undefined;
    readonly namedBy: NamedBy;
  };
}

const npm: Tool = {
  lockfiles: ['package-lock.json', 'npm-shrinkwrap.json'],
  read(inputs) {
    const layers = npmLayers(inputs.sources);
    return {
      registryOf: (name) => npmRegistry(name, layers, inputs.variable),
      namedBy: (source: AccessSource) => layers.filter((it) => it.source === source).flatMap(npmAddresses),
    };
  },
};

const tools: readonly Tool[] = [npm];

/** npm, pnpm, yarn and bun ask one registry for a package: that of its scope, else that of everything. */
export const npmAccess: AccessReader = {
  read(inputs) {
    const ofLockfiles = tools.filter((it) => it.lockfiles.some((name) => inputs.lockfiles.includes(name)));
    const readers = (ofLockfiles.length > 0 ? ofLockfiles : tools).map((it) => it.read(inputs));
    return ({ name }) => {
      for (const { registryOf, namedBy } of readers) {
        const found = registryOf(name);
        if (found) return { registries: [askedRegistry('npm', found, inputs, namedBy)], join: 'first' };
      }
      return undefined;
    };
  },
};
