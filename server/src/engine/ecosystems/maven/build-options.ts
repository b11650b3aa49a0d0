import * as l10n from '@vscode/l10n';
import { verbatim } from '../../formats/text/literal.ts';
import type { Definition, Manifest, Requirement } from '../../model/manifest.ts';
import type { BuildOptions, ParsedManifest } from '../../model/manifest-chain.ts';
import type { RegistrySource } from '../../model/registry.ts';
import { pom, pomUnder } from './pom.ts';
import { hasReferences, requirementOfText } from './pom-values.ts';
import { definedIn, type Start, startOf } from './profiles.ts';

/** The files that Maven reads in the folder `.mvn` beside a project or in the nearest directory above that has one. */
export const optionFiles = ['.mvn/maven.config', '.mvn/jvm.config', '.mvn/maven-user.properties'] as const;

/** A source of options; a variable has no address. */
interface OptionSource extends RegistrySource {
  readonly uri?: string;
}

/**
 * What some options say: the properties that a person gives Maven prevail over those of all POMs and their profiles, those
 * of Java apply where none is defined. Sources: Maven's DefaultModelInterpolator, which `help:evaluate` of 3.8, 3.9 and 4
 * agrees with; MNG-7193 for the order of variable and file.
 * @param sources those that prevail first
 */
export function readBuildOptions(sources: readonly OptionSource[]): {
  readonly options: BuildOptions;
  readonly start: Start;
} {
  const start = startOf(sources, []);
  const read = (names: readonly string[]): ParsedManifest[] =>
    sources.filter(({ name }) => names.includes(name)).map((it) => manifestOf(it));
  return {
    start,
    options: {
      before: read(['MAVEN_ARGS', 'maven.config', 'maven-user.properties']),
      behind: read(['jvm.config', 'MAVEN_OPTS']),
    },
  };
}

/** Whether options change anything in a POM. */
export function isTrivial({ on, off, properties }: Start): boolean {
  return on.size === 0 && off.size === 0 && properties.size === 0;
}

/** The same file with the profiles that options switch on and off. */
export function withOptions(file: ParsedManifest, text: string, start: Start): ParsedManifest {
  if (file.format.id !== pom.id || !text.includes('<profile>')) return file;
  const known = parsed.get(file.manifest);
  const id = JSON.stringify([[...start.on], [...start.off], [...start.properties]]);
  const manifest = known?.id === id ? known.manifest : pomUnder(text, start);
  parsed.set(file.manifest, { id, manifest });
  // Whoever compares it by identity, and what bounds have cut, keep what was read first.
  return { ...file, manifest: { ...file.manifest, definitions: manifest.definitions } };
}

/** A POM is parsed again for options, once for each text. */
const parsed = new WeakMap<Manifest, { readonly id: string; readonly manifest: Manifest }>();

/** Of which Maven itself knows the values. */
const builtIn = /^(?:project|pom|parent)\./;

function manifestOf(source: OptionSource): ParsedManifest {
  const { text, label } = source;
  const uri = source.uri ?? `variable:${label}`;
  const definitions = definedIn(source).flatMap(({ name, value, start }): Definition[] => {
    if (builtIn.test(name)) return [];
    const span = { start, end: start + value.length };
    const at = text.startsWith(value, start) ? verbatim(text, span.start, span.end) : undefined;
    const requirement: Requirement =
      hasReferences(value) || at === undefined
        ? requirementOfText(value, span, { propertyId: (it) => `property:${it}` })
        : { kind: 'literal', at };
    const frozen = source.uri === undefined ? { frozen: l10n.t('the variable {0} sets it', label) } : {};
    return [{ id: `property:${name}`, span, value: requirement, ...frozen }];
  });
  return { uri, format: pom, manifest: { definitions, dependencies: [], references: [], problems: [] } };
}

/** The same options, where the project's own version keeps being that if an option gives it. */
export function asOwnVersions(options: BuildOptions, files: readonly ParsedManifest[]): BuildOptions {
  const own = new Map<string, Definition>();
  for (const { manifest } of files) for (const it of manifest.definitions) if (it.member) own.set(it.id, it);
  if (own.size === 0) return options;
  const before = options.before.map((file): ParsedManifest => {
    const definitions = file.manifest.definitions.map((it) => {
      const { member, frozen } = own.get(it.id) ?? {};
      return member === undefined ? it : { ...it, member, ...(frozen !== undefined && { frozen }) };
    });
    return { ...file, manifest: { ...file.manifest, definitions } };
  });
  return { ...options, before };
}
