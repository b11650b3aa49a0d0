import * as l10n from '@vscode/l10n';
import type { Dependency, Inherits, Requirement, Scope } from '../../model/manifest.ts';
import { type Artifact, artifactsIn, type NpmArtifact } from './arguments.ts';
import type { Script } from './script.ts';
import { cut, inside, markAt, type Statement, wordAt } from './statements.ts';
import type { Token } from './tokens.ts';
import {
  catalogIds,
  isOpening,
  managedVersion,
  partsOf,
  readValue,
  requirementOf,
  slice,
  spanOf,
  type Value,
  type ValuePiece,
} from './values.ts';

/**
 * Reads a set of the dependency management plugin: artifacts of one group and one version.
 *
 *     dependencySet(group: 'org.slf4j', version: '1.7.7') { entry 'slf4j-api' }
 *     dependencySet('org.slf4j:1.7.7') { entry 'slf4j-api' }
 */
export function readSetEntries({ tokens, blocks }: Statement, script: Script): void {
  const named = new Map<string, Value>();
  for (const argument of cut(isOpening(tokens, 1) ? inside(tokens, 1) : tokens.slice(1), ',')) {
    const name = markAt(argument, 1) === ':' || markAt(argument, 1) === '=' ? wordAt(argument, 0) : undefined;
    const value = readValue(name === undefined ? argument : argument.slice(2), script);
    if (value) named.set(name ?? 'both', value);
  }
  const both = named.get('both');
  const colon = both?.text.indexOf(':') ?? -1;
  const group = both ? slice(both, 0, colon) : named.get('group')?.pieces;
  const version = both ? slice(both, colon + 1, both.text.length) : named.get('version')?.pieces;
  if (!group?.length || !version?.length) return;
  for (const { tokens: entry } of blocks.flat()) {
    const artifact = wordAt(entry, 0) === 'entry' ? argumentOf(entry.slice(1), script) : undefined;
    if (!artifact || artifact.pieces.length === 0) continue;
    const nameSpan = spanOf(artifact.pieces);
    const separator = { kind: 'text', text: ':', span: nameSpan, quote: '"' } as const;
    const name = [...group, separator, ...artifact.pieces];
    const about = { scope: 'runtime', group: 'dependencyManagement' } as const;
    const set = { kind: 'coordinates', name, nameSpan, version, platform: false } as const;
    addArtifact(set, about, true, undefined, script);
  }
}

/** The block that a dependency stands in. */
export interface Within {
  /** What its group begins with: `buildscript`, `constraints`. */
  readonly group?: string;
  /** It says versions for dependencies that name none. */
  readonly manages: boolean;
  /** It is the block of one dependency. */
  readonly isOne?: boolean;
}

/** Statements in a block of dependencies, or in the block of one, that name no artifact. */
const others: ReadonlySet<string> = new Set([
  ...['exclude', 'because', 'version', 'attributes', 'capabilities', 'requireCapability', 'artifact', 'transitive'],
  ...[
    'strictly',
    'prefer',
    'require',
    'reject',
    'def',
    'val',
    'var',
    'if',
    'for',
    'while',
    'else',
    'return',
    'println',
  ],
  ...[
    'apply',
    'modules',
    'components',
    'replacedBy',
    'module',
    'import',
    'entry',
    'set',
    'targetConfiguration',
    'const',
  ],
]);

/**
 * Reads a statement such as `implementation 'g:a:1'`, `"kapt"(libs.a)`, `add("api", "g:a:1")`.
 * @param given names of the parameters around it: what they hold is not known
 * @returns whether it names an artifact
 */
export function readDependencyStatement(
  statement: Statement,
  within: Within,
  script: Script,
  given: readonly string[] = [],
): boolean {
  const call = configurationOf(statement, script);
  if (!call || others.has(call.configuration)) return false;
  const rich = richVersionOf(statement, script);
  const isPlain = configurations.test(call.configuration);
  if (within.isOne && !isPlain) return false;
  const artifacts = artifactsIn(call.inner, script).filter((it) => {
    if (it.kind !== 'accessor') return true;
    if (given.includes(it.path.split('.')[0] ?? '')) return false;
    return isPlain || it.path.includes('.') || script.named.has(catalogIds.library(it.path));
  });
  for (const artifact of artifacts) {
    const group = [within.group, call.configuration, artifact.platform ? 'platform' : undefined];
    const isBom = artifact.platform || call.configuration === 'mavenBom';
    const about: About = {
      scope: scopeOf(call.configuration),
      group: group.filter((it) => it !== undefined).join(' '),
      ...(isBom && { inherits: { as: 'bom', ...(!artifact.platform && { overridable: true }) } }),
    };
    addArtifact(artifact, about, within.manages, rich, script);
  }
  return artifacts.length > 0;
}

/**
 * What takes the place of another artifact, of which nobody is asked here.
 *
 *     substitute module("g:a") using module("g:b:1.0")      substitute(module("g:a")).with(module("g:b:1.0"))
 */
export function readSubstitute({ tokens }: Statement, script: Script): void {
  const verb = tokens.findIndex((it) => it.kind === 'word' && (it.text === 'using' || it.text === 'with'));
  const at = tokens.findIndex((it, index) => index > verb && it.kind === 'word' && it.text === 'module');
  if (verb < 0 || at < 0 || markAt(tokens, at + 1) !== '(') return;
  const [artifact] = artifactsIn(inside(tokens, at + 1), script);
  if (artifact?.kind !== 'coordinates') return;
  addArtifact(artifact, { scope: 'runtime', group: 'dependencySubstitution' }, false, undefined, script);
}

export interface About {
  readonly scope: Scope;
  readonly group: string;
  readonly inherits?: Inherits;
}

/** Puts down an artifact as a dependency, and as the version of those that name none. */
export function addArtifact(
  artifact: Artifact,
  about: About,
  manages: boolean,
  rich: Rich | undefined,
  script: Script,
): void {
  const dependency = dependencyOf(artifact, about);
  const whole: Dependency = { ...dependency, ...rich };
  script.dependencies.push(whole);
  const { requirement, frozen, nameSpan: span } = whole;
  const id = `managed:${whole.key.name}`;
  if (!manages || (requirement.kind === 'reference' && requirement.to.id === id)) return;
  script.definitions.push({ id, span, value: requirement, ...(frozen !== undefined && { frozen }) });
}

export function dependencyOf(artifact: Artifact, about: About): Dependency {
  switch (artifact.kind) {
    case 'accessor':
      return catalogEntry(artifact, about);
    case 'npm':
      return npmPackage(artifact, about);
    case 'coordinates':
      return coordinates(artifact, about);
  }
}

function npmPackage({ name: pieces, version, scope }: NpmArtifact, about: About): Dependency {
  const name = textOf(pieces);
  const parts = partsOf(pieces);
  return {
    key: { system: 'NPM', name },
    name,
    nameSpan: spanOf(pieces),
    ...(parts.some((it) => typeof it !== 'string') && { nameParts: parts }),
    requirement: requirementOf(version),
    ...about,
    ...(scope && { scope }),
  };
}

/** `libs.spring.core`: the catalog says the package and its version. */
function catalogEntry({ path, span }: Extract<Artifact, { readonly kind: 'accessor' }>, about: About): Dependency {
  const alias = path.replace(/^libs\./, '');
  return {
    key: { system: 'MAVEN', name: path },
    name: path,
    nameSpan: span,
    nameParts: [{ id: catalogIds.module(alias), label: path }],
    requirement: { kind: 'reference', to: { id: catalogIds.library(alias), label: path }, span },
    ...about,
  };
}

function coordinates(artifact: Extract<Artifact, { readonly kind: 'coordinates' }>, about: About): Dependency {
  const { nameSpan, version, blank, frozen } = artifact;
  const name = textOf(artifact.name);
  const parts = partsOf(artifact.name);
  return {
    key: { system: 'MAVEN', name },
    name,
    nameSpan,
    ...(parts.some((it) => typeof it !== 'string') && { nameParts: parts }),
    requirement: version.length > 0 ? requirementOf(version) : managedVersion(name, nameSpan),
    ...(blank && { blank }),
    ...about,
    ...(frozen !== undefined && { frozen }),
  };
}

function textOf(pieces: readonly ValuePiece[]): string {
  return pieces.map((it) => (it.kind === 'text' ? it.text : `\${${it.to.label}}`)).join('');
}

/** What a call is made on: `dependencies.implementation(…)`, `resolutionStrategy.force(…)`, `details.useTarget(…)`. */
const owners = /^(?:dependencies|resolutionStrategy|details|it)$/;

/** The configuration that a statement adds to, and the arguments. */
function configurationOf({ tokens, path }: Statement, script: Script) {
  const [first] = tokens;
  if (first?.kind === 'string') {
    // Kotlin calls a configuration that has no accessor by a string.
    if (markAt(tokens, 1) !== '(') return undefined;
    return { configuration: script.text.slice(first.span.start, first.span.end), inner: tokens.slice(1) };
  }
  const name = path.at(-1);
  if (name === undefined || (path.length > 1 && !owners.test(path[path.length - 2] ?? ''))) return undefined;
  const inner = tokens.slice(path.length * 2 - 1);
  const [configuration, , ...others] = name === 'add' && markAt(inner, 0) === '(' ? inside(inner, 0) : [];
  if (configuration?.kind !== 'string') return { configuration: name, inner };
  return { configuration: script.text.slice(configuration.span.start, configuration.span.end), inner: others };
}

export interface Rich {
  readonly requirement: Requirement;
  readonly frozen?: string;
}

/** Of `version { strictly("[1.7,1.8["); prefer("1.7.25") }` the part that says which version is taken. */
function richVersionOf({ blocks }: Statement, script: Script): Rich | undefined {
  if (blocks.length === 0) return undefined;
  const block =
    blocks
      .flat()
      .find((it) => wordAt(it.tokens, 0) === 'version')
      ?.blocks.flat() ?? [];
  const [first, ...more] = ['prefer', 'require', 'strictly'].flatMap((name) => {
    const statement = block.find((it) => wordAt(it.tokens, 0) === name);
    const value = statement && argumentOf(statement.tokens.slice(1), script);
    return value && value.pieces.length > 0 ? [value] : [];
  });
  if (!first) return undefined;
  return {
    requirement: requirementOf(first.pieces),
    ...(more.length > 0 && { frozen: l10n.t('another part of its rich version bounds it') }),
  };
}

/** The one argument of a call, with or without parentheses. */
export function argumentOf(tokens: readonly Token[], script: Script) {
  const bare = markAt(tokens, 0) === '(' && markAt(tokens, tokens.length - 1) === ')' ? tokens.slice(1, -1) : tokens;
  return readValue(markAt(bare, 0) === '(' ? bare.slice(1) : bare, script);
}

/** What a name alone may stand behind: behind other words it is some word. */
const configurations = /(?:implementation|api|compile|runtime|only|classpath|processor|plugins|kapt|ksp)$/i;

const build = /(?:compileOnly(?:Api)?|annotationProcessor|provided|classpath|lintChecks|lintPublish|detektPlugins)$/i;

/** `testImplementation`, `androidTestApi` and `kaptTest` are for tests; processors and what only the compiler sees for the build. */
function scopeOf(configuration: string): Scope {
  if (/^test(?![a-z])|Test(?![a-z])|^developmentOnly$|^jmh/.test(configuration)) return 'dev';
  return build.test(configuration) || /^(?:kapt|ksp)(?![a-z])/.test(configuration) ? 'build' : 'runtime';
}
