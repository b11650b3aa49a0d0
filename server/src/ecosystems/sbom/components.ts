import * as l10n from '@vscode/l10n';
import type { JsonValue } from '../../formats/json/tree.ts';
import type { DeclaredLicenses, Dependency, Scope } from '../../model/manifest.ts';
import { parsePurl } from '../../model/purl.ts';
import type { Literal } from '../../model/span.ts';
import { asExactRequirement } from '../shared/lockfile.ts';

/** A package of an SPDX document, by the identifier that the document has for it. */
export interface SpdxPackage {
  readonly id: string;
  readonly dependency: Dependency;
}

/**
 * The packages without the one that the document as a whole is about: that is the project itself, which need not be
 * published. A document may as well be about each of its packages, or have no other.
 */
export function withoutDescribed(packages: readonly SpdxPackage[], roots: ReadonlySet<string>): Dependency[] {
  const others = packages.filter((it) => !roots.has(it.id));
  const counted = others.length > 0 && others.length === packages.length - 1 ? others : packages;
  return counted.map((it) => it.dependency);
}

/** Reads a bill of materials in JSON, of which it is given the lists item by item. */
export interface SbomReader {
  /** An item of a list in the outermost object. */
  readonly add: (list: string, item: JsonValue) => void;
  /** Asked once, when everything was taken. */
  readonly dependencies: () => readonly Dependency[];
}

/** A purl as it stands in a file, and the stretches of it. */
export interface PurlText {
  readonly text: string;
  readonly literal: (from: number, to: number) => Literal;
}

/** What a component says of itself beside its purl. */
export interface ComponentFields {
  /** Its version, for a purl without one. */
  readonly version?: Literal | undefined;
  readonly scope?: Scope;
  readonly declared?: DeclaredLicenses | undefined;
  /** Where it says that its file is to be had. */
  readonly distributions?: readonly string[];
}

/** The licences of a component; `NONE` and `NOASSERTION` of SPDX say nothing. Undefined where nothing is said. */
export function declaredLicenses(found: readonly Literal[]): DeclaredLicenses | undefined {
  const said = found.filter((it) => !/^(?:NONE|NOASSERTION)?$/i.test(it.text.trim()));
  return said[0] && { licenses: said.map((it) => it.text.trim()), span: said[0].span };
}

/**
 * The package of a component, by its purl. What qualifies it (an architecture) says nothing of which package it is, but
 * for where it comes from. Undefined for what is none of a system that is known, or has no version.
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
    frozen: l10n.t('an SBOM states what is there'),
  };
}

/**
 * `?type=jar&repository_url=repo.example%2Fmaven`, `?download_url=https://repo.example/core.jar`; in XML there is an
 * entity in between. Source: the purl specification, "Known qualifiers".
 */
function repositoriesIn(qualifiers: string): string[] {
  return [...qualifiers.matchAll(/[?&;](?:repository|download)_url=([^&#]+)/gi)].map(([, encoded = '']) => {
    const address = encoded.replace(/%3A/gi, ':').replace(/%2F/gi, '/');
    return address.includes('://') ? address : `https://${address}`;
  });
}

/** `NOASSERTION` names no place, and a repository of sources is no registry: any package may have one. */
function isOfRegistry(address: string): boolean {
  return /^https?:\/\//i.test(address) && !/\.git(?=[@#/?]|$)/i.test(address);
}
