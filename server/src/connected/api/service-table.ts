import type { HttpVerb } from '../../engine/model/connection.ts';

/** Whether a method changes something, or removes it. */
export type Effect = 'read' | 'write' | 'destroy';

/**
 * The methods of a service as data: one of the files in `tables/`, which test/tools/api-tables.ts writes. Types of
 * parameters and members are texts:
 *
 *     string boolean any                       of JSON
 *     int32 uint32 double                      numbers
 *     int64 uint64                             numbers beyond those of JSON, which are strings
 *     byte date date-time duration field-mask  strings of a form
 *     Event                                    an object of `schemas`, or a value of `enums`
 *     Event[] {string}                         a list; an object with any names, its values of one type
 *     Event readonly                           set by the service
 */
export interface ServiceTable {
  readonly methods: readonly TableRow[];
  /** Parameters by name, as most methods have them. */
  readonly parameters: Readonly<Record<string, ParameterRow>>;
  readonly enums: Readonly<Record<string, readonly string[]>>;
  /** The members of objects, with their types. */
  readonly schemas: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface TableRow {
  /** `events.list`, without the service. */
  readonly name: string;
  readonly verb: HttpVerb;
  /** Below the base address: `calendars/{calendarId}/events`. Its parameters are required. */
  readonly path: string;
  /** The names of its query parameters: `destination! sendUpdates`. `!` marks a required one. */
  readonly query?: string;
  /** Its parameters that differ from those of the other methods. */
  readonly own?: Readonly<Record<string, ParameterRow>>;
  /** The schema of its body. */
  readonly body?: string;
  /** The members that its body requires: `end start`. */
  readonly requires?: string;
  /** The schema of its answer. Absent if the answer is empty or not described. */
  readonly response?: string;
  /** Quota units. */
  readonly units: number;
  readonly effect: Effect;
  /** The names of its rules, in `rules.ts`. */
  readonly rules?: string;
}

export interface ParameterRow {
  readonly type: string;
  /** A regular expression for the whole value. */
  readonly pattern?: string;
  readonly min?: number;
  readonly max?: number;
  /** What the service takes if it is absent. */
  readonly default?: string;
}
