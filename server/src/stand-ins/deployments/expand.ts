import { parse, stringify } from 'yaml';
import { isRecord } from '../../engine/base/text.ts';
import { type Config, type ConfigImport, ConfigProblem, type ConfigResource, readConfig } from './config.ts';
import type { ConfigOutput, ImportFile, PlannedResource, Warning } from './records.ts';
import { findCycles, referencesIn } from './references.ts';

/** A template: of a file that the configuration imports, or of a composite type. */
export interface Template {
  readonly text: string;
  readonly interpreter: 'JINJA' | 'PYTHON' | 'UNKNOWN_INTERPRETER';
  readonly imports: readonly ImportFile[];
  /** Of a composite type that is not supported. */
  readonly status?: 'DEPRECATED' | 'EXPERIMENTAL';
}

export interface Expansion {
  readonly resources: readonly PlannedResource[];
  readonly outputs: readonly ConfigOutput[];
  /** YAML. */
  readonly expandedConfig: string;
  /** YAML: which template has made which resource. */
  readonly layout: string;
}

type Problem = NonNullable<PlannedResource['problem']>;

const limits = {
  /** Templates within templates. */
  depth: 10,
  resources: 1_000,
  /** Resources of templates that are read: templates in templates may have many without one at their end. */
  read: 10_000,
} as const;

const expansionError = 'MANIFEST_EXPANSION_USER_ERROR';

interface LayoutRow {
  readonly name: string;
  readonly type: string;
  readonly properties?: object;
  readonly resources?: readonly LayoutRow[];
}

/** Where a configuration is: what it imports, and the templates around it. */
interface Place {
  readonly files: readonly ImportFile[];
  readonly imports: readonly ConfigImport[];
  readonly within: readonly string[];
  /** What the resource of the template requires. */
  readonly inherited: readonly string[];
  readonly warnings: readonly Warning[];
}

/**
 * Replaces resources whose type is a template by the resources in it. Templates are programs of Jinja or Python, which
 * this service does not run; one without any instruction is YAML, and is expanded.
 * @param compositeTemplate the template of a composite type; undefined for an unknown one
 * @throws ConfigProblem
 */
export function expand(
  { content, imports: files }: { readonly content: string; readonly imports: readonly ImportFile[] },
  compositeTemplate: (name: string) => Template | undefined,
): Expansion {
  const planned = new Map<string, PlannedResource>();
  /** What the resource of a template has become. */
  const parts = new Map<string, readonly string[]>();
  let read = 0;

  function walk({ resources }: Config, place: Place): readonly LayoutRow[] {
    return resources.map((resource) => {
      const { name, type, properties } = resource;
      if (++read > limits.read) throw new ConfigProblem('the templates have too many resources');
      const shown = { name, type, ...(Object.keys(properties).length > 0 && { properties }) };
      const required = [
        ...referencesIn([properties, resource.accessControl]),
        ...resource.dependsOn,
        ...place.inherited,
      ];
      const found = templateOf(type, place);
      const config = typeof found === 'object' ? readTemplate(type, found, place.within) : found;
      if (typeof config !== 'object') {
        const problem = config === undefined ? undefined : { code: expansionError, message: config };
        add(resource, { ...place, inherited: required }, problem);
        return shown;
      }
      const before = new Set(planned.keys());
      const more = typeof found === 'object' ? found.imports : [];
      const rows = walk(config, {
        files: [...more, ...place.files],
        imports: config.imports,
        within: [...place.within, type],
        inherited: required,
        warnings: [...place.warnings, ...(typeof found === 'object' ? warningsOf(resource, found) : [])],
      });
      parts.set(
        name,
        [...planned.keys()].filter((it) => !before.has(it)),
      );
      return { ...shown, resources: rows };
    });
  }

  function add(resource: ConfigResource, place: Place, problem: Problem | undefined): void {
    const { inherited: after, warnings } = place;
    const { name, type, properties, accessControl } = resource;
    if (planned.has(name)) throw new ConfigProblem(`the name ${name} is used by two resources`);
    if (planned.size >= limits.resources) {
      throw new ConfigProblem(`a deployment may have ${limits.resources} resources at most`);
    }
    planned.set(name, {
      ...{ name, type, properties, after },
      ...(accessControl && { accessControl }),
      ...(warnings.length > 0 && { warnings }),
      ...(problem && { problem }),
    });
  }

  function templateOf(type: string, { files: near, imports }: Place): Template | string | undefined {
    const composite = /^(?:[^/]+\/)?composite:(.+)$/.exec(type)?.[1];
    if (composite !== undefined)
      return compositeTemplate(composite) ?? `the composite type ${composite} does not exist`;
    const path = imports.find((it) => it.name === type)?.path ?? type;
    const extension = /\.(jinja|py|yaml)$/.exec(path)?.[1];
    if (extension === undefined) return undefined;
    const text = findFile(near, type, path)?.content;
    if (text === undefined) return `the template ${type} is not among the imports`;
    return { text, interpreter: extension === 'py' ? 'PYTHON' : 'JINJA', imports: [] };
  }

  const config = readConfig(content);
  for (const { path, name } of config.imports) {
    if (findFile(files, name, path)) continue;
    throw new ConfigProblem(`the configuration imports ${path}, which is not in target.imports`);
  }
  const layout = walk(config, { files, imports: config.imports, within: [], inherited: [], warnings: [] });
  const resources = ordered(planned, parts);
  const outputs = config.outputs.length > 0 ? { outputs: config.outputs } : {};
  return {
    resources,
    outputs: config.outputs,
    expandedConfig: stringify({
      resources: resources.map(({ name, type, properties }) => ({ name, type, properties })),
      ...outputs,
    }),
    layout: stringify({ resources: layout, ...outputs }),
  };
}

function warningsOf({ name, type }: ConfigResource, { status }: Template): readonly Warning[] {
  if (status === undefined) return [];
  const message = `resource ${name}: the type ${type} is ${status.toLowerCase()}`;
  return [{ code: `${status}_TYPE_USED`, message, data: [{ key: 'resource', value: name }] }];
}

/** The layout of a manifest with the values of its outputs. */
export function withOutputs(
  layout: string,
  outputs: readonly (ConfigOutput & { readonly finalValue: unknown })[],
): string {
  const value: unknown = parse(layout);
  return stringify({ ...(isRecord(value) && value), outputs });
}

function findFile(files: readonly ImportFile[], name: string, path: string): ImportFile | undefined {
  return files.find((it) => it.name === name) ?? files.find((it) => it.name === path);
}

/** The resources of a template, or why it has none. */
function readTemplate(type: string, { text, interpreter }: Template, within: readonly string[]): Config | string {
  const program = interpreter === 'PYTHON' ? 'Python' : /\{\{|\{%|\{#/.test(text) ? 'Jinja' : undefined;
  if (program !== undefined) {
    return `${type} is a template with instructions of ${program}, and this service does not run templates; only templates of plain YAML are expanded`;
  }
  if (within.includes(type) || within.length >= limits.depth) return `${type}: templates are nested too deeply`;
  try {
    return readConfig(text);
  } catch (error) {
    if (error instanceof ConfigProblem) return `${type}: ${error.message}`;
    throw error;
  }
}

/** Replaces requirements of templates by those of their parts, and marks what cannot be deployed for want of an order. */
function ordered(
  planned: ReadonlyMap<string, PlannedResource>,
  parts: ReadonlyMap<string, readonly string[]>,
): PlannedResource[] {
  const after = new Map<string, readonly string[]>();
  for (const { name, after: names } of planned.values()) {
    after.set(name, [...new Set(names.flatMap((it) => (planned.has(it) ? [it] : (parts.get(it) ?? [it]))))]);
  }
  const cycles = findCycles(after);
  return [...planned.values()].map((it): PlannedResource => {
    const required = after.get(it.name) ?? [];
    const unknown = required.find((other) => !planned.has(other));
    const cycle = cycles.get(it.name);
    const problem: Problem | undefined =
      it.problem ??
      (unknown === undefined
        ? cycle && { code: 'CYCLE_IN_REFERENCES', message: `the resources require each other: ${cycle.join(' → ')}` }
        : {
            code: 'RESOURCE_NOT_FOUND',
            message: `resource ${it.name} refers to ${unknown}, which the configuration does not contain`,
          });
    return {
      ...it,
      after: problem ? [] : required,
      ...(problem && { problem }),
    };
  });
}
