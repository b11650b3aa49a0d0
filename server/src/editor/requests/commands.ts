import * as l10n from '@vscode/l10n';
import { MessageType } from 'vscode-languageserver';
import { wayInto } from '../../engine/analysis/below/way-in.ts';
import { fixTo } from '../../engine/analysis/fixes.ts';
import { type Snapshot, updatableIn } from '../../engine/analysis/snapshot.ts';
import { planUpdates, updateScopes } from '../../engine/analysis/update-plan.ts';
import {
  type EvaluatedDependency,
  isSamePlace,
  placeOf,
  placeThatManages,
} from '../../engine/model/evaluated-dependency.ts';
import {
  type documentCommand,
  explainCommand,
  ignoreCommand,
  makePrivateCommand,
  type refreshCommand,
  type ServerCommandName,
  showIgnoreCommand,
  stopIgnoringCommand,
  updateAllCommand,
  updateCommand,
  wayOutCommand,
} from '../command-names.ts';
import { signalOf } from '../dispatch.ts';
import type { ServerCommand } from '../extension.ts';
import { type DependencyPlace, findDependency, readPlace } from '../features/commands.ts';
import { toWorkspaceEdit } from '../features/workspace-edit.ts';
import { textIn } from '../params.ts';
import type { ServerState } from '../state/server-state.ts';
import { isConfirmed, openedSnapshot, reportUpdate, showError, showMessage } from './client-edits.ts';
import { ignoreFinding, makePackagesPrivate, removeIgnored, showIgnore } from './project-file.ts';
import { awaitDocument } from './updates.ts';
import { awaitManagingFixes, maliciousAmong } from './versions.ts';
import { wayOut } from './way-out.ts';

/** How long the update of what manages a version waits for its facts, in ms. */
const MANAGING_TIMEOUT_MS = 20_000;

const updateAll: ServerCommand = async ([uri, given], server, token) => {
  const scope = given === undefined ? 'safe' : updateScopes.find((it) => it === given);
  if (typeof uri !== 'string' || scope === undefined) return 0;
  const [snapshot] =
    scope === 'safe' ? [await server.engine.workspace.snapshot(uri)] : await awaitDocument(uri, scope, server, token);
  const dependents = snapshot && (await server.engine.workspace.dependents(snapshot, snapshot.dependencies));
  const changes =
    snapshot && !token.isCancellationRequested
      ? planUpdates(updatableIn(snapshot), scope, server.engine.insights, dependents).changes
      : [];
  if (!snapshot || changes.length === 0 || !server.client.capabilities.workspace?.applyEdit) return 0;
  const edit = toWorkspaceEdit(
    changes.map((it) => it.edit),
    server.engine.contextFor(snapshot),
  );
  const { applied } = await server.client.connection.workspace.applyEdit(edit);
  if (applied) reportUpdate(snapshot, server.client);
  return applied ? changes.length : 0;
};

/** Moves one dependency to any version. */
const update: ServerCommand = async ([request], server, token) => {
  const place = readPlace(request);
  const version = textIn(request, 'version');
  const snapshot = place && (await openedSnapshot(place.uri, server));
  const evaluated = snapshot && findDependency(snapshot, place);
  if (!evaluated || !server.client.capabilities.workspace?.applyEdit) return false;
  const way = textIn(request, 'way');
  if (way !== undefined) return updateManaging(place, { way, version }, server);
  if (!version) return false;
  const { move } = fixTo(evaluated, version);
  if (!move.ok) {
    showError(l10n.t('{0} cannot be updated to {1}: {2}.', place.name, version, move.reason), server.client);
    return false;
  }
  const stolen = await maliciousAmong(movedAlong(snapshot, evaluated), version, server.engine, signalOf(token));
  if (stolen) {
    const question = l10n.t('{0} {1} is malicious. Change to it anyway?', stolen.linked.dependency.name, version);
    if (!(await isConfirmed(question, l10n.t('Change Anyway'), server.client))) return false;
  }
  const label = l10n.t('Update {0} to {1}', place.name, version);
  const edit = toWorkspaceEdit(move.edits, server.engine.contextFor(snapshot));
  const { applied } = await server.client.connection.workspace.applyEdit({ label, edit });
  if (applied) reportUpdate(snapshot, server.client);
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
  { client, engine }: ServerState,
): Promise<boolean> {
  const { snapshot, fixes = [] } = await awaitManagingFixes(place, MANAGING_TIMEOUT_MS, engine);
  const fix = fixes.find((it) => it.way === way && (version === undefined || it.version === version));
  if (snapshot === undefined || fix === undefined) {
    showError(l10n.t('No version of a parent or BOM is known that manages {0} without problems.', place.name), client);
    return false;
  }
  const label = l10n.t('Update {0} to {1}', fix.name, fix.version);
  const edit = toWorkspaceEdit([fix.edit], engine.contextFor(snapshot));
  const { applied } = await client.connection.workspace.applyEdit({ label, edit });
  if (applied) reportUpdate(snapshot, client);
  return applied;
}

/** Says why an update is not possible, and shows the place that decides. */
const explain: ServerCommand = async ([request], { client, engine }) => {
  const place = readPlace(request);
  const message = textIn(request, 'message');
  const snapshot = place && (await engine.workspace.snapshot(place.uri));
  const evaluated = snapshot && findDependency(snapshot, place);
  if (!message || !evaluated) return false;
  const context = engine.contextFor(snapshot);
  // An entry of a lockfile follows the line that requires it.
  const way = evaluated.linked.isRecorded ? wayInto(snapshot, evaluated, context.graphOf) : undefined;
  const required = way?.dependency && { uri: way.uri, at: { span: way.dependency.nameSpan } };
  const { uri, at } = required ??
    placeOf(evaluated.linked) ??
    placeThatManages(evaluated.linked) ?? { uri: place.uri, at: evaluated.linked };
  if (client.capabilities.window?.showDocument?.support) {
    const selection = context.positions(uri).range(at.span);
    await client.connection.sendRequest('window/showDocument', { uri, selection, takeFocus: true });
  }
  showMessage(MessageType.Info, message, client);
  return true;
};

/** Every command except the refresh, which server.ts handles, and those of extensions. */
export const commands: Readonly<
  Record<Exclude<ServerCommandName, typeof refreshCommand | typeof documentCommand>, ServerCommand>
> = {
  [updateCommand]: update,
  [explainCommand]: explain,
  [updateAllCommand]: updateAll,
  [ignoreCommand]: ([request], server) => ignoreFinding(request, server),
  [stopIgnoringCommand]: ([place], server) => removeIgnored(place, server),
  [showIgnoreCommand]: ([place], server) => showIgnore(place, server),
  [makePrivateCommand]: ([request], server) => makePackagesPrivate(request, server),
  [wayOutCommand]: wayOut,
};
