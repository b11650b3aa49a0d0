import type { SecureContext } from 'node:tls';

/**
 * What certificates are held against; undefined where the authorities that Node trusts will do, which costs nothing to
 * say. One for all connections of a route: the authorities of a machine take a while to be read.
 * @param ca authorities to trust besides, by PEM
 * @param systemCa whether to trust those of this machine, too
 */
export async function authorities(ca: readonly string[] = [], systemCa = false): Promise<SecureContext | undefined> {
  if (ca.length === 0 && !systemCa) return undefined;
  const tls = await import('node:tls');
  // Node 20, which older editors run on, cannot tell what the machine trusts, nor all that itself does: a list of ours
  // would be without NODE_EXTRA_CA_CERTS.
  if (tls.getCACertificates === undefined && ca.length === 0) return undefined;
  const known =
    tls.getCACertificates === undefined
      ? tls.rootCertificates
      : [...tls.getCACertificates('default'), ...(systemCa ? tls.getCACertificates('system') : [])];
  return tls.createSecureContext({ ca: [...known, ...ca] });
}
