import { textInBase64 } from '../../base/bytes.ts';
/** What a credential consists of, as the client of a registry keeps it. */
export type CredentialParts =
  /** `Authorization: Bearer …`. npm, Cargo (whose header has no scheme: `raw`), NuGet feeds behind a provider. */
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  /** The whole value of the header `authorization`. */
  | { readonly kind: 'raw'; readonly value: string };

/** By value. Numbers, since a digest of a short password could be guessed. */
const marks = new Map<string, number>();

/**
 * A credential for one registry. It has no property that JSON, a log line or a copy could contain; only the code that
 * sends it opens it.
 */
export class Credential {
  readonly #value: string;
  /** Distinguishes credentials in this process without revealing them: facts are kept apart by it. */
  readonly mark: number;
  /** The label of its place, for people: `~/.npmrc`. */
  readonly from: string;

  constructor(parts: CredentialParts, from: string) {
    this.#value = headerOf(parts);
    this.from = from;
    this.mark = marks.get(this.#value) ?? marks.size + 1;
    marks.set(this.#value, this.mark);
  }

  /** The value of the header `authorization`. */
  open(): string {
    return this.#value;
  }
}

function headerOf(parts: CredentialParts): string {
  switch (parts.kind) {
    case 'bearer':
      return `Bearer ${parts.token}`;
    case 'basic':
      return `Basic ${textInBase64(`${parts.user}:${parts.password}`)}`;
    case 'raw':
      return parts.value;
  }
}
