import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

/** Below this, compression costs more than it saves. */
const PACKED_FROM_BYTES = 1024;

/** Of Brotli, from 0 to 11: as fast as gzip's usual level, and smaller. */
const BROTLI_QUALITY = 4;

/** Source: Node.js, `zlib.constants`. */
const BROTLI_PARAM_QUALITY = 1;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

export interface Encoded {
  readonly body: Buffer;
  /** `Content-Encoding`, unless the body is sent as it is. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Compresses a body as its recipient accepts. @param accepted `Accept-Encoding` of the request */
export async function encodeBody(body: Buffer, accepted: string): Promise<Encoded> {
  const encoding = body.length < PACKED_FROM_BYTES ? undefined : bestEncoding(accepted);
  if (encoding === undefined) return { body, headers: {} };
  const packed =
    encoding === 'br' ? await brotli(body, { params: { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }) : await zip(body);
  return { body: packed, headers: { 'Content-Encoding': encoding } };
}

/** `gzip, br` accepts both, `*` gzip, `gzip;q=0` none. Of two with the same weight, Brotli is smaller. */
function bestEncoding(header: string): 'br' | 'gzip' | undefined {
  const weights = new Map(header.split(',').map((it) => weighed(it)));
  const gzipWeight = weights.get('gzip') ?? weights.get('*') ?? 0;
  const brotliWeight = weights.get('br') ?? 0;
  if (brotliWeight > 0 && brotliWeight >= gzipWeight) return 'br';
  return gzipWeight > 0 ? 'gzip' : undefined;
}

function weighed(wish: string): readonly [name: string, weight: number] {
  const [name = '', weight = ''] = wish.split(';').map((it) => it.trim().toLowerCase());
  const [, q = '1'] = /^q=(\d(?:\.\d{0,3})?)$/.exec(weight) ?? [];
  return [name, Number(q)];
}
