/** Source: `RiceDeltaEncoding` of the lookup service: the number of bits of a remainder. */
const MIN_PARAMETER = 2;
const MAX_PARAMETER = 28;

/**
 * Ascending different numbers of 32 bits as the Rice coding of their differences, in the form of the service's JSON.
 * @param values at least one
 */
export function encodeRice(values: readonly number[]): object {
  const [first = 0, ...others] = values;
  if (others.length === 0) return { firstValue: String(first) };
  const mean = ((values.at(-1) ?? first) - first) / others.length;
  const riceParameter = Math.min(Math.max(Math.floor(Math.log2(Math.max(mean, 1))), MIN_PARAMETER), MAX_PARAMETER);
  const bytes: number[] = [];
  let used = 0;
  const write = (bit: number): void => {
    if (used % 8 === 0) bytes.push(0);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | (bit << (used % 8));
    used++;
  };
  let before = first;
  for (const value of others) {
    const difference = value - before;
    before = value;
    for (let quotient = Math.floor(difference / 2 ** riceParameter); quotient > 0; quotient--) write(1);
    write(0);
    for (let bit = 0; bit < riceParameter; bit++) write((difference >>> bit) & 1);
  }
  return {
    firstValue: String(first),
    riceParameter,
    numEntries: others.length,
    encodedData: Buffer.from(bytes).toString('base64'),
  };
}
