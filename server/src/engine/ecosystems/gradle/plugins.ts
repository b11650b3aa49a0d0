import type { Dependency } from '../../model/manifest.ts';
import { readArgument } from './dependencies.ts';
import type { Script } from './script.ts';
import { bracketContents, dottedName, punctuationAt, type Statement, wordAt } from './statements.ts';
import type { Token } from './tokens.ts';
import {
  catalogIds,
  isOpeningBracket,
  managedVersion,
  partsOf,
  pluginMarker,
  readValue,
  requirementOf,
  spanOf,
} from './values.ts';

/**
 * Reads a statement of a `plugins` block. Gradle's own plugins have no version.
 *
 *     id 'org.springframework.boot' version '3.2.2' apply false      kotlin("jvm") version "1.9.22"
 *     alias(libs.plugins.spring.boot)
 */
export function readPlugin({ tokens }: Statement, script: Script): void {
  const kind = wordAt(tokens, 0);
  if (kind === 'alias') readAlias(tokens, script);
  if (kind !== 'id' && kind !== 'kotlin') return;
  const isCall = isOpeningBracket(tokens, 1);
  const value = readValue(isCall ? bracketContents(tokens, 1) : tokens.slice(1, 2), script);
  if (!value || value.pieces.length === 0) return;
  const prefix = kind === 'kotlin' ? 'org.jetbrains.kotlin.' : '';
  const parts = partsOf(value.pieces);
  const nameSpan = spanOf(value.pieces);
  // Only the build knows a name with references.
  const [name] = parts;
  if (parts.length > 1 || typeof name !== 'string') return;
  const id = prefix + name;
  const marker = pluginMarker(id);
  const version = versionOf(tokens, script);
  if (!id.includes('.') || (isOfGradle(id) && !version)) return;
  const blank = version?.blank;
  const requirement = version && !blank ? requirementOf(version.pieces) : managedVersion(marker, nameSpan);
  script.dependencies.push({ ...pluginFields(marker), name: id, nameSpan, requirement, ...(blank && { blank }) });
  if (version && !blank) script.definitions.push({ id: `managed:${marker}`, span: nameSpan, value: requirement });
}

/** Whether a plugin without a version is a part of Gradle, or of the build. */
export function isOfGradle(id: string): boolean {
  return !id.includes('.') || id.startsWith('org.gradle.');
}

/** Plugins that import a BOM of their own version where the dependency management plugin is applied, too. */
const pluginBoms: ReadonlyMap<string, string> = new Map([
  ['org.springframework.boot', 'org.springframework.boot:spring-boot-dependencies'],
]);

/** The name of the plugin's BOM in a script that imports it like any other. */
const bomCoordinates = /(?:^|\.)SpringBootPlugin\.BOM_COORDINATES$/;

/** Adds the BOMs that plugins import. Source: Spring Boot's Gradle plugin, “Managing Dependencies”. */
export function addPluginBoms(dependencies: readonly Dependency[]): readonly Dependency[] {
  const isRead = dependencies.some(
    ({ group, name }) =>
      (group === 'plugins' && name === 'io.spring.dependency-management') || bomCoordinates.test(name),
  );
  if (!isRead) return dependencies;
  const isPlatform = dependencies.some((it) => bomCoordinates.test(it.name) && it.group?.endsWith('platform'));
  return dependencies.map((it) => {
    const { inherits: _, ...own } = it;
    if (bomCoordinates.test(it.name)) return own;
    const name = it.group === 'plugins' ? pluginBoms.get(it.name) : undefined;
    if (name === undefined) return it;
    return { ...it, inherits: { as: 'bom', name, ...(!isPlatform && { overridable: true }) } };
  });
}

function pluginFields(name: string): Pick<Dependency, 'key' | 'scope' | 'group' | 'role'> {
  return { key: { system: 'MAVEN', name }, scope: 'build', group: 'plugins', role: 'plugin' };
}

function versionOf(tokens: readonly Token[], script: Script) {
  const at = tokens.findIndex((it, index) => index > 1 && it.kind === 'word' && it.text === 'version');
  if (at < 0) return undefined;
  const rest = tokens.slice(at + 1);
  const end = rest.findIndex((it) => it.kind === 'word' && it.text === 'apply');
  const value = end < 0 ? rest : rest.slice(0, punctuationAt(rest, end - 1) === '.' ? end - 1 : end);
  const read = readArgument(value, script);
  return read && (read.pieces.length > 0 || read.blank) ? read : undefined;
}

function readAlias(tokens: readonly Token[], script: Script): void {
  const inner = isOpeningBracket(tokens, 1) ? bracketContents(tokens, 1) : tokens.slice(1);
  const path = dottedName(inner);
  const [catalog, plugins, ...names] = path;
  const alias = catalog === undefined || catalog === 'libs' ? names : [catalog, ...names];
  const start = inner[0]?.start;
  if (plugins !== 'plugins' || names.length === 0 || start === undefined) return;
  const span = { start, end: inner[path.length * 2 - 2]?.end ?? start };
  const name = path.join('.');
  script.dependencies.push({
    ...pluginFields(name),
    name,
    nameSpan: span,
    nameParts: [{ id: catalogIds.pluginModule(alias.join('.')), label: name }],
    requirement: { kind: 'reference', to: { id: catalogIds.plugin(alias.join('.')), label: name }, span },
  });
}
