import type { ParseArgsOptionsConfig } from 'node:util';

/** One command of the terminal program: a row of the table in run.ts. */
export interface Command {
  readonly name: string;
  /** What follows the name in the usage line: `[--port N] [--catalog DIR]`. */
  readonly usage: string;
  readonly summary: string;
  readonly options: ParseArgsOptionsConfig;
  /** Whether words without dashes may follow. */
  readonly takesWords: boolean;
  /** @returns the exit code */
  readonly run: (given: Given, terminal: Terminal) => Promise<number>;
}

/** What a person typed behind the command. */
export interface Given {
  readonly flags: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly words: readonly string[];
}

/** The terminal as commands see it, handed over by the composition root. */
export interface Terminal {
  readonly out: (line: string) => void;
  readonly error: (line: string) => void;
  /** Directory of the catalog that comes with the program. */
  readonly catalog: string;
  readonly version: string;
  /** Resolves when the person or the system asks the program to end. */
  readonly ended: Promise<void>;
  /** Starts the language server over the standard streams. */
  readonly languageServer: () => Promise<void>;
}

/** Something the person can put right. Printed without a stack; the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
