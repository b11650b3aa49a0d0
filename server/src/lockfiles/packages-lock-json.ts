import { isRecord } from '../model/is-record.ts';
import type { Lockfile, LockfileFormat } from '../model/lockfile.ts';
import { readPlainJson } from '../text/json-plain.ts';
import { lockedFor, readFrameworks } from './nuget-frameworks.ts';

/** NuGet's lockfile of a project. */
export const packagesLockJson: LockfileFormat = {
  id: 'packages.lock.json',
  serves: ['csproj'],
  below: false,
  update: 'dotnet restore --force-evaluate',
  parse,
};

function parse(text: string): Lockfile {
  const value = readPlainJson(text);
  const frameworks = readFrameworks(isRecord(value) ? value.dependencies : undefined, direct);
  return { locked: (it, importer) => (importer === '' ? lockedFor(frameworks, it) : undefined) };
}

/**
 * What the project asks for itself.
 *
 *     { "dependencies": { "net8.0": { "Serilog": { "type": "Direct", "requested": "[3.1.1, )", "resolved": "3.1.1" } } } }
 */
function direct(name: string, { type, resolved }: Readonly<Record<string, unknown>>) {
  return type === 'Direct' && typeof resolved === 'string' ? ([name, resolved] as const) : undefined;
}
