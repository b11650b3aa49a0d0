/** A transitive package, and the version that is wanted in place of the locked one. */
export interface TransitiveUpdate {
  readonly name: string;
  readonly version: string;
  readonly wanted: string;
}

/**
 * The commands that lock a newer version of a transitive package where its requirers allow it, by the lockfile's format.
 * Missing are tools without one: the first yarn, PDM, Bun (which would add a direct dependency) and NuGet (which takes the
 * lowest version). Sources: the manuals of the tools.
 */
const commands: ReadonlyMap<string, (update: TransitiveUpdate) => string> = new Map(
  Object.entries<(update: TransitiveUpdate) => string>({
    'package-lock.json': ({ name }) => `npm update ${quoted(name)}`,
    'npm-shrinkwrap.json': ({ name }) => `npm update ${quoted(name)}`,
    'pnpm-lock.yaml': ({ name }) => `pnpm update --depth Infinity ${quoted(name)}`,
    'Cargo.lock': ({ name, version, wanted }) => `cargo update -p ${name}@${version} --precise ${wanted}`,
    'uv.lock': ({ name, wanted }) => `uv lock --upgrade-package ${name}==${wanted}`,
    'poetry.lock': ({ name }) => `poetry update ${name}`,
  }),
);

/** What a shell takes as it is. A dash in front would be an option. */
const plain = /^(?!-)[A-Za-z0-9@./+_-]+$/;

/**
 * A line for a shell; undefined where the tool has no such command, or a name or version has characters that a shell may
 * read in another way.
 * @param lockfile id of its format
 */
export function transitiveUpdate(lockfile: string, update: TransitiveUpdate): string | undefined {
  const { name, version, wanted } = update;
  return [name, version, wanted].every((it) => plain.test(it)) ? commands.get(lockfile)?.(update) : undefined;
}

/** PowerShell reads `@` in front as an operator. */
function quoted(name: string): string {
  return name.startsWith('@') ? `"${name}"` : name;
}
