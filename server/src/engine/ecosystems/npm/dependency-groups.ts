/**
 * The groups of a package.json that require packages themselves. Overrides and resolutions control transitive
 * dependencies, which are locked in many places; a catalog is a definition for others.
 */
export const dependencyGroups: ReadonlySet<string> = new Set([
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
]);
