/** One page of a batch's answers. */
export interface Page<T> {
  readonly responses: readonly T[];
  /** `''` where it is the last. */
  readonly nextPageToken: string;
}

/** In characters. Tokens are remembered and sent back; those of the services known have some dozens. */
const longestToken = 10_000;

/**
 * Follows a batch from page to page, one after another, as each names the next.
 * @param asked how many requests the batch has
 * @param ask asks for the page of a token, `''` for the first; undefined ends it
 * @param onPage takes a page, as soon as it is there
 * @returns why it ended before its end; undefined where all pages came, or `ask` ended it
 */
export async function followPages<T>(
  asked: number,
  ask: (pageToken: string) => Promise<Page<T> | undefined>,
  onPage: (responses: readonly T[]) => void,
): Promise<string | undefined> {
  const seen = new Set<string>();
  let token = '';
  // A page answers one request at the least, but for an empty one at the end.
  for (let pages = 0; pages <= asked; pages++) {
    const page = await ask(token);
    if (page === undefined) return undefined;
    onPage(page.responses);
    token = page.nextPageToken;
    if (token === '') return undefined;
    if (token.length > longestToken) return 'nextPageToken is too long';
    if (seen.has(token)) return 'nextPageToken names a page a second time';
    seen.add(token);
  }
  return 'nextPageToken names more pages than there were requests';
}
