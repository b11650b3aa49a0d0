import type { Access, AccessInputs, AccessSource, AskedRegistry, Refusal } from '../../model/registries/access.ts';
import type { RegistryReader } from '../../model/registries/registry-reader.ts';
import { askedRegistry, type ClientCredential, type Setting } from '../shared/client-registry.ts';
import { distinctRegistries, MAX_PATTERNS, MAX_REGISTRIES } from '../shared/registry-address.ts';
import {
  type Asked,
  askedRepositories,
  pluginMarker,
  type Repository,
  repositoriesOf,
} from './repositories/declared.ts';
import { callName, punctuationAt, type Statement, wordAt } from './statements.ts';

/** A repository with the script that declares it, and what Gradle calls it. */
interface Declared extends Repository {
  readonly source: AccessSource;
  /** Undefined for one of several without a name: Gradle numbers them while it runs. */
  readonly name: string | undefined;
}

interface Named {
  readonly declared: Declared;
  /** With its properties replaced. */
  readonly address: string;
}

/** A text of a script, and whose it is in the end; or what it needs that is not read. */
type Value =
  | { readonly text: string; readonly source: AccessSource }
  | { readonly variable: string; readonly isSet: boolean }
  | { readonly code: true };

/** The property of a build, by its name. */
type PropertyOf = (name: string) => { readonly text: string; readonly source: AccessSource } | undefined;

/**
 * Gradle asks the repositories of its scripts, those of init scripts first, as far as their filters let it.
 *
 *     maven {
 *       name = "acme"; url = uri("https://…")
 *       credentials(PasswordCredentials::class)              acmeUsername and acmePassword of the machine
 *       credentials { username = "…"; password = "…" }       this text, for this repository alone
 *     }
 *
 *     repositories {
 *       maven { url = uri("https://…"); content { includeGroupAndSubgroups("com.acme") } }
 *       exclusiveContent { forRepository { maven { url "https://…" } } filter { includeGroup "com.acme" } }
 *     }
 *
 * Repositories with a name in Gradle (`mavenCentral()`, `google()`, `gradlePluginPortal()`) are public. Repositories to publish
 * to do not count. A script of a workspace gets neither a variable nor a property of the machine by any other name. What code works out is
 * reported as unreadable.
 */
export const gradleRegistries: Pick<RegistryReader, 'ownersOf' | 'accessTo'> = {
  ownersOf(sources) {
    const named = repositoriesOf(sources);
    const filtering = named.reduce((sum, { includes, excludes }) => sum + includes.length + excludes.length + 1, 0);
    const repositories: readonly (Asked & Pick<Repository, 'registry'>)[] =
      filtering > MAX_PATTERNS ? withoutFilters(named) : named;
    return ({ role, ...asked }) => {
      // A plugin without a version comes from a class path, for which libraries may have been taken.
      const isOfClasspath = role === 'plugin' && asked.version === undefined && pluginMarker.test(asked.name);
      const found = askedRepositories(repositories, {
        ...asked,
        ...(role !== undefined && !isOfClasspath && { role }),
      });
      return found.flatMap(({ repository: { registry, takes }, isOnly }) => {
        const mayBeOther = asked.version === undefined && takes === 'snapshots' && { hasSnapshotsAlone: true as const };
        return registry ? [{ ...registry, ...(!isOnly && { isAdditional: true as const }), ...mayBeOther }] : [];
      });
    };
  },
  accessTo(inputs) {
    const declared = declaredIn(inputs.sources.toReversed());
    const filters = declared.reduce((sum, it) => sum + it.includes.length + it.excludes.length, 0);
    // Without its filters, a repository would be sent names that it must not get.
    if (filters > MAX_PATTERNS) return () => undefined;
    const propertyOf = propertiesOf(inputs);
    const used = declared.filter((it) => it.registry !== undefined).slice(0, MAX_REGISTRIES);
    const named = used.map((it): Named => ({ declared: it, address: addressOf(it, inputs, propertyOf).text }));
    const asked = new Map(used.map((it) => [it, askedFor(it, inputs, propertyOf, named)] as const));
    return ({ name, role = pluginMarker.test(name) ? 'plugin' : 'library', version }) => {
      const found = askedRepositories(declared, { name, role, ...(version !== undefined && { version }) });
      return accessOf(found.flatMap(({ repository }) => asked.get(repository) ?? []));
    };
  },
};

function withoutFilters(repositories: readonly Repository[]): (Asked & Pick<Repository, 'registry'>)[] {
  const block = {};
  return distinctRegistries(repositories.flatMap((it) => it.registry ?? [])).map((registry) => ({
    ...{ registry, block, includes: [], excludes: [], isExclusive: false },
  }));
}

function accessOf(registries: readonly AskedRegistry[]): Access | undefined {
  const distinct = new Map<string, AskedRegistry>();
  for (const it of registries) {
    const before = distinct.get(it.address);
    if (!before || (it.credential && !before.credential)) distinct.set(it.address, it);
  }
  return distinct.size === 0 ? undefined : { registries: [...distinct.values()], join: 'all' };
}

function declaredIn(sources: readonly AccessSource[]): Declared[] {
  const found = repositoriesOf(sources).map((it) => ({ it, named: setterOf(it.declaration, 'name') }));
  const unnamed = new Map<AccessSource, number>();
  for (const { it, named } of found)
    if (it.registry && !named) unnamed.set(it.source, (unnamed.get(it.source) ?? 0) + 1);
  const [plugins, libraries] = [{}, {}];
  return found.map(({ it, named }) => {
    const value = named && literalIn(rawOf(named, it.source.text));
    // Source: Gradle calls the first repository of Maven without a name `maven`, the next one `maven2`.
    const name = named ? value : unnamed.get(it.source) === 1 ? 'maven' : undefined;
    // What one script declares as the only repository is asked instead of those that others declare.
    return { ...it, name, block: it.role === 'plugin' ? plugins : libraries };
  });
}

/** The properties of a build, the strongest first. Source: Gradle, “Project properties”. */
function propertiesOf({ sources }: AccessInputs): PropertyOf {
  const files = sources.filter((it) => it.name === 'gradle.properties');
  const ordered = [...files.filter((it) => it.owner === 'machine'), ...files.filter((it) => it.owner === 'workspace')];
  const properties = new Map<string, { text: string; source: AccessSource }>();
  for (const source of sources) {
    const name = source.owner === 'machine' && /^ORG_GRADLE_PROJECT_(.+)$/.exec(source.label)?.[1];
    if (name && !properties.has(name)) properties.set(name, { text: source.text, source });
  }
  for (const source of ordered) {
    for (const [, name = '', written = ''] of source.text.matchAll(propertyLine)) {
      if (!properties.has(name)) properties.set(name, { text: unescaped(written), source });
    }
  }
  return (name) => properties.get(name);
}

/** A name, the first blank, colon or equals sign, and a value without a continuation line. */
const propertyLine = /^[ \t\f\uFEFF]*(?![#!])([^\s:=]+)(?:[ \t\f]*[:=][ \t\f]*|[ \t\f]+)([^\r\n]*)$/gm;

function unescaped(text: string): string {
  return text.replace(/\\(?:u([\da-f]{4})|(.))/gi, (_, code: string | undefined, other: string) =>
    code === undefined ? other : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function askedFor(
  declared: Declared,
  inputs: AccessInputs,
  propertyOf: PropertyOf,
  named: readonly Named[],
): AskedRegistry {
  const { source, declaration } = declared;
  const from = source.label;
  const { text, refusal } = addressOf(declared, inputs, propertyOf);
  const isIvy = callName(declaration) === 'ivy';
  const asked = askedRegistry(
    'maven',
    {
      address: { text, source },
      credential: credentialFor(declared, inputs, propertyOf, named),
      refusal: refusal ?? (isIvy ? { rule: 'unusable-address', from, detail: 'ivy' } : undefined),
    },
    inputs,
    ({ owner }) => named.flatMap((it) => (it.declared.source.owner === owner ? it.address : [])),
  );
  return { ...asked, ...(declared.takes && { takes: declared.takes }) };
}

/** The address with its properties replaced. What else it contains, only a build knows. */
function addressOf(
  { address, declaration, source }: Declared,
  inputs: AccessInputs,
  propertyOf: PropertyOf,
): { readonly text: string; readonly refusal?: Refusal } {
  const from = source.label;
  const code: Refusal = { rule: 'unusable-address', from, detail: 'url' };
  let refusal: Refusal | undefined;
  if (address === '?') {
    const url = declaration.blocks.flat().find((it) => /^(?:url|setUrl|uri)$/.test(callName(it)));
    const written = url && rawOf(url, source.text).replace(/^(?:project\.)?uri\s*\(\s*(.*?)\s*\)$/s, '$1');
    const value: Value = written === undefined ? { code: true } : readValue(written, source, inputs, propertyOf);
    if ('text' in value) return { text: value.text };
    return { text: '…', refusal: refusalOf(value, source, code) };
  }
  const text = address.replace(
    /\$(?:\{([\w.]{1,200})\}|([a-z_]\w{0,200}))/gi,
    (whole, braced?: string, bare?: string) => {
      const value = propertyValue((braced ?? bare ?? '').replace(/^(?:project|rootProject)\./, ''), source, propertyOf);
      if ('text' in value) return value.text;
      refusal ??= refusalOf(value, source, code);
      return whole;
    },
  );
  if (text.includes('$')) refusal ??= code;
  return { text, ...(refusal && { refusal }) };
}

/** The rule for a value that is not read. @param otherwise for what only code knows */
function refusalOf(
  value: Exclude<Value, { readonly text: string }>,
  source: AccessSource,
  otherwise: Refusal,
): Refusal {
  if (!('variable' in value)) return otherwise;
  const isForeign = source.owner === 'workspace' && value.isSet;
  return { ...otherwise, rule: isForeign ? 'variable-in-workspace' : otherwise.rule, detail: value.variable };
}

function credentialFor(
  { declaration, source, name }: Declared,
  inputs: AccessInputs,
  propertyOf: PropertyOf,
  named: readonly Named[],
): ClientCredential | undefined {
  const [block, another] = blocksOf(declaration, 'credentials');
  if (!block) return undefined;
  const unreadable = (detail: string): ClientCredential => ({ unreadable: { text: '', source }, detail });
  const kind = block.tokens.flatMap((it) => (it.kind === 'word' && /Credentials$/.test(it.text) ? [it.text] : []))[0];
  if (another) return unreadable('credentials');
  const schemes = blocksOf(declaration, 'authentication').flatMap((it) => it.blocks.flat());
  const scheme = schemes.flatMap((it) => it.tokens).find((it) => it.kind === 'word' && /Authentication$/.test(it.text));
  const isHeader = kind === 'HttpHeaderCredentials';
  if (scheme && !/^(?:Basic|HttpHeader)Authentication$/.test(scheme.kind === 'word' ? scheme.text : ''))
    return unreadable('authentication');
  if (kind !== undefined && kind !== 'PasswordCredentials' && !isHeader) return unreadable(kind);

  const keys = isHeader ? (['name', 'value'] as const) : (['username', 'password'] as const);
  const suffixes = isHeader ? (['AuthHeaderName', 'AuthHeaderValue'] as const) : (['Username', 'Password'] as const);
  const isByName = kind !== undefined && block.blocks.flat().length === 0;
  if (isByName && name === undefined) return unreadable('name');
  const settings: Setting[] = [];
  for (const [at, key] of keys.entries()) {
    const property = `${name}${suffixes[at]}`;
    const value = isByName ? byName(property, propertyOf) : inBlock(block, key, source, inputs, propertyOf);
    const detail = isByName ? property : key;
    if (!('text' in value)) {
      return { refusal: refusalOf(value, source, { rule: 'unreadable-credential', from: source.label, detail }) };
    }
    settings.push(value);
  }
  const [first = '', second = ''] = settings.map((it) => it.text);
  if (isHeader && !/^authorization$/i.test(first)) return unreadable('HttpHeaderCredentials');
  const own = named.filter((it) => it.declared.source.owner === 'machine' && it.declared.name === name);
  const add = { setting: `maven { name = "${name}"; url = … }`, file: '~/.gradle/init.gradle' };
  return {
    parts: isHeader ? { kind: 'raw', value: second } : { kind: 'basic', user: first, password: second },
    settings,
    ...(isByName && { keptFor: { name: name ?? '', addresses: own.map((it) => it.address), add } }),
  };
}

/** The name of the repository binds the property, so that a workspace may use that of the machine. */
function byName(property: string, propertyOf: PropertyOf): Value {
  return propertyOf(property) ?? { variable: property, isSet: false };
}

function inBlock(
  block: Statement,
  key: string,
  source: AccessSource,
  inputs: AccessInputs,
  propertyOf: PropertyOf,
): Value {
  const setter = setterOf(block, key);
  return setter ? readValue(rawOf(setter, source.text), source, inputs, propertyOf) : { code: true };
}

/** The statements of a declaration with a name: `credentials { … }`. */
function blocksOf(declaration: Statement, name: string): Statement[] {
  return declaration.blocks.flat().filter((it) => callName(it) === name);
}

/** `username = "…"`, `username "…"`, `setUsername("…")`, `username.set("…")` */
function setterOf(block: Statement, key: string): Statement | undefined {
  const setter = `set${key[0]?.toUpperCase()}${key.slice(1)}`;
  return block.blocks.flat().find((it) => {
    const last = callName(it);
    return last === key || last === setter || (last === 'set' && it.path.at(-2) === key);
  });
}

/** What a statement sets, as written. */
function rawOf({ tokens, path }: Statement, text: string): string {
  let from = Math.max(1, path.length * 2 - 1);
  if (punctuationAt(tokens, from) === '=') from++;
  const [first, last] = [tokens[from], tokens.at(-1)];
  if (!first || !last) return '';
  const raw = text.slice(first.start, last.end).trim();
  return /^\([^()]*\)$/s.test(raw) || (punctuationAt(tokens, from) === '(' && wordAt(tokens, from - 1) !== undefined)
    ? raw.replace(/^\(\s*(.*?)\s*\)$/s, '$1')
    : raw;
}

function literalIn(raw: string): string | undefined {
  return /^"([^"\\$\r\n]*)"$/.exec(raw)?.[1] ?? /^'([^'\\\r\n]*)'$/.exec(raw)?.[1];
}

/** Reads a value of a script: a text, a variable of the environment, a property; all else is code. */
function readValue(raw: string, source: AccessSource, inputs: AccessInputs, propertyOf: PropertyOf): Value {
  const literal = literalIn(raw);
  if (literal !== undefined) return { text: literal, source };
  const variable = environment.exec(raw)?.[1];
  if (variable !== undefined) {
    const text = source.owner === 'machine' ? inputs.variable(variable) : undefined;
    return text === undefined ? { variable, isSet: source.owner === 'workspace' } : { text, source };
  }
  const name = property.exec(raw)?.slice(1).find(Boolean);
  return name === undefined ? { code: true } : propertyValue(name, source, propertyOf);
}

/** A script of a workspace gets only the properties of the workspace. */
function propertyValue(name: string, source: AccessSource, propertyOf: PropertyOf): Value {
  const found = propertyOf(name);
  if (!found) return { variable: name, isSet: false };
  const isForeign = source.owner === 'workspace' && found.source.owner === 'machine';
  return isForeign ? { variable: name, isSet: true } : found;
}

const ending =
  /(?:\s*(?:!!|\?\.toString\(\)|\.toString\(\)|\.get\(\)|\.orNull|\.getOrElse\((?:""|'')\)|\sas\sString\??|\?:\s*(?:""|'')))*$/
    .source;
const quotedName = /["']([\w.-]{1,200})["']/.source;
/** `System.getenv("NAME")`, `providers.environmentVariable("NAME").get()` */
const environment = new RegExp(
  `^(?:System\\.getenv|(?:project\\.)?providers\\.environmentVariable)\\(\\s*${quotedName}\\s*\\)${ending}`,
);
/** `findProperty("name")`, `providers.gradleProperty("name").get()`, `name`, `"$name"` */
const property = new RegExp(
  `^(?:(?:(?:project|rootProject|settings)\\.)?(?:findProperty|property|providers\\.gradleProperty)\\(\\s*${quotedName}\\s*\\)${ending}|` +
    `(?:project\\.)?([a-z_]\\w{0,200})${ending}|"\\$\\{?([a-z_]\\w{0,200})\\}?"$)`,
  'i',
);
