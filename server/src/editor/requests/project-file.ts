import * as l10n from '@vscode/l10n';
import { directoryOf } from '../../engine/base/uri.ts';
import { positionsIn } from '../../engine/formats/text/positions.ts';
import type { TextEdit } from '../../engine/model/graph/override.ts';
import { type Ignore, projectFileName } from '../../engine/model/project.ts';
import { addIgnore, addPrivate, type IgnoreKey, removeIgnore, spanOfIgnore } from '../../engine/policy/edit-project.ts';
import { textIn } from '../params.ts';
import type { ServerState } from '../state/server-state.ts';
import { editOf, showError } from './client-edits.ts';

/** The changed project file. */
export interface IgnoreAnswer {
  readonly uri: string;
}

/** Adds an ignore to the nearest project file. @returns undefined if nothing was added; an error was shown */
export async function ignoreFinding(params: unknown, server: ServerState): Promise<IgnoreAnswer | undefined> {
  const [manifest, id, reason] = [textIn(params, 'uri'), textIn(params, 'id'), textIn(params, 'reason')];
  if (!manifest || !id || !reason) return undefined;
  const [about, until] = [textIn(params, 'package'), textIn(params, 'until')];
  const ignore: Ignore = { id, ...(about && { package: about }), reason, ...(until && { until }) };
  return changeProjectFile(manifest, l10n.t('Ignore {0}', id), (text) => listOf(addIgnore(text, ignore)), server);
}

/** Removes an ignore from the nearest project file. @returns undefined if it is not there any more */
export async function removeIgnored(params: unknown, server: ServerState): Promise<IgnoreAnswer | undefined> {
  const place = readIgnorePlace(params);
  if (!place) return undefined;
  const { manifest, ignore } = place;
  return changeProjectFile(
    manifest,
    l10n.t('Stop Ignoring {0}', ignore.id),
    (text) => removeIgnore(text, ignore),
    server,
  );
}

/** Shows an ignore in the nearest project file. */
export async function showIgnore(request: unknown, { client, engine }: ServerState): Promise<boolean> {
  const place = readIgnorePlace(request);
  const snapshot = place && (await engine.workspace.snapshot(place.manifest));
  const uri = snapshot?.project?.project.uri;
  if (!place || uri === undefined || !client.capabilities.window?.showDocument?.support) return false;
  const text = (await engine.read(uri)) ?? '';
  const span = spanOfIgnore(text, place.ignore);
  const selection = span && positionsIn(text, client.encoding).range(span);
  await client.connection.sendRequest('window/showDocument', {
    uri,
    takeFocus: true,
    ...(selection && { selection }),
  });
  return true;
}

function readIgnorePlace(params: unknown): { readonly manifest: string; readonly ignore: IgnoreKey } | undefined {
  const [manifest, id, about] = [textIn(params, 'uri'), textIn(params, 'id'), textIn(params, 'package')];
  return manifest && id ? { manifest, ignore: { id, ...(about && { package: about }) } } : undefined;
}

function listOf(edit: TextEdit | undefined): readonly TextEdit[] | undefined {
  return edit && [edit];
}

/** Adds packages to the private ones of the nearest project file: they are not looked up any more. */
export async function makePackagesPrivate(params: unknown, server: ServerState): Promise<IgnoreAnswer | undefined> {
  const [manifest, pattern] = [textIn(params, 'uri'), textIn(params, 'pattern')];
  if (!manifest || !pattern) return undefined;
  return changeProjectFile(
    manifest,
    l10n.t('Keep {0} private', pattern),
    (text) => listOf(addPrivate(text, pattern)),
    server,
  );
}

/**
 * Changes the project file that is nearest to a manifest by an edit of the client, which can be undone. The manifest
 * must be open or in a workspace folder, and nothing is written through a link that leads outside.
 * @returns undefined if nothing was changed; an error was shown
 */
async function changeProjectFile(
  manifest: string,
  label: string,
  change: (text: string) => readonly TextEdit[] | undefined,
  { client, engine, folders }: ServerState,
): Promise<IgnoreAnswer | undefined> {
  const { connection } = client;
  if (!client.capabilities.workspace?.applyEdit) return undefined;
  // A document without a file has no project file.
  if (directoryOf(manifest) === '') return undefined;
  const snapshot = await engine.workspace.snapshot(manifest);
  const folder = folders.all.filter((it) => manifest.startsWith(it)).sort((a, b) => b.length - a.length)[0];
  if (!snapshot && folder === undefined) return undefined;
  const uri = snapshot?.project?.project.uri ?? (folder ?? directoryOf(manifest)) + projectFileName;
  if (await engine.files.isBlocked?.(uri)) {
    showError(l10n.t('{0} is not a readable file in this workspace.', projectFileName), client);
    return undefined;
  }
  const text = await engine.read(uri);
  const changes = change(text ?? '');
  if (!changes) {
    showError(l10n.t('Fix the errors in {0} first.', projectFileName), client);
    return undefined;
  }
  const { range } = positionsIn(text ?? '', client.encoding);
  const edits = changes.map(({ span, newText }) => ({ range: range(span), newText }));
  const { applied } = await connection.workspace.applyEdit({
    label,
    edit: editOf(uri, text === undefined, edits, client),
  });
  return applied ? { uri } : undefined;
}
