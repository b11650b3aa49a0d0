/** Roughly what plain data takes in memory, in bytes: headers, slots, and a byte for each character. */
export function weigh(value: unknown): number {
  if (typeof value === 'string') return 24 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 48;
  if (Array.isArray(value)) for (const it of value) bytes += 8 + weigh(it);
  else for (const name in value) bytes += 8 + weigh((value as Readonly<Record<string, unknown>>)[name]);
  return bytes;
}
