let made = 0;

/** A name for whoever asks: what one gives back at its end is none that another, who asks for the same, still wants. */
export function newOwner(): string {
  return `asking:${++made}`;
}
