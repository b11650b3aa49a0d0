import { walkJson } from '../../formats/json/walk.ts';
import { verbatim } from '../../formats/text/literal.ts';
import type { LockedPackage, Lockfile, LockfileFormat } from '../../model/lockfile.ts';
import type { ManifestFormat } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';
import { once } from '../shared/graph-builder.ts';
import { dependencyOf, lockfileFormat } from '../shared/lockfile.ts';
import { LockedFrameworks } from './frameworks.ts';
import { projectAssetsGraph } from './nuget-graph.ts';

/** The result of the last restore of a .NET project, which is written whether there is a lockfile or not. */
export const projectAssets: LockfileFormat = {
  ...lockfileFormat({
    id: 'project.assets.json',
    system: 'NUGET',
    files: /(^|\/)project\.assets\.json$/i,
    serves: ['csproj'],
    below: false,
    update: 'dotnet restore',
    parse: (text) => parse(text, false),
  }),
  id: 'obj/project.assets.json',
};

const toDependency = dependencyOf('NUGET', 'dotnet publish');

/** The packages of the libraries of a .NET program, beside the program that was built. It serves no manifest. */
export const depsJson: ManifestFormat = {
  id: 'deps.json',
  system: 'NUGET',
  record: 'lockfile',
  files: /\.deps\.json$/i,
  parse: (text) => {
    const { packages, problems } = parse(text, true);
    const undeployed = undeployedIn(text);
    const sourceOf = ({ nameSpan: { start }, version: { span } }: LockedPackage) =>
      undeployed.has(text.slice(start, span.end)) ? ({ source: 'undeployed' } as const) : {};
    return {
      dependencies: packages.map((it) => toDependency({ ...sourceOf(it), ...it })),
      definitions: [],
      references: [],
      problems,
    };
  },
};

/** What a target says of the files of a library that a program takes along. */
const deployedParts: ReadonlySet<string> = new Set(['runtime', 'runtimeTargets', 'native', 'resources']);

/**
 * The libraries of the program's target of which it contains no file: the platform has newer ones, or only the build
 * needed them. A file `_._` stands for none. Source: the documentation of the .NET host, “Runtime Configuration Files”.
 *
 *     { "runtimeTarget": { "name": ".NETCoreApp,Version=v6.0" },
 *       "targets": { ".NETCoreApp,Version=v6.0": {
 *         "Serilog/3.1.1": { "runtime": { "lib/net6.0/Serilog.dll": {} } },
 *         "System.Net.Http/4.3.0": { "dependencies": { "System.IO": "4.3.0" } } } } }
 *          ^^^^^^^^^^^^^^^^^^^^^
 */
function undeployedIn(text: string): ReadonlySet<string> {
  const path: string[] = [];
  /** By target: those that deploy nothing. */
  const found = new Map<string, Set<string>>();
  let own: string | undefined;
  const textAt = (span: Span | undefined): string => (span ? text.slice(span.start, span.end) : '');
  const library = (): Set<string> | undefined => (path[1] === 'targets' ? found.get(path[2] ?? '') : undefined);
  walkJson(text, {
    open(name) {
      path.push(textAt(name));
      const [, section, target = '', id = '', part = '', file = ''] = path;
      if (section !== 'targets') return;
      if (path.length === 3) found.set(target, new Set());
      else if (path.length === 4) library()?.add(id);
      else if (path.length === 6 && deployedParts.has(part) && !file.endsWith('/_._')) library()?.delete(id);
    },
    close: () => path.pop(),
    string(name, value) {
      if (path.length === 2 && path[1] === 'runtimeTarget' && textAt(name) === 'name') own = textAt(value);
    },
  });
  return found.get(own ?? '') ?? new Set();
}

/** How deep the object of a library is in `libraries`: the root and the section are around it. */
const libraryDepth = 3;
/** How deep it is in `targets`, where the framework is around it, too. */
const restoredDepth = 4;

/** The SDK writes it before the name of the package that a runtime comes in. */
const runtimePrefix = 'runtimepack.';

/**
 *     { "libraries": { "Serilog/3.1.1": { "sha512": "…", "type": "package", "path": "serilog/3.1.1" },
 *                       ^^^^^^^ ^^^^^
 *                      "runtimepack.Microsoft.NETCore.App.Runtime.linux-x64/8.0.0": { "type": "runtimepack" } },
 *                                   ^
 *       "targets": { "net8.0": { "Serilog/3.1.1": { "type": "package" } } } }
 *
 * The libraries are listed; the targets serve the project.
 * @param hasOwn whether the first project is the program itself
 */
function parse(text: string, hasOwn: boolean): Lockfile {
  const packages: LockedPackage[] = [];
  const frameworks = new LockedFrameworks();
  /** The names of the objects around, as deep as they count. */
  const path: (Span | undefined)[] = [];
  let section = '';
  let type = '';
  let isOwn = hasOwn;

  const problems = walkJson(text, {
    open(name) {
      path.push(name);
      if (path.length === 2) section = name ? textAt(name) : '';
      if (path.length === 3 && section === 'targets') frameworks.begin(name && textAt(name));
      if (isLibrary()) type = '';
    },
    close() {
      const name = path.at(-1);
      if (name && isLibrary()) readLibrary(name);
      path.pop();
    },
    string(name, value) {
      if (isLibrary() && textAt(name) === 'type') type = textAt(value);
    },
  });
  return {
    packages,
    problems,
    locked: (it, importer) => (importer === '' ? frameworks.locked(it) : undefined),
    alternatives: (it, importer) => (importer === '' ? frameworks.alternatives(it) : []),
    graph: once(() => projectAssetsGraph(text)),
  };

  function textAt({ start, end }: Span): string {
    return text.slice(start, end);
  }

  function isLibrary(): boolean {
    return section === 'libraries'
      ? path.length === libraryDepth
      : section === 'targets' && path.length === restoredDepth;
  }

  function readLibrary({ start: from, end }: Span): void {
    const start = type === 'runtimepack' && text.startsWith(runtimePrefix, from) ? from + runtimePrefix.length : from;
    const slash = text.indexOf('/', start);
    if (slash <= start || slash >= end - 1) return;
    const name = text.slice(start, slash);
    if (section === 'targets') {
      if (type === 'package') frameworks.add(name, text.slice(slash + 1, end));
    } else if (type === 'project' && isOwn) isOwn = false;
    else if (type === 'package' || type === 'project' || type === 'runtimepack') {
      packages.push({
        name,
        nameSpan: { start, end: slash },
        version: verbatim(text, slash + 1, end),
        ...(type === 'project' && { source: 'workspace' }),
      });
    }
  }
}
