import { isRecord } from '../model/is-record.ts';
import type { Lockfile, LockfileFormat } from '../model/lockfile.ts';
import { readPlainJson } from '../text/json-plain.ts';
import { type Frameworks, frameworkName, lockedFor } from './nuget-frameworks.ts';

/** What the last restore of a project came to. It is written whether there is a lockfile or not. */
export const projectAssets: LockfileFormat = {
  id: 'obj/project.assets.json',
  serves: ['csproj'],
  below: false,
  update: 'dotnet restore',
  parse,
};

function parse(text: string): Lockfile {
  const { value, problems } = readPlainJson(text);
  const frameworks = readFrameworks(isRecord(value) ? value.targets : undefined);
  return { locked: (it, importer) => (importer === '' ? lockedFor(frameworks, it) : undefined), problems };
}

/** `{ "targets": { "net8.0": { "Serilog/3.1.1": { "type": "package" } } } }` */
function readFrameworks(targets: unknown): Frameworks {
  const frameworks = new Map<string, Map<string, string>>();
  for (const [target, libraries] of isRecord(targets) ? Object.entries(targets) : []) {
    const name = frameworkName(target);
    const versions = frameworks.get(name) ?? new Map<string, string>();
    frameworks.set(name, versions);
    for (const [library, entry] of isRecord(libraries) ? Object.entries(libraries) : []) {
      const slash = library.indexOf('/');
      if (slash < 1 || !isRecord(entry) || entry.type !== 'package') continue;
      versions.set(library.slice(0, slash).toLowerCase(), library.slice(slash + 1));
    }
  }
  return frameworks;
}
