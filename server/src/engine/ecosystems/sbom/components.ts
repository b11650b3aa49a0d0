import * as l10n from '@vscode/l10n';
import type { JsonValue } from '../../formats/json/tree.ts';
import type { DeclaredLicenses, Dependency, Scope } from '../../model/manifest.ts';
import { parsePurl } from '../../model/purl.ts';
import type { Literal, Problem, Span } from '../../model/span.ts';
import { asExactRequirement } from '../shared/lockfile.ts';

/** Why a component is not looked up. */
export type Gap = 'other system' | 'without a purl' | 'invalid purl' | 'without a version';

/** A component: what is looked up, or why it is not. */
export type Component =
  | { readonly dependency: Dependency; readonly gap?: undefined }
  | { readonly gap: Gap; readonly span: Span; readonly dependency?: undefined };

/** A package of an SPDX document, with its identifier there. */
export type SpdxPackage = Component & { readonly id: string };

/** What a document lists. */
export interface Components {
  readonly dependencies: readonly Dependency[];
  readonly problems: readonly Problem[];
}

/**
 * The packages without the one that the document describes: that is the project itself, which need not be published. A
 * document that describes each of its packages, or has no other, keeps them.
 */
export function withoutDescribed(packages: readonly SpdxPackage[], roots: ReadonlySet<string>): Components {
  const others = packages.filter((it) => !roots.has(it.id));
  const counted = others.length > 0 && others.length === packages.length - 1 ? others : packages;
  return splitComponents(counted);
}

/** The dependencies among some components, and one problem that counts the others. */
export function splitComponents(components: readonly Component[]): Components {
  const dependencies: Dependency[] = [];
  const gaps: Extract<Component, { readonly gap: Gap }>[] = [];
  for (const it of components) {
    if (it.dependency) dependencies.push(it.dependency);
    else gaps.push(it);
  }
  const [first] = gaps;
  if (first === undefined) return { dependencies, problems: [] };
  const count = (gap: Gap): number => gaps.filter((it) => it.gap === gap).length;
  const reasons = [
    [count('other system'), l10n.t('{0} of other systems', count('other system'))],
    [count('without a purl'), l10n.t('{0} without a purl', count('without a purl'))],
    [count('invalid purl'), l10n.t('{0} with an invalid purl', count('invalid purl'))],
    [count('without a version'), l10n.t('{0} without a version', count('without a version'))],
  ] as const;
  const list = reasons.flatMap(([number, text]) => (number > 0 ? [text] : [])).join(', ');
  const message =
    gaps.length === 1
      ? l10n.t('1 component not checked: {0}', list)
      : l10n.t('{0} components not checked: {1}', gaps.length, list);
  return { dependencies, problems: [{ span: first.span, message }] };
}

/** Whether a component without a purl may be a package: not a file, a device or an operating system. */
export function isPackageKind(kind: string | undefined): boolean {
  return kind === undefined || /^(?:library|framework)$/i.test(kind);
}

/** Reads an SBOM in JSON item by item. */
export interface SbomReader {
  /** Adds an item of a list in the outermost object. */
  readonly add: (list: string, item: JsonValue) => void;
  /** Called once, after the last item. */
  readonly components: () => Components;
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
 * The dependency of a component, by its purl. Of the qualifiers, only those of the registry matter.
 *
 *     "purl": "pkg:npm/%40babel/traverse@7.23.2?vcs_url=…"
 *              ^^^^^^^^^^^^^^^^^^^^^^^^^ name
 *                                        ^^^^^^ requirement
 */
export function componentDependency(
  { text, literal }: PurlText,
  { version, scope = 'runtime', declared, distributions = [] }: ComponentFields,
): Component {
  const end = text.search(/[?#]|$/);
  const reading = parsePurl(text.slice(0, end));
  const { span } = literal(0, end);
  if (reading.kind === 'invalid') return { gap: reading.isOtherType ? 'other system' : 'invalid purl', span };
  const { key, name, version: written } = reading.purl;
  const at = written === undefined ? end : text.lastIndexOf('@', end - 1);
  const own = written === undefined ? version : { ...literal(at + 1, end), text: written };
  if (own === undefined || own.text.trim() === '') return { gap: 'without a version', span };
  const registries = [...repositoriesIn(text.slice(end)), ...distributions.filter(isOfArtifact)];
  const dependency: Dependency = {
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
  return { dependency };
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

/**
 * The address of an artifact, as npm and Cargo write it. Excludes `NOASSERTION`, a repository of sources, a page, and the address
 * that a Maven project is deployed to: these do not tell where a client would take the package from.
 */
function isOfArtifact(address: string): boolean {
  return /^https?:\/\/[^?#]+(?:\.(?:tgz|tar\.\w+|zip|whl|egg|jar|war|aar|pom|crate|nupkg)|\/download)(?=[?#]|$)/i.test(
    address,
  );
}
