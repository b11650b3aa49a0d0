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

/** What the last restore of a .NET project came to, opened itself. */
export const projectAssets: ManifestFormat = {
  id: 'project.assets.json',
  system: 'NUGET',
  record: 'lockfile',
  files: /(^|\/)project\.assets\.json$/i,
  parse: (text) => read(text, { command: 'dotnet restore', hasOwn: false }),
};

/** What stands beside a .NET program that was built, and says of which packages its libraries are. */
export const depsJson: ManifestFormat = {
  id: 'deps.json',
  system: 'NUGET',
  record: 'lockfile',
  files: /\.deps\.json$/i,
  parse: (text) => read(text, { command: 'dotnet publish', hasOwn: true }),
};

interface Libraries {
  /** The command that writes the file. */
  readonly command: string;
  /** Whether the first project is the program itself. */
  readonly hasOwn: boolean;
}

/** How deep the object of a library is: the root and `libraries` are around it. */
const depthOfLibrary = 3;

/** What the SDK writes before the name of the package that a runtime comes in. */
const runtimePrefix = 'runtimepack.';

/**
 *     { "libraries": { "Serilog/3.1.1": { "sha512": "…", "type": "package", "path": "serilog/3.1.1" },
 *                       ^^^^^^^ ^^^^^
 *                      "runtimepack.Microsoft.NETCore.App.Runtime.linux-x64/8.0.0": { "type": "runtimepack" } } }
 *                                   ^
 */
function read(text: string, { command, hasOwn }: Libraries): Manifest {
  const dependencies: Dependency[] = [];
  const path: (Span | undefined)[] = [];
  let type = '';
  let isOwn = hasOwn;

  const problems = walkJson(text, {
    open(name) {
      path.push(name);
      if (path.length === depthOfLibrary) type = '';
    },
    close() {
      const [, section, name] = path;
      if (path.length === depthOfLibrary && name && isCalled(section, 'libraries')) readLibrary(name);
      path.pop();
    },
    string(name, value) {
      if (path.length === depthOfLibrary && isCalled(name, 'type')) type = text.slice(value.start, value.end);
    },
  });
  return { dependencies, definitions: [], references: [], problems };

  function isCalled(span: Span | undefined, name: string): boolean {
    return span !== undefined && text.slice(span.start, span.end) === name;
  }

  function readLibrary({ start: from, end }: Span): void {
    if (type === 'project' && isOwn) isOwn = false;
    else if (type === 'package' || type === 'project' || type === 'runtimepack') {
      const start = type === 'runtimepack' && text.startsWith(runtimePrefix, from) ? from + runtimePrefix.length : from;
      const slash = text.indexOf('/', start);
      if (slash <= start || slash >= end - 1) return;
      const name = text.slice(start, slash);
      dependencies.push({
        key: { system: 'NUGET', name: canonicalName('NUGET', name) },
        name,
        nameSpan: { start, end: slash },
        requirement:
          type === 'project'
            ? { kind: 'source', source: 'workspace', span: { start: slash + 1, end } }
            : { kind: 'literal', at: asExactRequirement('NUGET', verbatim(text, slash + 1, end)) },
        scope: 'runtime',
        frozen: lockfileFrozenReason(command),
      });
    }
  }
}

/** What the last restore of a project came to. It is written whether there is a lockfile or not. */
export const projectAssetsLockfile: LockfileFormat = {
  id: 'obj/project.assets.json',
  serves: ['csproj'],
  below: false,
  update: 'dotnet restore',
  parse: readLocked,
};

function readLocked(text: string): Lockfile {
  const value = readPlainJson(text);
  const frameworks = readFrameworks(isRecord(value) ? value.targets : undefined, restored);
  return {
    packages: [],
    problems: [],
    locked: (it, importer) => (importer === '' ? lockedFor(frameworks, it) : undefined),
  };
}

/** `{ "targets": { "net8.0": { "Serilog/3.1.1": { "type": "package" } } } }` */
function restored(library: string, { type }: Readonly<Record<string, unknown>>) {
  const slash = library.indexOf('/');
  return type === 'package' && slash > 0 ? ([library.slice(0, slash), library.slice(slash + 1)] as const) : undefined;
}
