/** The network settings of an editor, from its user and machine; never from its workspace. */
export interface Network {
  /** The address of a proxy, perhaps with credentials; null if it is invalid. */
  readonly proxy?: string | null;
  /** Hosts without a proxy. */
  readonly noProxy?: readonly string[];
  /** The value of `Proxy-Authorization`. */
  readonly proxyAuthorization?: string;
  /** Whether the certificate of a TLS proxy must be trusted; absent for true. */
  readonly proxyStrictSSL?: boolean;
  /** Whether the authorities of the machine are trusted, too. */
  readonly systemCertificates?: boolean;
  /** `off`: extensions do not use the editor's proxy. */
  readonly proxySupport?: string;
}
