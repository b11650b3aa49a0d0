/** Plugins whose artifact has another group, by the beginning of their ids. Sources: the documentation of the plugins. */
const known: readonly (readonly [id: RegExp, artifact: RegExp])[] = [
  [/^com\.android\./, /^com\.android\.tools\.build:gradle(?:-api)?$/],
  [
    /^(?:dagger\.hilt\.android\.plugin|com\.google\.dagger\.hilt\.android)$/,
    /^com\.google\.dagger:hilt-android-gradle-plugin$/,
  ],
  [/^com\.jfrog\.artifactory$/, /^org\.jfrog\.buildinfo:build-info-extractor-gradle$/],
];

/** Each plugin of Kotlin's own has the version of the compiler. */
const kotlinPlugin = /^org\.jetbrains\.kotlin\.[^.]+(?:\.[^.]+)?$/;
const kotlinArtifact =
  /^org\.jetbrains\.kotlin:(?:kotlin-.*|.*gradle-plugin|atomicfu)$|^org\.jetbrains\.kotlin\.[\w.]+:/;
const mainKotlinArtifact =
  /^org\.jetbrains\.kotlin:kotlin-gradle-plugin$|^org\.jetbrains\.kotlin\.(?:jvm|android|multiplatform):/;

/** Words that say that an artifact is a plugin, and not which. */
const plain: ReadonlySet<string> = new Set(['gradle', 'plugin', 'plugins', 'tools']);

/**
 * The artifact of a class path that contains a plugin, the surest first: its marker, a known one, or that of the plugin's
 * group whose name has the most words in common with the id.
 *
 *     com.acme.tool.reports      com.acme.tool:reports-gradle-plugin
 * @param artifacts names of all artifacts: `group:artifact`
 */
export function artifactOfPlugin(id: string, artifacts: readonly string[]): string | undefined {
  const marker = `${id}:${id}.gradle.plugin`;
  if (artifacts.includes(marker)) return marker;
  if (kotlinPlugin.test(id)) return kotlinIn(artifacts);
  const row = known.find(([its]) => its.test(id));
  if (row) return artifacts.find((it) => row[1].test(it));
  let best: { readonly artifact: string; readonly score: number } | undefined;
  for (const artifact of artifacts) {
    const score = likeness(id, artifact);
    if (score > 0 && score > (best?.score ?? 0)) best = { artifact, score };
  }
  return best?.artifact;
}

/** The artifact of a class path whose version is that of Kotlin's plugins, and of its libraries without one. */
export function kotlinIn(artifacts: readonly string[]): string | undefined {
  return artifacts.find((it) => mainKotlinArtifact.test(it)) ?? artifacts.find((it) => kotlinArtifact.test(it));
}

function likeness(id: string, artifact: string): number {
  const [group = '', name = ''] = artifact.split(':');
  if (id === `${group}.${name}`) return 100;
  if (!/gradle|plugin/i.test(artifact) || name.endsWith('.gradle.plugin')) return 0;
  const words = id.split('.');
  const own = group.split('.');
  while (own.length > 2 && plain.has(own.at(-1) ?? '')) own.pop();
  const shared = own.findIndex((it, at) => it !== words[at]);
  const isWithin = shared < 0 || (shared === words.length && shared >= 2);
  if (!isWithin || own.length < 2) return 0;
  const rest = new Set(words.slice(own.length).flatMap((it) => it.split('-')));
  const parts = name
    .toLowerCase()
    .split(/[.-]/)
    .filter((it) => !plain.has(it));
  const common = parts.filter((it) => rest.has(it)).length;
  const isNamedLikeGroup = parts.some((it) => own.includes(it));
  if (rest.size > 0 && common === 0 && !isNamedLikeGroup) return 0;
  return own.length + common - (parts.length - common) / 10;
}
