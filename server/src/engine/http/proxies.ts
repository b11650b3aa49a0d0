/** The proxies of a person by the scheme of the request. */
export interface Proxies {
  readonly http?: ProxySetting;
  readonly https?: ProxySetting;
  /** Hosts without a proxy, in the form of `NO_PROXY`: `localhost,.example.org,10.0.0.7:8080`, or `*`. */
  readonly except?: string;
  /** The value of `Proxy-Authorization`, which overrides credentials in an address. */
  readonly authorization?: string;
  /** The certificate of a proxy is not verified. */
  readonly anyCertificate?: true;
}
export interface ProxySetting {
  /** `http://user:password@host:3128`; null if it is invalid. */
  readonly address: string | null;
  /** The variable or the setting with the address: `HTTPS_PROXY`, `http.proxy`. */
  readonly source: string;
}
