import { walkJson } from '../../formats/json/walk.ts';
import { verbatim } from '../../formats/text/literal.ts';
import type { LockedPackage, Lockfile } from '../../model/lockfile.ts';
import type { Span } from '../../model/span.ts';
import { once } from '../shared/graph-builder.ts';
import { lockfileFormat } from '../shared/lockfile.ts';
import { LockedFrameworks } from './frameworks.ts';
import { packagesLockGraph, typeOfLocked } from './nuget-graph.ts';

/** NuGet's lockfile of a project. */
export const packagesLockJson = lockfileFormat({
  id: 'packages.lock.json',
  system: 'NUGET',
  files: /(^|\/)packages(?:\.[^/]+)?\.lock\.json$/i,
  serves: ['csproj'],
  below: false,
  update: 'dotnet restore --force-evaluate',
  writer: 'dotnet restore',
  parse,
});

/** How deep the object of a package is: the root, `dependencies` and the framework are around it. */
const packageDepth = 4;

/**
 *     { "dependencies": { "net8.0": { "Serilog": { "type": "Direct", "requested": "[3.1.1, )", "resolved": "3.1.1" } } } }
 *                                      ^^^^^^^                                                              ^^^^^
 *
 * All are listed; the direct dependencies serve the project.
 */
function parse(text: string): Lockfile {
  const packages: LockedPackage[] = [];
  const frameworks = new LockedFrameworks();
  const path: string[] = [];
  let nameSpan: Span | undefined;
  let type = '';
  let resolved: Span | undefined;

  const problems = walkJson(text, {
    open(name) {
      path.push(name ? text.slice(name.start, name.end) : '');
      if (path.length === packageDepth - 1 && path[1] === 'dependencies') frameworks.begin(path[2]);
      if (path.length !== packageDepth) return;
      nameSpan = name;
      type = '';
      resolved = undefined;
    },
    close() {
      if (path.length === packageDepth && path[1] === 'dependencies') add();
      path.pop();
    },
    string(name, value) {
      if (path.length !== packageDepth || value.start >= value.end) return;
      const field = text.slice(name.start, name.end);
      if (field === 'resolved') resolved = value;
      else if (field === 'type') type = text.slice(value.start, value.end);
    },
  });
  return {
    packages,
    problems,
    locked: (it, importer) => (importer === '' ? frameworks.locked(it) : undefined),
    alternatives: (it, importer) => (importer === '' ? frameworks.alternatives(it) : []),
    graph: once(() => packagesLockGraph(text)),
  };

  function add(): void {
    const [, , condition = '', name = ''] = path;
    const kind = typeOfLocked(type);
    const isProject = kind === 'project';
    const at = isProject ? nameSpan : resolved;
    if (!nameSpan || !at) return;
    const version = verbatim(text, at.start, at.end);
    packages.push({ name, nameSpan, version, ...(isProject && { source: 'workspace' }), condition });
    if (kind === 'direct') frameworks.add(name, version.text);
  }
}
