import * as l10n from '@vscode/l10n';
import { dependencyLine } from '../../engine/ecosystems/dependency-lines.ts';
import { formatOfDocument } from '../../engine/ecosystems/manifest-formats.ts';
import { toEvaluatedDependency } from '../../engine/lookup/package-lookup.ts';
import { type LookedUp, lookUpPurl } from '../../engine/lookup/purl.ts';
import { choiceText, readTypedName, shortForm, type TypedName } from '../../engine/lookup/typed-name.ts';
import type { VersionKey } from '../../engine/model/keys.ts';
import type { OldAnswer } from '../../engine/model/lookups.ts';
import { formatPurl, type Purl } from '../../engine/model/purl.ts';
import type { System } from '../../engine/model/system.ts';
import { oldAnswerText } from '../../engine/report/formats/texts.ts';
import { awaitChecks, signalOf } from '../dispatch.ts';
import type { OwnRequest } from '../extension.ts';
import { describeLookedUp, describePackage } from '../features/hover/purl.ts';
import { addressesIn, paragraph, toMarkdown } from '../features/markup.ts';
import { fieldsIn, readKey, textIn } from '../params.ts';
import type { Engine } from '../state/engine.ts';

export interface PurlParams {
  readonly purl: string;
}

export type ReadPurlAnswer =
  /** `purl` is its usual spelling; `version` is absent where it names a package. */
  | ({ readonly kind: 'purl' } & ReadPurl)
  /** A name that packages of several systems may have. */
  | { readonly kind: 'choice'; readonly choices: readonly ReadPurl[] }
  /** `reason` is a sentence; `nearest` is what is probably meant. */
  | { readonly kind: 'invalid'; readonly reason: string; readonly nearest?: string };

export interface ReadPurl {
  readonly purl: string;
  /** As people write it: `npm/lodash@4.17.21`. */
  readonly short: string;
  readonly system: System;
  readonly version?: string;
}

export type PurlAnswer =
  /** `markdown` is safe to show: what strangers wrote is escaped. */
  | { readonly kind: 'found'; readonly purl: string; readonly markdown: string }
  | { readonly kind: 'invalid' | 'unknown' | 'failed'; readonly reason: string };

export interface LineParams extends VersionKey {
  readonly textDocument: { readonly uri: string };
}

export type LineAnswer =
  | { readonly kind: 'line'; readonly format: string; readonly text: string }
  /** A sentence. */
  | { readonly kind: 'none'; readonly reason: string };

/** Reads a purl, or a name as people type it: `npm/lodash`. Requests nothing from the service. */
export const readPurlRequest: OwnRequest<PurlParams, ReadPurlAnswer> = {
  method: 'packageInsights/readPurl',
  read: readPurlParams,
  async answer({ purl }) {
    const reading = readTypedName(purl);
    switch (reading.kind) {
      case 'purl':
        return { kind: 'purl', ...readPurl(reading.purl) };
      case 'choice':
        return { kind: 'choice', choices: reading.purls.map(readPurl) };
      case 'invalid': {
        const { nearest } = reading;
        return { kind: 'invalid', reason: unreadableText(reading), ...(nearest !== undefined && { nearest }) };
      }
    }
  },
};

/** All facts of a package or version as a page. */
export const lookUpPurlRequest: OwnRequest<PurlParams, PurlAnswer> = {
  method: 'packageInsights/lookUpPurl',
  read: readPurlParams,
  async answer({ purl }, { engine }, token) {
    const reading = readTypedName(purl);
    if (reading.kind !== 'purl') return { kind: 'invalid', reason: unreadableText(reading) };
    return pageOf(await lookUpPurl(reading.purl, engine.insights, signalOf(token)), engine);
  },
};

/** A version as a new line of a manifest's format. */
export const lineRequest: OwnRequest<LineParams, LineAnswer> = {
  method: 'packageInsights/dependencyLine',
  read(params) {
    const key = readKey(params);
    const uri = textIn(fieldsIn(params)['textDocument'], 'uri');
    return key && uri ? { ...key, textDocument: { uri } } : undefined;
  },
  async answer({ textDocument: { uri }, ...key }, { client, settings }) {
    const { fileNames } = settings.for(uri);
    const format = formatOfDocument(uri, client.documents.get(uri)?.languageId, fileNames)?.id;
    if (format === undefined) return { kind: 'none', reason: l10n.t('This file is not a manifest.') };
    const line = dependencyLine(format, key);
    return line.ok ? { kind: 'line', format, text: line.text } : { kind: 'none', reason: line.reason };
  },
};

function readPurlParams(params: unknown): PurlParams | undefined {
  const purl = textIn(params, 'purl')?.trim();
  return purl ? { purl } : undefined;
}

/** How long a page waits for the checks of its links. */
const CHECK_PATIENCE_MS = 5_000;

async function pageOf(found: LookedUp, engine: Engine): Promise<PurlAnswer> {
  switch (found.kind) {
    case 'unknown':
      return {
        kind: 'unknown',
        reason: withAge(l10n.t('{0} is unknown to the service.', found.purl), found.old, engine),
      };
    case 'failed':
      return { kind: 'failed', reason: l10n.t('Lookup failed: {0}.', found.reason) };
    case 'found': {
      const { identity, advisories, defaultVersion, purl, old } = found;
      const now = engine.clock.now();
      const prose =
        identity.kind === 'package'
          ? describePackage(identity.facts)
          : describeLookedUp(
              toEvaluatedDependency(identity.facts, advisories, now),
              identity.facts,
              now,
              defaultVersion,
            );
      const age = old ? [paragraph(ageOf(old, now))] : [];
      const page = [...age, ...prose];
      if (engine.links) await awaitChecks(addressesIn(page), engine.links, CHECK_PATIENCE_MS, engine);
      return { kind: 'found', purl, markdown: toMarkdown(page, engine.links) };
    }
  }
}

/** The age of an answer that could not be refreshed, as a sentence. */
export function ageOf(old: OldAnswer, now: number): string {
  return l10n.t('This may be outdated: {0}.', oldAnswerText(old, now));
}

/** A sentence with the age of an outdated answer. */
export function withAge(sentence: string, old: OldAnswer | undefined, { clock }: Engine): string {
  return old ? `${sentence} ${ageOf(old, clock.now())}` : sentence;
}

function readPurl(named: Purl): ReadPurl {
  const { key, version } = named;
  const { system } = key;
  const purl = formatPurl(key, version);
  return { purl, short: shortForm(named), system, ...(version !== undefined && { version }) };
}

/** Why a text names no package, and what does. */
function unreadableText(reading: Exclude<TypedName, { readonly kind: 'purl' }>): string {
  if (reading.kind === 'choice')
    return l10n.t('Several systems have such names. Enter one of: {0}', choiceText(reading));
  const { reason, nearest } = reading;
  return nearest === undefined
    ? l10n.t('This cannot be looked up: {0}.', reason)
    : l10n.t('This cannot be looked up: {0}. Did you mean {1}?', reason, nearest);
}
