import type { Manifest, Requirement } from '../../model/manifest.ts';
import { propertyId } from './msbuild-values.ts';

/** The properties of a file of MSBuild as they are written, by their names in lower case. */
export type Properties = ReadonlyMap<string, string>;

/** Real files have some dozen. */
const MAX_PROPERTIES = 300;
/** In characters. Names are shorter. */
const MAX_VALUE_LENGTH = 200;
/** Properties refer to others a few levels deep; a circle ends here. */
const MAX_DEPTH = 16;

export function propertiesIn({ definitions }: Pick<Manifest, 'definitions'>): Properties {
  const found = new Map<string, string>();
  for (const { id, value, condition } of definitions) {
    if (!id.startsWith(prefix) || found.size >= MAX_PROPERTIES) continue;
    const name = id.slice(prefix.length);
    const text = textOf(value);
    if (text !== undefined && text.length <= MAX_VALUE_LENGTH && !(condition && found.has(name))) found.set(name, text);
  }
  return found;
}

const prefix = propertyId('');

function textOf(value: Requirement): string | undefined {
  if (value.kind === 'literal') return value.at.text;
  if (value.kind === 'reference') return value.to.label;
  return value.kind === 'template'
    ? value.parts.map((it) => (typeof it === 'string' ? it : it.label)).join('')
    : undefined;
}

/**
 * The name of the package that a project makes: its `PackageId`, else its `AssemblyName`, else the name of its file.
 *
 *     <PackageId>Acme.$(MSBuildProjectName)</PackageId>     in Directory.Build.props
 *
 * @param file the name of the project's file, without its ending
 * @param layers the properties of the project and of the files before it, those that prevail first
 */
export function packageNameOf(file: string, layers: readonly Properties[]): string {
  const resolved = (name: string, depth: number): string | undefined => {
    if (name === 'msbuildprojectname') return file;
    const written = layers.map((it) => it.get(name)).find((it) => it !== undefined);
    const text = written ?? (name === 'packageid' ? '$(AssemblyName)' : name === 'assemblyname' ? file : undefined);
    if (text === undefined || depth > MAX_DEPTH) return undefined;
    const value = text.replace(
      /\$\(([\w.-]+)\)/g,
      (whole, it: string) => resolved(it.toLowerCase(), depth + 1) ?? whole,
    );
    return value.length <= MAX_VALUE_LENGTH ? value : undefined;
  };
  const name = resolved('packageid', 0) ?? file;
  // What only a build can work out is not known.
  return /^[\w.-]+$/.test(name) ? name : file;
}
