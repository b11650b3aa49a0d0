import { parseArgs } from 'node:util';
import * as l10n from '@vscode/l10n';
import { type Command, type Flags, type Given, UsageError } from './command.ts';

/** What stands behind a command. Throws where an option is not there, or lacks what belongs to it. */
export function readArguments(command: Command, args: readonly string[]): Given {
  const { options } = command;
  const { values, positionals, tokens } = parsed(command, args);
  const fail = (message: string): never => {
    const usage = l10n.t('usage: {0}', `package-insights ${command.name} ${command.usage}`);
    throw new UsageError(`${message}\n${usage}`);
  };
  for (const it of tokens) {
    if (it.kind === 'positional' && !command.takesWords) fail(l10n.t('{0} takes no “{1}”', command.name, it.value));
    if (it.kind !== 'option') continue;
    const { type } = (Object.hasOwn(options, it.name) ? options[it.name] : undefined) ?? {};
    if (type === undefined) {
      const help = `package-insights ${command.name} --help`;
      fail(l10n.t('there is no option {0}; {1} lists them', it.rawName, help));
    }
    // An option in the place of a value means that the value was forgotten, and nothing that a variable had none.
    const isForgotten = it.value === undefined || it.value === '' || (!it.inlineValue && /^-./.test(it.value));
    if (type === 'string' && isForgotten) fail(l10n.t('{0} needs a value', it.rawName));
    if (type === 'boolean' && it.value !== undefined) fail(l10n.t('{0} takes no value', it.rawName));
  }
  return { flags: values, words: positionals };
}

/** What can be read of the flags before it is known whether they are sound. */
export function flagsIn(command: Command, args: readonly string[]): Flags {
  return parsed(command, args).values;
}

function parsed({ options }: Command, args: readonly string[]) {
  return parseArgs({ args: [...args], options, allowPositionals: true, strict: false, tokens: true });
}
