import { isRecord } from '../../base/text.ts';
import { readPlainJson } from '../../formats/json/plain.ts';
import { walkJson } from '../../formats/json/walk.ts';
import { verbatim } from '../../formats/text/literal.ts';
import { canonicalName } from '../../model/keys.ts';
import type { Lockfile, LockfileFormat } from '../../model/lockfile.ts';
import type { Dependency, Manifest, ManifestFormat } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';
import { asExactRequirement, lockfileFrozenReason } from '../shared/lockfile.ts';
import { lockedFor, readFrameworks } from './frameworks.ts';

/** NuGet's lockfile of a project, opened itself. */
export const packagesLockJson: ManifestFormat = {
  id: 'packages.lock.json',
  system: 'NUGET',
  record: 'lockfile',
  files: /(^|\/)packages(?:\.[^/]+)?\.lock\.json$/i,
  parse,
};

/** How deep the object of a package is: the root, `dependencies` and the framework are around it. */
const depthOfPackage = 4;

/**
 *     { "dependencies": { "net8.0": { "Serilog": { "type": "Direct", "requested": "[3.1.1, )", "resolved": "3.1.1" } } } }
 *                                      ^^^^^^^                                                              ^^^^^
 */
function parse(text: string): Manifest {
  const dependencies: Dependency[] = [];
  const path: (Span | undefined)[] = [];
  let resolved: Span | undefined;
  let isProject = false;

  const problems = walkJson(text, {
    open(name) {
      path.push(name);
      if (path.length !== depthOfPackage) return;
      resolved = undefined;
      isProject = false;
    },
    close() {
      const [, section, framework, name] = path;
      if (path.length === depthOfPackage && name && (resolved || isProject) && isCalled(section, 'dependencies')) {
        dependencies.push(read(name, resolved, framework));
      }
      path.pop();
    },
    string(name, value) {
      if (path.length !== depthOfPackage || value.start >= value.end) return;
      if (isCalled(name, 'resolved')) resolved = value;
      else if (isCalled(name, 'type')) isProject = isCalled(value, 'Project');
    },
  });
  return { dependencies, definitions: [], references: [], problems };

  function isCalled(span: Span | undefined, name: string): boolean {
    return span !== undefined && text.slice(span.start, span.end) === name;
  }

  function read(nameSpan: Span, version: Span | undefined, framework: Span | undefined): Dependency {
    const name = text.slice(nameSpan.start, nameSpan.end);
    return {
      key: { system: 'NUGET', name: canonicalName('NUGET', name) },
      name,
      nameSpan,
      requirement:
        version === undefined || isProject
          ? { kind: 'source', source: 'workspace', span: nameSpan }
          : { kind: 'literal', at: asExactRequirement('NUGET', verbatim(text, version.start, version.end)) },
      scope: 'runtime',
      ...(framework && { condition: text.slice(framework.start, framework.end) }),
      frozen: lockfileFrozenReason('dotnet restore'),
    };
  }
}

/** NuGet's lockfile of a project. */
export const packagesLockfile: LockfileFormat = {
  id: 'packages.lock.json',
  serves: ['csproj'],
  below: false,
  update: 'dotnet restore --force-evaluate',
  parse: readLocked,
};

function readLocked(text: string): Lockfile {
  const value = readPlainJson(text);
  const frameworks = readFrameworks(isRecord(value) ? value.dependencies : undefined, direct);
  return {
    packages: [],
    problems: [],
    locked: (it, importer) => (importer === '' ? lockedFor(frameworks, it) : undefined),
  };
}

/**
 * What the project asks for itself.
 *
 *     { "dependencies": { "net8.0": { "Serilog": { "type": "Direct", "requested": "[3.1.1, )", "resolved": "3.1.1" } } } }
 */
function direct(name: string, { type, resolved }: Readonly<Record<string, unknown>>) {
  return type === 'Direct' && typeof resolved === 'string' ? ([name, resolved] as const) : undefined;
}
