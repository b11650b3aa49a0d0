import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { PlannableUpdate } from '../../../../server/src/connected/editor/schedule/plannable.ts';
import type { EventDraft } from '../../../../server/src/connected/model/scheduling/planned.ts';
import { plainText } from '../../escape.ts';
import { isManifest } from '../../manifest-context.ts';
import { progressMessage, sendRequestWithProgress } from '../../requests.ts';
import { isConnected } from '../connections/connected.ts';
import { ask, explainConnecting } from './ask.ts';
import { type ChosenTime, chooseTime } from './choose-time.ts';
import { addEvents, draftOf } from './plan.ts';

/** Updates of one event. The service limits its size. */
const MAX_UPDATES = 50;

/** Events at a time: as many free times are looked for. */
const MAX_EVENTS = 50;

/** Plans the updates of the active manifest, or of all manifests of the workspace, that the person chooses. */
export async function scheduleAll(client: BaseLanguageClient, where: 'file' | 'workspace'): Promise<void> {
  const { t } = vscode.l10n;
  if (!isConnected('scheduling')) return explainConnecting();
  const document = vscode.window.activeTextEditor?.document;
  if (where === 'file' && (document === undefined || !isManifest(document))) {
    vscode.window.showInformationMessage(t('Open a manifest first, for example package.json or pom.xml.'));
    return;
  }
  // A calendar is chosen first, and what others have planned is known.
  if ((await ask(client, 'list', {}, t('Looking for scheduled updates…'))) === undefined) return;
  const params =
    where === 'file' && document ? { textDocument: { uri: client.code2ProtocolConverter.asUri(document.uri) } } : {};
  const all = await sendRequestWithProgress(client, 'plannable', params, t('Looking for updates'), progressMessage);
  if (!all) return;
  const updates = all.filter((it) => it.planned === undefined);
  if (updates.length === 0) {
    vscode.window.showInformationMessage(
      all.length === 0 ? t('Nothing to update.') : t('All updates are scheduled already.'),
    );
    return;
  }
  const chosen = await chooseUpdates(updates);
  const groups = chosen && (await chooseGroups(chosen));
  if (groups === undefined) return;
  const title = t('Schedule {0} Updates', chosen?.length ?? 0);
  const first = await chooseTime(client, title);
  if (first === undefined) return;
  const placed = await placeEvents(client, groups, first);
  if (placed === undefined) return;
  const confirmed = placed.length === 1 ? placed : await confirm(placed);
  if (confirmed && confirmed.length > 0) {
    await addEvents(
      client,
      confirmed.map((it) => it.draft),
    );
  }
}

/** `lodash 4.17.15 → 4.17.21` */
function changeText({ draft: { name, from, target } }: PlannableUpdate): string {
  return plainText(from === undefined ? `${name} → ${target}` : `${name} ${from} → ${target}`);
}

/** Affected dependencies are chosen at first. */
async function chooseUpdates(updates: readonly PlannableUpdate[]): Promise<readonly PlannableUpdate[] | undefined> {
  const { t } = vscode.l10n;
  const hasAffected = updates.some((it) => it.needsMove);
  const sorted = [...updates].sort((a, b) => Number(b.needsMove) - Number(a.needsMove));
  const rows = sorted.map((update) => ({
    label: `${update.needsMove ? '$(warning) ' : ''}${changeText(update)}`,
    description: plainText([...update.notes, ...update.draft.why.slice(0, 1)].filter(unique).join(' · ')),
    detail: plainText(
      update.draft.places
        .map((it) => it.path)
        .filter(unique)
        .join(', '),
    ),
    picked: update.needsMove || !hasAffected,
    update,
  }));
  const title = t('Which Updates?');
  const chosen = await vscode.window.showQuickPick(rows, { title, canPickMany: true, ignoreFocusOut: true });
  return chosen && chosen.length > 0 ? chosen.map((it) => it.update) : undefined;
}

function unique(text: string, at: number, all: readonly string[]): boolean {
  return all.indexOf(text) === at;
}

/** How updates become events: each in one, or together. */
async function chooseGroups(
  updates: readonly PlannableUpdate[],
): Promise<readonly (readonly PlannableUpdate[])[] | undefined> {
  const { t } = vscode.l10n;
  if (updates.length === 1) return [updates];
  const groupings = [
    { label: t('One event for all'), key: () => '' },
    { label: t('One event for each package'), key: ({ draft }: PlannableUpdate) => draft.purl },
    { label: t('One event for each manifest'), key: ({ draft }: PlannableUpdate) => draft.places[0]?.path ?? '' },
    { label: t('One event for each severity'), key: ({ draft }: PlannableUpdate) => draft.severity ?? '' },
    { label: t('One event for each size of the step'), key: ({ step }: PlannableUpdate) => step ?? '' },
  ].map((it) => ({ ...it, groups: groupsBy(updates, it.key) }));
  const rows = groupings.map(({ label, groups }) => ({
    label,
    description: groups.length === 1 ? t('1 event') : t('{0} events', groups.length),
    groups,
  }));
  const chosen = await vscode.window.showQuickPick(rows, { title: t('How Many Events?'), ignoreFocusOut: true });
  if (chosen && chosen.groups.length > MAX_EVENTS) {
    vscode.window.showInformationMessage(t('At most {0} events can be scheduled at a time.', MAX_EVENTS));
    return undefined;
  }
  return chosen?.groups;
}

/** An event belongs to one folder, and its size is limited. */
function groupsBy(
  updates: readonly PlannableUpdate[],
  key: (it: PlannableUpdate) => string,
): readonly (readonly PlannableUpdate[])[] {
  const groups = new Map<string, PlannableUpdate[]>();
  for (const it of updates) {
    const id = JSON.stringify([it.folder, key(it)]);
    groups.set(id, [...(groups.get(id) ?? []), it]);
  }
  return [...groups.values()].flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / MAX_UPDATES) }, (_, at) =>
      all.slice(at * MAX_UPDATES, (at + 1) * MAX_UPDATES),
    ),
  );
}

interface PlacedEvent {
  readonly draft: EventDraft;
  /** Its time. */
  readonly text: string;
}

/** The first event at the chosen time, the others at the next free ones. */
async function placeEvents(
  client: BaseLanguageClient,
  groups: readonly (readonly PlannableUpdate[])[],
  first: ChosenTime,
): Promise<readonly PlacedEvent[] | undefined> {
  const { t } = vscode.l10n;
  const others = groups.length - 1;
  const found =
    others === 0
      ? { slots: [] }
      : await ask(client, 'slots', { from: first.end, count: others, isInRow: true }, t('Looking for free times…'));
  if (found === undefined) return undefined;
  const times = [first, ...found.slots];
  if (times.length < groups.length) {
    vscode.window.showWarningMessage(
      t('Only {0} of {1} events have a free time in the next weeks.', times.length, groups.length),
    );
  }
  return groups.flatMap((group, at) => {
    const time = times[at];
    return time ? [{ draft: draftOf(group, time), text: time.text }] : [];
  });
}

/** Shows what will be made: nothing is sent before. */
async function confirm(placed: readonly PlacedEvent[]): Promise<readonly PlacedEvent[] | undefined> {
  const rows = placed.map((it) => ({
    label: it.text,
    description: plainText(it.draft.updates.map(({ name, target }) => `${name} → ${target}`).join(', ')),
    picked: true,
    it,
  }));
  const title = vscode.l10n.t('Plan These {0} Events?', placed.length);
  const chosen = await vscode.window.showQuickPick(rows, { title, canPickMany: true, ignoreFocusOut: true });
  return chosen?.map((row) => row.it);
}
