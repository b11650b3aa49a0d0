/** Values by what they have in common, in their order: `Map.groupBy`, which Node 20 does not have. */
export function groupBy<K, V>(values: Iterable<V>, keyOf: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const it of values) addTo(groups, keyOf(it), it);
  return groups;
}

/** Puts a value at the end of its group. */
export function addTo<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}
