import { isRecord } from '../model/is-record.ts';
import type { Lockfile, LockfileFormat } from '../model/lockfile.ts';
import { readPlainJson } from '../text/json-plain.ts';
import { lockedFor, readFrameworks } from './nuget-frameworks.ts';

/** What the last restore of a project came to. It is written whether there is a lockfile or not. */
export const projectAssets: LockfileFormat = {
  id: 'obj/project.assets.json',
  serves: ['csproj'],
  below: false,
  update: 'dotnet restore',
  parse,
};

function parse(text: string): Lockfile {
  const value = readPlainJson(text);
  const frameworks = readFrameworks(isRecord(value) ? value.targets : undefined, restored);
  return { locked: (it, importer) => (importer === '' ? lockedFor(frameworks, it) : undefined) };
}

/** `{ "targets": { "net8.0": { "Serilog/3.1.1": { "type": "package" } } } }` */
function restored(library: string, { type }: Readonly<Record<string, unknown>>) {
  const slash = library.indexOf('/');
  return type === 'package' && slash > 0 ? ([library.slice(0, slash), library.slice(slash + 1)] as const) : undefined;
}
