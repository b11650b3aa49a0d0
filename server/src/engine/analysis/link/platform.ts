import { frameworksIn, meantBy } from '../../ecosystems/nuget/msbuild-conditions.ts';
import type { LinkedDependency } from '../../model/evaluated-dependency.ts';
import type { ParsedManifest } from '../../model/manifest-chain.ts';
import { textsOf } from './alternatives.ts';
import type { LinkScope } from './scope.ts';

/**
 * Adds to dependencies what their project is for, where its files say it.
 * @param files those of the chain
 */
export function createPlatform(
  [document]: readonly ParsedManifest[],
  lookup: LinkScope,
): (linked: LinkedDependency) => LinkedDependency {
  const { format, manifest } = document ?? {};
  if (format?.record !== undefined) return (linked) => linked;
  if (format?.system === 'PYPI') {
    const builtFor = manifest?.python === undefined ? undefined : [manifest.python];
    return (linked) => (builtFor && linked.dependency.scope !== 'build' ? { ...linked, builtFor } : linked);
  }
  if (format?.system !== 'NUGET') return (linked) => linked;
  let frameworks: readonly string[] | undefined;
  return (linked) => {
    frameworks ??= frameworksIn((id) => textsOf(id, lookup));
    if (frameworks.length === 0) return linked;
    return { ...linked, builtFor: meantBy(linked.dependency.condition ?? '', frameworks, (it) => it) };
  };
}
