import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type {
  ManagingRow,
  TargetRow,
  VersionDetails,
  VersionRow,
} from '../../../server/src/editor/requests/versions.ts';
import type { TargetKind } from '../../../server/src/engine/model/evaluated-dependency.ts';
import { isConnected } from '../connected/connections/connected.ts';
import { chooseDependency } from '../dependency.ts';
import { plainText } from '../escape.ts';
import { sendRequest } from '../requests.ts';
import { groupVersions, uncheckedBeforeSound, type VersionList } from './version-groups.ts';

/** The dependency, as hints and actions name it. */
interface Place {
  readonly uri: string;
  readonly offset: number;
  readonly name: string;
  readonly condition?: string;
}

interface VersionItem extends vscode.QuickPickItem {
  readonly version: string;
  /** Set if it updates what manages the version. */
  readonly way?: ManagingRow['way'];
}

/** A separator has no version. */
type Item = VersionItem | (vscode.QuickPickItem & { readonly version?: undefined; readonly way?: undefined });

/** The details of so many versions are requested at once, by one batch of the service. */
const BATCH_SIZE = 50;

/** How long the filter rests before details of its matches are requested, in ms. */
const FILTER_PAUSE = 250;

/** So many batches are looked up by themselves for the first sound version. */
const MAX_BATCHES = 4;

/**
 * Offers all versions of a dependency: first those that suggest themselves, then the others, newest first. Advisories and
 * licenses are requested for the versions around the active one.
 * @param argument a `Place`, or nothing: then for the dependency at the cursor
 */
export async function chooseVersion(client: BaseLanguageClient, argument: unknown): Promise<void> {
  const place = isPlace(argument)
    ? argument
    : (await chooseDependency(client, vscode.l10n.t('Choose a version')))?.place;
  if (place === undefined) return;
  const pick = vscode.window.createQuickPick<Item>();
  const closing = new vscode.CancellationTokenSource();
  pick.title = vscode.l10n.t('Choose a version of {0}', plainText(place.name));
  pick.busy = true;
  pick.keepScrollPosition = true;
  const closed = new Promise<void>((resolve) => pick.onDidHide(() => resolve()));
  pick.show();
  try {
    const sent = sendRequest(client, 'versions', place, closing.token);
    const answer = await Promise.race([sent, closed.then(() => undefined)]);
    if (answer?.kind === 'list') showVersions(client, place, answer, pick, closing.token);
    else if (answer?.kind === 'none') {
      pick.hide();
      vscode.window.showInformationMessage(plainText(answer.reason));
    }
    await closed;
  } finally {
    closing.cancel();
    closing.dispose();
    pick.dispose();
  }
}

/** Fills the list, and adds details to it as they arrive. */
function showVersions(
  client: BaseLanguageClient,
  place: Place,
  list: VersionList,
  pick: vscode.QuickPick<Item>,
  token: vscode.CancellationToken,
): void {
  const { t } = vscode.l10n;
  const rows: readonly VersionRow[] = [...list.targets, ...list.versions];
  const details = new Map(list.details.map((it) => [it.version, it]));
  /** Each version is requested once. */
  const requested = new Set(details.keys());
  let underway = 0;
  let pause: NodeJS.Timeout | undefined;

  const show = (): void => {
    const [active] = pick.activeItems;
    const items = itemsOf(list, details, requested);
    pick.items = items;
    const again = items.find((it) => it.version === active?.version && it.way === active?.way);
    if (active && again) pick.activeItems = [again];
  };
  const load = async (wanted: readonly VersionRow[]): Promise<void> => {
    const versions = wanted
      .map((it) => it.version)
      .filter((it) => !requested.has(it))
      .slice(0, BATCH_SIZE);
    if (versions.length === 0) return;
    for (const it of versions) requested.add(it);
    pick.busy = ++underway > 0;
    try {
      const answer = await sendRequest(client, 'versions', { ...place, versions }, token);
      if (answer.kind === 'details') for (const it of answer.details) details.set(it.version, it);
    } finally {
      pick.busy = --underway > 0;
      // What got no answer is requested again when it is active again.
      for (const it of versions) if (!details.has(it)) requested.delete(it);
      if (!token.isCancellationRequested) show();
    }
  };
  const loadQuietly = (wanted: readonly VersionRow[]): void => {
    load(wanted).catch((it: unknown) => client.outputChannel.appendLine(String(it)));
  };
  const findSound = async (): Promise<void> => {
    for (let batch = 0; batch < MAX_BATCHES && !token.isCancellationRequested; batch++) {
      const wanted = uncheckedBeforeSound(groupVersions(list, details), details);
      if (wanted.length === 0) return;
      await load(wanted);
    }
  };
  const whatChanges = (item: Item | undefined): void => {
    // The version of what manages it is another package's.
    if (item?.version === undefined || item.way) return;
    pick.hide();
    vscode.commands.executeCommand('packageInsights.whatChanges', { ...place, version: item.version });
  };

  pick.placeholder = list.current === undefined ? t('Version') : t('{0} is in use', plainText(list.current));
  // Matches stay in their order; an editor that does not know the property sorts them by label.
  Object.assign(pick, { sortByLabel: false });
  pick.buttons = [changesButton()];
  pick.busy = false;
  show();
  load(rows)
    .then(findSound)
    .catch((it: unknown) => client.outputChannel.appendLine(String(it)));

  pick.onDidChangeActive(([item]) => {
    const at = rows.findIndex((it) => it.version === item?.version);
    if (at >= 0) loadQuietly(around(rows, at));
  });
  pick.onDidChangeValue((value) => {
    // Enter takes what is typed in full, not the first version that begins with it.
    const exact = pick.items.find((it) => it.version === value.trim() && !it.way);
    if (exact) pick.activeItems = [exact];
    clearTimeout(pause);
    pause = setTimeout(() => loadQuietly(rows.filter((it) => it.version.includes(value))), FILTER_PAUSE);
  });
  pick.onDidTriggerButton(() => whatChanges(pick.activeItems[0]));
  pick.onDidTriggerItemButton(({ item, button }) => {
    if (button.tooltip === changesButton().tooltip) return whatChanges(item);
    pick.hide();
    vscode.commands.executeCommand('packageInsights.scheduleUpdate', { ...place, version: item.version });
  });
  pick.onDidAccept(() => {
    const [item] = pick.selectedItems;
    pick.hide();
    if (item?.version === undefined) return;
    const { version, way } = item;
    if (way === undefined && version === list.current) return;
    vscode.commands.executeCommand('packageInsights.server.update', { ...place, version, ...(way && { way }) });
  });
  pick.onDidHide(() => clearTimeout(pause));
}

/** The rows in sight with an active one, by batches: those after it first. */
function around(rows: readonly VersionRow[], at: number): readonly VersionRow[] {
  const half = BATCH_SIZE / 2;
  return rows.slice(Math.max(0, at - half), at + half);
}

function itemsOf(
  list: VersionList,
  details: ReadonlyMap<string, VersionDetails>,
  requested: ReadonlySet<string>,
): Item[] {
  const { t } = vscode.l10n;
  const { managing = [], isSample } = list;
  const separator = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const item = (row: VersionRow): Item => itemOf(row, details.get(row.version), requested.has(row.version));
  const group = (label: string, rows: readonly VersionRow[]): Item[] =>
    rows.length > 0 ? [separator(label), ...rows.map(item)] : [];
  const { targets, others, troubled, malicious } = groupVersions(list, details);
  return [
    ...(managing.length > 0 ? [separator(t('Where it is managed')), ...managing.map(managingItem)] : []),
    ...targets.flatMap((it) => [separator(kindsText(it)), item(it)]),
    ...group(isSample ? t('Other known versions') : t('Other versions'), others),
    ...group(t('With known problems'), troubled),
    // The server asks before it writes one of them.
    ...group(t('Malicious'), malicious),
  ];
}

/** `spring-boot-starter-parent 2.7.18`: an update of what manages the version */
function managingItem({ way, name, version, notes }: ManagingRow): VersionItem {
  return { way, version, label: plainText(`${name} ${version}`), description: plainText(notes.join(' · ')) };
}

/** `Safe`, `In range · Latest` */
function kindsText({ kinds }: TargetRow): string {
  const { t } = vscode.l10n;
  const names = {
    safe: t('Safe'),
    'in-range': t('In range'),
    'in-major': t('Latest minor'),
    stable: t('Newest stable'),
    default: t('Latest'),
  } satisfies Record<TargetKind, string>;
  return kinds.map((it) => names[it]).join(' · ');
}

function itemOf(row: VersionRow, details: VersionDetails | undefined, isRequested: boolean): VersionItem {
  const { t } = vscode.l10n;
  const { version, notes, isDeprecated } = row;
  // Each icon repeats a text of the row.
  const icon = details?.isMalicious
    ? '$(error) '
    : details?.isAffected
      ? '$(warning) '
      : isDeprecated
        ? '$(circle-slash) '
        : '';
  const detail = details?.notes.join(' · ') ?? (isRequested ? t('Checking…') : t('Not checked'));
  return {
    version,
    label: `${icon}${plainText(version)}`,
    description: plainText(notes.join(' · ')),
    detail: plainText(detail),
    buttons: [changesButton(), ...('kinds' in row && isConnected('scheduling') ? [scheduleButton()] : [])],
  };
}

function scheduleButton(): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon('calendar'), tooltip: vscode.l10n.t('Schedule this update…') };
}

function changesButton(): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon('versions'), tooltip: vscode.l10n.t('What changes') };
}

/** Validates the argument of the command, which other extensions may call. */
function isPlace(value: unknown): value is Place {
  const { uri, offset, name } = (value ?? {}) as Partial<Record<keyof Place, unknown>>;
  return typeof uri === 'string' && typeof offset === 'number' && typeof name === 'string';
}
