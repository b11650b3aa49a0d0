import { isRecord } from '../../base/text.ts';
import type {
  BuiltInCooldown,
  CooldownPattern,
  CooldownReader,
  WrittenCooldown,
} from '../../model/registries/cooldown.ts';
import {
  countOf,
  DAY,
  isoDuration,
  limitReader,
  MINUTE,
  momentReader,
  oneOf,
  type PlainSettings,
  plainAt,
  type ReadLimit,
  readPlainSettings,
  textsOf,
  unclear,
  wordDuration,
} from '../shared/cooldown-values.ts';

/** One setting of a package manager. Each refuses what is younger, fixes as well. */
interface Setting {
  readonly files: readonly string[];
  readonly variables?: readonly string[];
  /** The names that lead to it in its files. */
  readonly path: readonly string[];
  readonly limit: ReadLimit;
  /** The names that lead to the packages that are excepted; relative to the file. */
  readonly except?: readonly (readonly string[])[];
  readonly patterns?: (text: string) => readonly CooldownPattern[];
  /** Further rules of the same file. */
  readonly more?: (root: PlainSettings['root'], rule: WrittenCooldown | undefined) => readonly WrittenCooldown[];
}

const npmExcept = [['min-release-age-exclude[]'], ['min-release-age-exclude']];
const pnpmExcept = [['minimum-release-age-exclude[]'], ['minimum-release-age-exclude']];

/** Sources: the programs themselves, in their present versions (npm 12, pnpm 12, yarn 4.18, bun 1.4, deno 2.9). */
const settings: readonly Setting[] = [
  {
    files: ['.npmrc'],
    variables: ['NPM_CONFIG_MIN_RELEASE_AGE'],
    path: ['min-release-age'],
    limit: limitReader(countOf(DAY)),
    except: npmExcept,
    patterns: npmPatterns,
  },
  {
    files: ['.npmrc'],
    variables: ['NPM_CONFIG_BEFORE'],
    path: ['before'],
    limit: limitReader(momentReader('at its begin, UTC')),
    except: npmExcept,
    patterns: npmPatterns,
  },
  {
    files: ['pnpm-workspace.yaml'],
    variables: ['PNPM_CONFIG_MINIMUM_RELEASE_AGE'],
    path: ['minimumReleaseAge'],
    limit: limitReader(countOf(MINUTE)),
    except: [['minimumReleaseAgeExclude']],
    patterns: pnpmPatterns,
  },
  // Up to version 10.
  {
    files: ['.npmrc'],
    variables: ['NPM_CONFIG_MINIMUM_RELEASE_AGE'],
    path: ['minimum-release-age'],
    limit: limitReader(countOf(MINUTE)),
    except: pnpmExcept,
    patterns: pnpmPatterns,
  },
  {
    files: ['.yarnrc.yml'],
    variables: ['YARN_NPM_MINIMAL_AGE_GATE'],
    path: ['npmMinimalAgeGate'],
    limit: limitReader(yarnDuration),
    except: [['npmPreapprovedPackages']],
    patterns: yarnPatterns,
    more: yarnScopes,
  },
  {
    files: ['bunfig.toml', '.bunfig.toml'],
    path: ['install', 'minimumReleaseAge'],
    limit: limitReader(countOf(1000)),
    except: [['install', 'minimumReleaseAgeExcludes']],
  },
  {
    files: ['deno.json', 'deno.jsonc'],
    path: ['minimumDependencyAge'],
    limit: denoLimit,
    except: [['minimumDependencyAge', 'exclude']],
    patterns: denoPatterns,
  },
];

export const npmCooldowns: readonly CooldownReader[] = settings.map((setting) => ({
  systems: ['NPM'],
  names: [...setting.files, ...(setting.variables ?? [])],
  read: ({ name, text }) => readSetting(setting, name, text),
}));

/** What a manager refuses where nothing is written, by the lockfile that shows that it is in use. */
export const builtInCooldowns: readonly BuiltInCooldown[] = [
  {
    lockfile: 'yarn.lock',
    // From version 4.15 on. Its lockfile has this version then, or the setting was written when it was migrated.
    isFor: (text) => Number(/^__metadata:\s*\n\s+version: (\d+)/m.exec(text)?.[1] ?? 0) >= 10,
    keys: ['npmMinimalAgeGate', 'YARN_NPM_MINIMAL_AGE_GATE'],
    rule: { key: 'npmMinimalAgeGate', limit: { kind: 'age', age: DAY }, refuses: true, isDefault: true },
  },
  {
    lockfile: 'deno.lock',
    // From version 2.9 on, which its lockfile does not tell.
    isFor: () => true,
    keys: ['minimumDependencyAge'],
    rule: { key: 'minimumDependencyAge', limit: { kind: 'age', age: DAY }, refuses: true, isDefault: true },
  },
];

function readSetting(setting: Setting, name: string, text: string): readonly WrittenCooldown[] {
  const { variables = [], path, limit: readLimit, except = [], patterns = exactPatterns, more } = setting;
  const key = path.join('.');
  if (variables.includes(name)) {
    const limit = readLimit(text);
    return limit ? [{ key: name, limit, refuses: true }] : [];
  }
  if (!text.includes(path.at(-1) ?? '')) return [];
  const { root, isBroken } = readPlainSettings(name, text);
  if (isBroken) return [{ key, limit: unclear('…'), refuses: true }];
  const excepted = except.flatMap((it) => textsOf(plainAt(root, ...it))).flatMap((it) => patterns(it));
  const limit = readLimit(plainAt(root, ...path));
  const rule: WrittenCooldown | undefined = limit && {
    key,
    limit,
    ...(excepted.length > 0 && { except: excepted }),
    refuses: true,
  };
  return more ? more(root, rule) : rule ? [rule] : [];
}

function exactPatterns(name: string): CooldownPattern[] {
  return [{ name }];
}

/** One text may hold several names. */
function npmPatterns(text: string): CooldownPattern[] {
  return text.split(',').map((it) => ({ name: it.trim(), wildcard: 'part' }));
}

/** `@acme/*`, `lodash@4.17.21 || 4.17.22` */
function pnpmPatterns(text: string): CooldownPattern[] {
  const at = text.indexOf('@', 1);
  return [at < 0 ? { name: text, wildcard: 'any' } : { name: text.slice(0, at), range: text.slice(at + 1) }];
}

/** `@acme/*`, `lodash@^4.0.0`. With a protocol, `lodash@npm:^4.0.0`, yarn matches no version. */
function yarnPatterns(text: string): CooldownPattern[] {
  const at = text.indexOf('@', 1);
  return at < 0 ? [{ name: text, wildcard: 'part' }] : [{ name: text.slice(0, at), range: text.slice(at + 1) }];
}

/** `npm:lodash`, `npm:@acme/*` */
function denoPatterns(text: string): CooldownPattern[] {
  return text.startsWith('npm:') ? [{ name: text.slice('npm:'.length), wildcard: 'part' }] : [];
}

/** A number is of minutes. */
function yarnDuration(text: string) {
  return countOf(MINUTE)(text) ?? (/^\d+(?:\.\d+)?(?:ms|[smhdw])$/.test(text) ? wordDuration(text) : undefined);
}

/** `"P2D"`, `120` minutes, `"2026-01-31"`, or one of them as `age` beside exceptions. */
function denoLimit(value: unknown) {
  const age = isRecord(value) ? value['age'] : value;
  return limitReader(oneOf(countOf(MINUTE), isoDuration, momentReader('at its begin, UTC')))(age);
}

/** A scope may have an age of its own in place of the general one. */
function yarnScopes(root: PlainSettings['root'], rule: WrittenCooldown | undefined): readonly WrittenCooldown[] {
  const scopes = plainAt(root, 'npmScopes');
  const own = (isRecord(scopes) ? Object.keys(scopes) : []).flatMap((scope): WrittenCooldown[] => {
    const limit = limitReader(yarnDuration)(plainAt(scopes, scope, 'npmMinimalAgeGate'));
    const only: CooldownPattern[] = [{ name: `@${scope.replace(/^@/, '')}/*`, wildcard: 'part' }];
    return limit ? [{ key: `npmScopes.${scope}.npmMinimalAgeGate`, limit, only, ...except(rule), refuses: true }] : [];
  });
  const general = rule && { ...rule, except: [...(rule.except ?? []), ...own.flatMap((it) => it.only ?? [])] };
  return [...(general ? [general] : []), ...own];
}

function except(rule: WrittenCooldown | undefined): Pick<WrittenCooldown, 'except'> {
  return rule?.except ? { except: rule.except } : {};
}
