import { textFromBase64 } from '../../../base/bytes.ts';
import type { AccessInputs, AccessSource, Owner } from '../../../model/registries/access.ts';
import {
  addressOf,
  type ClientCredential,
  type ClientRegistry,
  credentialIn,
  isClosed,
  type Setting,
  settingOf,
} from '../../shared/client-registry.ts';

/** The settings of one source by key, as an `.npmrc` has them. */
export interface NpmLayer {
  readonly source: AccessSource;
  readonly settings: ReadonlyMap<string, string>;
}

/** How a tool reads such settings. */
export interface Dialect {
  /** Of a variable in a text, for `settingOf`. */
  readonly variables: RegExp;
  readonly credentialOf: (address: Setting, name: string, at: SettingAt) => ClientCredential | undefined;
}

/** @param owner absent if settings of the machine and of the workspace count */
export type SettingAt = (key: string, owner?: Owner) => Setting | undefined;

/** npm: `${NAME}`, and `${NAME?}` for one that may have no value. */
export const npmDialect: Dialect = {
  // source: env-replace.js of @npmcli/config
  variables: /(?<!\\)(?<escapes>\\*)\$\{(?<name>[^${}?]+)(?:(?<fallback>)\?)?\}/g,
  credentialOf: (address, name, at) => credentialByPath(address, name, at) ?? credentialIn(address, 'encoded'),
};

/** Reads a text as an `.npmrc` would have its settings: `registry`, `@acme:registry`. */
export type ReadSettings = (text: string) => ReadonlyMap<string, string>;

/** By the name of a file or a variable. */
export type Syntaxes = Readonly<Record<string, ReadSettings>>;

export const npmSyntaxes: Syntaxes = { NPM_CONFIG_REGISTRY: single('registry'), '.npmrc': readNpmrc };

/** The value of a variable. */
export function single(key: string): ReadSettings {
  return (text) => new Map([[key, text.trim()]]);
}

export function isOf(syntaxes: Syntaxes): (layer: NpmLayer) => boolean {
  return ({ source }) => Object.hasOwn(syntaxes, source.name);
}

/** The addresses of registries that a layer names. */
export function npmAddresses({ settings }: NpmLayer): string[] {
  return [...settings].flatMap(([key, value]) => (key === 'registry' || isScope.test(key) ? value : []));
}

/** `acme` → `@acme` */
export function withAt(name: string): string {
  return name.startsWith('@') ? name : `@${name}`;
}

export const isScope = /^@.*:registry$/;

/** `@acme/core` → `@acme`; `''` without a scope */
export function scopeOf(name: string): string {
  return name.startsWith('@') ? name.slice(0, Math.max(0, name.indexOf('/'))) : '';
}

/** The registry of a package: that of its scope, else that of everything. Undefined where no setting names one. */
export function registryIn(
  layers: readonly NpmLayer[],
  dialect: Dialect,
  environment: AccessInputs['variable'],
): (name: string) => ClientRegistry | undefined {
  const at = settingFrom(layers, dialect.variables, environment);
  return (name) => {
    const scope = scopeOf(name);
    const address = (scope === '' ? undefined : at(`${scope}:registry`)) ?? at('registry');
    if (address === undefined) return undefined;
    const credential = dialect.credentialOf(address, name, at);
    return { address, ...(credential && { credential }) };
  };
}

/** Finds the strongest setting of a key; undefined where it is missing or empty everywhere. */
export function settingFrom(
  layers: readonly NpmLayer[],
  variables: RegExp,
  environment: AccessInputs['variable'],
): SettingAt {
  const all = layers.map(({ source, settings }) => {
    const values = new Map<string, Setting>();
    let ofAnyScope: Setting | undefined;
    for (const [written, text] of settings) {
      if (text === '') continue;
      const value = settingOf(text, source, variables, environment);
      const key = settingOf(written, source, variables, environment);
      if (key.variable === undefined || source.owner === 'machine') values.set(key.text, value);
      // A scope that a variable of a workspace names could be any.
      else if (isScope.test(written)) ofAnyScope = { ...value, variable: key.variable };
    }
    return { owner: source.owner, values, ofAnyScope };
  });
  return (wanted, wantedOwner) => {
    for (const { owner, values, ofAnyScope } of all) {
      if (wantedOwner !== undefined && owner !== wantedOwner) continue;
      const found = values.get(wanted) ?? (isScope.test(wanted) ? ofAnyScope : undefined);
      if (found) return found;
    }
    return undefined;
  };
}

/**
 * The credential for the longest part of an address that has one:
 *
 *     //npm.acme.example/team/:_authToken=…
 *     //npm.acme.example/team:_auth=…
 *     //npm.acme.example/:username=…  with  //npm.acme.example/:_password=…, in Base64
 *
 * Where the workspace has a variable, the person's own counts.
 */
export function credentialByPath(address: Setting, name: string, at: SettingAt): ClientCredential | undefined {
  const found = longestPath(address, name, at);
  if (!isClosed(found)) return found;
  return longestPath(address, name, (key) => at(key, 'machine')) ?? found;
}

function longestPath(address: Setting, name: string, at: SettingAt): ClientCredential | undefined {
  const url = addressOf(address.text);
  if (url === undefined) return undefined;
  const { host, pathname } = url;
  let part = `//${host}${pathname.replace(/\/?$/, '/')}${name.replace('/', '%2f')}`;
  while (part.length > 2) {
    const credential = credentialAt(part, at);
    if (credential) return credential;
    part = part.replace(/(?:[^/]+|\/)$/, '');
  }
  return undefined;
}

/** A token, else `_auth`, else a user with a password. */
export function credentialAt(part: string, at: SettingAt): ClientCredential | undefined {
  const placed = (kind: string) => ({ place: { setting: `${part}:${kind}=…`, file: '~/.npmrc' } });
  const token = at(`${part}:_authToken`);
  if (token) return { parts: { kind: 'bearer', token: token.text }, settings: [token], ...placed('_authToken') };
  const auth = at(`${part}:_auth`);
  if (auth) return { parts: { kind: 'raw', value: `Basic ${auth.text}` }, settings: [auth], ...placed('_auth') };
  const user = at(`${part}:username`);
  const secret = at(`${part}:_password`);
  if (user === undefined || secret === undefined) return undefined;
  const password = textFromBase64(secret.text);
  return { parts: { kind: 'basic', user: user.text, password }, settings: [user, secret], ...placed('_password') };
}

/** Reads as npm's own parser does: `;` and `#` end a value, a backslash or quotes keep them. Sections do not count. */
export function readNpmrc(text: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  let isSection = false;
  for (const line of text.replace(/^\uFEFF/, '').split(/[\r\n]+/)) {
    if (/^\s*(?:[;#]|$)/.test(line)) continue;
    if (/^\[[^\]]*\]\s*$/.test(line)) isSection = true;
    const equals = line.indexOf('=');
    if (!isSection && equals > 0) settings.set(iniText(line.slice(0, equals)), iniText(line.slice(equals + 1)));
  }
  return settings;
}

/** `"a;b"` → `a;b`, `a\;b ; comment` → `a;b` */
function iniText(written: string): string {
  const text = written.trim();
  const [, quote, inner = ''] = /^(["'])(.*)\1$/s.exec(text) ?? [];
  if (quote !== undefined && text.length > 1) return jsonText(quote === '"' ? text : inner);
  let read = '';
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    if (char === ';' || char === '#') break;
    if (char === '\\' && /[\\;#]/.test(next)) {
      read += next;
      at++;
    } else read += char;
  }
  return read.trim();
}

function jsonText(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}
