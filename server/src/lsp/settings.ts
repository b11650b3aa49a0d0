import { findingCodes } from '../model/finding.ts';
import type { Settings } from '../model/settings.ts';
import { type Declaration, declarations } from './declarations.ts';

/**
 * Reads settings as editors send them: nested or with dots in the names, with `packageInsights` around them or without.
 * What does not fit is left at its default.
 * @param given where each setting is looked for, the first that has it counts
 */
export function readSettings(...given: readonly unknown[]): Settings {
  const value = (name: string): unknown => {
    const declaration = declarations[name];
    if (declaration === undefined) return undefined;
    const found = given
      .flatMap((it) => [lookUp(it, name), lookUp(it, `packageInsights.${name}`)])
      .find((it) => fits(it, declaration));
    return found ?? declaration.default;
  };
  const severity = Object.fromEntries(findingCodes.map((it) => [it, value(`severity.${it}`) ?? 'auto']));
  return {
    baseUrl: httpAddress(value('baseUrl')) ?? String(declarations.baseUrl?.default),
    publicRegistries: value('publicRegistries') as readonly string[],
    offline: value('offline') as boolean,
    codeLens: value('codeLens') as boolean,
    documentLinks: value('documentLinks') as boolean,
    workspaceDiagnostics: value('workspaceDiagnostics') as boolean,
    inlayHints: value('inlayHints') as Settings['inlayHints'],
    severity: severity as Settings['severity'],
    purlHovers: value('purlHovers') as boolean,
    lookUpDefaults: value('lookUpDefaults') as boolean,
    cooldownDays: value('cooldownDays') as number,
    batchSize: value('batchSize') as number,
    parallelBatches: value('parallelBatches') as number,
    freshness: { min: value('freshness.min') as number, max: value('freshness.max') as number },
  };
}

/** Whether settings say themselves where to ask, so that nobody's else need be waited for. */
export function namesService(given: unknown): boolean {
  return ['baseUrl', 'packageInsights.baseUrl'].some((name) => typeof lookUp(given, name) === 'string');
}

function lookUp(given: unknown, name: string): unknown {
  if (typeof given !== 'object' || given === null) return undefined;
  const flat = Object.entries(given).find(([key]) => key === name);
  if (flat) return flat[1];
  const [head, ...rest] = name.split('.');
  const inner = Object.entries(given).find(([key]) => key === head)?.[1];
  return rest.length > 0 ? lookUp(inner, rest.join('.')) : undefined;
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

function httpAddress(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.username === '' && url.password === '') return value.replace(/\/+$/, '');
  // They are not sent, and would be written into logs and beside kept answers.
  url.username = '';
  url.password = '';
  return url.href.replace(/\/+$/, '');
}
