/**
 * Escapes a text from outside for VS Code, which turns `[…](command:…)` in a message into a link that runs a command,
 * and `$(…)` in a list or the status bar into an icon.
 */
export function plainText(text: string): string {
  return text.replace(hidden, ' ').replace(/(\](?=\()|\$(?=\())/g, `$1${apart}`);
}

/** Invisible; separates its neighbors. */
const apart = '\u2060';

/** Line ends, control characters, characters that change the text direction, and invisible ones. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu;
