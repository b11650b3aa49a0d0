import { isRecord } from '../../engine/base/text.ts';
import type { Network } from '../../engine/model/network.ts';

/** Invalid values are ignored, except where they may be a proxy: it must not be bypassed. */
export function readNetwork(given: unknown): Network {
  if (given === undefined || given === null) return {};
  if (!isRecord(given)) return { proxy: null };
  const { proxy, noProxy, proxyAuthorization, proxyStrictSSL, systemCertificates, proxySupport } = given;
  return {
    ...(proxy !== undefined && proxy !== '' && { proxy: isFilled(proxy) ? proxy : null }),
    ...(Array.isArray(noProxy) && { noProxy: noProxy.filter(isFilled) }),
    // A line break would start another header.
    ...(isFilled(proxyAuthorization) && !/[\r\n\0]/.test(proxyAuthorization) && { proxyAuthorization }),
    ...(typeof proxyStrictSSL === 'boolean' && { proxyStrictSSL }),
    ...(typeof systemCertificates === 'boolean' && { systemCertificates }),
    ...(isFilled(proxySupport) && { proxySupport }),
  };
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
