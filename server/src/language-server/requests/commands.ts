import * as l10n from '@vscode/l10n';
import { type CancellationToken, MessageType } from 'vscode-languageserver';
import { fixTo } from '../../analysis/fixes.ts';
import { type Snapshot, updatableIn } from '../../analysis/snapshot.ts';
import { planUpdates, updateScopes } from '../../analysis/update-plan.ts';
import { directoryOf } from '../../base/uri.ts';
import { positionsIn } from '../../formats/text/positions.ts';
import { type EvaluatedDependency, isSamePlace, placeOf, placeThatManages } from '../../model/evaluated-dependency.ts';
import { type Ignore, projectFileName } from '../../model/project.ts';
import { addIgnore, addPrivate, type Insertion } from '../../policy/edit-project.ts';
import {
  documentCommand,
  explainCommand,
  ignoreCommand,
  makePrivateCommand,
  type refreshCommand,
  type ServerCommandName,
  updateAllCommand,
  updateCommand,
  wayOutCommand,
} from '../command-names.ts';
import { signalOf } from '../dispatch.ts';
import { type DependencyPlace, findDependency, readPlace } from '../features/commands.ts';
import { toWorkspaceEdit } from '../features/workspace-edit.ts';
import { textIn } from '../params.ts';
import { runDocumentCommand } from '../service-documents/command.ts';
import type { Session } from '../session.ts';
import { editOf, isConfirmed, reportUpdate, showError, showMessage } from './client-edits.ts';
import { awaitDocument } from './updates.ts';
import { awaitManagingFixes, maliciousAmong } from './versions.ts';
import { wayOut } from './way-out.ts';

/**
 * The function of a command of workspace/executeCommand: a row of the table below.
 * @param args untrusted
 */
export type ServerCommand = (args: readonly unknown[], session: Session, token: CancellationToken) => Promise<unknown>;

/** How long the update of what manages a version waits for its facts, in ms. */
const MANAGING_TIMEOUT_MS = 20_000;

const updateAll: ServerCommand = async ([uri, given], session, token) => {
  const scope = given === undefined ? 'safe' : updateScopes.find((it) => it === given);
  if (typeof uri !== 'string' || scope === undefined) return 0;
  const [snapshot] =
    scope === 'safe' ? [await session.workspace.snapshot(uri)] : await awaitDocument(uri, scope, session, token);
  const dependents = snapshot && (await session.workspace.dependents(snapshot, snapshot.dependencies));
  const changes =
    snapshot && !token.isCancellationRequested
      ? planUpdates(updatableIn(snapshot), scope, session.insights, dependents).changes
      : [];
  if (!snapshot || changes.length === 0 || !session.client.workspace?.applyEdit) return 0;
  const edit = toWorkspaceEdit(
    changes.map((it) => it.edit),
    session.contextFor(snapshot),
  );
  const { applied } = await session.connection.workspace.applyEdit(edit);
  if (applied) reportUpdate(snapshot, session);
  return applied ? changes.length : 0;
};

/** Moves one dependency to any version. */
const update: ServerCommand = async ([request], session, token) => {
  const place = readPlace(request);
  const version = textIn(request, 'version');
  const snapshot = place && (await session.workspace.snapshot(place.uri));
  const evaluated = snapshot && findDependency(snapshot, place);
  if (!evaluated || !session.client.workspace?.applyEdit) return false;
  const way = textIn(request, 'way');
  if (way !== undefined) return updateManaging(place, { way, version }, session);
  if (!version) return false;
  const { move } = fixTo(evaluated, version);
  if (!move.ok) {
    showError(l10n.t('{0} cannot be updated to {1}: {2}.', place.name, version, move.reason), session);
    return false;
  }
  const stolen = await maliciousAmong(movedAlong(snapshot, evaluated), version, session, signalOf(token));
  if (stolen) {
    const question = l10n.t('{0} {1} is malicious. Change to it anyway?', stolen.linked.dependency.name, version);
    if (!(await isConfirmed(question, l10n.t('Change Anyway'), session))) return false;
  }
  const label = l10n.t('Update {0} to {1}', place.name, version);
  const edit = toWorkspaceEdit(move.edits, session.contextFor(snapshot));
  const { applied } = await session.connection.workspace.applyEdit({ label, edit });
  if (applied) reportUpdate(snapshot, session);
  return applied;
};

/** What shares the written version of a dependency in its document, itself first. */
function movedAlong({ dependencies }: Snapshot, evaluated: EvaluatedDependency): readonly EvaluatedDependency[] {
  const place = placeOf(evaluated.linked);
  const others = dependencies.filter((it) => it !== evaluated && isSamePlace(placeOf(it.linked), place));
  return place?.definition === undefined ? [evaluated] : [evaluated, ...others];
}

/** Updates what manages the version of a dependency: to a version, or to the one that is found. */
async function updateManaging(
  place: DependencyPlace,
  { way, version }: { readonly way: string; readonly version: string | undefined },
  session: Session,
): Promise<boolean> {
  const { snapshot, fixes = [] } = await awaitManagingFixes(place, MANAGING_TIMEOUT_MS, session);
  const fix = fixes.find((it) => it.way === way && (version === undefined || it.version === version));
  if (snapshot === undefined || fix === undefined) {
    showError(l10n.t('No version of a parent or BOM is known that manages {0} without problems.', place.name), session);
    return false;
  }
  const label = l10n.t('Update {0} to {1}', fix.name, fix.version);
  const edit = toWorkspaceEdit([fix.edit], session.contextFor(snapshot));
  const { applied } = await session.connection.workspace.applyEdit({ label, edit });
  if (applied) reportUpdate(snapshot, session);
  return applied;
}

/** Says why an update is not possible, and shows the place that decides. */
const explain: ServerCommand = async ([request], session) => {
  const place = readPlace(request);
  const message = textIn(request, 'message');
  const snapshot = place && (await session.workspace.snapshot(place.uri));
  const evaluated = snapshot && findDependency(snapshot, place);
  if (!message || !evaluated) return false;
  const { uri, at } = placeOf(evaluated.linked) ??
    placeThatManages(evaluated.linked) ?? { uri: place.uri, at: evaluated.linked };
  if (session.client.window?.showDocument?.support) {
    const selection = session.contextFor(snapshot).positions(uri).range(at.span);
    await session.connection.sendRequest('window/showDocument', { uri, selection, takeFocus: true });
  }
  showMessage(MessageType.Info, message, session);
  return true;
};

const ignore: ServerCommand = ([request], session) => ignoreFinding(request, session);

const makePrivate: ServerCommand = ([request], session) => makePackagesPrivate(request, session);

/** Every command except the refresh, which server.ts handles. */
export const commands: Readonly<Record<Exclude<ServerCommandName, typeof refreshCommand>, ServerCommand>> = {
  [updateCommand]: update,
  [explainCommand]: explain,
  [updateAllCommand]: updateAll,
  [ignoreCommand]: ignore,
  [makePrivateCommand]: makePrivate,
  [wayOutCommand]: wayOut,
  [documentCommand]: runDocumentCommand,
};

/** The changed project file. */
export interface IgnoreAnswer {
  readonly uri: string;
}

/** Adds an ignore to the nearest project file. @returns undefined if nothing was added; an error was shown */
export async function ignoreFinding(params: unknown, session: Session): Promise<IgnoreAnswer | undefined> {
  const [manifest, id, reason] = [textIn(params, 'uri'), textIn(params, 'id'), textIn(params, 'reason')];
  if (!manifest || !id || !reason) return undefined;
  const [about, until] = [textIn(params, 'package'), textIn(params, 'until')];
  const ignore: Ignore = { id, ...(about && { package: about }), reason, ...(until && { until }) };
  return changeProjectFile(manifest, l10n.t('Ignore {0}', id), (text) => addIgnore(text, ignore), session);
}

/** Adds packages to the private ones of the nearest project file: they are not looked up any more. */
async function makePackagesPrivate(params: unknown, session: Session): Promise<IgnoreAnswer | undefined> {
  const [manifest, pattern] = [textIn(params, 'uri'), textIn(params, 'pattern')];
  if (!manifest || !pattern) return undefined;
  return changeProjectFile(manifest, l10n.t('Keep {0} private', pattern), (text) => addPrivate(text, pattern), session);
}

/**
 * Changes the project file that is nearest to a manifest by an edit of the client, which can be undone. The manifest
 * must be open or in a workspace folder, and nothing is written through a link that leads outside.
 * @returns undefined if nothing was changed; an error was shown
 */
async function changeProjectFile(
  manifest: string,
  label: string,
  insert: (text: string) => Insertion | undefined,
  session: Session,
): Promise<IgnoreAnswer | undefined> {
  const { connection, client, folders } = session;
  if (!client.workspace?.applyEdit) return undefined;
  // A document without a file has no project file.
  if (directoryOf(manifest) === '') return undefined;
  const snapshot = await session.workspace.snapshot(manifest);
  const folder = folders.filter((it) => manifest.startsWith(it)).sort((a, b) => b.length - a.length)[0];
  if (!snapshot && folder === undefined) return undefined;
  const uri = snapshot?.project?.project.uri ?? (folder ?? directoryOf(manifest)) + projectFileName;
  if (await session.files.isBlocked?.(uri)) {
    showError(l10n.t('{0} is not a readable file in this workspace.', projectFileName), session);
    return undefined;
  }
  const text = await session.read(uri);
  const insertion = insert(text ?? '');
  if (!insertion) {
    showError(l10n.t('Fix the errors in {0} first.', projectFileName), session);
    return undefined;
  }
  const position = positionsIn(text ?? '', session.encoding).at(insertion.at);
  const edit = { range: { start: position, end: position }, newText: insertion.text };
  const { applied } = await connection.workspace.applyEdit({
    label,
    edit: editOf(uri, text === undefined, [edit], session),
  });
  return applied ? { uri } : undefined;
}
