/** Texts are remembered up to this length; longer ones are nothing that occurs twice. */
const longest = 200;
/** How many a generation holds: the versions of some large packages, or the requirements of some large workspaces. */
const most = 10_000;

/**
 * Reads a text once as long as it is remembered: the same few versions are compared over and over. What was read is
 * shared, so it must never be changed. What is used stays: when a generation is full, the one before it is forgotten,
 * and whatever is asked for again moves into the new one.
 */
export function remembered<T>(read: (text: string) => T): (text: string) => T {
  let young = new Map<string, T>();
  let old: ReadonlyMap<string, T> = new Map();
  return (text) => {
    const known = young.get(text);
    if (known !== undefined || young.has(text)) return known as T;
    const before = old.get(text);
    const value = before !== undefined || old.has(text) ? (before as T) : read(text);
    if (text.length > longest) return value;
    if (young.size >= most) {
      old = young;
      young = new Map();
    }
    young.set(text, value);
    return value;
  };
}
