/**
 * A text that strangers had a hand in, as VS Code shows it without reading anything into it: of `[…](command:…)` in a
 * message it makes a link that runs a command, and of `$(…)` in a list or the status bar a picture.
 */
export function plainText(text: string): string {
  return text.replace(hidden, ' ').replace(/(\](?=\()|\$(?=\())/g, `$1${apart}`);
}

/** Takes no room, and keeps its neighbours from being read together. */
const apart = '\u2060';

/** Ends of lines, orders to a terminal, what turns the direction of writing, and what is shown as nothing. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu;
