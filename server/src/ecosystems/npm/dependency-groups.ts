/**
 * The groups of a package.json that ask for packages themselves. Overrides and resolutions steer what others bring along,
 * which is locked in many places; catalogs are asked for by others.
 */
export const dependencyGroups: ReadonlySet<string> = new Set([
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
]);
