/** Texts are remembered up to this length; longer ones are nothing that occurs twice. */
const longest = 200;
/** How many are remembered: the versions of some large packages, or the requirements of some large workspaces. */
const most = 5_000;

/**
 * Reads a text once as long as it is remembered: the same few versions are compared over and over. What was read is
 * shared, so it must never be changed.
 */
export function remembered<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined || known.has(text)) return before as T;
    const value = read(text);
    if (known.size >= most) known.clear();
    if (text.length <= longest) known.set(text, value);
    return value;
  };
}
