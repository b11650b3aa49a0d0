import { isRecord } from '../../base/text.ts';
import type {
  CooldownLimit,
  CooldownPattern,
  CooldownReader,
  WrittenCooldown,
} from '../../model/registries/cooldown.ts';
import type { System } from '../../model/system.ts';
import type { Step } from '../../model/versioning.ts';
import { DAY, limitReader, readPlainSettings, textsOf, unclear, wordDuration } from './cooldown-values.ts';

/** The names of its managers, datasources and categories that mean a system. */
const words = {
  NPM: ['npm', 'bun', 'deno', 'js', 'node'],
  PYPI: ['pip_requirements', 'pip-compile', 'pip_setup', 'setup-cfg', 'pep621', 'poetry', 'pipenv', 'pypi', 'python'],
  MAVEN: ['maven', 'gradle', 'java'],
  GO: ['gomod', 'go', 'golang'],
  CARGO: ['cargo', 'crate', 'rust'],
  NUGET: ['nuget', 'dotnet'],
} as const satisfies Record<System, readonly string[]>;

/**
 * The presets with a cooldown, and the datasource for which they wait three days. Rules of a preset come before those of
 * the file. Source: Renovate's presets, `security` and `config`.
 */
const presets: Readonly<Record<string, string>> = {
  'config:best-practices': 'npm',
  'security:minimumReleaseAgeNpm': 'npm',
  // Their former name.
  'npm:unpublishSafe': 'npm',
  'security:minimumReleaseAgeCrates': 'crate',
};

const steps: readonly Step[] = ['patch', 'minor', 'major'];
const NOTHING: CooldownLimit = { kind: 'age', age: 0 };

/** `3 days`; a month has 30. */
const ageIn = limitReader((text) =>
  wordDuration(
    text
      .replace(/(\d+)\s*months?\b/i, (_, it) => `${it * 30} days`)
      .replace(/(\d+)\s*years?\b/i, (_, it) => `${it * 365} days`),
  ),
);

/** Its own cooldown, which security updates do not wait for. Source: its documentation of `minimumReleaseAge`. */
export const renovateCooldown: CooldownReader = {
  systems: 'all',
  names: ['', '.github/', '.gitlab/'].flatMap((folder) => [
    `${folder}renovate.json`,
    `${folder}renovate.json5`,
    ...(folder === '' ? ['.renovaterc', '.renovaterc.json', '.renovaterc.json5'] : []),
  ]),
  read({ text }, system) {
    if (!/minimumReleaseAge|stabilityDays|best-practices|unpublishSafe/.test(text)) return [];
    const { root, isBroken } = readPlainSettings('renovate.json', asJson(text));
    if (isBroken) return [{ key: 'minimumReleaseAge', limit: unclear('…') }];
    return rulesIn(root, system);
  },
};

function rulesIn(root: Readonly<Record<string, unknown>>, system: System): readonly WrittenCooldown[] {
  const blocks = words[system].flatMap((it) => limitIn(root[it]) ?? []);
  let general = blocks[0] ?? limitIn(root);
  let generalSteps: WrittenCooldown['steps'] = {};
  let except: CooldownPattern[] = [];
  const own: WrittenCooldown[] = [];
  const packageRules = root['packageRules'];
  for (const it of [...presetRulesIn(root), ...(Array.isArray(packageRules) ? packageRules : [])]) {
    const limit = limitIn(it);
    if (limit === undefined || !isRecord(it)) continue;
    const { isOfSystem, only, types, isSimple } = matchersOf(it, system);
    if (!isOfSystem) continue;
    const forSteps = types && Object.fromEntries(types.map((step) => [step, limit]));
    // What is not understood makes the cooldown longer, never shorter.
    if (!isSimple) own.push({ key: 'minimumReleaseAge', limit, ...(only.length > 0 && { only }) });
    else if (only.length > 0) {
      except = [...except, ...only];
      own.push({
        key: 'minimumReleaseAge',
        limit: forSteps ? (general ?? NOTHING) : limit,
        ...(forSteps && { steps: forSteps }),
        only,
      });
    } else if (forSteps) generalSteps = { ...generalSteps, ...forSteps };
    else [general, generalSteps] = [limit, {}];
  }
  const hasSteps = Object.keys(generalSteps).length > 0;
  if (general === undefined && !hasSteps) return own;
  return [
    {
      key: 'minimumReleaseAge',
      limit: general ?? NOTHING,
      ...(hasSteps && { steps: generalSteps }),
      ...(except.length > 0 && { except }),
    },
    ...own,
  ];
}

function presetRulesIn(root: Readonly<Record<string, unknown>>): readonly object[] {
  const ignored = textsOf(root['ignorePresets']);
  return textsOf(root['extends']).flatMap((it) => {
    const datasource = ignored.includes(it) ? undefined : presets[it];
    return datasource === undefined ? [] : [{ matchDatasources: [datasource], minimumReleaseAge: '3 days' }];
  });
}

/** `null` switches it off. */
function limitIn(given: unknown): CooldownLimit | undefined {
  if (!isRecord(given)) return undefined;
  if (given['minimumReleaseAge'] === null) return NOTHING;
  const days = given['stabilityDays'];
  return ageIn(given['minimumReleaseAge']) ?? (typeof days === 'number' ? { kind: 'age', age: days * DAY } : undefined);
}

function matchersOf(rule: Readonly<Record<string, unknown>>, system: System) {
  const own: readonly string[] = words[system];
  const isOf = (key: string): boolean => rule[key] === undefined || textsOf(rule[key]).some((it) => own.includes(it));
  const names = ['matchPackageNames', 'matchDepNames'].flatMap((it) => textsOf(rule[it]));
  const only = names.map((name): CooldownPattern => ({ name, wildcard: /^\*$|\*\*/.test(name) ? 'any' : 'part' }));
  const updateTypes = textsOf(rule['matchUpdateTypes']);
  const types = rule['matchUpdateTypes'] === undefined ? undefined : steps.filter((it) => updateTypes.includes(it));
  const understood = /^match(?:Managers|Datasources|Categories|PackageNames|DepNames|UpdateTypes)$/;
  const matchers = Object.keys(rule).filter((it) => /^(?:match|exclude)/.test(it));
  return {
    isOfSystem: ['matchManagers', 'matchDatasources', 'matchCategories'].every(isOf),
    only,
    types,
    isSimple: matchers.every((it) => understood.test(it)) && names.every((it) => !/^[!/]|[?[\]{}()]/.test(it)),
  };
}

/** JSON5 as JSON, where no more than quotes, comments and commas differ. */
function asJson(text: string): string {
  const tokens =
    /"(?:\\.|[^"\\])*"|'((?:\\.|[^'\\])*)'|\/\/[^\n]*|\/\*[\s\S]*?\*\/|([A-Za-z_$][\w$]*)(?=\s*:)|,(?=\s*(?:(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/)\s*)*[}\]])/g;
  return text.replace(tokens, (whole, single: string | undefined, key: string | undefined) => {
    if (whole.startsWith('"')) return whole;
    if (single !== undefined) return JSON.stringify(single.replace(/\\(.)/g, '$1'));
    return key === undefined ? '' : `"${key}"`;
  });
}
