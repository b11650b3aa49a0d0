import * as l10n from '@vscode/l10n';
import { repositoryLine } from '../../engine/analysis/repository-text.ts';
import { bySeverity, worstRatingOf } from '../../engine/analysis/rules/advisory.ts';
import { newNameText, unknownText } from '../../engine/analysis/rules/not-found.ts';
import { oneLine } from '../../engine/base/text.ts';
import { type EvaluatedDependency, factsOf, spelledName, targetFor } from '../../engine/model/evaluated-dependency.ts';
import { deprecationOf } from '../../engine/model/facts.ts';
import { licensesOf } from '../../engine/model/license-policy.ts';
import { browsableAddress } from '../../engine/model/links.ts';
import { formatPurl } from '../../engine/model/purl.ts';
import { isSuspicion, type Rating, suspicionText } from '../../engine/model/severity-rating.ts';
import type { Advisory } from '../../engine/model/signals/advisory.ts';
import type { System } from '../../engine/model/system.ts';
import { isUndecided } from '../../engine/report/build/coverage.ts';
import { notLookedUpText, unlistedText } from '../features/hover/lookup-status.ts';

/** A dependency as a line of a list. All texts are plain, on one line. */
export interface DependencySummary {
  readonly system: System;
  readonly name: string;
  /** The requirement; `''` for any version. */
  readonly requirement: string;
  /** Of the resolved version, or of the package without one. */
  readonly purl: string;
  /** Absent if none is resolved: `reason` explains that. */
  readonly version?: string;
  /** Why there is no version or there are no facts, as a sentence. */
  readonly reason?: string;
  /** Set where a browser waits for the person's permission to look it up. */
  readonly isUndecided?: true;
  readonly licenses: readonly string[];
  readonly isDeprecated: boolean;
  readonly deprecatedReason?: string;
  /** Advisories of the version itself, grouped by vulnerability. */
  readonly advisories: readonly string[];
  /** The rating of the worst advisory; absent while one is being looked up. */
  readonly severity?: Rating;
  /** The default version if it is another one and known. */
  readonly defaultVersion?: string;
  /** The state of its source repository at the connected code host; absent while nothing is known. */
  readonly repository?: string;
  /** Set if that repository is archived. */
  readonly isArchived?: true;
  readonly links: readonly { readonly label: string; readonly url: string }[];
}

/** Links and advisories of one line, at the most. */
const MAX_LISTED = 20;

export function summaryOf(evaluated: EvaluatedDependency): DependencySummary {
  const { linked, resolution, advisories } = evaluated;
  const { key, requirement } = linked;
  const facts = factsOf(evaluated);
  const deprecation = facts && deprecationOf(facts);
  const version = resolution.kind === 'version' ? resolution.version : undefined;
  const reason = reasonOf(evaluated);
  const severity = worstRatingOf(advisories);
  const repository = repositoryLine(evaluated);
  const source = evaluated.repository?.facts;
  const isArchived = source?.state === 'ready' && source.value.isArchived;
  const target = facts?.isDefault ? undefined : targetFor(evaluated, 'default')?.version;
  return {
    system: key.system,
    name: oneLine(spelledName(linked, facts)),
    requirement: requirement.kind === 'text' ? oneLine(requirement.text) : '',
    purl: formatPurl(key, version),
    ...(version !== undefined && { version: oneLine(version) }),
    ...(reason !== undefined && { reason: oneLine(reason) }),
    ...(isUndecided(evaluated) && { isUndecided: true as const }),
    licenses: facts ? licensesOf(facts).map((it) => oneLine(it)) : [],
    isDeprecated: deprecation !== undefined,
    ...(deprecation?.reason && { deprecatedReason: oneLine(deprecation.reason) }),
    advisories: advisoryLines(advisories),
    ...(severity && { severity }),
    ...(target !== undefined && { defaultVersion: oneLine(target) }),
    ...(repository !== undefined && { repository: oneLine(repository) }),
    ...(isArchived && { isArchived }),
    links: (facts?.links ?? []).slice(0, MAX_LISTED).flatMap(({ label, url }) => {
      const address = browsableAddress(url);
      return address === undefined ? [] : [{ label: oneLine(label), url: address }];
    }),
  };
}

function reasonOf(evaluated: EvaluatedDependency): string | undefined {
  const { linked, resolution, version } = evaluated;
  if (evaluated.isNewName) {
    const { fact, reason } = newNameText(evaluated);
    return `${fact} ${reason}`;
  }
  switch (resolution.kind) {
    case 'none':
      return notLookedUpText(resolution);
    case 'pending':
      return l10n.t('The service has not answered yet.');
    case 'unknown':
      return `${unknownText({ ...linked.key, name: oneLine(spelledName(linked)) })}.`;
    case 'unlisted':
      return unlistedText(oneLine(spelledName(linked)), resolution.range);
    case 'no-match':
      return l10n.t('No published version meets {0}.', resolution.range);
    case 'failed':
      return l10n.t('Lookup failed: {0}.', resolution.reason);
    case 'version':
      if (version?.state === 'pending') return l10n.t('The service has not answered yet.');
      if (version?.state === 'failed') return l10n.t('Lookup failed: {0}.', version.reason);
      if (version?.state !== 'unknown') return undefined;
      return linked.key.registry === undefined
        ? l10n.t('Version {0} is unknown to the service.', resolution.version)
        : l10n.t('Its registry does not have version {0}.', resolution.version);
  }
}

/** The worst first, as `GHSA-… Prototype pollution`. */
export function advisoryLines(all: readonly Advisory[]): readonly string[] {
  return bySeverity(all).slice(0, MAX_LISTED).map(titleOf);
}

function titleOf({ id, facts }: Advisory): string {
  if (isSuspicion(id)) return suspicionText(id);
  return oneLine(facts.state === 'ready' ? `${id} ${facts.value.title}`.trim() : id);
}
