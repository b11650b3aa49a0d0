/*
 * Runs commands of the terminal program in one process, since to start one for each takes long: `[{ name, environment,
 * commands }]` is its argument. Those of a run are at the same time; the next run begins when nothing is left to do.
 */

interface Run {
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly commands: readonly (readonly string[])[];
}

const left: Run[] = JSON.parse(process.argv[2] ?? '[]');
const [node = '', script = ''] = process.argv;
let copies = 0;

async function next(): Promise<void> {
  const run = left.shift();
  if (run === undefined) return;
  console.log(`--- ${run.name}`);
  Object.assign(process.env, run.environment);
  for (const command of run.commands) {
    // The program reads its arguments when it is loaded.
    process.argv = [node, script, ...command];
    await import(`../../server/src/bin/program.ts?${copies++}`);
  }
}

// Each run listens for signals.
process.setMaxListeners(0);
process.on('beforeExit', next);
