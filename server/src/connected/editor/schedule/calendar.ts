import type { ServerState } from '../../../editor/state/server-state.ts';
import type { Reader } from '../../../engine/base/moments.ts';
import type { Schedule } from '../../model/scheduling/schedule.ts';
import type { Services } from '../connections/services.ts';
import { type Plans, plansOf } from './plans.ts';

/** The connected calendar, as one server uses it. */
export class Calendar {
  readonly server: ServerState;
  readonly #services: Services;

  constructor(services: Services, server: ServerState) {
    this.#services = services;
    this.server = server;
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
    return schedule && plansOf(schedule, reader, (uri) => this.server.folders.of(uri));
  }

  /** For whom times are written. */
  get reader(): Reader {
    const { client, engine } = this.server;
    return { locale: client.locale, timeZone: this.schedule?.state().timeZone, now: engine.clock.now() };
  }

  get #isConnected(): boolean {
    return this.server.settings.current.connections.scheduling.baseUrl !== '';
  }
}
