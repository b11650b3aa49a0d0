/** Bytes of a message's header. Those of the protocol are two short lines. */
const MAX_HEADER_BYTES = 8192;

/** Bytes of a message: a longer one could not be made a text. Source: V8's `String::kMaxLength` on 64 bits. */
const MAX_BODY_BYTES = 2 ** 29 - 24;

const HEADER_END = '\r\n\r\n';

/**
 * Validates the headers of the messages in a stream, beside its reader. After a broken header the next message cannot
 * be found.
 * @param broken called once with the reason
 * @returns consumes the stream piece by piece
 */
export function followHeaders(broken: (reason: string) => void): (piece: Buffer) => void {
  let header = '';
  /** Bytes of the current message that are still to come. */
  let left = 0;
  let isBroken = false;
  return (piece) => {
    for (let at = 0; at < piece.length && !isBroken; ) {
      const skipped = Math.min(left, piece.length - at);
      at += skipped;
      left -= skipped;
      if (at === piece.length) return;
      const before = header.length;
      header += piece.toString('latin1', at, at + MAX_HEADER_BYTES + HEADER_END.length);
      const length = header.indexOf(HEADER_END);
      if (length < 0 && header.length <= MAX_HEADER_BYTES) return;
      const body = length < 0 ? undefined : bodyLength(header.slice(0, length));
      if (body === undefined) {
        isBroken = true;
        const [line = ''] = header.split('\r\n', 1);
        broken(`a message has a broken header: ${JSON.stringify(line.slice(0, 80))}`);
        return;
      }
      at += length + HEADER_END.length - before;
      left = body;
      header = '';
    }
  };
}

/** The length of the body that a header announces, in bytes. */
function bodyLength(header: string): number | undefined {
  const fields = header.split('\r\n').map((it) => /^([\w-]+):[ \t]*(.*?)[ \t]*$/.exec(it));
  if (fields.includes(null)) return undefined;
  const [, , length = ''] = fields.find((it) => it?.[1]?.toLowerCase() === 'content-length') ?? [];
  return /^\d{1,15}$/.test(length) && Number(length) <= MAX_BODY_BYTES ? Number(length) : undefined;
}
