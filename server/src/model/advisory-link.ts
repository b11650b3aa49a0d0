import { browsable, hostOf } from './web-address.ts';

/** A link to what is known of a flaw. */
export interface AdvisoryLink {
  readonly text: string;
  /** Of a page of the web. */
  readonly url: string;
}

/** The address that the service gives, with its host where that is not the usual one: it is the service's word alone. */
export function advisoryLink(id: string, given: string | undefined): AdvisoryLink {
  const record = recordOf(id);
  const url = (given === undefined ? undefined : browsable(given)) ?? record;
  return { text: hostOf(url) === hostOf(record) ? id : `${id} (${hostOf(url)})`, url };
}

/** Where the public record of an OSV identifier is shown. Source: osv.dev, which serves every identifier at this path. */
function recordOf(id: string): string {
  // Half a surrogate pair cannot be encoded.
  return `https://osv.dev/vulnerability/${encodeURIComponent(id.toWellFormed())}`;
}
