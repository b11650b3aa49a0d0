import * as l10n from '@vscode/l10n';
import type { CodeAction } from 'vscode-languageserver';
import type { DependencyFinding } from '../../engine/analysis/findings.ts';
import { bySeverity, severityText } from '../../engine/analysis/rules/advisory.ts';
import { dayOf, isoDay } from '../../engine/base/dates.ts';
import { oneLine } from '../../engine/base/text.ts';
import { directoryOf } from '../../engine/base/uri.ts';
import type { EvaluatedDependency } from '../../engine/model/evaluated-dependency.ts';
import { findingCodes, wordForCode } from '../../engine/model/finding.ts';
import type { Ignore } from '../../engine/model/project.ts';
import { purlTypes } from '../../engine/model/purl.ts';
import { isMalware, isSuspicion, suspicionText } from '../../engine/model/severity-rating.ts';
import type { Advisory } from '../../engine/model/signals/advisory.ts';
import { ignoresOf } from '../../engine/policy/ignores.ts';
import { ignoreCommand, showIgnoreCommand, stopIgnoringCommand } from '../command-names.ts';
import type { AnswerContext } from './feature.ts';
import { quickFix } from './offers.ts';

/** The command of clients that request the reason and the day from the person, and then send `ignoreCommand`. */
const askingCommand = 'packageInsights.ignore';

/** The command of clients that save the project file after `stopIgnoringCommand`. */
const savingCommand = 'packageInsights.stopIgnoring';

/** The only argument of the command. */
export interface IgnoreRequest {
  /** The manifest: the project file that is nearest to it is changed. */
  readonly uri: string;
  readonly id: string;
  /** The word for people where the id is a code: `“deprecated”`. */
  readonly word?: string;
  /** `npm/lodash` */
  readonly package: string;
  /** The finding for people: `high 7.5 · Prototype pollution`. */
  readonly about?: string;
  readonly until: string;
  readonly reason: string;
}

/** The default duration of an ignore, in ms. */
const DEFAULT_IGNORE_MS = 90 * 24 * 3_600_000;
/** In characters: a line of a list. */
const MAX_ABOUT_LENGTH = 150;
/** In one dependency. A longer list is not ignored one by one. */
const MAX_IGNORE_ACTIONS = 5;

/** `Ignore GHSA-… for lodash until 2027-02-19`, for each advisory and each other finding of a dependency. */
export function ignoreActions(findings: readonly DependencyFinding[], context: AnswerContext): CodeAction[] {
  if (context.client.asksForReasons) return askedIgnores(findings, context);
  const actions = findings.flatMap((it) => ignoreRequests(it, context).map((of) => ignoreAction(of, it, context)));
  // The versions of a dependency often have it in common.
  return [...new Map(actions.reverse().map((it) => [it.title, it])).values()].reverse();
}

/** One action for each dependency: the person selects among its findings, and gives one reason for them. */
function askedIgnores(findings: readonly DependencyFinding[], context: AnswerContext): CodeAction[] {
  return [...new Set(findings.map((it) => it.evaluated))].flatMap((evaluated): CodeAction[] => {
    const own = findings.filter((it) => it.evaluated === evaluated);
    const requests = own.flatMap((it) => ignoreRequests(it, context));
    const [request] = requests;
    const [finding] = own;
    if (request === undefined || finding === undefined) return [];
    if (requests.length === 1) return [ignoreAction(request, finding, context)];
    const title = oneLine(l10n.t('Ignore {0} findings of {1}…', requests.length, evaluated.linked.dependency.name));
    return [{ title, kind: quickFix, command: { title, command: askingCommand, arguments: requests } }];
  });
}

/** One for each advisory, worst first, or for the code of another finding. */
export function ignoreRequests(finding: DependencyFinding, { now }: AnswerContext): IgnoreRequest[] {
  const { code, evaluated, uri } = finding;
  // An untitled document has no project file, and nothing accepts malware.
  if (directoryOf(uri) === '' || code === 'malicious') return [];
  const { key } = evaluated.linked;
  const found =
    code === 'advisory'
      ? bySeverity(evaluated.advisories.filter((it) => !isMalware(it))).map((it) => ({
          id: it.id,
          about: advisoryText(it),
        }))
      : [{ id: code, about: oneLine(finding.message, MAX_ABOUT_LENGTH) }];
  return found.slice(0, MAX_IGNORE_ACTIONS).map(({ id, about }) => ({
    uri,
    id,
    ...(idText(id) !== id && { word: idText(id) }),
    package: `${purlTypes[key.system]}/${key.name}`,
    ...(about !== undefined && { about }),
    until: isoDay(now + DEFAULT_IGNORE_MS),
    // Every ignore needs a reason, which only a person can give.
    reason: l10n.t('reason still to be given'),
  }));
}

/** `high 7.5 · Prototype pollution`; undefined while it is not known. */
function advisoryText(advisory: Advisory): string | undefined {
  const { facts } = advisory;
  if (facts.state !== 'ready') return undefined;
  const { title } = facts.value;
  const severity = severityText(advisory);
  return oneLine(title === '' ? severity : `${severity} · ${title}`, MAX_ABOUT_LENGTH);
}

function ignoreAction(request: IgnoreRequest, { evaluated }: DependencyFinding, context: AnswerContext): CodeAction {
  const { name } = evaluated.linked.dependency;
  const last = dayOf(Date.parse(request.until));
  const isAsked = context.client.asksForReasons;
  const title = isAsked
    ? l10n.t('Ignore {0} for {1} until {2}…', idText(request.id), name, last)
    : l10n.t('Ignore {0} for {1} until {2}', idText(request.id), name, last);
  const command = isAsked ? askingCommand : ignoreCommand;
  return { title: oneLine(title), kind: 'quickfix', command: { title: oneLine(title), command, arguments: [request] } };
}

/** The only argument of the commands about an ignore that is there. */
export interface IgnorePlace {
  /** The manifest: its nearest project file has the ignore. */
  readonly uri: string;
  readonly id: string;
  /** As the project file says it; absent if the ignore is for every package. */
  readonly package?: string;
}

/** `Edit the Ignore of GHSA-…`, `Stop Ignoring GHSA-…`: for what a project file accepts. */
export function ignoredActions(evaluated: EvaluatedDependency, { client }: AnswerContext): CodeAction[] {
  const { uri } = evaluated.linked;
  if (!client.executesCommands || directoryOf(uri) === '') return [];
  return ignoresOf(evaluated)
    .slice(0, MAX_IGNORE_ACTIONS)
    .flatMap((ignore) => {
      const about = nameOfIgnored(ignore, evaluated);
      const stop =
        ignore.package === undefined
          ? l10n.t('Stop Ignoring {0} in Every Package', about)
          : l10n.t('Stop Ignoring {0}', about);
      const place: IgnorePlace = { uri, id: ignore.id, ...(ignore.package && { package: ignore.package }) };
      return [
        toAction(l10n.t('Edit the Ignore of {0}…', about), showIgnoreCommand, place),
        toAction(stop, client.asksForReasons ? savingCommand : stopIgnoringCommand, place),
      ];
    });
}

function toAction(text: string, command: string, place: IgnorePlace): CodeAction {
  const title = oneLine(text);
  return { title, kind: quickFix, command: { title, command, arguments: [place] } };
}

/** `GHSA-… for lodash`, `“deprecated” for lodash` */
function nameOfIgnored({ id }: Ignore, { linked }: EvaluatedDependency): string {
  return l10n.t({
    message: '{0} for {1}',
    args: [idText(id), linked.dependency.name],
    comment: 'a finding, and a package',
  });
}

/** An advisory by its identifier, another finding by its words: no title shows a code. */
function idText(id: string): string {
  const code = findingCodes.find((it) => it === id);
  if (code !== undefined) return `“${wordForCode(code)}”`;
  return isSuspicion(id) ? `“${suspicionText(id)}”` : id;
}
