import * as l10n from '@vscode/l10n';
import { withoutLogCommands } from '../engine/base/log-commands.ts';
import { sanitize } from '../engine/report/formats/texts.ts';
import { checkCommand } from './check/check.ts';
import { type Command, type Commands, type OptionTable, type Terminal, UsageError } from './command.ts';
import { commandHelp, programHelp } from './help.ts';
import { identifyCommand } from './identify.ts';
import { lookupCommand } from './lookup.ts';
import { noticesCommand } from './notices.ts';
import { rawOptions, readArguments } from './options.ts';

/** Editors may add `--clientProcessId`. Source: Language Server Protocol, “Implementation Considerations”. */
const lspOptions = { stdio: {}, clientProcessId: { value: 'PID' } } as const satisfies OptionTable;

/** `package-insights lsp --stdio`: the language server for any editor. */
export const lspCommand: Command<typeof lspOptions> = {
  name: 'lsp',
  usage: '--stdio',
  summary: () => l10n.t('Start the language server for an editor, over standard input and output'),
  options: lspOptions,
  takesPositionals: false,
  async run({ options }, terminal) {
    if (!options.stdio) throw new UsageError(l10n.t('--stdio is missing: it is the only transport'));
    await terminal.languageServer();
    await terminal.ended;
    return 0;
  },
};

/** The commands that need the engine alone. The entry point adds those of the other rooms. */
export const engineCommands = {
  check: checkCommand,
  notices: noticesCommand,
  lookup: lookupCommand,
  identify: identifyCommand,
  lsp: lspCommand,
};

/** @returns the exit code: 0 done and clean, 1 findings, 2 could not run */
export async function run<Given extends Terminal>(
  args: readonly string[],
  given: Given,
  commands: Commands,
): Promise<number> {
  const terminal = withoutCommands(given);
  const [name, ...rest] = args;
  // `help check` is another way to say `check --help`.
  if (name === 'help' && rest[0] !== undefined) return run([...rest, '--help'], given, commands);
  const command = [...commands.own, ...commands.connected].find((it) => it.name === name);
  const help = (): string => programHelp(commands, terminal.columns);
  if (command?.isForPrograms?.(rawOptions(command, rest)) !== true) terminal.loadTranslations();
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    terminal.out(help());
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v') {
    terminal.out(terminal.version);
    return 0;
  }
  if (command === undefined) {
    terminal.error(`package-insights: ${l10n.t('unknown command “{0}”', sanitize(name))}\n\n${help()}`);
    return 2;
  }
  try {
    const chosen = (await command.forArguments?.(rest)) ?? command;
    if (rest.includes('--help') || rest.includes('-h')) {
      terminal.out(commandHelp(chosen, terminal.columns));
      return 0;
    }
    // A method of a service may have a parameter of this name.
    if (rest.includes('--version') && !Object.hasOwn(chosen.options, 'version')) {
      terminal.out(terminal.version);
      return 0;
    }
    return await chosen.run(readArguments(chosen, rest), terminal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // File names from a cloned repository may contain control characters.
    const lines = error.message.split('\n').map(sanitize);
    terminal.error(`package-insights ${command.name}: ${lines.join('\n')}`);
    return 2;
  }
}

/** A terminal whose lines, those of a patch too, are no commands in the log of a CI. */
function withoutCommands<Given extends Terminal>(terminal: Given): Given {
  const { status } = terminal;
  return {
    ...terminal,
    out: (it) => terminal.out(withoutLogCommands(it)),
    error: (it) => terminal.error(withoutLogCommands(it)),
    ...(status && { status: (it: string) => status(withoutLogCommands(it)) }),
  };
}
