import { parseArgs } from 'node:util';
import * as l10n from '@vscode/l10n';
import { messageOf } from '../model/message-of.ts';
import { visible } from '../report/words.ts';
import { checkCommand } from './check.ts';
import { type Command, type Flags, type Terminal, UsageError } from './command.ts';
import { identifyCommand } from './identify.ts';
import { lookupCommand } from './lookup.ts';
import { lspCommand } from './lsp.ts';
import { noticesCommand } from './notices.ts';
import { serveCommand } from './serve.ts';

/** Every command of the terminal program, one row each. */
const commands: readonly Command[] = [
  checkCommand,
  noticesCommand,
  lookupCommand,
  identifyCommand,
  serveCommand,
  lspCommand,
];

/** Exit codes: 0 done and clean, 1 findings, 2 could not run. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  const command = commands.find((it) => it.name === name);
  if (command?.isForPrograms?.(flagsIn(command, rest)) !== true) terminal.speak();
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    terminal.out(usage());
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v') {
    terminal.out(terminal.version);
    return 0;
  }
  if (command === undefined) {
    terminal.error(`package-insights: ${l10n.t('there is no command “{0}”', visible(name))}\n\n${usage()}`);
    return 2;
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    const help = command.help === undefined ? '' : `\n\n${command.help()}`;
    terminal.out(`package-insights ${command.name} ${command.usage}\n\n${command.summary()}.${help}`);
    return 0;
  }
  try {
    const { values, positionals } = read(command, rest);
    return await command.run({ flags: values, words: positionals }, terminal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // A hook hands over the names of a clone's files: one of them may give orders to a terminal.
    const lines = error.message.split('\n').map(visible);
    terminal.error(`package-insights ${command.name}: ${lines.join('\n')}`);
    return 2;
  }
}

function read(command: Command, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: command.options, allowPositionals: command.takesWords });
  } catch (error) {
    const reason = messageOf(error);
    // Node goes on to explain how such an option could be the name of a file.
    const [what = reason] = reason.split(' To specify a positional argument');
    throw new UsageError(`${what}\n${l10n.t('usage: {0}', `package-insights ${command.name} ${command.usage}`)}`);
  }
}

/** What can be read of the flags before it is known whether they are sound. */
function flagsIn({ options, takesWords }: Command, args: readonly string[]): Flags {
  return parseArgs({ args: [...args], options, allowPositionals: takesWords, strict: false }).values;
}

function usage(): string {
  const width = Math.max(...commands.map((it) => it.name.length + it.usage.length + 1));
  const lines = commands.map((it) => `  ${`${it.name} ${it.usage}`.padEnd(width)}  ${it.summary()}`);
  return [
    `package-insights: ${l10n.t('licence, deprecation, advisories and default version of dependencies')}`,
    '',
    ...lines,
    '',
    '  --help, --version; package-insights COMMAND --help',
  ].join('\n');
}
