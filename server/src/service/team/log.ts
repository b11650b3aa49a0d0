/** A log of one JSON object a line. It has no names of packages, no credentials and no addresses of callers. */
export interface Log {
  info(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** @param write writes one line */
export function createLog(write: (line: string) => void, now: () => number): Log {
  const writing =
    (level: 'info' | 'error') =>
    (event: string, fields: LogFields = {}) => {
      const shown = Object.entries(fields).map(([name, it]) => [
        name,
        typeof it === 'string' ? withoutCredentials(it) : it,
      ]);
      write(JSON.stringify({ time: new Date(now()).toISOString(), level, event, ...Object.fromEntries(shown) }));
    };
  return { info: writing('info'), error: writing('error') };
}

/** `postgres://me:secret@host` → `postgres://host`. Errors of drivers may repeat an address. */
export function withoutCredentials(text: string): string {
  return text
    .replace(/(\b[a-z][a-z+.-]{1,20}:\/\/)[^\s/@]*@/gi, '$1')
    .replace(/(\bbearer\s+|\bpassword=)[^\s&"']+/gi, '$1…');
}
