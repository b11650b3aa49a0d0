import type { ParseArgsOptionsConfig } from 'node:util';
import type { KeptService } from '../model/cached-answers.ts';
import type { Clock, ConnectedInsights, Files } from '../model/ports.ts';
import type { Settings } from '../model/settings.ts';
import type { Page } from '../report/formats/format.ts';

/** One command of the terminal program: a row of the table in run.ts. */
export interface Command {
  readonly name: string;
  /** What follows the name in the usage line: `[--port N] [--catalog DIR]`. */
  readonly usage: string;
  readonly summary: () => string;
  /** Printed below the summary by `--help`: what the options mean, and examples. */
  readonly help?: () => string;
  readonly options: ParseArgsOptionsConfig;
  /** Whether words without dashes may follow. */
  readonly takesWords: boolean;
  /** Whether programs read what it prints, which is therefore the same in every language. */
  readonly isForPrograms?: (flags: Flags) => boolean;
  /** @returns the exit code */
  readonly run: (given: Given, terminal: Terminal) => Promise<number>;
}

/** What a person typed behind the command. */
export interface Given {
  readonly flags: Flags;
  readonly words: readonly string[];
}

export type Flags = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** The terminal as commands see it, handed over by the composition root. */
export interface Terminal {
  readonly out: (line: string) => void;
  readonly error: (line: string) => void;
  /** Puts a line in place of the one it put there before; absent where nobody watches. `''` takes it away. */
  readonly status?: (line: string) => void;
  /** Whether what `out` prints may be coloured. */
  readonly color: boolean;
  /** How many columns it has; absent where `out` prints into no terminal, or one that does not say. */
  readonly columns?: number;
  /** The absolute path of the directory that the program was started in. */
  readonly directory: string;
  /** Directory of the catalog that comes with the program. */
  readonly catalog: string;
  readonly version: string;
  /** Makes the texts from here on those of the person's language; until then they are English. */
  readonly speak: () => void;
  /** Resolves when the person or the system asks the program to end. */
  readonly ended: Promise<void>;
  /** Starts the language server over the standard streams. */
  readonly languageServer: () => Promise<void>;
  /** What the machine says of the service's address, for those who name none. */
  readonly baseUrl?: string;
  /** Settings as the editor has them, with some given. */
  readonly settings: (given: Readonly<Record<string, unknown>>) => Settings;
  readonly clock: Clock;
  /** The files below some folders, by their addresses. */
  readonly disk: (roots: readonly string[]) => Files;
  /** Over a connection of their own. */
  readonly insights: (settings: Settings) => ConnectedInsights;
  /** What the page of a report consists of. */
  readonly page: () => Page;
  /**
   * The services of which answers are kept in a file or folder, or without one where this machine keeps them, the one
   * with most of them first. Rejects where that cannot be read.
   */
  readonly kept: (path: string | undefined) => Promise<readonly KeptService[]>;
}

/** Something the person can put right. Printed without a stack; the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
