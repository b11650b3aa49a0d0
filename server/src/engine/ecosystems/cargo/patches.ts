import type { Definition, DefinitionRef, Requirement } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';

/** A crate under `[patch]` or `[replace]` that takes the place of a published one. */
export interface Substitute {
  /** The package that it replaces. */
  readonly name: string;
  /** The table's name under `[patch]`: a registry, or the address of its index. */
  readonly registry?: string;
  /** The one version that it replaces, under `[replace]`. */
  readonly version?: string;
  readonly span: Span;
  readonly value: Requirement;
}

/** The registry of dependencies that name none. */
const DEFAULT_REGISTRY = 'crates-io';
/** The path of its index's repository, which a lockfile and `[patch]` name even where another source replaces it. */
export const defaultIndex = /\/crates\.io-index\/?$/;

/** The definition that dependencies refer to. A version of another registry is a published one, and no definition. */
export function substituteDefinition({ name, registry, version, span, value }: Substitute): Definition[] {
  if (value.kind !== 'source') return [];
  return [{ id: version === undefined ? patchId(name, registry) : replaceId(name, version), span, value }];
}

/**
 * The definitions that may replace a dependency, in this file or in the root of its workspace: they count nowhere else.
 *
 *     [dependencies]                 [patch.crates-io]                   [replace]
 *     log = "0.4.20"                 log = { path = "../log" }           "log:0.4.20" = { path = "../log" }
 */
export function substituteRefs(name: string, registry: string | undefined, requirement: Requirement): DefinitionRef[] {
  // A requirement that is inherited from the workspace's root is replaced there.
  if (requirement.kind !== 'literal' && requirement.kind !== 'none') return [];
  const patch = { id: patchId(name, registry), label: '[patch]' };
  const version =
    requirement.kind === 'literal' ? /^[=^]?\s*(\d+\.\d+\.\d+\S*)$/.exec(requirement.at.text)?.[1] : undefined;
  return version === undefined ? [patch] : [{ id: replaceId(name, version), label: '[replace]' }, patch];
}

function patchId(name: string, registry = DEFAULT_REGISTRY): string {
  return `patch:${defaultIndex.test(registry) ? DEFAULT_REGISTRY : registry} ${name}`;
}

function replaceId(name: string, version: string): string {
  return `replace:${name} ${version}`;
}
