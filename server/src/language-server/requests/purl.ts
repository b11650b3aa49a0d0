import * as l10n from '@vscode/l10n';
import { dependencyLine } from '../../ecosystems/dependency-lines.ts';
import { formatOfDocument } from '../../ecosystems/manifest-formats.ts';
import { toEvaluatedDependency } from '../../lookup/package-lookup.ts';
import { type LookedUp, lookUpPurl } from '../../lookup/purl.ts';
import type { VersionKey } from '../../model/keys.ts';
import type { OldAnswer } from '../../model/lookups.ts';
import { formatPurl, parsePurl } from '../../model/purl.ts';
import type { System } from '../../model/system.ts';
import { oldAnswerText } from '../../report/formats/texts.ts';
import { signalOf } from '../dispatch.ts';
import { describeLookedUp, describePackage } from '../features/hover/purl.ts';
import { paragraph, toMarkdown } from '../features/markup.ts';
import { fieldsIn, readKey, textIn } from '../params.ts';
import type { Session } from '../session.ts';
import type { OwnRequest } from './index.ts';

export interface PurlParams {
  readonly purl: string;
}

export type ReadPurlAnswer =
  /** `purl` is its usual spelling; `version` is absent where it names a package. */
  | { readonly kind: 'purl'; readonly purl: string; readonly system: System; readonly version?: string }
  /** A sentence. */
  | { readonly kind: 'invalid'; readonly reason: string };

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

/** Parses a purl. Requests nothing from the service. */
export const readPurlRequest: OwnRequest<PurlParams, ReadPurlAnswer> = {
  method: 'packageInsights/readPurl',
  read: readPurlParams,
  async answer({ purl }) {
    const reading = parsePurl(purl);
    if (reading.kind === 'invalid') return { kind: 'invalid', reason: invalid(purl, reading.reason) };
    const { key, version } = reading.purl;
    const { system } = key;
    return { kind: 'purl', purl: formatPurl(key, version), system, ...(version !== undefined && { version }) };
  },
};

/** All facts of a package or version as a page. */
export const lookUpPurlRequest: OwnRequest<PurlParams, PurlAnswer> = {
  method: 'packageInsights/lookUpPurl',
  read: readPurlParams,
  async answer({ purl }, session, token) {
    const reading = parsePurl(purl);
    if (reading.kind === 'invalid') return { kind: 'invalid', reason: invalid(purl, reading.reason) };
    return pageOf(await lookUpPurl(reading.purl, session.insights, signalOf(token)), session);
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
  async answer({ textDocument: { uri }, ...key }, { documents }) {
    const format = formatOfDocument(uri, documents.get(uri)?.languageId)?.id;
    if (format === undefined) return { kind: 'none', reason: l10n.t('This file is not a manifest.') };
    const line = dependencyLine(format, key);
    return line.ok ? { kind: 'line', format, text: line.text } : { kind: 'none', reason: line.reason };
  },
};

function readPurlParams(params: unknown): PurlParams | undefined {
  const purl = textIn(params, 'purl')?.trim();
  return purl ? { purl } : undefined;
}

function pageOf(found: LookedUp, session: Session): PurlAnswer {
  switch (found.kind) {
    case 'unknown':
      return {
        kind: 'unknown',
        reason: withAge(l10n.t('{0} is unknown to the service.', found.purl), found.old, session),
      };
    case 'failed':
      return { kind: 'failed', reason: l10n.t('Lookup failed: {0}.', found.reason) };
    case 'found': {
      const { identity, advisories, purl, old } = found;
      const now = session.clock.now();
      const prose =
        identity.kind === 'package'
          ? describePackage(identity.facts)
          : describeLookedUp(toEvaluatedDependency(identity.facts, advisories, now), identity.facts, now);
      const age = old ? [paragraph(ageOf(old, now))] : [];
      return { kind: 'found', purl, markdown: toMarkdown([...age, ...prose]) };
    }
  }
}

/** The age of an answer that could not be refreshed, as a sentence. */
export function ageOf(old: OldAnswer, now: number): string {
  return l10n.t('This may be outdated: {0}.', oldAnswerText(old, now));
}

/** A sentence with the age of an outdated answer. */
export function withAge(sentence: string, old: OldAnswer | undefined, { clock }: Session): string {
  return old ? `${sentence} ${ageOf(old, clock.now())}` : sentence;
}

function invalid(text: string, reason: string): string {
  return /[?#]/.test(text)
    ? l10n.t('This purl cannot be looked up: {0}. Remove the part from “?” or “#”.', reason)
    : l10n.t('This purl cannot be looked up: {0}.', reason);
}
