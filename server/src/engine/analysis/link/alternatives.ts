import * as l10n from '@vscode/l10n';
import { MAX_SHARED_LENGTH, truncate } from '../../base/text.ts';
import type { LinkedDependency } from '../../model/evaluated-dependency.ts';
import type { DefinitionRef, Dependency, Environment, ManifestFormat, Requirement } from '../../model/manifest.ts';
import { MAX_ALTERNATIVES } from './definitions.ts';
import type { LinkScope } from './scope.ts';

/*
 * A dependency may have several versions, each under a condition:
 *
 *     <V Condition="'$(TargetFramework)' == 'net48'">12.0.1</V>
 *     <V Condition="'$(TargetFramework)' != 'net48'">13.0.3</V>
 *     <PackageReference Include="Newtonsoft.Json" Version="$(V)" />     linked twice
 *
 * One condition at a time is assumed to hold, so there are as many as values, not as combinations of them.
 */

/** A dependency with its references followed: once for each of the versions that it has under different conditions. */
export type Alternatives = readonly [LinkedDependency, ...LinkedDependency[]];

type Link = (scope: LinkScope) => LinkedDependency;

/** @param format of the file with the dependencies */
export function createAlternatives(
  format: ManifestFormat | undefined,
  lookup: LinkScope,
): (declared: Dependency, dependency: Dependency, link: Link) => Alternatives {
  let environments: readonly Environment[] | undefined;
  return (declared, dependency, link) => {
    const usual = link(lookup);
    const scopes = scopesFor(dependency, lookup);
    if (scopes.length === 0) return [usual];
    environments ??= format?.environments?.((id) => textsOf(id, lookup)) ?? [];
    const all = linkEach(dependency, usual, [lookup, ...scopes], link);
    const [first = usual, ...others] = possibleIn(environments, all, dependency.condition);
    if (others.length === 0) return [first];
    return [{ ...first, of: declared }, ...others.map((it) => ({ ...it, of: declared }))];
  };
}

/** The scopes in which other values apply than in the usual one. */
function scopesFor({ requirement, constraint }: Dependency, lookup: LinkScope): readonly LinkScope[] {
  const { definitions, constraints } = lookup;
  const own = definitions.alternativesFor(requirement).map((it) => ({ ...lookup, definitions: it }));
  if (constraint === undefined) return own;
  const narrowed = referenceTo(constraint);
  const others = [
    ...definitions.alternativesFor(narrowed).map((it) => ({ ...lookup, definitions: it })),
    ...constraints.alternativesFor(narrowed).map((it) => ({ ...lookup, constraints: it })),
  ];
  const isSometimes = [lookup, ...others].every((it) => conditionOf(narrowed, it) !== undefined);
  return [...own, ...others, ...(isSometimes ? [{ ...lookup, isUnconstrained: true as const }] : [])];
}

function conditionOf(requirement: Requirement, { definitions, constraints }: LinkScope): string | undefined {
  return definitions.conditionOf(requirement) ?? constraints.conditionOf(requirement);
}

function referenceTo(to: DefinitionRef): Requirement {
  return { kind: 'reference', to, span: { start: 0, end: 0 } };
}

/** All texts that a definition may have; undefined if one of them is not known. */
export function textsOf(id: string, { definitions }: Pick<LinkScope, 'definitions'>): readonly string[] | undefined {
  if (definitions.get(id) === undefined) return [];
  const reference = referenceTo({ id, label: id });
  const texts: string[] = [];
  for (const it of [definitions, ...definitions.alternativesFor(reference)]) {
    const value = it.textOf(reference);
    if (value?.kind !== 'text') return undefined;
    texts.push(value.text);
  }
  return texts;
}

/** Each version once, with the condition that it applies under. */
function linkEach(
  dependency: Dependency,
  usual: LinkedDependency,
  scopes: readonly LinkScope[],
  link: Link,
): readonly LinkedDependency[] {
  const found = new Map<string, LinkedDependency>();
  for (const scope of scopes) {
    const linked = found.size === 0 ? usual : link(scope);
    const id = idOf(linked);
    if (found.has(id)) continue;
    if (found.size >= MAX_ALTERNATIVES) {
      const reason = l10n.t('it has more than {0} versions under conditions', MAX_ALTERNATIVES);
      found.set(id, { ...usual, requirement: { kind: 'unresolved', reason } });
      break;
    }
    found.set(id, withCondition(linked, conditionIn(dependency, scope)));
  }
  return found.size === 1 ? [usual] : [...found.values()];
}

/** Two that have it in common are one. */
function idOf({ requirement: it, constraint }: LinkedDependency): string {
  const place = it.kind === 'text' ? it.place : undefined;
  const text = it.kind === 'text' ? it.text : it.kind === 'unresolved' ? it.reason : '';
  const narrowed = constraint && `${constraint.text} ${constraint.place?.at.span.start}`;
  return [it.kind, place?.uri, place?.at.span.start, narrowed, text].join(' ');
}

function conditionIn({ requirement, constraint }: Dependency, scope: LinkScope): string | undefined {
  const narrowed = constraint && !scope.isUnconstrained ? conditionOf(referenceTo(constraint), scope) : undefined;
  const all = [scope.definitions.conditionOf(requirement), narrowed].filter((it) => it !== undefined);
  return all.length > 0 ? all.join(' and ') : undefined;
}

function withCondition(linked: LinkedDependency, condition: string | undefined): LinkedDependency {
  if (condition === undefined) return linked;
  const { dependency } = linked;
  const own = dependency.condition;
  const both = own === undefined ? condition : `${own} and ${condition}`;
  return { ...linked, dependency: withTruncatedTexts({ ...dependency, condition: both }) };
}

/** One version of several, under a further condition. */
export function asOneOf(
  declared: Dependency,
  linked: LinkedDependency,
  condition: string | undefined,
): LinkedDependency {
  return { ...withCondition(linked, condition), of: declared };
}

/**
 * Those that apply in one of the environments: a framework that the project is not built for does not count. What has no
 * condition of its own applies where none of the others does.
 */
function possibleIn(
  environments: readonly Environment[],
  all: readonly LinkedDependency[],
  own: string | undefined,
): readonly LinkedDependency[] {
  const conditions = all.flatMap(({ dependency: { condition } }) => (condition === own ? [] : (condition ?? [])));
  const possible = all.filter(({ dependency: { condition } }) =>
    environments.some((holds) =>
      condition === undefined || condition === own
        ? (own === undefined || holds(own) !== false) && !conditions.some((it) => holds(it) === true)
        : holds(condition) !== false,
    ),
  );
  return possible.length > 0 ? possible : all;
}

/** Truncates texts that appear in the messages of thousands of dependencies. */
export function withTruncatedTexts(dependency: Dependency): Dependency {
  const { group = '', condition = '' } = dependency;
  if (group.length <= MAX_SHARED_LENGTH && condition.length <= MAX_SHARED_LENGTH) return dependency;
  return {
    ...dependency,
    ...(group && { group: truncate(group) }),
    ...(condition && { condition: truncate(condition) }),
  };
}
