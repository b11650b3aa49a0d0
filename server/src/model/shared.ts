/**
 * In characters, of what is said of many dependencies at once: the name of a catalog, a condition, a path of packages. No
 * name comes near it. Megabytes of it, put together anew for each of thousands, would take all memory there is.
 */
export const longestShared = 1000;

/** What is kept of a text that many dependencies share. One that is cut ends as no name does, so it is nobody else's. */
export function shared(text: string): string {
  return text.length <= longestShared ? text : `${text.slice(0, longestShared)}…`;
}
