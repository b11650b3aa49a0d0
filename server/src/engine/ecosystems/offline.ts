import { parseToml } from '../formats/toml/parse.ts';
import { scalarAt } from '../formats/toml/tree.ts';
import { parseXml } from '../formats/xml/parse.ts';
import { childOf } from '../formats/xml/tree.ts';
import { parseYaml } from '../formats/yaml/parse.ts';
import { entryAt, resolved } from '../formats/yaml/tree.ts';
import type { AccessInputs, AccessSource } from '../model/registries/access.ts';
import type { RegistryReader } from '../model/registries/registry-reader.ts';
import type { System } from '../model/system.ts';
import { assignmentsIn } from './go/registries.ts';
import { isTrue } from './python/registries/client.ts';
import { readIni } from './shared/registry-address.ts';

/** A setting that makes a client ask no registry. */
interface Switch {
  /** The variable of the environment that comes before all files. */
  readonly variable?: string;
  /** The files that have it. */
  readonly files: RegExp;
  /** Its value in a text; undefined where it is missing. */
  readonly read: (text: string, name: string) => string | undefined;
  readonly isOffline: (value: string) => boolean;
}

/** source: nopt's validateBoolean, and parse-field.js of @npmcli/config */
const isOn = (value: string): boolean => !/^\s*(?:false|null|0|undefined)\s*$/.test(value);
const isFalse = (value: string): boolean => !isTrue(value);

const inYaml = (key: string) => (text: string) => {
  const value = resolved(entryAt(parseYaml(text).root, key));
  return value?.kind === 'scalar' ? value.text : undefined;
};
const inToml =
  (...path: readonly string[]) =>
  (text: string) =>
    scalarAt(parseToml(text).root, ...path);
const inPattern = (pattern: RegExp) => (text: string) => {
  const found = pattern.exec(text);
  return found ? (found[1] ?? '') : undefined;
};
const inGo = (key: string) => (text: string, name: string) =>
  assignmentsIn({ name, label: name, text }).find((it) => it.key === key)?.value;

/**
 * What switches the clients of a system off for good. NuGet, bun, Deno, Poetry, PDM and Pipenv have nothing like it, and
 * Gradle only in an init script.
 */
const switches: Readonly<Record<System, readonly Switch[]>> = {
  NPM: [
    {
      variable: 'npm_config_offline',
      files: /^\.npmrc$/,
      // A setting without a value is switched on.
      read: inPattern(/^[ \t]*offline[ \t]*(?:=[ \t]*([^;#\r\n]*?))?[ \t]*(?:[;#].*)?$/m),
      isOffline: isOn,
    },
    {
      variable: 'pnpm_config_offline',
      files: /^pnpm-workspace\.yaml$/,
      read: inYaml('offline'),
      isOffline: isOn,
    },
    {
      variable: 'YARN_ENABLE_NETWORK',
      files: /^\.yarnrc\.yml$/,
      read: inYaml('enableNetwork'),
      isOffline: isFalse,
    },
    {
      variable: 'YARN_ENABLE_OFFLINE_MODE',
      files: /^\.yarnrc\.yml$/,
      read: inYaml('enableOfflineMode'),
      isOffline: isTrue,
    },
    {
      files: /^\.yarnrc$/,
      read: inPattern(/^[ \t]*"?--(?:[\w*]+\.)?offline"?[ \t=]+"?(\w+)/m),
      isOffline: isTrue,
    },
  ],
  CARGO: [
    {
      variable: 'CARGO_NET_OFFLINE',
      files: /^config(?:\.toml)?$/,
      read: inToml('net', 'offline'),
      isOffline: isTrue,
    },
  ],
  MAVEN: [
    {
      files: /^settings\.xml$/,
      read: (text) => childOf(parseXml(text).root, 'offline')?.text.trim(),
      isOffline: isTrue,
    },
    {
      variable: 'MAVEN_ARGS',
      files: /^maven\.config$/,
      read: (text) => text,
      isOffline: (value) => /(?<!\S)(?:-o|--offline)(?!\S)/.test(value),
    },
    {
      files: /^init\.gradle(?:\.kts)?$/,
      read: inPattern(/\bstartParameter\.(?:(?:isO|o)ffline\s*=|setOffline\()\s*(\w+)/),
      isOffline: isTrue,
    },
  ],
  PYPI: [
    {
      variable: 'PIP_NO_INDEX',
      files: /^pip\.(?:conf|ini)$/,
      read: (text) => readIni(text, /[=:]/).find((it) => /^no[-_]index$/i.test(it.key))?.value,
      isOffline: isTrue,
    },
    { variable: 'UV_OFFLINE', files: /^uv\.toml$/, read: inToml('offline'), isOffline: isTrue },
    { files: /^pyproject\.toml$/, read: inToml('tool', 'uv', 'offline'), isOffline: isTrue },
    { variable: 'UV_NO_INDEX', files: /^uv\.toml$/, read: inToml('no-index'), isOffline: isTrue },
  ],
  NUGET: [],
  GO: [
    {
      variable: 'GOFLAGS',
      files: /^(?:go\.)?env$/,
      read: inGo('GOFLAGS'),
      isOffline: (value) => /(?<!\S)--?mod=vendor(?!\S)/.test(value),
    },
    {
      variable: 'GOPROXY',
      files: /^(?:go\.)?env$/,
      read: inGo('GOPROXY'),
      isOffline: (value) => value.trim() === 'off',
    },
  ],
};

/** The label of the setting that makes a client of a system ask no registry. Of several clients one is enough. */
export function offlineSetting(system: System, { sources, variable }: AccessInputs): string | undefined {
  for (const { variable: name, files, read, isOffline } of switches[system]) {
    const [own] = (name === undefined ? [] : [name, name.toUpperCase()]).filter((it) => (variable(it) ?? '') !== '');
    if (own !== undefined) {
      if (isOffline(variable(own) ?? '')) return own;
      continue;
    }
    const said = sources.filter((it) => files.test(it.name)).map((it) => [it, read(it.text, it.name)] as const);
    const [first] = said.filter((it): it is readonly [AccessSource, string] => it[1] !== undefined);
    if (first && isOffline(first[1])) return first[0].label;
  }
  return undefined;
}

/** Keeps the registries of a client that is told to work offline from being asked. */
export function unlessOffline(system: System, reader: RegistryReader): RegistryReader {
  return {
    ...reader,
    accessTo(inputs) {
      const read = reader.accessTo(inputs);
      const from = offlineSetting(system, inputs);
      if (from === undefined) return read;
      return (asked) => {
        const access = read(asked);
        return (
          access && {
            ...access,
            registries: access.registries.map((it) => ({ ...it, refusal: it.refusal ?? { rule: 'offline', from } })),
          }
        );
      };
    },
  };
}
