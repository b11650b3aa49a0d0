import type { CachedService } from '../model/cached-answers.ts';
import type { Clock, ConnectedInsights, Files } from '../model/ports.ts';
import type { Settings } from '../model/settings.ts';
import type { PageAssets } from '../report/formats/format.ts';

/** One command of the terminal program: a row of the table in main.ts. */
export interface Command<Table extends OptionTable = OptionTable> {
  readonly name: string;
  /** The arguments in the usage line: `[--port N] [--catalog DIR]`. */
  readonly usage: string;
  readonly summary: () => string;
  /** In the order of the help. */
  readonly options: Table;
  /** Paragraphs of the help below the options. */
  readonly notes?: () => readonly string[];
  /** Command lines at the end of the help. */
  readonly examples?: readonly string[];
  readonly takesPositionals: boolean;
  /** Whether programs read the output, which is then in English. Called before the options are checked. */
  isForPrograms?(given: RawOptions): boolean;
  /** @returns the exit code */
  run(given: Arguments<Table>, terminal: Terminal): Promise<number>;
}

/** One option of a command, by its name without dashes. The parser and the help read this table. */
export interface Option<Value = unknown> {
  /** The placeholder of the value in the help: `FILE`. Absent for a switch. */
  readonly value?: string;
  readonly isRepeatable?: true;
  /** Its description in the help. Absent for an option that the description of another one explains. */
  readonly help?: () => string;
  /**
   * Reads the value; without it the value is the text.
   * @param option with its dashes, for messages
   * @throws UsageError for an invalid text
   */
  readonly read?: (text: string, option: string) => Value;
  /** The value of an option that is not given. */
  readonly default?: Value;
}

export type OptionTable = Readonly<Record<string, Option>>;

/** The command line behind the name of the command. */
export interface Arguments<Table extends OptionTable> {
  readonly options: OptionValues<Table>;
  readonly positionals: readonly string[];
}

/** A boolean for each switch, a list for each repeatable option, and for the others the value or undefined. */
export type OptionValues<Table extends OptionTable> = { readonly [Name in keyof Table]: OptionValue<Table[Name]> };

type OptionValue<Row extends Option> = Row extends { readonly value: string }
  ? Row extends { readonly isRepeatable: true }
    ? readonly ValueOf<Row>[]
    : ValueOf<Row> | (Row extends { readonly default: infer Default } ? Default : undefined)
  : boolean;

type ValueOf<Row extends Option> = Row extends { readonly read: (...given: never[]) => infer Value } ? Value : string;

/** The options as given, before they are checked. */
export type RawOptions = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

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
  readonly loadTranslations: () => void;
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
  readonly page: () => PageAssets;
  /**
   * The services of which answers are kept in a file or folder, or without one where this machine keeps them, the one
   * with most of them first. Rejects where that cannot be read.
   */
  readonly cachedServices: (path: string | undefined) => Promise<readonly CachedService[]>;
}

/** Something the person can put right. Printed without a stack; the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
