import { bareAddress, type ClientCredential, isClosed, type Setting } from '../../shared/client-registry.ts';
import {
  credentialAt,
  type Dialect,
  isOf,
  type NpmLayer,
  npmSyntaxes,
  type SettingAt,
  type Syntaxes,
  scopeOf,
  single,
} from './npmrc.ts';

/** A credential goes with scoped packages, and with all where `always-auth` is set. */
export const yarnClassicDialect: Dialect = {
  variables: /(?<!\\)(?<escapes>\\*)\$\{(?<name>[^}]+)\}/g,
  credentialOf(address, name, at) {
    const isAlways = (part: string): boolean => at(`${part}always-auth`)?.text === 'true';
    const parts = partsOf(address);
    if (scopeOf(name) === '' && !isAlways('') && !parts.some((it) => isAlways(`${it}:`))) return undefined;
    const find = (among: SettingAt): ClientCredential | undefined =>
      parts.map((part) => credentialAt(part, among)).find((it) => it !== undefined) ?? unscoped(among);
    const found = find(at);
    return isClosed(found) ? (find((key) => at(key, 'machine')) ?? found) : found;
  },
};

/** `https://npm.example/registry/` → `//npm.example/registry/`, `//npm.example/`. A shorter part does not count. */
function partsOf(address: Setting): string[] {
  const bare = bareAddress(address.text);
  if (bare === undefined) return [];
  const whole = `${bare}/`;
  const all = [whole, whole.replace(/registry\/$/, '')];
  return [...new Set([...all, ...all.map((it) => it.replace(/^https?:/, ''))])];
}

function unscoped(at: SettingAt): ClientCredential | undefined {
  const found = credentialAt('', (key) => at(key.slice(1)));
  const add = { setting: 'registry=…', file: '~/.npmrc' };
  return found && 'parts' in found ? { ...found, keptFor: { name: '_authToken', add } } : found;
}

export const yarnClassicSyntaxes: Syntaxes = { YARN_REGISTRY: single('registry'), '.yarnrc': readYarnrc };

/** Settings of npm before all of `.yarnrc`, which name registries and hold no credentials. */
export function yarnClassicLayers(all: readonly NpmLayer[]): readonly NpmLayer[] {
  return [...all.filter(isOf(npmSyntaxes)), ...all.filter(isOf(yarnClassicSyntaxes))];
}

/** `registry "https://…"`, `"@acme:registry" "https://…"` */
function readYarnrc(text: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, quoted, bare = '', value = ''] = /^\s*(?:"([^"]*)"|([^\s":]+)):?\s+"?([^\s"]+)/.exec(line) ?? [];
    const key = quoted ?? bare;
    if (/^(?:@.+:)?registry$/.test(key)) settings.set(key, value);
  }
  return settings;
}
