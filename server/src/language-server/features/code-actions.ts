import * as l10n from '@vscode/l10n';
import {
  type CodeAction,
  type CodeActionContext,
  type CodeActionParams,
  CodeActionTriggerKind,
  type Command,
} from 'vscode-languageserver';
import { type DependencyFinding, findingsIn } from '../../analysis/findings.ts';
import { type Fix, fixAll, fixesFor, needsMove } from '../../analysis/fixes.ts';
import { bySeverity } from '../../analysis/rules/advisory.ts';
import type { Snapshot } from '../../analysis/snapshot.ts';
import { dayOf, isoDay } from '../../base/dates.ts';
import { oneLine } from '../../base/text.ts';
import { directoryOf, nameOf, relativeTo, upwardFrom } from '../../base/uri.ts';
import { versioning } from '../../ecosystems/versioning.ts';
import type { EvaluatedDependency } from '../../model/evaluated-dependency.ts';
import { purlTypes } from '../../model/purl.ts';
import { dependenciesIn, lineAt, onlyDependencyOn } from './cursor.ts';
import { source, toDiagnostic } from './diagnostics.ts';
import type { AnswerContext, Feature } from './feature.ts';
import { toWorkspaceEdit } from './workspace-edit.ts';

/**
 * The only kind. `codeActionsOnSave` runs every action of a kind and below, so none may be below `source`: a person who
 * runs a linter's fixes on save did not request other versions.
 */
const quickFix = 'quickfix';

/** Moves dependencies to other versions. Every action contains its edit. */
export const codeActions: Feature<CodeActionParams, (CodeAction | Command)[]> = {
  method: 'textDocument/codeAction',
  patience: 0,
  capability: (client) =>
    client.textDocument?.codeAction?.codeActionLiteralSupport
      ? { codeActionProvider: { codeActionKinds: [quickFix] } }
      : undefined,
  uri: (it) => it.textDocument.uri,
  emptyAnswer: () => [],
  movable: (snapshot, params, context) =>
    dependenciesNear(snapshot, params, context).filter((it) => it.target || it.matureVersion || it.nearestSafe),
  answer(snapshot, params, context) {
    if (!isQuickFixRequested(params.context)) return [];
    const near = dependenciesNear(snapshot, params, context);
    const actions: CodeAction[] = [];
    for (const evaluated of near) actions.push(...quickFixes(evaluated, snapshot, context));
    if (near.some(needsMove)) actions.push(...updateAllAction(snapshot, context));
    // Updates come before ignores.
    if (context.client.executesCommands) actions.push(...ignoreActions(findingsIn(near, context.settings), context));
    return actions;
  },
};

/** An editor that requests a kind automatically is about to save, and applies every edit. */
function isQuickFixRequested({ only, triggerKind }: CodeActionContext): boolean {
  if (only === undefined) return true;
  return triggerKind !== CodeActionTriggerKind.Automatic && only.some((it) => it === quickFix || it === '');
}

/**
 * The dependencies whose name or requirement a range touches. For a cursor on none, the only one of its line; otherwise
 * those of the findings in the request, since Kate sends only these for the mouse position.
 */
function dependenciesNear(
  snapshot: Snapshot,
  { range, context: asked }: CodeActionParams,
  context: AnswerContext,
): EvaluatedDependency[] {
  const positions = context.positions(snapshot.uri);
  const [start, end] = [positions.offset(range.start), positions.offset(range.end)];
  const touched = dependenciesIn(snapshot, { start, end });
  if (touched.length > 0 || start !== end) return touched;
  const alone = onlyDependencyOn(lineAt(range.start.line, snapshot, positions), snapshot);
  if (alone) return [alone];
  const named = asked.diagnostics.filter((it) => it.source === source).map((it) => positions.offset(it.range.start));
  const starts = new Set(named);
  return snapshot.dependencies.filter((it) => starts.has(it.linked.span.start));
}

function quickFixes(evaluated: EvaluatedDependency, snapshot: Snapshot, context: AnswerContext): CodeAction[] {
  const diagnostics = findingsIn([evaluated], context.settings).map((it) => toDiagnostic(it, context));
  const fixes = fixesFor(evaluated, snapshot.dependencies, context.dependents);
  const preferred = fixes.find((it) => it.move.ok && it.flaw === undefined);
  return fixes.flatMap((fix): CodeAction[] => {
    const action: CodeAction = { title: titleOf(fix), kind: quickFix, ...(diagnostics.length > 0 && { diagnostics }) };
    if (!fix.move.ok) {
      return context.client.disabledActions
        ? [{ ...action, disabled: { reason: oneLine(l10n.t('Cannot be updated: {0}', fix.move.reason)) } }]
        : [];
    }
    const isPreferred = fix === preferred && context.client.preferredActions;
    return [{ ...action, ...(isPreferred && { isPreferred }), edit: toWorkspaceEdit(fix.move.edits, context) }];
  });
}

/** `Update lodash to 4.18.1 (default version)`, `Update a:b to 2.0 through ${b.version} in pom.xml (default version; moves 3 dependencies)` */
function titleOf({ evaluated, version, why, flaw, license, move }: Fix): string {
  const notes = [
    reasonOf(why, evaluated),
    ...(isDowngrade(evaluated, version) ? [l10n.t('lower than the one in use')] : []),
    ...(license ? [l10n.t('license changes from {0} to {1}', license.from, license.to)] : []),
    ...(flaw ? [flaw] : []),
    ...(move.ok && move.moves > 1 ? [l10n.t('affects {0} dependencies', move.moves)] : []),
  ];
  const { uri } = evaluated.linked;
  const elsewhere = move.ok ? move.edits.filter((it) => it.uri !== uri).map((it) => nameRelativeTo(uri, it.uri)) : [];
  const files = elsewhere.join(l10n.t({ message: ' and ', comment: 'between the names of files' }));
  const through = move.ok ? move.through.at(-1) : undefined;
  return oneLine(titleFor(evaluated.linked.dependency.name, version, notes.join('; '), files, through));
}

function isDowngrade({ resolution, linked }: EvaluatedDependency, version: string): boolean {
  return resolution.kind === 'version' && versioning[linked.key.system].compare(version, resolution.version) < 0;
}

/** The name of a file as seen from another: `Directory.Packages.props`, or `../pom.xml` if both have the same name. */
function nameRelativeTo(uri: string, file: string): string {
  const name = nameOf(file);
  if (name !== nameOf(uri)) return name;
  let up = '';
  for (const directory of upwardFrom(directoryOf(uri))) {
    const below = relativeTo(directory, file);
    if (below !== undefined) return `${up}${below}`;
    up += '../';
  }
  return name;
}

/** @param files other files than the manifest; `''` for none */
function titleFor(name: string, version: string, notes: string, files: string, through: string | undefined): string {
  if (through === undefined) {
    return files === ''
      ? l10n.t('Update {0} to {1} ({2})', name, version, notes)
      : l10n.t('Update {0} to {1} in {2} ({3})', name, version, files, notes);
  }
  return files === ''
    ? l10n.t('Update {0} to {1} through {2} ({3})', name, version, through, notes)
    : l10n.t('Update {0} to {1} through {2} in {3} ({4})', name, version, through, files, notes);
}

function reasonOf(why: Fix['why'], { heldBack, otherFlavor }: EvaluatedDependency): string {
  switch (why) {
    case 'default':
      return l10n.t('default version');
    case 'flavor':
      return l10n.t('newest for {0}', otherFlavor?.flavor ?? '');
    case 'nearest':
      return l10n.t('nearest with no known advisory');
    case 'aged':
      return l10n.t('newest outside the cooldown of {0} days', heldBack?.days ?? 0);
  }
}

function updateAllAction(snapshot: Snapshot, context: AnswerContext): CodeAction[] {
  const edits = fixAll(snapshot.dependencies);
  if (edits.length === 0) return [];
  return [
    {
      title: l10n.t('Update every deprecated or affected dependency in this file'),
      kind: quickFix,
      edit: toWorkspaceEdit(edits, context),
    },
  ];
}

/** Adds an ignore to the nearest project file. Its argument is an `IgnoreRequest`. */
export const ignoreCommand = 'packageInsights.server.ignore';

/** The command of clients that request the reason and the day from the person, and then send `ignoreCommand`. */
const askingCommand = 'packageInsights.ignore';

/** The only argument of the command. */
export interface IgnoreRequest {
  /** The manifest: the project file that is nearest to it is changed. */
  readonly uri: string;
  readonly id: string;
  /** `npm/lodash` */
  readonly package: string;
  readonly until: string;
  readonly reason: string;
}

/** The default duration of an ignore, in ms. */
const DEFAULT_IGNORE_MS = 90 * 24 * 3_600_000;
/** In one dependency. A longer list is not ignored one by one. */
const MAX_IGNORE_ACTIONS = 5;

/** `Ignore GHSA-… for lodash until 2027-02-19`, for each advisory and each other finding of a dependency. */
export function ignoreActions(findings: readonly DependencyFinding[], context: AnswerContext): CodeAction[] {
  return findings.flatMap((finding) => {
    const { code, evaluated, uri } = finding;
    // An untitled document has no project file.
    if (directoryOf(uri) === '') return [];
    const ids = code === 'advisory' ? bySeverity(evaluated.advisories).map((it) => it.id) : [code];
    return ids.slice(0, MAX_IGNORE_ACTIONS).map((id) => ignoreAction(id, finding, context));
  });
}

function ignoreAction(id: string, { uri, evaluated }: DependencyFinding, context: AnswerContext): CodeAction {
  const { dependency, key } = evaluated.linked;
  const last = context.now + DEFAULT_IGNORE_MS;
  const isAsked = context.client.asksForReasons;
  const title = isAsked
    ? l10n.t('Ignore {0} for {1} until {2}…', id, dependency.name, dayOf(last))
    : l10n.t('Ignore {0} for {1} until {2}', id, dependency.name, dayOf(last));
  const request: IgnoreRequest = {
    uri,
    id,
    package: `${purlTypes[key.system]}/${key.name}`,
    until: isoDay(last),
    // Every ignore needs a reason, which only a person can give.
    reason: l10n.t('reason still to be given'),
  };
  const command = isAsked ? askingCommand : ignoreCommand;
  return { title: oneLine(title), kind: 'quickfix', command: { title: oneLine(title), command, arguments: [request] } };
}
