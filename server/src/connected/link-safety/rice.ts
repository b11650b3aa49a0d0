/** Sorted numbers as Rice coding of their differences. Source: `RiceDeltaEncoding` of the lookup service. */
export interface RiceCoding {
  readonly firstValue: number;
  /** The number of differences: one less than there are values. */
  readonly numEntries: number;
  /** The number of bits of a remainder, 2 to 28; without meaning for a single value. */
  readonly riceParameter: number;
  /** From the lowest bit of the first byte on. */
  readonly encodedData: Uint8Array;
}

const MIN_PARAMETER = 2;
const MAX_PARAMETER = 28;
const MAX_VALUE = 0xffff_ffff;

/** The values of 32 bits in ascending order. Undefined for invalid data: truncated, too long, or out of range. */
export function decodeRice(coding: RiceCoding): Uint32Array | undefined {
  const { firstValue, numEntries, encodedData } = coding;
  if (!isUnsigned(firstValue)) return undefined;
  if (numEntries === 0) return encodedData.length === 0 ? Uint32Array.of(firstValue) : undefined;
  const differences = decodeDifferences(coding);
  if (differences === undefined) return undefined;
  const values = new Uint32Array(differences.length + 1);
  let value = firstValue;
  values[0] = value;
  for (let at = 0; at < differences.length; at++) {
    value += differences[at] ?? 0;
    if (value > MAX_VALUE) return undefined;
    values[at + 1] = value;
  }
  return values;
}

/**
 * Each difference is its quotient by 2^parameter in unary (ones, ended by a zero), then the remainder, lowest bit first.
 * Undefined for invalid data.
 */
export function decodeDifferences(coding: Omit<RiceCoding, 'firstValue'>): Uint32Array | undefined {
  const { numEntries, riceParameter, encodedData } = coding;
  const bits = encodedData.length * 8;
  if (!isUnsigned(numEntries) || !isUnsigned(riceParameter)) return undefined;
  if (riceParameter < MIN_PARAMETER || riceParameter > MAX_PARAMETER) return undefined;
  if (numEntries * (riceParameter + 1) > bits) return undefined;
  const differences = new Uint32Array(numEntries);
  let at = 0;
  for (let entry = 0; entry < numEntries; entry++) {
    let quotient = 0;
    while (at < bits && (((encodedData[at >> 3] ?? 0) >> (at & 7)) & 1) === 1) {
      quotient++;
      at++;
    }
    at++;
    if (at + riceParameter > bits) return undefined;
    let remainder = 0;
    for (let bit = 0; bit < riceParameter; ) {
      const offset = at & 7;
      const taken = Math.min(8 - offset, riceParameter - bit);
      remainder |= (((encodedData[at >> 3] ?? 0) >> offset) & ((1 << taken) - 1)) << bit;
      bit += taken;
      at += taken;
    }
    const difference = quotient * 2 ** riceParameter + remainder;
    if (difference > MAX_VALUE) return undefined;
    differences[entry] = difference;
  }
  return bits - at < 8 ? differences : undefined;
}

function isUnsigned(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= MAX_VALUE;
}
