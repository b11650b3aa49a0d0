import { parseXml } from '../../formats/xml/parse.ts';

/**
 * The addresses in `<RestoreSources>` and `<RestoreAdditionalProjectSources>` of a project, without folders. One that
 * stands in a property is looked for in the file; what only a build knows stays as it is: `$(Feeds)/v3/index.json`.
 */
export function addressesInProject(text: string): readonly string[] {
  if (!/<Restore(?:AdditionalProject)?Sources/i.test(text)) return [];
  const { root } = parseXml(text);
  const open = root ? [root] : [];
  const values: string[] = [];
  const properties = new Map<string, string>();
  // Not by recursion: how deep a stranger nests elements has no bound.
  for (let it = open.pop(); it !== undefined; it = open.pop()) {
    for (const child of it.children) open.push(child);
    if (restoreProperty.test(it.name)) values.push(...it.text.split(';'));
    else if (it.children.length === 0) properties.set(it.name.toLowerCase(), it.text);
  }
  return values.flatMap((value) => {
    const [, property] = /^\s*\$\(([\w.-]+)\)\s*$/.exec(value) ?? [];
    if (property === undefined) return mayBeAddress(value);
    if (restoreProperty.test(property) || knownDirectory.test(property)) return [];
    const written = properties.get(property.toLowerCase());
    return written === undefined ? [value.trim()] : written.split(';').flatMap(mayBeAddress);
  });
}

/** The same of an app without a project: `#:property RestoreSources=https://…`. */
export function addressesInApp(text: string): readonly string[] {
  const lines = text.matchAll(
    /^[ \t]*#:[ \t]*property[ \t]+Restore(?:AdditionalProject)?Sources[ \t]*=([^\r\n]{1,4000})/gim,
  );
  return [...lines].flatMap(([, value = '']) => value.split(';').flatMap(mayBeAddress));
}

/** One that begins with a property may be at any address: `$(Feeds)/v3/index.json`, but not `$(RepoRoot)/packages`. */
function mayBeAddress(value: string): readonly string[] {
  const text = value.trim();
  const [, property] = /^\$\(([^()]*)\)/.exec(text) ?? [];
  const isUnclear = property !== undefined && !restoreProperty.test(property) && !knownDirectory.test(property);
  return isUnclear || /^[a-z]+:\/\//i.test(text) ? [text] : [];
}

/** Properties that hold a folder, by their names. */
const knownDirectory = /(?:dir|directory|path|folder|root)$/i;

/** Each is often made of itself: `$(RestoreSources);https://…` */
const restoreProperty = /^restore(?:additionalproject)?sources$/i;
