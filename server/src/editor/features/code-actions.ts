import * as l10n from '@vscode/l10n';
import {
  type CodeAction,
  type CodeActionContext,
  type CodeActionParams,
  CodeActionTriggerKind,
  type Command,
} from 'vscode-languageserver';
import { wayInto } from '../../engine/analysis/below/way-in.ts';
import {
  type DependencyFinding,
  findingsAtDefinitions,
  findingsBehind,
  findingsIn,
} from '../../engine/analysis/findings.ts';
import { type Fix, fixesFor, type Misfits, writtenFor } from '../../engine/analysis/fixes.ts';
import { countManaged, type ManagingFix, type ManagingFixes } from '../../engine/analysis/managing-fixes.ts';
import { factsOfMove, namesInShort } from '../../engine/analysis/shared-target.ts';
import { type Snapshot, updatableIn } from '../../engine/analysis/snapshot.ts';
import { planUpdates } from '../../engine/analysis/update-plan.ts';
import { alternativesOf, verdictOf } from '../../engine/analysis/verdict.ts';
import {
  conditionText,
  managerInVainText,
  managingNotes,
  overridesText,
  refusalText,
  targetNotes,
  withoutSize,
} from '../../engine/analysis/verdict-text.ts';
import { oneLine } from '../../engine/base/text.ts';
import { directoryOf, nameOf, relativeTo, upwardFrom } from '../../engine/base/uri.ts';
import { type EvaluatedDependency, isSamePlace, managedBy, placeOf } from '../../engine/model/evaluated-dependency.ts';
import type { Wanted } from '../../engine/model/ports.ts';
import type { RangeEnd } from '../../engine/model/versioning.ts';
import { explainCommand, updateCommand } from '../command-names.ts';
import { chooseAction } from './choice-actions.ts';
import {
  type ExplainRequest,
  factsOfTargets,
  type ManagingRequest,
  placeIn,
  type Updated,
  type UpdateRequest,
  updatedCommand,
} from './commands.ts';
import { definitionsIn, dependenciesIn, lineAt, onlyDependencyOn } from './cursor.ts';
import { toDiagnostic } from './diagnostics.ts';
import { type AnswerContext, added, type Feature } from './feature.ts';
import { wayInText } from './hover/way-in.ts';
import { ignoreActions, ignoredActions } from './ignore-actions.ts';
import { lockfileActions } from './lockfile-actions.ts';
import { quickFix, source } from './offers.ts';
import { privateActions } from './private-actions.ts';
import { removeActions, renameActions } from './remove-actions.ts';
import { factsOfWays, wayActions } from './way-actions.ts';
import { toWorkspaceEdit } from './workspace-edit.ts';

/** Moves dependencies to other versions. Every action contains its edit. */
export const codeActions: Feature<CodeActionParams, (CodeAction | Command)[]> = {
  method: 'textDocument/codeAction',
  patience: 500,
  uri: (it) => it.textDocument.uri,
  emptyAnswer: () => [],
  // Editors request actions with every move of the cursor.
  neededFacts: (snapshot, params, context) =>
    params.context.triggerKind === CodeActionTriggerKind.Automatic
      ? []
      : neededFor(dependenciesNear(snapshot, params, context), snapshot, context),
  movable(snapshot, params, context) {
    const near = dependenciesNear(snapshot, params, context).filter((it) => it.targets.length > 0);
    // The update of the whole file is offered with them.
    return near.some((it) => verdictOf(it).needsMove) ? snapshot.dependencies : near;
  },
  answer(snapshot, params, context) {
    if (!isQuickFixRequested(params.context)) return [];
    const near = dependenciesNear(snapshot, params, context);
    const actions: CodeAction[] = [];
    const movable = [...definitionsNear(snapshot, params, context), ...near];
    const unsound = new Set<CodeAction>();
    const managing = new Map(managedWithProblems(near).map((it) => [it, snapshot.findManagingFixes(it)]));
    const fixes = movable.flatMap((it) => [
      ...managingActions(it, managing.get(it), snapshot, context),
      ...quickFixes(it, managing.get(it), snapshot, context, unsound),
    ]);
    // The first entry changes the line, if any does.
    const isSound = (it: CodeAction): boolean => it.edit !== undefined && !unsound.has(it);
    const isExplanation = (it: CodeAction): boolean => it.edit === undefined && it.command?.command !== updateCommand;
    actions.push(...fixes.filter((it) => isSound(it) || !(it.edit || isExplanation(it))));
    const after = (title: string): Pick<CodeAction, 'command'> => afterwards(title, snapshot, context);
    for (const it of near) actions.push(...lockfileActions(it, snapshot, context));
    for (const it of near) actions.push(...renameActions(it, snapshot, context, after));
    for (const it of near) actions.push(...removeActions(it, snapshot, context, after));
    for (const it of near) actions.push(...wayActions(it, snapshot, context, after));
    // Where no version is better, a list of them is no way out.
    const [hopeless, hopeful] = [movable.filter(isWithoutWay), movable.filter((it) => !isWithoutWay(it))];
    for (const evaluated of hopeful) actions.push(...chooseAction(evaluated, context));
    for (const evaluated of movable) actions.push(...added('actions', evaluated, context));
    actions.push(...fixes.filter(isExplanation));
    // A version with problems of its own is never the first answer.
    actions.push(...fixes.filter((it) => unsound.has(it)));
    if (movable.some((it) => verdictOf(it).needsMove)) actions.push(...updateAllAction(snapshot, context));
    actions.push(...privateActions(near, context));
    // Updates come before ignores.
    if (context.client.executesCommands) actions.push(...ignoreActions(findingsOf(movable, context), context));
    for (const evaluated of movable) actions.push(...ignoredActions(evaluated, context));
    for (const evaluated of hopeless) actions.push(...chooseAction(evaluated, context));
    return actions;
  },
};

/** Whether something is wrong with a version and no other one is known to be better. */
function isWithoutWay(evaluated: EvaluatedDependency): boolean {
  const { needsMove, isWithoutFix, targets } = verdictOf(evaluated);
  return isWithoutFix || (targets.length === 0 && (needsMove || evaluated.resolution.kind === 'no-match'));
}

/** Dependencies of one request whose parents and BOMs are looked through: each takes some ms, and up to 300 POMs. */
const MAX_MANAGED = 5;

function managedWithProblems(near: readonly EvaluatedDependency[]): readonly EvaluatedDependency[] {
  return near.filter((it) => managedBy(it.linked) && verdictOf(it).needsMove).slice(0, MAX_MANAGED);
}

function neededFor(
  near: readonly EvaluatedDependency[],
  snapshot: Snapshot,
  context: AnswerContext,
): readonly Wanted[] {
  return [
    ...near.flatMap(factsOfTargets),
    ...near.flatMap((it) => factsOfSiblings(it, snapshot, context)),
    ...managedWithProblems(near).flatMap((it) => snapshot.findManagingFixes(it).wanted),
    ...factsOfWays(near.slice(0, MAX_MANAGED), snapshot),
  ];
}

/** An editor that requests a kind automatically is about to save, and applies every edit. */
export function isQuickFixRequested({ only, triggerKind }: CodeActionContext): boolean {
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
): readonly EvaluatedDependency[] {
  const positions = context.positions(snapshot.uri);
  const [start, end] = [positions.offset(range.start), positions.offset(range.end)];
  const touched = dependenciesIn(snapshot, { start, end });
  if (touched.length > 0 || start !== end) return touched;
  const alone = onlyDependencyOn(lineAt(range.start.line, snapshot, positions), snapshot);
  if (alone) return alternativesOf(alone, snapshot.dependencies);
  const named = asked.diagnostics.filter((it) => it.source === source).map((it) => positions.offset(it.range.start));
  const starts = new Set(named);
  return snapshot.dependencies.filter((it) => starts.has(it.linked.span.start));
}

/** The titles say which of the packages that share a version lack another one. */
function factsOfSiblings(
  evaluated: EvaluatedDependency,
  { dependencies }: Snapshot,
  { facts }: Pick<AnswerContext, 'facts'>,
): Wanted[] {
  const { linked, targets } = evaluated;
  const place = placeOf(linked);
  if (place?.definition === undefined) return [];
  const siblings = dependencies.filter(
    (it) => it.resolution.kind === 'version' && it.linked !== linked && isSamePlace(placeOf(it.linked), place),
  );
  return siblings.flatMap((it) =>
    targets.flatMap(({ version }) =>
      factsOfMove(it.linked.key, { version, written: writtenFor(evaluated, version) }, facts),
    ),
  );
}

/** The findings of dependencies and of those that definitions stand for, each once. */
function findingsOf(some: readonly EvaluatedDependency[], { settings }: AnswerContext): DependencyFinding[] {
  const all = some.flatMap((it) => findingsBehind(it, settings));
  const known = new Set<string>();
  return all.filter(({ uri, span, code, subject }) => {
    const id = `${code} ${span.start} ${uri} ${subject}`;
    return !known.has(id) && known.add(id);
  });
}

/** The definitions on the lines of a range. */
function definitionsNear(
  snapshot: Snapshot,
  { range }: CodeActionParams,
  context: AnswerContext,
): EvaluatedDependency[] {
  const positions = context.positions(snapshot.uri);
  const [first, last] = [range.start.line, range.end.line].map((it) => lineAt(it, snapshot, positions));
  return first && last ? definitionsIn(snapshot, { start: first.start, end: last.end }) : [];
}

/** @param unsound filled with the actions that move to a version with problems */
function quickFixes(
  evaluated: EvaluatedDependency,
  managing: ManagingFixes | undefined,
  snapshot: Snapshot,
  context: AnswerContext,
  unsound: Set<CodeAction>,
): CodeAction[] {
  const find = evaluated.shared ? findingsAtDefinitions : findingsIn;
  const diagnostics = find([evaluated], context.settings).map((it) => toDiagnostic(it, context));
  const { recommended } = verdictOf(evaluated);
  const around = { all: snapshot.dependencies, elsewhere: context.dependents, facts: context.facts };
  return fixesFor(evaluated, around).flatMap((fix, at): CodeAction[] => {
    // What manages the version refuses all targets alike.
    if (at > 0 && !fix.move.ok && managedBy(evaluated.linked)) return [];
    const title = titleOf(fix);
    const action: CodeAction = { title, kind: quickFix, ...(diagnostics.length > 0 && { diagnostics }) };
    if (!fix.move.ok) {
      const reason = refusalText(evaluated, fix.move.reason, managing);
      const way = evaluated.linked.isRecorded && wayInto(snapshot, evaluated, context.graphOf);
      const more = way ? ` ${wayInText(snapshot.uri, way, context.positions)}.` : '';
      return explanation(action, fix, { reason, more }, context);
    }
    // It may be malware: the command waits for its facts.
    if (!fix.target.isChecked) return lookedUpAction(action, fix, context);
    const { lacking, worse, lower, unchecked } = fix.misfits ?? {};
    const isSound = fix.target.flaw === undefined && !lacking && !worse && !lower;
    const isBest = fix.target === recommended && isSound && !unchecked && fix.move.overrides === undefined;
    // Whether a requirement above all that is published is a mistake, or ahead of its time, a person knows.
    const isGuess = fix.target.isDowngrade && evaluated.resolution.kind === 'no-match';
    const isPreferred = isBest && !isGuess && context.client.preferredActions;
    const edit = toWorkspaceEdit(fix.move.edits, context);
    const update = { ...action, ...(isPreferred && { isPreferred }), edit, ...afterwards(title, snapshot, context) };
    if (!isSound) unsound.add(update);
    return [update];
  });
}

function lookedUpAction(
  action: CodeAction,
  { evaluated, target: { version } }: Fix,
  { client }: AnswerContext,
): CodeAction[] {
  if (!client.executesCommands) return [];
  const request: UpdateRequest = { ...placeIn(evaluated), version };
  return [{ ...action, command: { title: action.title, command: updateCommand, arguments: [request] } }];
}

/** Updates of the parent or BOM that manages a version with a problem, then a property of its own that decides. */
function managingActions(
  evaluated: EvaluatedDependency,
  managing: ManagingFixes | undefined,
  snapshot: Snapshot,
  context: AnswerContext,
): CodeAction[] {
  const manager = managedBy(evaluated.linked);
  if (manager === undefined || managing === undefined) return [];
  const diagnostics = findingsIn([evaluated], context.settings).map((it) => toDiagnostic(it, context));
  const { fixes, isSearching } = managing;
  const { executesCommands, preferredActions } = context.client;
  const action = (title: string): CodeAction => ({ title, kind: quickFix, diagnostics });
  const updates = fixes.map((fix): CodeAction => {
    const title = managingTitle(evaluated, fix, countManaged(fix, snapshot.dependencies, context.dependents));
    const isPreferred = preferredActions && fix.way === 'parent' && fix.step !== undefined && fix.step !== 'major';
    const edit = toWorkspaceEdit([fix.edit], context);
    return { ...action(title), ...(isPreferred && { isPreferred }), edit, ...afterwards(title, snapshot, context) };
  });
  const inVain = managerInVainText(evaluated, managing);
  if (inVain !== undefined) {
    const version = verdictOf(evaluated).recommended?.version ?? '';
    return explaining(action(inVain), { title: inVain, message: `${inVain}.`, version }, evaluated, context);
  }
  if (!isSearching || !executesCommands || fixes.some((it) => it.way === 'parent')) return updates;
  // The facts are late: the command waits for them.
  const { name } = evaluated.linked.dependency;
  const title = oneLine(
    l10n.t('Update {0} to the smallest version that manages {1} without problems', manager.through, name),
  );
  const request: ManagingRequest = { ...placeIn(evaluated), way: 'parent' };
  return [{ ...action(title), command: { title, command: updateCommand, arguments: [request] } }, ...updates];
}

/** The command that the editor runs after the edit. */
function afterwards(title: string, { uri }: Snapshot, { client }: AnswerContext): Pick<CodeAction, 'command'> {
  const updated: Updated = { uri };
  return client.followsUpdates ? { command: { title, command: updatedCommand, arguments: [updated] } } : {};
}

function explanation(
  action: CodeAction,
  fix: Fix,
  { reason, more }: { readonly reason: string; readonly more: string },
  context: AnswerContext,
): CodeAction[] {
  const { name } = fix.evaluated.linked.dependency;
  const { version } = fix.target;
  const title = l10n.t('Why is {0} not updated to {1}?', name, version);
  const message = l10n.t('Not updated: {0} ({1} → {2}).', reason, name, version) + more;
  return explaining(action, { title, message, version }, fix.evaluated, context);
}

/** An entry that can be chosen and changes nothing: VS Code hides disabled actions. It leads to the line that decides. */
function explaining(
  action: CodeAction,
  { title: long, ...said }: { readonly title: string; readonly message: string; readonly version: string },
  evaluated: EvaluatedDependency,
  { client }: AnswerContext,
): CodeAction[] {
  const message = oneLine(said.message);
  if (!client.executesCommands) return client.disabledActions ? [{ ...action, disabled: { reason: message } }] : [];
  const title = oneLine(long);
  const request: ExplainRequest = { ...placeIn(evaluated), version: said.version, message };
  return [{ ...action, title, command: { title, command: explainCommand, arguments: [request] } }];
}

/** `Go back to 1.0.0 of stolen`, `Update lodash to 4.17.21 (patch, fixes 3 advisories)`, `Update a:b to 2.0 through ${b.version} in pom.xml (…)` */
function titleOf({ evaluated, target, move, misfits }: Fix): string {
  const condition = conditionText(evaluated.linked);
  const notes = [
    ...(condition === undefined ? [] : [condition]),
    ...targetNotes(evaluated, target.isDowngrade ? withoutSize(target) : target),
    ...(move.ok && move.range ? [rangeNote(move.range)] : []),
    ...(move.ok && move.overrides ? [overridesText(move.overrides)] : []),
    ...(move.ok && move.moves > 1 ? [l10n.t('affects {0} dependencies', move.moves)] : []),
    ...misfitsText(misfits),
  ];
  const { uri } = evaluated.linked;
  const edited = move.ok ? new Set(move.edits.map((it) => it.uri)) : new Set<string>();
  const isOnlyHere = edited.size === 1 && edited.has(uri);
  const named = isOnlyHere ? [] : [...edited].map((it) => (it === uri ? nameOf(uri) : nameRelativeTo(uri, it)));
  const files = named.join(l10n.t({ message: ' and ', comment: 'between the names of files' }));
  const through = move.ok ? move.through.at(-1) : undefined;
  if (target.isDowngrade) {
    const where = [
      ...(through === undefined ? [] : [l10n.t('through {0}', through)]),
      ...(files === '' ? [] : [l10n.t({ message: 'in {0}', args: [files], comment: 'names of files' })]),
    ];
    const all = [...where, ...notes].join(', ');
    const title = l10n.t('Go back to {0} of {1}', target.version, evaluated.linked.dependency.name);
    return oneLine(all === '' ? title : `${title} (${all})`);
  }
  return oneLine(titleFor(evaluated.linked.dependency.name, target.version, notes.join(', '), files, through));
}

/** `Update org.boot:parent to 2.7.18, which manages org.json:databind 2.13.5 (patch, fixes the advisory, 212 managed dependencies)` */
function managingTitle(evaluated: EvaluatedDependency, fix: ManagingFix, moved: number): string {
  const { uri, dependency } = evaluated.linked;
  const { way, name, version, target, edit, through } = fix;
  const counted = moved > 1 ? [l10n.t('{0} managed dependencies', moved)] : [];
  const notes = [...managingNotes(evaluated, fix), ...counted].join(', ');
  const managed = `${dependency.name} ${target.version}`;
  if (way === 'property')
    return oneLine(l10n.t('Set {0} to {1}, which manages {2} ({3})', name, version, managed, notes));
  const files = edit.uri === uri ? '' : nameRelativeTo(uri, edit.uri);
  return oneLine(managingTitleFor(name, version, managed, notes, files, through.at(-1)));
}

/** @param file another file than the manifest; `''` for none */
function managingTitleFor(
  name: string,
  version: string,
  managed: string,
  notes: string,
  file: string,
  through: string | undefined,
): string {
  if (through === undefined) {
    return file === ''
      ? l10n.t('Update {0} to {1}, which manages {2} ({3})', name, version, managed, notes)
      : l10n.t('Update {0} to {1} in {2}, which manages {3} ({4})', name, version, file, managed, notes);
  }
  return file === ''
    ? l10n.t('Update {0} to {1} through {2}, which manages {3} ({4})', name, version, through, managed, notes)
    : l10n.t(
        'Update {0} to {1} through {2} in {3}, which manages {4} ({5})',
        name,
        version,
        through,
        file,
        managed,
        notes,
      );
}

function misfitsText({ lacking, worse, lower, unchecked }: Misfits = {}): string[] {
  return [
    ...(lacking ? [l10n.t('{0} has no such version', namesInShort(lacking))] : []),
    ...(worse ? [l10n.t('{0} has a problem in this version', namesInShort(worse))] : []),
    ...(lower ? [l10n.t('{0} has a higher version', namesInShort(lower))] : []),
    ...(unchecked ? [l10n.t('not checked for {0}', namesInShort(unchecked))] : []),
  ];
}

/** A change of a range that ended below the version: it concerns other versions, too. */
function rangeNote({ text, end }: { readonly text: string; readonly end: RangeEnd }): string {
  return end === 'widened' ? l10n.t('range widened to {0}', text) : l10n.t('range changed to {0}', text);
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

/** @param files those that are edited; `''` for the manifest alone */
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

/** The safe versions of the whole file, if it has more to update than one line. */
function updateAllAction(snapshot: Snapshot, context: AnswerContext): CodeAction[] {
  const edits = planUpdates(updatableIn(snapshot), 'safe', context.facts, context.dependents).changes.map(
    (it) => it.edit,
  );
  if (edits.length < 2) return [];
  const title = l10n.t('Update all {0} affected dependencies in this file (safe versions)', edits.length);
  const edit = toWorkspaceEdit(edits, context);
  return [{ title, kind: quickFix, edit, ...afterwards(title, snapshot, context) }];
}
