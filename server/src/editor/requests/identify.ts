import * as l10n from '@vscode/l10n';
import type { ProgressToken } from 'vscode-languageserver';
import { groupAdvisories } from '../../engine/analysis/evaluate/advisories.ts';
import { hexOf } from '../../engine/base/bytes.ts';
import { oneLine } from '../../engine/base/text.ts';
import {
  type IdentifiedFile,
  identifyFile,
  isTruncated,
  MAX_RESULTS,
  nameOfHash,
  unknownText,
} from '../../engine/lookup/identify-file.ts';
import { toEvaluatedDependency } from '../../engine/lookup/package-lookup.ts';
import { formatPurl, parsePurl } from '../../engine/model/purl.ts';
import { signalOf } from '../dispatch.ts';
import type { OwnRequest } from '../extension.ts';
import { textIn } from '../params.ts';
import type { Engine } from '../state/engine.ts';
import { beginProgress, tokenIn } from '../util/progress.ts';
import { ageOf, withAge } from './purl.ts';
import { type DependencySummary, summaryOf } from './summary.ts';

export interface IdentifyParams {
  /** Of a file of this machine: `file:///…/snakeyaml.jar`. */
  readonly uri: string;
  /** A purl with a version to compare the file with. */
  readonly as?: string;
  /** `$/progress` is sent for it while the file is read. */
  readonly workDoneToken?: ProgressToken;
}

export type IdentifyAnswer =
  | {
      /** `other`: the file belongs to other versions than `as`. */
      readonly kind: 'found' | 'other';
      /** The digest that matched: `SHA-256`. */
      readonly by: string;
      /** In hexadecimal digits. */
      readonly digest: string;
      readonly versions: readonly IdentifiedVersion[];
      /** The service returned its maximum: there may be more. */
      readonly isCut: boolean;
      /** The age of an answer that could not be refreshed, as a sentence. */
      readonly age?: string;
    }
  /** A sentence. */
  | { readonly kind: 'unknown' | 'failed'; readonly reason: string };

export interface IdentifiedVersion extends DependencySummary {
  /** The addresses of the matching files. */
  readonly artifacts: readonly string[];
}

/** The versions that a file belongs to, by its digests. Its content stays on the machine. */
export const identifyRequest: OwnRequest<IdentifyParams, IdentifyAnswer> = {
  method: 'packageInsights/identify',
  isHeavy: true,
  read(params) {
    const [uri, as] = [textIn(params, 'uri'), textIn(params, 'as')];
    if (uri === undefined) return undefined;
    return { uri, ...(as !== undefined && { as }), ...tokenIn(params) };
  },
  async answer({ uri, as, workDoneToken }, { client, engine }, token) {
    const file = await engine.findLocalFile(uri);
    if (file === undefined) return { kind: 'failed', reason: l10n.t('This file does not exist on this machine.') };
    const claim = as === undefined ? undefined : parsePurl(as);
    if (claim && (claim.kind === 'invalid' || claim.purl.version === undefined)) {
      return { kind: 'failed', reason: l10n.t('Verifying a file requires a purl with a version.') };
    }
    const version = claim && { ...claim.purl.key, version: claim.purl.version ?? '' };
    const progress = beginProgress(l10n.t('Reading {0}', oneLine(file.name)), workDoneToken, client);
    const tell = (bytes: number): void => progress.report(bytes, file.size);
    const found = await identifyFile(file, engine.insights.lookups, version, signalOf(token), tell);
    progress.end();
    return answerOf(found, version && formatPurl(version, version.version), engine);
  },
};

function answerOf(found: IdentifiedFile, claim: string | undefined, engine: Engine): IdentifyAnswer {
  const { insights, clock } = engine;
  const name = oneLine(found.name);
  switch (found.kind) {
    case 'unknown':
      return {
        kind: 'unknown',
        reason: withAge(
          claim === undefined
            ? l10n.t('No digest of {0} is known. The service has no lookup by digest for Go and PyPI.', name)
            : unknownText(found, name, oneLine(claim)),
          found.old,
          engine,
        ),
      };
    case 'failed':
      return { kind: 'failed', reason: l10n.t('The lookup of {0} failed: {1}.', name, oneLine(found.reason)) };
    case 'found':
    case 'other': {
      const { kind, by, results, digests, old } = found;
      const age = old && { age: ageOf(old, clock.now()) };
      const versions = results.slice(0, MAX_RESULTS).map(({ version, artifacts }) => ({
        ...summaryOf(toEvaluatedDependency(version, groupAdvisories(version.advisories, insights), clock.now())),
        artifacts: artifacts.map((it) => oneLine(it)),
      }));
      const digest = hexOf(digests[by]);
      return { kind, by: nameOfHash(by), digest, versions, isCut: isTruncated(found), ...age };
    }
  }
}
