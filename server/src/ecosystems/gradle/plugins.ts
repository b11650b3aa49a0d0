import type { Dependency } from '../../model/manifest.ts';
import { argumentOf } from './dependencies.ts';
import type { Script } from './script.ts';
import { inside, markAt, pathAt, type Statement, wordAt } from './statements.ts';
import type { Token } from './tokens.ts';
import {
  catalogIds,
  isOpening,
  managedVersion,
  partsOf,
  pluginMarker,
  readValue,
  requirementOf,
  spanOf,
} from './values.ts';

/**
 * Reads a line of a `plugins` block. What Gradle brings itself has no version.
 *
 *     id 'org.springframework.boot' version '3.2.2' apply false      kotlin("jvm") version "1.9.22"
 *     alias(libs.plugins.spring.boot)
 */
export function readPlugin({ tokens }: Statement, script: Script): void {
  const kind = wordAt(tokens, 0);
  if (kind === 'alias') readAlias(tokens, script);
  if (kind !== 'id' && kind !== 'kotlin') return;
  const isCall = isOpening(tokens, 1);
  const value = readValue(isCall ? inside(tokens, 1) : tokens.slice(1, 2), script);
  if (!value || value.pieces.length === 0) return;
  const prefix = kind === 'kotlin' ? 'org.jetbrains.kotlin.' : '';
  const parts = partsOf(value.pieces);
  const nameSpan = spanOf(value.pieces);
  // A name with references in it is put together by the build alone.
  const [name] = parts;
  if (parts.length > 1 || typeof name !== 'string') return;
  const id = prefix + name;
  const marker = pluginMarker(id);
  const version = versionOf(tokens, script);
  if (!id.includes('.') || (id.startsWith('org.gradle.') && !version)) return;
  const requirement = version ? requirementOf(version.pieces) : managedVersion(marker, nameSpan);
  script.dependencies.push({ ...about(marker), name: id, nameSpan, requirement });
  if (version) script.definitions.push({ id: `managed:${marker}`, span: nameSpan, value: requirement });
}

/** Plugins that manage versions by a BOM of their own version where the plugin that reads BOMs is applied, too. */
const boms: ReadonlyMap<string, string> = new Map([
  ['org.springframework.boot', 'org.springframework.boot:spring-boot-dependencies'],
]);

/** What a script calls the BOM of the plugin, where it has it imported as any other. */
const coordinates = /(?:^|\.)SpringBootPlugin\.BOM_COORDINATES$/;

/** Source: Spring Boot's Gradle plugin, “Managing Dependencies”. */
export function withPluginBoms(dependencies: readonly Dependency[]): readonly Dependency[] {
  const isRead = dependencies.some(
    ({ group, name }) => (group === 'plugins' && name === 'io.spring.dependency-management') || coordinates.test(name),
  );
  if (!isRead) return dependencies;
  const isPlatform = dependencies.some((it) => coordinates.test(it.name) && it.group?.endsWith('platform'));
  return dependencies.map((it) => {
    const { inherits: _, ...own } = it;
    if (coordinates.test(it.name)) return own;
    const name = it.group === 'plugins' ? boms.get(it.name) : undefined;
    if (name === undefined) return it;
    return { ...it, inherits: { as: 'bom', name, ...(!isPlatform && { overridable: true }) } };
  });
}

function about(name: string): Pick<Dependency, 'key' | 'scope' | 'group'> {
  return { key: { system: 'MAVEN', name }, scope: 'build', group: 'plugins' };
}

function versionOf(tokens: readonly Token[], script: Script) {
  const at = tokens.findIndex((it, index) => index > 1 && it.kind === 'word' && it.text === 'version');
  if (at < 0) return undefined;
  const rest = tokens.slice(at + 1);
  const end = rest.findIndex((it) => it.kind === 'word' && it.text === 'apply');
  const value = end < 0 ? rest : rest.slice(0, markAt(rest, end - 1) === '.' ? end - 1 : end);
  const read = argumentOf(value, script);
  return read && read.pieces.length > 0 ? read : undefined;
}

function readAlias(tokens: readonly Token[], script: Script): void {
  const inner = isOpening(tokens, 1) ? inside(tokens, 1) : tokens.slice(1);
  const path = pathAt(inner);
  const [catalog, plugins, ...names] = path;
  const alias = catalog === undefined || catalog === 'libs' ? names : [catalog, ...names];
  const start = inner[0]?.start;
  if (plugins !== 'plugins' || names.length === 0 || start === undefined) return;
  const span = { start, end: inner[path.length * 2 - 2]?.end ?? start };
  const name = path.join('.');
  script.dependencies.push({
    ...about(name),
    name,
    nameSpan: span,
    nameParts: [{ id: catalogIds.pluginModule(alias.join('.')), label: name }],
    requirement: { kind: 'reference', to: { id: catalogIds.plugin(alias.join('.')), label: name }, span },
  });
}
