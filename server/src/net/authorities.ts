import type { HttpOptions } from './http.ts';

/** The authorities to trust, by PEM; undefined where those that Node trusts will do, which costs nothing to say. */
export async function authorities({ ca = [], systemCa = false }: HttpOptions): Promise<readonly string[] | undefined> {
  if (ca.length === 0 && !systemCa) return undefined;
  const tls = await import('node:tls');
  // Node 20, which older editors run on, cannot tell what the machine trusts.
  if (tls.getCACertificates === undefined) return [...tls.rootCertificates, ...ca];
  return [...tls.getCACertificates('default'), ...(systemCa ? tls.getCACertificates('system') : []), ...ca];
}
