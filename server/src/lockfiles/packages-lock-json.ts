import { isRecord } from '../model/is-record.ts';
import type { Lockfile, LockfileFormat } from '../model/lockfile.ts';
import { readPlainJson } from '../text/json-plain.ts';
import { type Frameworks, frameworkName, lockedFor } from './nuget-frameworks.ts';

/** NuGet's lockfile of a project. */
export const packagesLockJson: LockfileFormat = {
  id: 'packages.lock.json',
  serves: ['csproj'],
  below: false,
  update: 'dotnet restore --force-evaluate',
  parse,
};

function parse(text: string): Lockfile {
  const { value, problems } = readPlainJson(text);
  const frameworks = readFrameworks(isRecord(value) ? value.dependencies : undefined);
  return { locked: (it, importer) => (importer === '' ? lockedFor(frameworks, it) : undefined), problems };
}

/**
 * What the project asks for itself.
 *
 *     { "dependencies": { "net8.0": { "Serilog": { "type": "Direct", "requested": "[3.1.1, )", "resolved": "3.1.1" } } } }
 */
function readFrameworks(dependencies: unknown): Frameworks {
  const frameworks = new Map<string, Map<string, string>>();
  for (const [framework, packages] of isRecord(dependencies) ? Object.entries(dependencies) : []) {
    const name = frameworkName(framework);
    const versions = frameworks.get(name) ?? new Map<string, string>();
    frameworks.set(name, versions);
    for (const [id, entry] of isRecord(packages) ? Object.entries(packages) : []) {
      if (!isRecord(entry) || entry.type !== 'Direct' || typeof entry.resolved !== 'string') continue;
      versions.set(id.toLowerCase(), entry.resolved);
    }
  }
  return frameworks;
}
