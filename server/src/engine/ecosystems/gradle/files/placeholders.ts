import type { FileRef, Requirement } from '../../../model/manifest.ts';

/**
 * The placeholder of a version that the plugin refreshVersions keeps in a file.
 *
 *     implementation("com.squareup.okhttp3:okhttp:_")      version.okhttp3=4.9.0
 */
export const PLACEHOLDER = '_';

export const versionsFile: FileRef = {
  kind: 'workspace',
  path: 'versions.properties',
  format: 'gradle.properties',
  upward: 'self',
};

/** Whether a requirement is the placeholder. */
export function isPlaceholder(it: Requirement): boolean {
  return it.kind === 'literal' && it.at.text === PLACEHOLDER;
}

/**
 * The ids of the properties that may have the version of a module, the one for it alone first; of a plugin, its own. Most
 * keys are shorter: the end of the group, or the beginning of the artifact. Source: refreshVersions, “dependency notations”.
 */
export function* placeholderIds(name: string): Generator<string> {
  const [group = '', artifact = ''] = name.split(':');
  if (artifact === `${group}.gradle.plugin`) yield `property:plugin.${group}`;
  yield `property:version.${group}..${artifact}`;
  const groups = endsOf(group);
  const artifacts = beginningsOf(artifact);
  for (const start of artifacts) for (const end of groups) yield `property:version.${end}.${start}`;
  for (const start of artifacts) yield `property:version.${start}`;
  for (const end of groups) yield `property:version.${end}`;
}

/** Parts of a name. Real ones have up to eight. */
const MAX_PARTS = 10;

/** `com.squareup.okhttp3`, `squareup.okhttp3`, `okhttp3` */
function endsOf(group: string): readonly string[] {
  const parts = group.split('.').slice(-MAX_PARTS);
  return parts.map((_, at) => parts.slice(at).join('.'));
}

/** `kotlinx.coroutines.core`, `kotlinx.coroutines`, `kotlinx`; also as the artifact spells it. */
function beginningsOf(artifact: string): readonly string[] {
  const parts = artifact.split('-').slice(0, MAX_PARTS);
  return parts.flatMap((_, at) => {
    const some = parts.slice(0, parts.length - at);
    return some.length > 1 ? [some.join('-'), some.join('.')] : some;
  });
}
