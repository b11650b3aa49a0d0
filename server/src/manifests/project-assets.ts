import { canonicalName } from '../model/keys.ts';
import type { Dependency, Manifest, ManifestFormat } from '../model/manifest.ts';
import type { Span } from '../model/span.ts';
import { walkJson } from '../text/json-walk.ts';
import { verbatim } from '../text/verbatim.ts';
import { stated } from './stated.ts';
import { writtenBy } from './written-by.ts';

/** What the last restore of a .NET project came to, opened itself. */
export const projectAssets: ManifestFormat = {
  id: 'project.assets.json',
  system: 'NUGET',
  record: 'lockfile',
  files: /(^|\/)project\.assets\.json$/i,
  parse,
};

/** How deep the object of a library is: the root and `libraries` are around it. */
const depthOfLibrary = 3;

/**
 *     { "libraries": { "Serilog/3.1.1": { "sha512": "…", "type": "package", "path": "serilog/3.1.1" } } }
 *                       ^^^^^^^ ^^^^^
 */
function parse(text: string): Manifest {
  const dependencies: Dependency[] = [];
  const path: (Span | undefined)[] = [];
  let isPackage = false;

  const problems = walkJson(text, {
    open(name) {
      path.push(name);
      if (path.length === depthOfLibrary) isPackage = false;
    },
    close() {
      const [, section, name] = path;
      if (path.length === depthOfLibrary && name && isPackage && isCalled(section, 'libraries')) read(name);
      path.pop();
    },
    string(name, value) {
      if (path.length === depthOfLibrary && isCalled(name, 'type')) isPackage = isCalled(value, 'package');
    },
    yes() {},
  });
  return { dependencies, definitions: [], references: [], problems };

  function isCalled(span: Span | undefined, name: string): boolean {
    return span !== undefined && text.slice(span.start, span.end) === name;
  }

  function read({ start, end }: Span): void {
    const slash = text.indexOf('/', start);
    if (slash <= start || slash >= end - 1) return;
    const name = text.slice(start, slash);
    dependencies.push({
      key: { system: 'NUGET', name: canonicalName('NUGET', name) },
      name,
      nameSpan: { start, end: slash },
      requirement: { kind: 'literal', at: stated('NUGET', verbatim(text, slash + 1, end)) },
      scope: 'runtime',
      frozen: writtenBy('dotnet restore'),
    });
  }
}
