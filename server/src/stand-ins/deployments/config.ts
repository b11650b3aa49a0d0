import { LineCounter, parseDocument } from 'yaml';
import { isRecord } from '../../engine/base/text.ts';
import type { ConfigOutput } from './records.ts';

/** A configuration or the text of a template, as YAML. */
export interface Config {
  readonly imports: readonly ConfigImport[];
  readonly resources: readonly ConfigResource[];
  readonly outputs: readonly ConfigOutput[];
}

export interface ConfigImport {
  readonly path: string;
  /** By which resources name it; by default the path. */
  readonly name: string;
}

export interface ConfigResource {
  readonly name: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly dependsOn: readonly string[];
  readonly accessControl?: object;
}

/** A configuration that cannot be read. The message is for the caller. */
export class ConfigProblem extends Error {}

/** Deeper values are not those of a configuration, and could exhaust the stack. */
const MAX_DEPTH = 100;

/** @throws ConfigProblem */
export function readConfig(text: string): Config {
  const root = readYaml(text);
  if (!isRecord(root)) throw new ConfigProblem('the configuration must be a map with the member resources');
  const { imports = null, resources = null, outputs = null } = root;
  const names = new Set<string>();
  return {
    imports: listOf(imports, 'imports').map((it, at) => {
      const path = isRecord(it) ? it['path'] : it;
      if (typeof path !== 'string') throw new ConfigProblem(`imports[${at}] requires a path`);
      const name = isRecord(it) ? it['name'] : undefined;
      return { path, name: typeof name === 'string' ? name : path };
    }),
    resources: listOf(resources, 'resources').map((it, at) => {
      const resource = readResource(it, at);
      if (names.has(resource.name)) throw new ConfigProblem(`the name ${resource.name} is used by two resources`);
      names.add(resource.name);
      return resource;
    }),
    outputs: listOf(outputs, 'outputs').map((it, at) => {
      if (!isRecord(it) || typeof it['name'] !== 'string') throw new ConfigProblem(`outputs[${at}] requires a name`);
      return { name: it['name'], value: it['value'] ?? null };
    }),
  };
}

function readYaml(text: string): unknown {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
    const [error] = document.errors;
    if (error) throw new ConfigProblem(`line ${lines.linePos(error.pos[0]).line}: ${error.message}`);
    const value: unknown = document.toJS();
    if (isTooDeep(value, MAX_DEPTH)) throw new ConfigProblem('the configuration is nested too deeply');
    return value;
  } catch (error) {
    if (error instanceof ConfigProblem) throw error;
    // Too many aliases, or too deep for the parser.
    throw new ConfigProblem(error instanceof Error ? error.message : 'the configuration cannot be read');
  }
}

function isTooDeep(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((it) => isTooDeep(it, depth - 1));
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (value === null) return [];
  if (Array.isArray(value)) return value;
  throw new ConfigProblem(`${name} must be a list`);
}

function readResource(value: unknown, at: number): ConfigResource {
  if (!isRecord(value)) throw new ConfigProblem(`resources[${at}] must be a map with the members name and type`);
  const { name, type, properties = null, metadata = null, accessControl = null } = value;
  if (typeof name !== 'string' || name === '') throw new ConfigProblem(`resources[${at}] requires a name`);
  if (typeof type !== 'string' || type === '') throw new ConfigProblem(`resource ${name} requires a type`);
  if (properties !== null && !isRecord(properties))
    throw new ConfigProblem(`resource ${name}: properties must be a map`);
  const dependsOn = isRecord(metadata) ? listOf(metadata['dependsOn'] ?? null, `${name}: metadata.dependsOn`) : [];
  return {
    name,
    type,
    properties: properties ?? {},
    dependsOn: dependsOn.filter((it) => typeof it === 'string'),
    ...(isRecord(accessControl) && { accessControl }),
  };
}
