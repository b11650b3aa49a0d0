import type { Session } from '../../../editor/session.ts';
import type { Reader } from '../../../engine/base/moments.ts';
import type { Schedule } from '../../model/scheduling/schedule.ts';
import type { Services } from '../connections/services.ts';
import { type Plans, plansOf } from './plans.ts';

/** The connected calendar, as one server uses it. */
export class Calendar {
  readonly session: Session;
  readonly #services: Services;

  constructor(services: Services, session: Session) {
    this.#services = services;
    this.session = session;
  }

  /** Undefined while scheduling is not connected, or not loaded. */
  get schedule(): Schedule | undefined {
    return this.#isConnected ? this.#services.loaded?.schedule : undefined;
  }

  /** Undefined while scheduling is not connected. */
  async load(): Promise<Schedule | undefined> {
    return this.#isConnected ? (await this.#services.load())?.schedule : undefined;
  }

  /** Undefined while scheduling is not connected, or not loaded. */
  get plans(): Plans | undefined {
    const { schedule, reader } = this;
    return schedule && plansOf(schedule, reader, (uri) => this.session.folderOf(uri));
  }

  /** For whom times are written. */
  get reader(): Reader {
    const { locale, clock } = this.session;
    return { locale, timeZone: this.schedule?.state().timeZone, now: clock.now() };
  }

  get #isConnected(): boolean {
    return this.session.settings.connections.scheduling.baseUrl !== '';
  }
}
