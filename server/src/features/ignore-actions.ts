import * as l10n from '@vscode/l10n';
import type { CodeAction } from 'vscode-languageserver';
import type { SubjectFinding } from '../engine/check.ts';
import { dayOf, isoDay } from '../model/day.ts';
import { oneLine } from '../model/one-line.ts';
import { purlTypes } from '../model/purl.ts';
import { directoryOf } from '../model/uri.ts';
import { bySeverity } from '../rules/advisory.ts';
import type { Context } from './feature.ts';

/** Adds an ignore to the nearest project file, with the arguments of `IgnoreRequest`. */
export const ignoreCommand = 'packageInsights.server.ignore';

/** A client that asks the person for the reason and the day does so under this name, and then sends the command above. */
const askingCommand = 'packageInsights.ignore';

/** What is to be ignored: the only argument of the command. */
export interface IgnoreRequest {
  /** The manifest: the project file that is nearest to it is changed. */
  readonly uri: string;
  readonly id: string;
  /** `npm/lodash` */
  readonly package: string;
  readonly until: string;
  readonly reason: string;
}

/** How long something is ignored unless the person says otherwise. */
const usual = 90 * 24 * 3_600_000;
/** A longer list is no help: who has so many does not ignore them one by one. */
const most = 5;

/** `Ignore GHSA-… for lodash until 2027-02-19`, for each advisory and each other finding of a dependency. */
export function ignoreActions(findings: readonly SubjectFinding[], context: Context): CodeAction[] {
  return findings.flatMap((finding) => {
    const { code, subject, uri } = finding;
    // A document that has no file yet has no project file, either.
    if (directoryOf(uri) === '') return [];
    const ids = code === 'advisory' ? bySeverity(subject.advisories).map((it) => it.id) : [code];
    return ids.slice(0, most).map((id) => ignoreAction(id, finding, context));
  });
}

function ignoreAction(id: string, { uri, subject }: SubjectFinding, context: Context): CodeAction {
  const { dependency, key } = subject.linked;
  const last = context.now + usual;
  const isAsked = context.client.asksForReasons;
  const title = isAsked
    ? l10n.t('Ignore {0} for {1} until {2}…', id, dependency.name, dayOf(last))
    : l10n.t('Ignore {0} for {1} until {2}', id, dependency.name, dayOf(last));
  const request: IgnoreRequest = {
    uri,
    id,
    package: `${purlTypes[key.system]}/${key.name}`,
    until: isoDay(last),
    // Nothing is ignored without a reason, and nobody but a person has one.
    reason: l10n.t('reason still to be given'),
  };
  const command = isAsked ? askingCommand : ignoreCommand;
  return { title: oneLine(title), kind: 'quickfix', command: { title: oneLine(title), command, arguments: [request] } };
}
