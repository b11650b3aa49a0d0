/** A message of a channel. */
export interface Message {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}
