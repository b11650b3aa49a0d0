import type { Network } from '../../model/network.ts';
import { fieldsIn } from '../params.ts';
import type { Session } from '../session.ts';

/**
 * Sent by clients whose editor has settings of its own for the network, whenever these change; with `initialize` they
 * come as `initializationOptions.network`. The parameters are those of VS Code below `http.`.
 */
const networkNotification = 'packageInsights/network';

/** Takes over what the client says of the network, from now on. */
export function followNetwork(session: Session, changed: () => void): void {
  session.connection.onNotification(networkNotification, (params: unknown) => {
    session.network = readNetwork(params);
    changed();
  });
}

/** What does not fit is left out, but for a proxy. */
export function readNetwork(given: unknown): Network {
  const { proxy, noProxy, proxyAuthorization, proxyStrictSSL, systemCertificates, proxySupport } = fieldsIn(given);
  return {
    // Somebody wants one: where it cannot be told which, nothing goes past it.
    ...(proxy !== undefined && proxy !== '' && { proxy: isFilled(proxy) ? proxy : null }),
    ...(Array.isArray(noProxy) && { noProxy: noProxy.filter(isFilled) }),
    // A line's end would begin a header of its own.
    ...(isFilled(proxyAuthorization) && !/[\r\n\0]/.test(proxyAuthorization) && { proxyAuthorization }),
    ...(typeof proxyStrictSSL === 'boolean' && { proxyStrictSSL }),
    ...(typeof systemCertificates === 'boolean' && { systemCertificates }),
    ...(isFilled(proxySupport) && { proxySupport }),
  };
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
