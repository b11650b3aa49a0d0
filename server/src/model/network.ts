/** What an editor says of the network, as its user and its machine have set it; never its workspace. */
export interface Network {
  /** The address of a proxy, which may hold credentials; null for something that is no address at all. */
  readonly proxy?: string | null;
  /** Hosts that are asked directly. */
  readonly noProxy?: readonly string[];
  /** What to send as `Proxy-Authorization`. */
  readonly proxyAuthorization?: string;
  /** Whether the certificate of a proxy that is spoken to over TLS must be trusted; absent for yes. */
  readonly proxyStrictSSL?: boolean;
  /** Whether what the machine trusts is trusted, too. */
  readonly systemCertificates?: boolean;
  /** `off`: the editor's proxy is not for us. */
  readonly proxySupport?: string;
}
