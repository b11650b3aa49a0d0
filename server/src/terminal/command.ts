import type { ConnectionStatus } from '../engine/model/connection.ts';
import type { LinkSafety } from '../engine/model/links.ts';
import type { Clock, ConnectedInsights, Files } from '../engine/model/ports.ts';
import type { Settings } from '../engine/model/settings.ts';
import type { PageAssets } from '../engine/report/formats/format.ts';

/** One command of the terminal program: a row of the table in commands.ts of bin/. */
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
  /**
   * The command for these arguments, if its options depend on them: those of `call` are the parameters of a method.
   * @throws UsageError
   */
  readonly forArguments?: (args: readonly string[]) => Promise<Command>;
  /** @returns the exit code */
  run(given: Arguments<Table>, terminal: Terminal): Promise<number>;
}

/** One option of a command, by its name without dashes. The parser and the help read this table. */
export interface Option<Value = unknown> {
  /** The placeholder of the value in the help: `FILE`. Absent for a switch. */
  readonly value?: string;
  readonly isRepeatable?: true;
  /** The value of the option alone: `--fix` is `--fix=safe`. Another value is given behind `=` only. */
  readonly alone?: Value;
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
  /** The texts that `read` accepts, where they are few. */
  readonly names?: readonly string[];
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

/** The terminal as an argument of commands, created by the composition root. */
export interface Terminal {
  readonly out: (line: string) => void;
  readonly error: (line: string) => void;
  /** Replaces its previous line; `''` removes it. Absent where the output is not a terminal. */
  readonly status?: (line: string) => void;
  /** Whether the output of `out` may have colors. */
  readonly color: boolean;
  /** The width of the terminal; absent where `out` is not a terminal, or its width is unknown. */
  readonly columns?: number;
  /** The absolute path of the working directory. */
  readonly directory: string;
  /** Directory of the bundled catalog. */
  readonly catalog: string;
  readonly version: string;
  /** Switches texts to the user's language; until then they are English. */
  readonly loadTranslations: () => void;
  /** Resolves when the person or the system ends the program. */
  readonly ended: Promise<void>;
  /** Starts the language server over the standard streams. */
  readonly languageServer: () => Promise<void>;
  /** The service address of the environment, for commands without `--base-url`. */
  readonly baseUrl?: string;
  /** The variables of this process. Programs that a command starts get some of them. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The settings of the editor with some values replaced. */
  readonly settings: (given: Readonly<Record<string, unknown>>) => Settings;
  readonly clock: Clock;
  /** The files below some folders, which are URIs. */
  readonly disk: (roots: readonly string[]) => Files;
  /** Opens its own connection to the service. */
  readonly insights: (settings: Settings) => ConnectedInsights | Promise<ConnectedInsights>;
  /** What connected services add to reports. */
  readonly services: (settings: Settings) => Promise<ReportServices>;
  /** The assets of the report page. */
  readonly page: () => PageAssets;
  /** Reads standard input to its end, as UTF-8. */
  readonly input: () => Promise<string>;
}

/** The part of connected services that reports show. */
export interface ReportServices {
  readonly links: LinkSafety;
  readonly connections: { list(): Promise<readonly ConnectionStatus[]> };
  close(): void;
}

/** An error that the user can correct. Printed without a stack; the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The commands of the program in the order of its help; each is given the whole terminal. */
export interface Commands {
  /** Those about dependencies. */
  readonly own: readonly Command[];
  /** Those about services that a person connects. */
  readonly connected: readonly Command[];
}
