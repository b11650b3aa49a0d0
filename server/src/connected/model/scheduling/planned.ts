import type { Rating } from '../../../engine/model/severity-rating.ts';

/*
 * Updates of dependencies that are planned in a calendar:
 *
 *     Tue 24 Nov 14:00–15:00  Update lodash 4.17.15 → 4.17.21
 *       folder   9k3…         the repository, the same for everyone who works on it
 *       updates  pkg:npm/lodash, from 4.17.15 to 4.17.21, at package.json:12
 */

/**
 * The repository or folder whose manifests are updated. Editors, terminals and the people of a team derive the same one:
 * from the `origin` of the git repository, or from the path of the folder if there is no origin.
 */
export interface ScheduledFolder {
  /** The hash of its origin or path: nothing else of them leaves this machine. */
  readonly id: FolderId;
  /** The URI of the root of the repository or of the folder, with a slash at its end. Paths of manifests are relative to it. */
  readonly root: string;
}

/** Base32hex of a SHA-256. */
export type FolderId = string;

/** The update of one package in one folder. */
export interface PlannedUpdate {
  /** Of the package, without a version: `pkg:npm/lodash`. */
  readonly purl: string;
  /** The version to move to. */
  readonly target: string;
  /** The version in use when it was planned; absent if it was unknown. */
  readonly from?: string;
  readonly places: readonly ManifestPlace[];
}

/** Where a manifest declares a dependency. */
export interface ManifestPlace {
  /** Relative to the root of the folder, with `/`: `app/package.json`. */
  readonly path: string;
  /** From 1. */
  readonly line?: number;
}

/** `app/package.json:12` */
export function placeText({ path, line }: ManifestPlace): string {
  return line === undefined ? path : `${path}:${line}`;
}

/** An event of a calendar that plans one update or several. */
export interface PlannedEvent {
  /** In its calendar. */
  readonly id: string;
  /** The id of its calendar. */
  readonly calendar: string;
  readonly folder: FolderId;
  /** Not empty. */
  readonly updates: readonly PlannedUpdate[];
  readonly status: PlannedStatus;
  /** Of the event, perhaps as a person has changed it. Untrusted text. */
  readonly title: string;
  /** In ms since the epoch. */
  readonly start: number;
  readonly end: number;
  /** A person has moved it to whole days: `start` is 00:00 of the first, in UTC. */
  readonly isAllDay?: true;
  /** Its page in the calendar: an http or https address. */
  readonly link?: string;
  /** A person has changed its time or title in the calendar. It is respected: only its state is still written. */
  readonly isChanged: boolean;
}

export type PlannedStatus =
  | 'planned'
  /** The manifests have reached the target, or a person has marked it. */
  | 'done'
  /** A person has canceled it. It is planned again only if a person asks for it. */
  | 'canceled';

/** An update to plan. Everything in it becomes part of the event, except for its severity. */
export interface UpdateDraft extends PlannedUpdate {
  /** As people write it: `lodash`. */
  readonly name: string;
  /** Chooses the color of the event. */
  readonly severity?: Rating;
  /** Reasons, as clauses: `2 advisories, worst high 7.4`, `deprecated: use 4 or later`. */
  readonly why: readonly string[];
  /** How to do it, if there is more to say than to change the requirement: `npm install`. */
  readonly how?: string;
}

/** An event to make. */
export interface EventDraft {
  readonly folder: FolderId;
  /** One, or those that belong together. Not empty. */
  readonly updates: readonly UpdateDraft[];
  /** In ms since the epoch. */
  readonly start: number;
  readonly end: number;
}

/** A free time. */
export interface Slot {
  /** In ms since the epoch. */
  readonly start: number;
  readonly end: number;
}

export interface FoundSlots {
  /** At most as many as were asked for; empty if nothing is free in the next weeks. */
  readonly slots: readonly Slot[];
  /** The time zone of the person: `Europe/Berlin`. */
  readonly timeZone: string;
  /** There are maintenance windows, and each slot is within one. */
  readonly isInWindow?: true;
  /** Calendars whose busy times are not known, so that slots may not be free: their ids. Untrusted text. */
  readonly unchecked: readonly string[];
}

/** A calendar that events can be added to. */
export interface CalendarChoice {
  readonly id: string;
  /** Untrusted text. */
  readonly name: string;
  readonly isPrimary: boolean;
  /** The one that is used. */
  readonly isChosen: boolean;
}

/** A recurring time for updates. If there are any, slots are only within them. */
export interface MaintenanceWindow {
  /** Of the recurring event. */
  readonly id: string;
  /** Untrusted text. */
  readonly title: string;
  /** Its recurrence as RFC 5545 has it: `RRULE:FREQ=WEEKLY;BYDAY=TU`. */
  readonly recurrence: readonly string[];
  /** Of its first instance, in ms since the epoch. */
  readonly start: number;
  readonly end: number;
}
