import { isRecord } from '../../engine/base/text.ts';
import type { Network } from '../../engine/model/network.ts';
import type { Session } from '../session.ts';

/**
 * Sent by clients with network settings when these change; `initialize` sends them as `initializationOptions.network`.
 * The parameters are those of VS Code below `http.`.
 */
const networkNotification = 'packageInsights/network';

/** Follows the client's network settings. */
export function followNetwork(session: Session, changed: () => void): void {
  session.connection.onNotification(networkNotification, (params: unknown) => {
    session.network = readNetwork(params);
    changed();
  });
}

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
