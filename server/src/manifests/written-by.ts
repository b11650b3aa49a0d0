import * as l10n from '@vscode/l10n';

/** A lockfile has thousands of entries with one reason, which is worded once in a language: by command. */
const worded = { message: '', texts: new Map<string, string>() };

/**
 * Why what stands in a lockfile is not changed in it.
 * @param command what writes it anew: `npm install`
 */
export function writtenBy(command: string): string {
  const message = l10n.t('a lockfile is written by its tool: {0}');
  if (message !== worded.message) {
    worded.message = message;
    worded.texts.clear();
  }
  const text = worded.texts.get(command) ?? message.replace('{0}', () => command);
  worded.texts.set(command, text);
  return text;
}
