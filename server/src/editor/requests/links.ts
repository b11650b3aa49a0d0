import { linkNote, shownState } from '../../engine/model/links.ts';
import { awaitChecks } from '../dispatch.ts';
import type { OwnRequest } from '../extension.ts';
import { fieldsIn } from '../params.ts';

export interface CheckLinksParams {
  /** At most 100 web addresses. */
  readonly urls: readonly string[];
}

/** Whether each may be opened without a question. */
export interface CheckedLink {
  readonly kind: 'off' | 'unchecked' | 'checked' | 'suspected';
  /** What is known, as a clause: `no known threat, 12:03`. Empty if links are not checked. */
  readonly note: string;
}

/** In ms. A person waits for the list of links, or for the page. */
const PATIENCE = 4_000;

const MAX_URLS = 100;

/** Checks links before a person opens them. The answers are in the order of the addresses. */
export const checkLinksRequest: OwnRequest<CheckLinksParams, readonly CheckedLink[]> = {
  method: 'packageInsights/checkLinks',
  read(params) {
    const { urls } = fieldsIn(params);
    const isValid = Array.isArray(urls) && urls.length <= MAX_URLS && urls.every((it) => typeof it === 'string');
    return isValid ? { urls } : undefined;
  },
  async answer({ urls }, { engine }) {
    if (engine.links) await awaitChecks(urls, engine.links, PATIENCE, engine, 'asked');
    const { links } = engine;
    return urls.map((url) => {
      const state = shownState(url, links);
      return state === undefined ? { kind: 'off', note: '' } : { kind: state.kind, note: linkNote(state) };
    });
  },
};
