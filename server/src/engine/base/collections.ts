/** The approximate size of plain data in memory, in bytes: headers, slots, and one byte per character. */
export function weigh(value: unknown): number {
  if (typeof value === 'string') return 24 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 48;
  if (Array.isArray(value)) for (const it of value) bytes += typeof it === 'number' ? 16 : 8 + weigh(it);
  else for (const name in value) bytes += 8 + weigh((value as Readonly<Record<string, unknown>>)[name]);
  return bytes;
}

/** Groups values by a key, in their order: `Map.groupBy`, which Node 20 does not have. */
export function groupBy<K, V>(values: Iterable<V>, keyOf: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const it of values) addTo(groups, keyOf(it), it);
  return groups;
}

/** Appends a value to its group. */
export function addTo<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}
