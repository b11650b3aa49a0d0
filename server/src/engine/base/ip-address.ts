/** An IP address as a number. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** Reads `10.0.0.1` or `fe80::1`, without a zone; undefined for another text. */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (/^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text)) {
    const value = text.split('.').reduce((sum, it) => sum * 256n + BigInt(it), 0n);
    return { family: 4, value };
  }
  if (!text.includes(':') || !/^[\da-f:.]+$/i.test(text) || !URL.canParse(`http://[${text}]`)) return undefined;
  // The eight groups as the URL parser writes them: without dots, the longest run of zeros cut out.
  const [before = '', after] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::');
  const [first, last] = [before, after ?? ''].map((it) => it.split(':').filter(Boolean)) as [string[], string[]];
  const groups = [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last];
  return { family: 6, value: groups.reduce((sum, it) => sum * 65536n + BigInt(`0x${it}`), 0n) };
}

/** Makes a function that checks whether an address is in one of the networks: `127.0.0.0/8`, `::1`. */
export function networksOf(names: readonly string[]): (address: IpAddress) => boolean {
  const networks = names.flatMap((name) => {
    const [text = '', length] = name.split('/');
    const base = parseIpAddress(text);
    if (base === undefined) return [];
    const bits = base.family === 4 ? 32 : 128;
    const shift = BigInt(bits - Number(length ?? bits));
    return [{ family: base.family, prefix: base.value >> shift, shift }];
  });
  return ({ family, value }) => networks.some((it) => it.family === family && value >> it.shift === it.prefix);
}
