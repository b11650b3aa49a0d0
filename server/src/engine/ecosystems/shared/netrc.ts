import type { AccessSource } from '../../model/registries/access.ts';
import type { KeptFor } from './client-registry.ts';

/** The names of the file of passwords that many clients share. */
export const netrcNames: readonly string[] = ['.netrc', '_netrc'];

/** A user and a password, and where they come from. A missing one is empty, as clients send it. */
export interface Login {
  readonly user: string;
  readonly password: string;
  readonly source: AccessSource;
  /** Absent if it is kept for an address. */
  readonly keptFor?: KeptFor | undefined;
}

interface NetrcEntry {
  /** Undefined for the entry `default`. */
  readonly machine: string | undefined;
  readonly login: Login;
}

/** How a client reads a `.netrc`. */
export interface NetrcRules {
  /** Whether an entry `default` applies to all other hosts. */
  readonly hasDefault: boolean;
}

/**
 * Reads the `.netrc` of the machine, the first one there is. One in a workspace is not read: no client does.
 *
 *     machine pypi.acme.example login ci password secret
 *     default login anonymous password me@acme.example
 *
 * @returns the login of a host, which has no port
 */
export function readNetrc(
  sources: readonly AccessSource[],
  { hasDefault }: NetrcRules,
): (host: string) => Login | undefined {
  const source = sources.find((it) => it.owner === 'machine' && netrcNames.includes(it.name));
  const entries = source ? entriesIn(source) : [];
  return (host) =>
    entries.find((it) => it.machine === host)?.login ??
    (hasDefault ? entries.find((it) => it.machine === undefined)?.login : undefined);
}

function entriesIn(source: AccessSource): NetrcEntry[] {
  const entries: { machine: string | undefined; user: string; password: string }[] = [];
  const words = linesOf(source.text).flatMap((it) => it.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? []);
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const last = entries.at(-1);
    if (word === 'machine') entries.push({ machine: plain(words[++at]), user: '', password: '' });
    else if (word === 'default') entries.push({ machine: undefined, user: '', password: '' });
    else if (/^(?:login|user)$/.test(word) && last) last.user = plain(words[++at]);
    else if (word === 'password' && last) last.password = plain(words[++at]);
    else if (word === 'account') at++;
  }
  return entries.map(({ machine, user, password }) => {
    const keptFor: KeptFor | undefined =
      machine === undefined
        ? { name: 'default', add: { setting: 'machine … login … password …', file: '~/.netrc' } }
        : undefined;
    return { machine, login: { user, password, source, keptFor } };
  });
}

/** Without comments, and without macros, which go to the next empty line. */
function linesOf(text: string): string[] {
  let isMacro = false;
  return text.split(/\r\n|\r|\n/).filter((line) => {
    const bare = line.trim();
    isMacro = isMacro ? bare !== '' : bare.startsWith('macdef ');
    return !isMacro && !bare.startsWith('#');
  });
}

function plain(word = ''): string {
  return /^".*"$/s.test(word) ? word.slice(1, -1).replace(/\\(.)/g, '$1') : word;
}
