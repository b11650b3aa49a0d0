import * as l10n from '@vscode/l10n';
import { type Command, UsageError } from './command.ts';

/** `package-insights lsp --stdio`: the language server for any editor. */
export const lspCommand: Command = {
  name: 'lsp',
  usage: '--stdio',
  summary: () => l10n.t('Start the language server for an editor, over standard input and output'),
  options: { stdio: { type: 'boolean' }, clientProcessId: { type: 'string' } },
  takesWords: false,
  async run({ flags }, terminal) {
    if (flags['stdio'] !== true)
      throw new UsageError(l10n.t('it speaks over standard input and output: --stdio is missing'));
    await terminal.languageServer();
    await terminal.ended;
    return 0;
  },
};
