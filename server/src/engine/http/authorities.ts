import type { SecureContext } from 'node:tls';

/**
 * The trusted authorities; undefined for those of Node, which costs no time. One context serves all connections of a
 * route, because it takes a while to read the authorities of a machine.
 * @param ca further authorities, as PEM
 * @param systemCa whether to trust those of this machine, too
 */
export async function authorities(ca: readonly string[] = [], systemCa = false): Promise<SecureContext | undefined> {
  if (ca.length === 0 && !systemCa) return undefined;
  const tls = await import('node:tls');
  // Node 20, the one of older editors, can list neither the authorities of the machine nor all of its own: our list would
  // lack NODE_EXTRA_CA_CERTS.
  if (tls.getCACertificates === undefined && ca.length === 0) return undefined;
  const known =
    tls.getCACertificates === undefined
      ? tls.rootCertificates
      : [...tls.getCACertificates('default'), ...(systemCa ? tls.getCACertificates('system') : [])];
  return tls.createSecureContext({ ca: [...known, ...ca] });
}
