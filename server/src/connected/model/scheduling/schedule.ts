import type {
  CalendarChoice,
  EventDraft,
  FolderId,
  FoundSlots,
  MaintenanceWindow,
  PlannedEvent,
  ScheduledFolder,
} from './planned.ts';

/** The result of what a person asks of the calendar. None of them rejects. */
export type Scheduled<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly trouble: Trouble };

/** Why nothing was done, or not all of it. */
export interface Trouble {
  readonly kind:
    | 'not-connected'
    /** No calendar is chosen so far: `chooseCalendar` or `makeCalendar` is next. */
    | 'no-calendar'
    /** The chosen calendar does not exist any more, or is not shown to this credential. */
    | 'calendar-gone'
    | 'event-gone'
    /** The service requested a wait, or cannot be reached. */
    | 'held'
    | 'over-budget'
    | 'unauthorized'
    | 'forbidden'
    /** Others changed the event again and again meanwhile. */
    | 'changed'
    /** The request is not one that the service accepts. */
    | 'invalid'
    | 'failed'
    | 'aborted';
  /** A clause to show, without credentials: `the calendar does not exist any more`. */
  readonly reason: string;
  /** When it may work again, in ms since the epoch. */
  readonly until?: number;
}

/** What is known of the calendar. */
export interface ScheduleState {
  /** Undefined while none is chosen: nothing is sent in the background then. */
  readonly calendar: string | undefined;
  /** The name of the calendar, once it is known. Untrusted text. */
  readonly name?: string;
  /** The time zone of the person, once it is known: `Europe/Berlin`. */
  readonly timeZone?: string;
  /** When the kept events were last brought up to date, in ms since the epoch; undefined if never. */
  readonly at: number | undefined;
  /** Why that failed the last time; absent if it did not. */
  readonly trouble?: Trouble;
}

/** An event that was added, or that was there already: of another window, or of another person of the team. */
export interface AddedEvent {
  readonly event: PlannedEvent;
  readonly isNew: boolean;
}

/** A request as it would be sent. */
export interface PlannedRequest {
  /** `scheduling.events.insert` */
  readonly method: string;
  readonly verb: string;
  /** Below the address of the service. */
  readonly path: string;
  /** A value of JSON. */
  readonly body: unknown;
}

/** A dependency as a manifest has it now. */
export interface ObservedDependency {
  /** Without a version: `pkg:npm/lodash`. */
  readonly purl: string;
  /**
   * Whether the version in use is a target or beyond it. False while it is unknown.
   * @param from the version in use when the update was planned: some updates lead down, from a withdrawn version
   */
  reaches(target: string, from: string | undefined): boolean;
}

/**
 * Updates planned in a calendar. `planned`, `folderAt` and `state` never wait and send nothing. Everything that returns a
 * promise of `Scheduled` is what a person asks for.
 */
export interface Schedule {
  /**
   * The folder of a manifest; undefined until it is known, and then `onDidChange` is called.
   * @param uri of a manifest
   * @param workspaceFolder the URI of the folder that counts where there is no git repository; default: the folder of the
   * manifest
   */
  folderAt(uri: string, workspaceFolder?: string): ScheduledFolder | undefined;
  folderOf(uri: string, workspaceFolder?: string): Promise<ScheduledFolder>;

  /**
   * The events for a package in a folder, those that are planned first, then the latest.
   * @param purl without a version
   * @param target only those to this version
   */
  planned(folder: FolderId, purl: string, target?: string): readonly PlannedEvent[];
  state(): ScheduleState;
  /** Grows with every change of what `planned` and `state` return. */
  revision(): number;
  /** Returns a function that unsubscribes. */
  onDidChange(listener: () => void): () => void;
  /** The settings or the credential may have changed. Brings kept events up to date if they are old. */
  touch(): void;
  /**
   * All dependencies of one manifest as they are now. Planned updates whose target is reached wherever they were planned
   * are marked as done, in the background.
   * @param path relative to the root of the folder
   */
  observe(folder: FolderId, path: string, dependencies: readonly ObservedDependency[]): void;
  /** Resolves when what `observe` has begun is done, or failed. */
  whenIdle(): Promise<void>;

  /** Brings the kept events up to date, and returns those of a folder, or of all, by time. */
  list(folder?: FolderId, signal?: AbortSignal): Promise<Scheduled<readonly PlannedEvent[]>>;
  /**
   * Free times in the chosen calendars: within maintenance windows if there are any, otherwise within working hours. The
   * first one, one on a later day, and one in the next week.
   * @param count default: 3
   * @param from the earliest start, in ms since the epoch; default: in a quarter of an hour
   * @param isInRow the earliest ones instead, one after another: for several events
   */
  slots(
    given?: { readonly count?: number; readonly from?: number; readonly isInRow?: boolean },
    signal?: AbortSignal,
  ): Promise<Scheduled<FoundSlots>>;
  /**
   * Adds events. One that is there already stays as it is, and a canceled or completed one is planned again. Updates that
   * another event plans are left out.
   * @returns as far as they could be added, in the order of the drafts; `ok: false` if nothing was
   */
  add(drafts: readonly EventDraft[], signal?: AbortSignal): Promise<Scheduled<AddedEvents>>;
  /** What `add` would send. Sends nothing. */
  preview(drafts: readonly EventDraft[]): Promise<Scheduled<readonly PlannedRequest[]>>;
  /** @param start in ms since the epoch; the length of the event stays */
  move(id: string, start: number, signal?: AbortSignal): Promise<Scheduled<PlannedEvent>>;
  /** Deletes the event. One that is gone already counts as canceled. */
  cancel(id: string, signal?: AbortSignal): Promise<Scheduled<PlannedEvent>>;
  /** Marks the event as done, and its time as free. */
  complete(id: string, signal?: AbortSignal): Promise<Scheduled<PlannedEvent>>;

  /** The calendars of the person that events can be added to. */
  calendars(signal?: AbortSignal): Promise<Scheduled<readonly CalendarChoice[]>>;
  /** Remembers a calendar for this connection, unless a setting names one. */
  chooseCalendar(id: string, signal?: AbortSignal): Promise<Scheduled<CalendarChoice>>;
  /** Makes the calendar “Dependency updates”, or finds the one that was made before, and chooses it. */
  makeCalendar(signal?: AbortSignal): Promise<Scheduled<CalendarChoice>>;
  /** @param role `writer` may plan updates, `reader` sees them */
  share(email: string, role: 'reader' | 'writer', signal?: AbortSignal): Promise<Scheduled<void>>;
  windows(signal?: AbortSignal): Promise<Scheduled<readonly MaintenanceWindow[]>>;
  /** @param rule of RFC 5545, without its name: `FREQ=WEEKLY;BYDAY=TU` */
  addWindow(
    window: { readonly start: number; readonly end: number; readonly rule: string },
    signal?: AbortSignal,
  ): Promise<Scheduled<MaintenanceWindow>>;
  close(): void;
}

export interface AddedEvents {
  readonly events: readonly AddedEvent[];
  /** Why the rest was not added; absent if all were. */
  readonly trouble?: Trouble;
}
