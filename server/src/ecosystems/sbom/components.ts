import * as l10n from '@vscode/l10n';
import type { JsonValue } from '../../formats/json/tree.ts';
import type { DeclaredLicenses, Dependency, Scope } from '../../model/manifest.ts';
import { parsePurl } from '../../model/purl.ts';
import type { Literal } from '../../model/span.ts';
import { asExactRequirement } from '../shared/lockfile.ts';

/** A package of an SPDX document, with its identifier there. */
export interface SpdxPackage {
  readonly id: string;
  readonly dependency: Dependency;
}

/**
 * The packages without the one that the document describes: that is the project itself, which need not be published. A
 * document that describes each of its packages, or has no other, keeps them.
 */
export function withoutDescribed(packages: readonly SpdxPackage[], roots: ReadonlySet<string>): Dependency[] {
  const others = packages.filter((it) => !roots.has(it.id));
  const counted = others.length > 0 && others.length === packages.length - 1 ? others : packages;
  return counted.map((it) => it.dependency);
}

/** Reads an SBOM in JSON item by item. */
export interface SbomReader {
  /** Adds an item of a list in the outermost object. */
  readonly add: (list: string, item: JsonValue) => void;
  /** Called once, after the last item. */
  readonly dependencies: () => readonly Dependency[];
}

/** The text of a purl in a file, and literals for ranges of it. */
export interface PurlText {
  readonly text: string;
  readonly literal: (from: number, to: number) => Literal;
}

/** The fields of a component besides its purl. */
export interface ComponentFields {
  /** Its version, for a purl without one. */
  readonly version?: Literal | undefined;
  readonly scope?: Scope;
  readonly declared?: DeclaredLicenses | undefined;
  /** The addresses of its distribution. */
  readonly distributions?: readonly string[];
}

/** The licenses of a component, without `NONE` and `NOASSERTION` of SPDX; undefined for none. */
export function declaredLicenses(found: readonly Literal[]): DeclaredLicenses | undefined {
  const said = found.filter((it) => !/^(?:NONE|NOASSERTION)?$/i.test(it.text.trim()));
  return said[0] && { licenses: said.map((it) => it.text.trim()), span: said[0].span };
}

/**
 * The dependency of a component, by its purl. Of the qualifiers, only those of the registry matter. Undefined for a package of
 * an unknown system, or without a version.
 *
 *     "purl": "pkg:npm/%40babel/traverse@7.23.2?vcs_url=…"
 *              ^^^^^^^^^^^^^^^^^^^^^^^^^ name
 *                                        ^^^^^^ requirement
 */
export function componentDependency(
  { text, literal }: PurlText,
  { version, scope = 'runtime', declared, distributions = [] }: ComponentFields,
): Dependency | undefined {
  const end = text.search(/[?#]|$/);
  const reading = parsePurl(text.slice(0, end));
  if (reading.kind === 'invalid') return undefined;
  const { key, name, version: written } = reading.purl;
  const at = written === undefined ? end : text.lastIndexOf('@', end - 1);
  const own = written === undefined ? version : { ...literal(at + 1, end), text: written };
  if (own === undefined || own.text.trim() === '') return undefined;
  const registries = [...repositoriesIn(text.slice(end)), ...distributions.filter(isOfRegistry)];
  return {
    key,
    name,
    nameSpan: literal(0, at).span,
    by: 'purl',
    ...(registries.length > 0 && { registries }),
    requirement: { kind: 'literal', at: asExactRequirement(key.system, own) },
    ...(declared && { declared }),
    scope,
    frozen: l10n.t('an SBOM is a record of installed versions'),
  };
}

/**
 * `?type=jar&repository_url=repo.example%2Fmaven`, `?download_url=https://repo.example/core.jar`; XML has an entity
 * between them. Source: the purl specification, "Known qualifiers".
 */
function repositoriesIn(qualifiers: string): string[] {
  return [...qualifiers.matchAll(/[?&;](?:repository|download)_url=([^&#]+)/gi)].map(([, encoded = '']) => {
    const address = encoded.replace(/%3A/gi, ':').replace(/%2F/gi, '/');
    return address.includes('://') ? address : `https://${address}`;
  });
}

/** Excludes `NOASSERTION`, and a repository of sources: any package may have one. */
function isOfRegistry(address: string): boolean {
  return /^https?:\/\//i.test(address) && !/\.git(?=[@#/?]|$)/i.test(address);
}
