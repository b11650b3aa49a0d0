/** Whether a host is literally this machine. @param host as `URL.hostname` has it, which writes `0x7f.1` as `127.0.0.1` */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]+\])\.?$/i.test(host);
}

/**
 * Whether a host is literally this machine, its link, or the metadata service of a cloud: places that answer to this
 * machine alone. Names that lead there are found where requests are sent.
 */
export function isInnerHost(host: string): boolean {
  const bare = host.toLowerCase().replace(/\.$/, '');
  return isLoopback(bare) || inner.test(bare) || metadata.has(bare);
}

const inner = /^(?:0\.|169\.254\.|\[::\]$|\[fe[89ab][\da-f]:|\[::ffff:(?:a9fe|0):|\[fd00:ec2::254\]$)/;

/** Metadata outside of the link. Source: the documentation of Google Cloud and Alibaba Cloud. */
const metadata: ReadonlySet<string> = new Set(['metadata.google.internal', 'metadata', '100.100.100.200']);
