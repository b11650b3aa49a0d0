import { groupBy } from '../../base/collections.ts';
import { writtenName } from '../../ecosystems/gradle/flow/order.ts';
import type { DefinitionUse, Dependency, Manifest, Requirement } from '../../model/manifest.ts';
import type { ParsedManifest } from '../../model/manifest-chain.ts';

/** A place in a file that refers to a definition. */
export interface Use extends DefinitionUse {
  /** Only the files that narrow requirements define it. */
  readonly isConstraint?: true;
}

/** Parsing keeps the manifest until its text changes. */
const known = new WeakMap<Manifest, readonly Use[]>();

/** Every place in a file that refers to a definition, in this file or in another one. */
export function usesIn({ manifest, format }: ParsedManifest, text: string): readonly Use[] {
  const before = known.get(manifest);
  if (before) return before;
  const exact: readonly Use[] = format.uses?.(text, manifest) ?? [];
  const byName = groupBy(exact, nameOf);
  const read = [
    ...manifest.dependencies.flatMap(usesOfDependency),
    ...manifest.definitions.flatMap(({ value }) => usesOfValue(value)),
  ].filter(
    ({ id, span }) => !byName.get(nameOf({ id }))?.some((it) => it.span.start >= span.start && it.span.end <= span.end),
  );
  const found = [...exact, ...read];
  known.set(manifest, found);
  return found;
}

/** Those of the whole dependency: its name stands for what is defined about the package. */
export function usesOfDependency({
  requirement,
  nameParts,
  nameSpan,
  constraint,
  replacement,
  managed,
}: Dependency): readonly Use[] {
  const ofVersion = usesOfValue(requirement);
  return [
    ...ofVersion,
    // The entry of a catalog defines both name and version.
    ...(nameParts ?? []).flatMap((it) =>
      typeof it === 'string' || ofVersion.some((one) => nameOf(one) === nameOf(it))
        ? []
        : [{ id: it.id, span: nameSpan }],
    ),
    ...(constraint ? [{ id: constraint.id, span: nameSpan, isConstraint: true as const }] : []),
    ...(replacement ?? []).map(({ id }) => ({ id, span: nameSpan })),
    ...(managed === undefined ? [] : [{ id: managed, span: nameSpan }]),
  ];
}

/** `spring-core` of `library:spring-core`. */
export function nameOf({ id }: Pick<Use, 'id'>): string {
  return writtenName(id.slice(id.indexOf(':') + 1));
}

export function usesOfValue(value: Requirement): readonly Use[] {
  switch (value.kind) {
    case 'reference':
      return [{ id: value.to.id, span: value.span }];
    case 'template':
      return value.parts.flatMap((it) => (typeof it === 'string' ? [] : [{ id: it.id, span: value.span }]));
    case 'literal':
    case 'source':
    case 'none':
      return [];
  }
}
