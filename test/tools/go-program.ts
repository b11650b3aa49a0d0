import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { downloadsFolder } from './downloads.ts';
import { run } from './processes.ts';
import { madeOnce } from './scratch.ts';

/** A Go module of others. Its sum is checked by Go against the public database of sums. */
export interface GoModule {
  /** `golang.org/x/mod` */
  readonly path: string;
  readonly version: string;
}

/**
 * The path of a program that uses a module, fetched and built where that was not done before. Undefined where Go is
 * missing, or the module cannot be fetched.
 * @param source the path of its only file; it is built again where its name has changed
 */
export async function goProgram(name: string, module: GoModule, source: string): Promise<string | undefined> {
  const destination = join(downloadsFolder, `${name}-${module.version}`);
  try {
    await madeOnce(destination, async (folder) => {
      cpSync(source, join(folder, 'main.go'));
      writeFileSync(join(folder, 'go.mod'), `module ${name}\n`);
      await go(folder, 'get', `${module.path}@${module.version}`);
      // Without inlining it is built in three quarters of the time.
      await go(folder, 'build', '-gcflags=all=-l', '-ldflags=-s -w', '-o', 'program', '.');
    });
  } catch (error) {
    console.error(String(error));
    return undefined;
  }
  return join(destination, 'program');
}

async function go(cwd: string, ...args: readonly string[]): Promise<void> {
  const env = { ...process.env, GOFLAGS: '-mod=mod -buildvcs=false' };
  const { ok, how, output } = await run({ name: 'go', command: 'go', args, cwd, env });
  if (!ok) throw new Error(`go ${args.join(' ')} (${how}):\n${output}`);
}
