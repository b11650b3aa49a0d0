import { type LinkSafety, nothingChecked } from '../engine/model/links.ts';
import type { Report } from '../engine/report/report.ts';
import type { Additions, Feature } from './features/feature.ts';

/** What happens in the server. */
interface ServerEvents {
  settingsChanged(): void;
  /** A document was evaluated for the first time, or all were again. */
  evaluated(): void;
  /** A document differs from its file. */
  documentTyped(uri: string): void;
  documentSaved(uri: string): void;
  documentClosed(uri: string): void;
  /** The server ends. */
  closed(): void;
}

/** What others bring into the answers of the server. Each part is optional, and each may answer for some cases alone. */
export interface Provider extends Partial<ServerEvents> {
  readonly additions?: Additions;
  /** The checks of links, while it makes them. */
  links?(): LinkSafety | undefined;
  /**
   * Answers a request of the protocol about a document that is no manifest.
   * @returns undefined for a document that belongs to others
   */
  answer?(method: Feature['method'], params: unknown, uri: string, signal: AbortSignal): Promise<unknown>;
  /** A report with what it knows besides. */
  completed?(report: Report): Promise<Report>;
}

/** All providers as one. */
export class Providers {
  #all: readonly Provider[] = [];
  additions: readonly Additions[] = [];

  use(all: readonly Provider[]): void {
    this.#all = all;
    this.additions = all.flatMap((it) => it.additions ?? []);
  }

  tell(event: (provider: Provider) => void): void {
    for (const it of this.#all) event(it);
  }

  links(): LinkSafety {
    for (const it of this.#all) {
      const links = it.links?.();
      if (links) return links;
    }
    return nothingChecked;
  }

  /** Undefined for a document that is nobody's. */
  async answer<Params, Answer>(
    { method, uri }: Feature<Params, Answer>,
    params: Params,
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    for (const it of this.#all) {
      const answer = await it.answer?.(method, params, uri(params), signal);
      if (answer !== undefined) return answer as Answer;
    }
    return undefined;
  }

  async completed(report: Report): Promise<Report> {
    let completed = report;
    for (const it of this.#all) completed = (await it.completed?.(completed)) ?? completed;
    return completed;
  }
}
