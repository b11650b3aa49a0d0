import * as l10n from '@vscode/l10n';
import { oneLine } from '../base/text.ts';
import {
  type ConnectionName,
  type ConnectionSettings,
  connectionKeys,
  connectionNames,
  linkSafetyModes,
  readConnectionAddress,
  threatListPattern,
} from '../model/connection.ts';
import { findingCodes } from '../model/finding.ts';
import { parseRegistryHost, parseServiceAddress } from '../model/links.ts';
import { readHours, type WeekDay, weekDays } from '../model/schedule-settings.ts';
import { hintParts, type InvalidSetting, type Settings } from '../model/settings.ts';
import { systems } from '../model/system.ts';
import type { Declaration } from './declaration.ts';
import { declarations } from './declarations.ts';

/** How to treat an invalid value of a setting that controls requests. */
interface ProtectiveSetting {
  /** The replacement value, which never permits more requests than the person may have intended. */
  readonly fallback: unknown;
  /** Nothing is requested then. */
  readonly closes: boolean;
  /** Validates the value where the declaration is not enough. */
  readonly fits?: (value: unknown) => boolean;
  /** What a valid value is, where its type does not say it. */
  readonly expected?: () => string;
}

const protectiveSettings: Readonly<Record<string, ProtectiveSetting>> = {
  baseUrl: {
    fallback: '',
    closes: true,
    fits: (it) => typeof it === 'string' && parseServiceAddress(it) !== undefined,
  },
  offline: { fallback: true, closes: true },
  'freshness.min': { fallback: 1, closes: true },
  'freshness.max': { fallback: 1, closes: true },
  // Its entries are validated one by one.
  publicRegistries: { fallback: [], closes: false, fits: Array.isArray },
  privateRegistries: { fallback: 'off', closes: false },
  lookUpDefaults: { fallback: false, closes: false },
  lookUpBelow: { fallback: false, closes: false },
  lookUpInBrowser: { fallback: [], closes: false, expected: () => l10n.t('a list of texts') },
  projectScores: { fallback: false, closes: false },
  similarNames: { fallback: 'off', closes: false },
  ...Object.fromEntries(
    Object.values(connectionKeys).flatMap((key): [string, ProtectiveSetting][] => [
      [`connections.${key}.baseUrl`, { fallback: undefined, closes: false, fits: isConnectionAddress }],
      [`connections.${key}.dailyBudget`, { fallback: undefined, closes: false }],
    ]),
  ),
  // An unknown word may mean that addresses must not be sent, or that links must be checked.
  'connections.linkSafety.mode': { fallback: 'closed', closes: false },
  // Links must not seem to be checked against a list that is not known.
  'connections.linkSafety.threatLists': {
    fallback: [],
    closes: false,
    fits: areThreatLists,
    expected: () => l10n.t('names of threat lists, such as {0}', 'MALWARE'),
  },
  'connections.deployments.project': { fallback: '', closes: false, expected: () => l10n.t('the name of a project') },
  'connections.scheduling.calendar': { fallback: '', closes: false, expected: () => l10n.t('text') },
  'connections.scheduling.busyCalendars': { fallback: [], closes: false, expected: () => l10n.t('a list of texts') },
  'connections.scheduling.workingHours': {
    fallback: '09:00-17:00',
    closes: false,
    fits: (it) => typeof it === 'string' && readHours(it) !== undefined,
    expected: () => l10n.t('two times of a day, such as {0}', '09:00-17:00'),
  },
  'connections.scheduling.workingDays': {
    fallback: [],
    closes: false,
    fits: (it) => Array.isArray(it) && it.every((day) => weekDays.includes(day)),
    expected: () => l10n.t('a list of days: {0}', weekDays.join(', ')),
  },
  'connections.scheduling.slotMinutes': { fallback: 30, closes: false },
  'connections.scheduling.notifications': { fallback: '', closes: false, fits: isConnectionAddress },
  purlHovers: { fallback: false, closes: false },
  workspaceDiagnostics: { fallback: false, closes: false },
};

function areThreatLists(value: unknown): boolean {
  const pattern = new RegExp(threatListPattern, 'u');
  return Array.isArray(value) && value.length > 0 && value.every((it) => typeof it === 'string' && pattern.test(it));
}

function isConnectionAddress(value: unknown): boolean {
  return value === '' || (typeof value === 'string' && readConnectionAddress(value).kind === 'valid');
}

/**
 * Reads settings as editors send them: nested or with dots in the names, with or without `packageInsights` around them.
 * An invalid value is replaced by the default, or by a stricter value if the setting controls requests.
 * @param given where each setting is looked for, the first that has it counts
 */
export function readSettings(...given: readonly unknown[]): Settings {
  const mistakes: InvalidSetting[] = [];
  const sources = given.filter((it) => typeof it === 'object' && it !== null);
  const value = (name: string): unknown => {
    const declaration = declarations[name];
    if (declaration === undefined) return undefined;
    const said = sources
      .flatMap((it) => [lookUp(it, name), lookUp(it, `packageInsights.${name}`)])
      .filter((it) => it !== undefined);
    const rule = protectiveSettings[name];
    if (rule === undefined) return said.find((it) => fits(it, declaration)) ?? declaration.default;
    // An invalid value is not replaced by a weaker source.
    const [strongest = declaration.default] = said;
    if (rule.fits ? rule.fits(strongest) : fits(strongest, declaration)) return strongest;
    mistakes.push(mistakeIn(name, strongest));
    return rule.fallback;
  };
  const severity = Object.fromEntries(findingCodes.map((it) => [it, value(`severity.${it}`) ?? 'auto']));
  const publicRegistries = (value('publicRegistries') as readonly unknown[]).flatMap((it) => {
    const host = typeof it === 'string' ? parseRegistryHost(it) : undefined;
    if (host === undefined) mistakes.push(mistakeIn('publicRegistries', it));
    return host ?? [];
  });
  let project: unknown = '';
  let scheduling = readScheduling((name) => declarations[name]?.default);
  const connections = Object.fromEntries(
    connectionNames.map((name): [ConnectionName, ConnectionSettings] => {
      const key = `connections.${connectionKeys[name]}`;
      const before = mistakes.length;
      const [baseUrl, dailyBudget] = [value(`${key}.baseUrl`), value(`${key}.dailyBudget`)];
      if (name === 'scheduling') scheduling = readScheduling(value);
      if (name === 'deployments') project = value('connections.deployments.project');
      const invalid = mistakes[before]?.reason;
      const address = typeof baseUrl === 'string' ? baseUrl.replace(/\/+$/, '') : '';
      return [name, { baseUrl: address, dailyBudget: Number(dailyBudget ?? 0), ...(invalid && { invalid }) }];
    }),
  ) as Settings['connections'];
  const mode = value('connections.linkSafety.mode');
  const threatLists = value('connections.linkSafety.threatLists') as readonly string[];
  const linkSafety = linkSafetyModes.find((it) => it === mode) ?? ('closed' as const);
  const settings = {
    baseUrl: parseServiceAddress(String(value('baseUrl'))) ?? '',
    publicRegistries,
    privateRegistries: value('privateRegistries') as Settings['privateRegistries'],
    offline: value('offline') as boolean,
    codeLens: value('codeLens') as boolean,
    documentLinks: value('documentLinks') as boolean,
    workspaceDiagnostics: value('workspaceDiagnostics') as boolean,
    inlayHints: value('inlayHints') as Settings['inlayHints'],
    hintMarks: {
      problem: value('hintMarks.problem') as string,
      target: value('hintMarks.target') as string,
      major: value('hintMarks.major') as string,
      planned: value('hintMarks.planned') as string,
    },
    hintParts: hintParts.filter((it) => (value('hintParts') as readonly unknown[]).includes(it)),
    severity: severity as Settings['severity'],
    fileNames: value('fileNames') as readonly string[],
    disabledSystems: systems.filter((it) =>
      (value('disabledSystems') as readonly unknown[]).includes(it.toLowerCase()),
    ),
    purlHovers: value('purlHovers') as boolean,
    lookUpDefaults: value('lookUpDefaults') as boolean,
    lookUpBelow: value('lookUpBelow') as boolean,
    lookUpInBrowser: value('lookUpInBrowser') as readonly string[],
    projectScores: value('projectScores') as boolean,
    minScore: value('minScore') as number,
    similarNames: value('similarNames') as Settings['similarNames'],
    cooldownDays: (value('cooldownDays') ?? undefined) as number | undefined,
    boundedRanges: value('boundedRanges') as Settings['boundedRanges'],
    connections,
    linkSafety: linkSafety !== 'off' && threatLists.length === 0 ? ('closed' as const) : linkSafety,
    threatLists,
    scheduling,
    deployments: { project: String(project) },
    batchSize: value('batchSize') as number,
    parallelBatches: value('parallelBatches') as number,
    freshness: { min: value('freshness.min') as number, max: value('freshness.max') as number },
  };
  return mistakes.length > 0 ? { ...settings, invalidSettings: mistakes } : settings;
}

function readScheduling(value: (name: string) => unknown): Settings['scheduling'] {
  const setting = (name: string): unknown => value(`connections.scheduling.${name}`);
  return {
    calendar: setting('calendar') as string,
    busyCalendars: setting('busyCalendars') as readonly string[],
    workingHours: {
      ...(readHours(String(setting('workingHours'))) ?? { from: 0, to: 0 }),
      days: setting('workingDays') as readonly WeekDay[],
    },
    slotMinutes: setting('slotMinutes') as number,
    notifications: String(setting('notifications')).replace(/\/+$/, ''),
  };
}

/** The sources of one client's settings. */
export interface SettingsSources {
  /** Settings sent after `initialize`, the strongest first. */
  readonly later: readonly unknown[];
  /** Its `initializationOptions`. */
  readonly initial: unknown;
  /** The service address of the environment. It applies where the client names none. */
  readonly environment: string | undefined;
  /** Further settings of the environment, the weakest. */
  readonly others?: unknown;
}

/** Reads the settings of a client of the language server. */
export function readClientSettings({ later, initial, environment, others }: SettingsSources): Settings {
  const given = [...later, initial];
  const isOfEnvironment = environment !== undefined && !given.some(hasServiceAddress);
  const settings = readSettings(...given, isOfEnvironment ? { baseUrl: environment } : undefined, others);
  const ofEnvironment = (it: InvalidSetting): InvalidSetting =>
    isOfEnvironment && it.setting === 'packageInsights.baseUrl'
      ? mistakeIn('baseUrl', environment, 'PACKAGE_INSIGHTS_BASE_URL')
      : it;
  const mistakes = [
    ...(saysSettings(initial) ? [] : [initialMistake()]),
    ...(settings.invalidSettings ?? []).map(ofEnvironment),
  ];
  return mistakes.length > 0 ? { ...settings, invalidSettings: mistakes } : settings;
}

/** Whether the `initialize` options are settings or empty: some editors write an empty table as an empty list. */
function saysSettings(initial: unknown): boolean {
  return Array.isArray(initial) ? initial.length === 0 : typeof (initial ?? {}) === 'object';
}

/** The value is not logged, since it may contain anything. */
function initialMistake(): InvalidSetting {
  const setting = 'initializationOptions';
  return { setting, reason: l10n.t('{0} must be an object', setting), closes: true };
}

/** Whether settings name a service, so that no other source has to be awaited. */
export function hasServiceAddress(given: unknown): boolean {
  return ['baseUrl', 'packageInsights.baseUrl'].some((name) => lookUp(given, name) !== undefined);
}

function lookUp(given: unknown, name: string): unknown {
  if (typeof given !== 'object' || given === null) return undefined;
  const own = given as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(own, name)) return own[name];
  const [head = '', ...rest] = name.split('.');
  const inner = Object.hasOwn(own, head) ? own[head] : undefined;
  if (rest.length === 0 || inner === undefined) return undefined;
  if (typeof inner === 'object' && inner !== null) return lookUp(inner, rest.join('.'));
  // `"freshness": 60` is a wrong value for its section; `"packageInsights": null` is an empty section.
  return head === 'packageInsights' ? undefined : null;
}

function fits(value: unknown, { type, enum: allowed, minimum, maximum }: Declaration): boolean {
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return (
        Number.isInteger(value) && Number(value) >= (minimum ?? -Infinity) && Number(value) <= (maximum ?? Infinity)
      );
    case 'array':
      return Array.isArray(value) && value.every((it) => typeof it === 'string');
    case 'string':
      return typeof value === 'string' && (allowed === undefined || allowed.includes(value));
  }
}

/**
 * Describes an invalid value for the hover, the status item and the log: as much of it as fits a line, without
 * passwords.
 */
function mistakeIn(name: string, value: unknown, setting = `packageInsights.${name}`): InvalidSetting {
  // A credential before the host, or in a query.
  const bare =
    typeof value === 'string' ? value.replace(/^([a-z][a-z\d+.-]*:\/*)?.*@/is, '$1…@').replace(/\?.+/s, '?…') : value;
  const shown = oneLine(JSON.stringify(bare), 200);
  return { setting, reason: reasonFor(name, setting, shown), closes: protectiveSettings[name]?.closes === true };
}

function reasonFor(name: string, setting: string, shown: string): string {
  const { type, minimum = 0, maximum = 0, enum: names } = declarations[name] ?? {};
  const expected = protectiveSettings[name]?.expected;
  if (expected) return l10n.t('{0} requires {1}, not {2}', setting, expected(), shown);
  if (names !== undefined) return l10n.t('{0} must be one of {1}, not {2}', setting, names.join(', '), shown);
  switch (type) {
    case 'boolean':
      return l10n.t('{0} must be true or false, not {1}', setting, shown);
    case 'integer':
      return l10n.t('{0} must be an integer from {1} to {2}, not {3}', setting, minimum, maximum, shown);
    case 'array':
      return l10n.t('{0} must contain hosts without port, path or *, not {1}', setting, shown);
    default:
      return l10n.t('invalid address in {0}: {1}', setting, shown);
  }
}
