import { formatOf } from '../ecosystems/manifest-formats.ts';
import type { EvaluatedDependency } from '../model/evaluated-dependency.ts';
import { packageId } from '../model/keys.ts';
import type { ManifestFormat } from '../model/manifest.ts';
import type { Files } from '../model/ports.ts';
import { purlTypes } from '../model/purl.ts';
import type { Settings } from '../model/settings.ts';
import type { System } from '../model/system.ts';
import { isAccepted, isWanted } from './findings.ts';
import type { DocumentContext } from './load/context.ts';

/*
 * Names that were invented: by a program that writes code, or by a mistake. Whoever publishes such a package is installed
 * by everybody for whom the same name is invented again. What tells them from private packages, which the service does
 * not know either:
 *
 *     "@acme/ui": "^1.0.0"          a scope has an owner, who publishes it or keeps it private
 *     "acme-ui": "^1.0.0"           anybody could publish it; has been in this file since the last commit: no news
 *     "react-form-kit": "^1.0.0"    new in this file: most probably there is no such package
 */

/** Whether a name has no owner by its form, so that anybody could publish the package. */
const isOwnerless: Readonly<Record<System, (name: string) => boolean>> = {
  NPM: (name) => !name.startsWith('@'),
  PYPI: () => true,
  CARGO: () => true,
  // Prefixes can be reserved, and few are.
  NUGET: () => true,
  // A group belongs to a domain, and its owner proves that.
  MAVEN: () => false,
  // A path begins with the host that has the sources.
  GO: () => false,
};

export interface NewNamesInputs {
  readonly files: Pick<Files, 'former'>;
  /** Those of the folder of a file. */
  readonly settings: (uri: string) => Pick<Settings, 'severity' | 'fileNames'>;
}

/**
 * Marks the dependencies with such names. Reads the last commit only if there may be one.
 * @param all those of the document
 */
export async function withNewNames(
  { document: { uri }, format }: Pick<DocumentContext, 'document' | 'format'>,
  dependencies: readonly EvaluatedDependency[],
  { files: { former }, settings }: NewNamesInputs,
  all = dependencies,
): Promise<readonly EvaluatedDependency[]> {
  const isOff = !isWanted('not-found', settings(uri), dependencies[0]?.project);
  if (former === undefined || isOff || format.record !== undefined) return dependencies;
  const privately = new Set(all.filter(isPrivateWithoutOwner).map((it) => it.linked.key.system));
  const some = dependencies.filter((it) => mayBeInvented(it) && !privately.has(it.linked.key.system));
  if (some.length === 0) return dependencies;
  const texts = await former(uri, (path) => formatOf(`/${path}`, settings(uri).fileNames) === format);
  const names = texts && namesIn(texts, format);
  if (names === undefined) return dependencies;
  const added = new Set(some.filter(({ linked }) => !names.has(packageId(linked.key))));
  return added.size === 0 ? dependencies : dependencies.map((it) => (added.has(it) ? marked(it) : it));
}

function mayBeInvented(evaluated: EvaluatedDependency): boolean {
  const { linked, resolution, version, package: list, shared, project } = evaluated;
  const { key } = linked;
  if (linked.isRecorded || shared || key.registry !== undefined || !isOwnerless[key.system](key.name)) return false;
  if (isAccepted(evaluated, 'not-found')) return false;
  // What is still asked again is not known for sure.
  const isUnknown = resolution.kind === 'unknown' || (version?.state === 'unknown' && list?.state === 'unknown');
  if (!isUnknown || (list?.state === 'unknown' && list.refresh !== undefined)) return false;
  return !project?.privatePackages.some((it) => mayMeanOwnerless(it.pattern, key.system));
}

/** Whether the file takes such a package from a private registry: others may come from there, too. */
function isPrivateWithoutOwner({ linked: { key }, resolution }: EvaluatedDependency): boolean {
  const isWithheld =
    resolution.kind === 'none' && resolution.withheld !== undefined && resolution.withheld.contested === undefined;
  return (isWithheld || key.registry !== undefined) && isOwnerless[key.system](key.name);
}

/** Whether a pattern of private packages may be about names of a system that have no owner: not `npm/@acme/*`. */
function mayMeanOwnerless(pattern: string, system: System): boolean {
  const [, type, name = ''] = /^(?:pkg:)?(?:([a-z]+)\/)?(.*)$/s.exec(pattern) ?? [];
  const isOther = type !== undefined && type !== purlTypes[system] && Object.values<string>(purlTypes).includes(type);
  return !isOther && isOwnerless[system](name.replace(/^%40/, '@'));
}

/** By the list of texts: the same one while nothing is committed. */
const known = new WeakMap<readonly string[], ReadonlySet<string> | undefined>();

/** Undefined where a text is only partly understood: it may have had any name. */
function namesIn(texts: readonly string[], format: ManifestFormat): ReadonlySet<string> | undefined {
  if (known.has(texts)) return known.get(texts);
  const manifests = texts.map((it) => format.parse(it));
  const isClear = manifests.every((it) => it.problems.length === 0);
  const all = manifests.flatMap(({ dependencies }) => dependencies.map((it) => packageId(it.key)));
  const names = isClear ? new Set(all) : undefined;
  known.set(texts, names);
  return names;
}

/** The same object again, so that what is known of it is not computed again. */
const markedOnce = new WeakMap<EvaluatedDependency, EvaluatedDependency>();

function marked(evaluated: EvaluatedDependency): EvaluatedDependency {
  const result = markedOnce.get(evaluated) ?? { ...evaluated, isNewName: true };
  markedOnce.set(evaluated, result);
  return result;
}
