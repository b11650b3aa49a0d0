import type { TypeInsight, TypeName } from '../model/deployments/types.ts';
import { type DeploymentManifest, isTemplateType, type ManifestResource } from './manifest.ts';
import type { SchemaNode } from './schema.ts';

/** What surrounds a manifest, as far as it is known now. No function waits. */
export interface ManifestWorld {
  /** Of a type that is no import. */
  readonly typeOf: (name: string) => TypeInsight;
  /** All that are known, for completions. */
  readonly types: () => readonly TypeName[];
  readonly importAt: (path: string) => ImportedFile;
}

/** A file that a manifest imports. */
export type ImportedFile =
  /** `schema`: that of the template's properties, from the file beside it. */
  | { readonly kind: 'present'; readonly schema?: unknown }
  | { readonly kind: 'missing' }
  /** It is not in the workspace, is an address, or was not looked for so far. */
  | { readonly kind: 'unread' };

/** Where the type of a resource comes from. */
export type TypeSource =
  | { readonly kind: 'import'; readonly path: string; readonly file: ImportedFile }
  /** A template that the manifest does not import. */
  | { readonly kind: 'not-imported' }
  | { readonly kind: 'service'; readonly insight: TypeInsight };

export function sourceOf(type: string, manifest: DeploymentManifest, world: ManifestWorld): TypeSource {
  const found = manifest.importsByType.get(type);
  if (found) return { kind: 'import', path: found.path.text, file: world.importAt(found.path.text) };
  return isTemplateType(type) ? { kind: 'not-imported' } : { kind: 'service', insight: world.typeOf(type) };
}

/** The schema of the properties of a resource; undefined where it is not known. */
export function inputOf(
  { type }: ManifestResource,
  manifest: DeploymentManifest,
  world: ManifestWorld,
): SchemaNode | undefined {
  const source = type && sourceOf(type.text, manifest, world);
  if (source?.kind === 'import') return source.file.kind === 'present' ? nodeOf(source.file.schema) : undefined;
  return source?.kind === 'service' && source.insight.kind === 'known' ? nodeOf(source.insight.facts.input) : undefined;
}

/** The schema of what references to a resource can read; undefined where it is not known. */
export function outputOf(
  { type }: ManifestResource,
  manifest: DeploymentManifest,
  world: ManifestWorld,
): SchemaNode | undefined {
  const source = type && sourceOf(type.text, manifest, world);
  return source?.kind === 'service' && source.insight.kind === 'known'
    ? nodeOf(source.insight.facts.output)
    : undefined;
}

function nodeOf(schema: unknown): SchemaNode | undefined {
  return schema === undefined ? undefined : { root: schema, node: schema };
}
