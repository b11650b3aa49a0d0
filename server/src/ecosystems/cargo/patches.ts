import type { Definition, DefinitionRef, Requirement } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';

/** A crate that stands under `[patch]` or `[replace]`, in place of a published one. */
export interface Substitute {
  /** The package that it stands for. */
  readonly name: string;
  /** The table's name under `[patch]`: a registry, or the address of its index. */
  readonly registry?: string;
  /** The one version that it stands for, under `[replace]`. */
  readonly version?: string;
  readonly span: Span;
  readonly value: Requirement;
}

/** The registry of whoever names none. */
const DEFAULT_REGISTRY = 'crates-io';
/** What a lockfile, or `[patch]`, writes for it, whatever stands in for it: the path of its index's repository. */
export const defaultIndex = /\/crates\.io-index\/?$/;

/** As dependencies refer to it. A version of another registry is a published one: it takes no place here. */
export function substituteDefinition({ name, registry, version, span, value }: Substitute): Definition[] {
  if (value.kind !== 'source') return [];
  return [{ id: version === undefined ? patchId(name, registry) : replaceId(name, version), span, value }];
}

/**
 * What may take the place of a dependency, in this file or in the root of its workspace, where alone it counts.
 *
 *     [dependencies]                 [patch.crates-io]                   [replace]
 *     log = "0.4.20"                 log = { path = "../log" }           "log:0.4.20" = { path = "../log" }
 */
export function substituteRefs(name: string, registry: string | undefined, asked: Requirement): DefinitionRef[] {
  // What the workspace's root says of it is replaced there.
  if (asked.kind !== 'literal' && asked.kind !== 'none') return [];
  const patch = { id: patchId(name, registry), label: '[patch]' };
  const version = asked.kind === 'literal' ? /^[=^]?\s*(\d+\.\d+\.\d+\S*)$/.exec(asked.at.text)?.[1] : undefined;
  return version === undefined ? [patch] : [{ id: replaceId(name, version), label: '[replace]' }, patch];
}

function patchId(name: string, registry = DEFAULT_REGISTRY): string {
  return `patch:${defaultIndex.test(registry) ? DEFAULT_REGISTRY : registry} ${name}`;
}

function replaceId(name: string, version: string): string {
  return `replace:${name} ${version}`;
}
