import { directoryOf } from '../base/uri.ts';
import { hasMalware } from './findings.ts';
import type { Snapshot } from './snapshot.ts';
import { verdictOf } from './verdict.ts';

/** How the versions that a manifest requires are installed, or written into its lockfile. */
export interface Install {
  /** A line for a shell. It never contains a text of a file. */
  readonly command: string;
  /** Where it runs: a URI with a final slash. */
  readonly directory: string;
  /** The files that an update may have changed and that the command reads. */
  readonly reads: readonly string[];
}

/** The commands of managers that need no lockfile, by the id of the manifest's format. */
const withoutLockfile: Readonly<Record<string, string>> = {
  'go.mod': 'go mod tidy',
  'go.work': 'go work sync',
  csproj: 'dotnet restore',
  'file-based-app': 'dotnet restore',
  'Directory.Packages.props': 'dotnet restore',
  'Directory.Build.props': 'dotnet restore',
  'dotnet-tools.json': 'dotnet tool restore',
};

/**
 * The command for the nearest lockfile, or of a manager that needs none. Undefined without a lockfile otherwise: which
 * manager a project uses is not known then. Builds of Maven and Gradle fetch versions themselves. Undefined while any
 * dependency is malware or brings some: it would be installed.
 */
export function installOf({ uri, format, lockfiles, chain, dependencies }: Snapshot): Install | undefined {
  if (format.record === 'lockfile' || format.system === 'MAVEN') return undefined;
  if (dependencies.some((it) => verdictOf(it).isMalicious || it.below?.affected.some(hasMalware))) return undefined;
  const [nearest] = lockfiles;
  const command = nearest?.format.update ?? withoutLockfile[format.id];
  if (command === undefined) return undefined;
  const reads = chain.files.filter((it) => it.published === undefined).map((it) => it.uri);
  return { command, directory: nearest?.directory ?? directoryOf(uri), reads };
}
