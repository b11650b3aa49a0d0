import type { DayUsage } from '../connected/ledger/usage.ts';
import type { CachedService } from '../engine/model/cached-answers.ts';
import type { ApiAnswer, ApiRequest, ConnectedServices, ConnectionName, SignIns } from '../engine/model/connection.ts';
import type { Clock, ConnectedInsights, Files } from '../engine/model/ports.ts';
import type { ClientRegistries, ClientRegistriesOptions } from '../engine/model/registries/client-registries.ts';
import type { Settings } from '../engine/model/settings.ts';
import type { PageAssets } from '../engine/report/formats/format.ts';
import type { ImportFilesOptions } from '../service/import/import-files.ts';
import type { OfferedServices, OfferOptions } from '../service/offered-services.ts';
import type { TeamOptions, TeamService } from '../service/team/options.ts';

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
  /** The connected services. */
  readonly services: (settings: Settings) => Promise<ConnectedServices>;
  /** The services of `serve` besides the Package Insights Service. Rejects with `Unusable` for input it cannot use. */
  readonly offerServices: (options: OfferOptions) => Promise<OfferedServices>;
  /** Opens a team's service. Rejects with `Unusable` for input it cannot use. */
  readonly openTeam: (options: Omit<TeamOptions, 'version' | 'clock' | 'http' | 'log'>) => Promise<TeamService>;
  /** The registries that the package managers of this machine use. */
  readonly clientRegistries: (options: ClientRegistriesOptions) => Promise<ClientRegistries>;
  /** Fills the database of a team's service. Rejects with `Unusable` for input it cannot use. */
  readonly importFiles: (options: ImportFilesOptions) => Promise<void>;
  /** The assets of the report page. */
  readonly page: () => PageAssets;
  /**
   * Lists the services with cached answers in a file or folder, by default in this machine's cache; the service with
   * most answers first. Rejects where it cannot be read.
   */
  readonly cachedServices: (path: string | undefined) => Promise<readonly CachedService[]>;
  /**
   * Reads the usage of services between two days (UTC), both included, from a ledger or its folder, by default this
   * machine's. Rejects where it cannot be read.
   */
  readonly usage: (path: string | undefined, since: string, until: string) => Promise<readonly DayUsage[]>;
  /** Reads standard input to its end, as UTF-8. */
  readonly input: () => Promise<string>;
  /** Reads a credential from the terminal without its echo, or from standard input. Undefined if the person cancels. */
  readonly secret: (prompt: string) => Promise<string | undefined>;
  readonly signIns: SignIns;
  /**
   * Opens a session with a connected service. The environment gives its credential, and its address if there is no
   * other.
   */
  readonly service: (name: ConnectionName, baseUrl: string | undefined) => Promise<ServiceSession>;
}

/** Requests to a connected service, which a person waits for. */
export interface ServiceSession {
  /** Never rejects. The answer does not contain the credential. */
  send(request: ApiRequest, signal?: AbortSignal): Promise<ApiAnswer>;
  close(): void;
}

/** An error that the user can correct. Printed without a stack; the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
