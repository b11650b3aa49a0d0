/**
 * A text that strangers had a hand in, as VS Code shows it without reading anything into it: of `[…](command:…)` in a
 * message it makes a link that runs a command, and of `$(…)` in a list or the status bar a picture.
 */
export function plain(text: string): string {
  return text.replace(/(\](?=\()|\$(?=\())/g, `$1${apart}`).replace(hidden, ' ');
}

/** Takes no room, and keeps its neighbours from being read together. */
const apart = '\u2060';

/** Ends of lines, orders to a terminal, and what turns the direction of writing. */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
