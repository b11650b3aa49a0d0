import * as vscode from 'vscode';
import { type BaseLanguageClient, State } from 'vscode-languageclient';
import type { DocumentStatus, Status } from '../../../server/src/editor/publish/status.ts';
import { offerAskingRegistries } from '../ask-registries.ts';
import { isManifest } from '../manifest-context.ts';
import { isLookUpDeclined, offerLookUpInBrowser } from '../world/look-up-in-browser.ts';
import type { World } from '../world/world.ts';
import { type MenuNote, setMenuNotes } from './menu.ts';
import { notifyOfOutage } from './outage.ts';

/**
 * Shows the status of the active manifest beside the name of the product: the findings, then what was not checked, or
 * why nothing is; in numbers in the tooltip.
 */
export function showStatus(
  client: BaseLanguageClient,
  state: vscode.Memento,
  { canAskRegistries }: World,
): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('packageInsights.status', vscode.StatusBarAlignment.Right, 90);
  item.name = 'Package Insights';
  let status: Status = { documents: [] };
  let hiding: ReturnType<typeof setTimeout> | undefined;

  const show = (): void => {
    clearTimeout(hiding);
    const document = vscode.window.activeTextEditor?.document;
    const own = status.documents.find((it) => vscode.Uri.parse(it.uri).toString() === document?.uri.toString());
    const trouble = troubleOf(own, status);
    const notes = [
      trouble ?? delayNote(own),
      browserNote(own),
      ...mistakeNotes(status),
      syntaxProblemNote(own),
      coverageNote(own),
    ].filter((it) => it !== undefined);
    const isRunning = client.state === State.Running;
    setMenuNotes(isRunning ? notes : []);
    if (!document) {
      hiding = setTimeout(() => item.hide(), BETWEEN_EDITORS);
      return;
    }
    if (!isManifest(document)) {
      item.hide();
      return;
    }
    const { text, tooltip } = isRunning ? words(own, status, trouble, notes) : starting(client.state);
    // Nothing is known before the person has answered.
    const isAsking = isRunning && trouble === undefined && own?.isWithheldInBrowser === true;
    const isAlarming = isRunning && (trouble?.isAlarming === true || (isAsking && !isLookUpDeclined(state)));
    item.command = isAsking ? 'packageInsights.lookUpInBrowser' : 'packageInsights.showMenu';
    item.backgroundColor = isAlarming ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.text = text;
    item.tooltip = tooltip;
    item.accessibilityInformation = { label: `Package Insights: ${tooltip}` };
    item.show();
  };
  show();
  return vscode.Disposable.from(
    item,
    { dispose: () => clearTimeout(hiding) },
    vscode.window.onDidChangeActiveTextEditor(show),
    // Changing the language of a document closes and opens it in the same editor.
    vscode.workspace.onDidOpenTextDocument(show),
    client.onDidChangeState(show),
    client.onNotification('packageInsights/status', (it: Status) => {
      status = it;
      show();
      if (it.outage) notifyOfOutage(it.outage);
      const askable = it.documents.find((document) => document.askable !== undefined)?.askable;
      if (askable !== undefined && canAskRegistries) offerAskingRegistries(askable, state);
      const isWithheld = it.documents.some((document) => document.isWithheldInBrowser);
      vscode.commands.executeCommand('setContext', 'packageInsights.isWithheldInBrowser', isWithheld);
      if (isWithheld) offerLookUpInBrowser(state);
    }),
  );
}

/**
 * In ms. While another tab is opened, VS Code reports that no editor is active: an item that was hidden then would move
 * its neighbors twice.
 */
const BETWEEN_EDITORS = 1000;

interface Words {
  readonly text: string;
  readonly tooltip: string;
}

function starting(state: State): Words {
  return state === State.Starting
    ? { text: '$(loading~spin) Package Insights', tooltip: vscode.l10n.t('The language server is starting.') }
    : { text: '$(circle-slash) Package Insights', tooltip: vscode.l10n.t('The language server is not running.') };
}

function words(
  status: DocumentStatus | undefined,
  all: Status,
  trouble: Trouble | undefined,
  notes: readonly MenuNote[],
): Words {
  const name = 'Package Insights';
  if (!status) {
    return { text: `$(package) ${name}`, tooltip: vscode.l10n.t('The dependencies have not been read yet.') };
  }
  const { pending, findings, unanswered, unclearFrom, coverage, lookups } = status;
  const unchecked =
    lookups.withheld + lookups.unknown + (lookups.withoutAdvisories ?? 0) + (lookups.listed ?? 0) + lookups.unchecked;
  // With missing facts, zero findings would suggest that there are none.
  const isWhole = pending + unanswered + unchecked === 0 && unclearFrom === undefined && coverage === undefined;
  const counts = countsOf(status, findings > 0 || isWhole);
  const isAsking = trouble === undefined && pending > 0;
  const icon =
    trouble?.icon ?? (isAsking ? 'loading~spin' : status.worst?.isMalicious ? 'error' : (notes[0]?.icon ?? 'package'));
  const first = isAsking ? vscode.l10n.t('{0}. Looking up {1} more…', counts, pending) : vscode.l10n.t('{0}.', counts);
  const lookedUp = lookupsText(status, all);
  const gaps = status.isWithheldInBrowser ? vscode.l10n.t('not looked up yet') : gapsOf(status).join(', ');
  const found = findingsText(status);
  const room = MAX_ITEM_LENGTH - found.length;
  const short = gaps.length > room ? vscode.l10n.t('{0} not checked', unchecked) : gaps;
  const state = [found, trouble?.state ?? short].filter((it) => it !== '').join(' · ');
  return {
    text: `$(${icon}) ${state === '' ? name : `${name}: ${state}`}`,
    tooltip: [
      first,
      ...(lookedUp === undefined ? [] : [lookedUp]),
      ...notes.map((it) => `${it.label}. ${it.detail}`),
    ].join('\n'),
  };
}

/** `malicious · 7 findings`, `2 findings`; `''` for none. Those that bring affected packages count. */
function findingsText({ findings, below = 0, worst }: DocumentStatus): string {
  const count = findings + below;
  if (count === 0) return '';
  const { t } = vscode.l10n;
  const counted = count === 1 ? t('1 finding') : t('{0} findings', count);
  return worst === undefined ? counted : `${worst.text} · ${counted}`;
}

/** Characters beside the name of the product. Longer gaps are one number there: the status bar is short. */
const MAX_ITEM_LENGTH = 40;

/** `2 private`, `1 unknown to the service`: the words of the summary in the terminal and in the report. */
function gapsOf({ lookups }: DocumentStatus): string[] {
  const { withheld, undecided = 0, unreadable = 0, unknown, withoutAdvisories = 0, listed = 0, unchecked } = lookups;
  const known = withheld - undecided - unreadable;
  const { t } = vscode.l10n;
  return [
    ...(undecided > 0 ? [t('{0} not looked up yet', undecided)] : []),
    ...(known > 0 ? [t({ message: '{0} private', args: [known], comment: 'a number of dependencies' })] : []),
    ...(unreadable > 0 ? [t('{0} not looked up (settings cannot be read)', unreadable)] : []),
    ...(withoutAdvisories > 0
      ? [t('{0} from private registries, vulnerabilities not checked', withoutAdvisories)]
      : []),
    ...(listed > 0 ? [t('{0} whose vulnerabilities the service does not know', listed)] : []),
    ...(unknown > 0 ? [t('{0} unknown to the service', unknown)] : []),
    ...(unchecked > 0 ? [t('{0} without a known version', unchecked)] : []),
  ];
}

/** `9 checked, 2 private, 1 unknown to the service, 3 failed.` */
function lookupsText(status: DocumentStatus, { offline, mistakes }: Status): string | undefined {
  const { t } = vscode.l10n;
  const { lookups, unanswered } = status;
  const isRequested = !offline && !mistakes?.some((it) => it.closes);
  const gaps = [
    ...gapsOf(status),
    ...(unanswered === 0
      ? []
      : isRequested
        ? [t({ message: '{0} failed', args: [unanswered], comment: 'a number of dependencies' })]
        : [t({ message: '{0} not requested', args: [unanswered], comment: 'a number of dependencies' })]),
  ];
  const { fromWorkspace = 0 } = lookups;
  const parts = [...gaps, ...(fromWorkspace > 0 ? [t('{0} taken from the workspace', fromWorkspace)] : [])];
  return parts.length === 0 ? undefined : t('{0}.', [t('{0} checked', lookups.checked), ...parts].join(', '));
}

/** Why no answers arrive, and its words in the status item. */
interface Trouble extends MenuNote {
  readonly state: string;
  /** A person has to look: the item gets the color of warnings. */
  readonly isAlarming?: true;
}

/** Why no requests are sent, or none is answered; the reason that makes the others irrelevant. */
function troubleOf(status: DocumentStatus | undefined, all: Status): Trouble | undefined {
  const { heldUntil, offline, mistakes, outage } = all;
  const { t } = vscode.l10n;
  const closing = mistakes?.find((it) => it.closes);
  if (closing) {
    return {
      icon: 'warning',
      state: t('invalid setting'),
      isAlarming: true,
      label: t('Nothing is looked up: {0}', closing.reason),
      detail: t('Lookups resume when the setting is valid.'),
      ...leadTo(closing.setting),
    };
  }
  const setting = 'packageInsights.offline';
  if (offline) {
    return {
      icon: 'circle-slash',
      state: t('offline'),
      label: t('Working offline'),
      detail: t('{0} is on: only cached answers are shown.', setting),
      ...leadTo(setting),
    };
  }
  const command = 'packageInsights.showLog';
  if (heldUntil !== undefined) {
    const detail = t('The service requested a wait. Cached answers are shown.');
    const label = t('No requests until {0}', timeOf(heldUntil));
    return { icon: 'watch', state: t('waiting'), label, detail, command };
  }
  const reason = status?.failed ?? (status === undefined ? undefined : outage?.reason);
  if (outage === undefined || reason === undefined) return undefined;
  const next =
    outage.retryAt !== undefined && outage.retryAt > Date.now()
      ? t('Next try at {0}.', timeOf(outage.retryAt))
      : t('It is retried automatically.');
  return {
    icon: 'debug-disconnect',
    state: t('not reachable'),
    isAlarming: true,
    label: t('Lookups failed: {0}', reason),
    detail: `${t('Not reachable since {0}.', timeOf(outage.since))} ${next}`,
    command,
  };
}

/** `13:05:00` */
function timeOf(ms: number): string {
  return new Date(ms).toLocaleTimeString(vscode.env.language, { hourCycle: 'h23' });
}

/** Invalid settings. */
function mistakeNotes({ mistakes = [] }: Status): MenuNote[] {
  const detail = vscode.l10n.t('The value does not count until it is valid.');
  return mistakes
    .filter((it) => !it.closes)
    .map(({ setting, reason }) => ({ icon: 'warning', label: reason, detail, ...leadTo(setting) }));
}

/** Opens a setting. In a remote window it belongs to the remote machine, whose settings the local ones do not list. */
function leadTo(setting: string): Pick<MenuNote, 'command' | 'argument'> {
  return {
    command: vscode.env.remoteName ? 'workbench.action.openRemoteSettings' : 'workbench.action.openSettings',
    argument: { query: `@id:${setting}` },
  };
}

/** A note that answers are late, before they fail. */
function delayNote(status: DocumentStatus | undefined): MenuNote | undefined {
  if (status?.delayed === undefined) return undefined;
  const { t } = vscode.l10n;
  const label = t('No answer so far: {0}', status.delayed);
  return { icon: 'loading~spin', label, detail: t('Still trying.'), command: 'packageInsights.showLog' };
}

/** A note that names wait for a permission. */
function browserNote(status: DocumentStatus | undefined): MenuNote | undefined {
  if (!status?.isWithheldInBrowser) return undefined;
  const { t } = vscode.l10n;
  return {
    icon: 'lock',
    label: t('Packages are not looked up yet'),
    detail: t(
      'A browser cannot read the registry settings of your computer. Select this to permit it, after a question.',
    ),
    command: 'packageInsights.lookUpInBrowser',
  };
}

/** A note that a manifest has a syntax error, which does not concern the service. */
function syntaxProblemNote(status: DocumentStatus | undefined): MenuNote | undefined {
  if (status?.unclearFrom === undefined) return undefined;
  const { t } = vscode.l10n;
  const line = status.unclearFrom;
  return {
    icon: 'question',
    label: t('The manifest is only partly understood'),
    detail: t('The first error is in line {0}. Dependencies may be missing.', line),
    command: 'vscode.open',
    argument: vscode.Uri.parse(status.uri).with({ fragment: `L${line}` }),
  };
}

/** A note that some dependencies were not looked up, so that findings may be missing. */
function coverageNote(status: DocumentStatus | undefined): MenuNote | undefined {
  if (status?.coverage === undefined) return undefined;
  const { t } = vscode.l10n;
  return {
    icon: 'question',
    label: t('The data is incomplete'),
    detail: t('{0}.', status.coverage),
    command: 'packageInsights.report',
  };
}

/** `12 dependencies, 1 finding, worst: high`, or only the dependencies; then how many bring affected packages along. */
function countsOf({ dependencies, findings, below = 0, worst }: DocumentStatus, isCounted: boolean): string {
  const { t } = vscode.l10n;
  const all = dependencies === 1 ? t('1 dependency') : t('{0} dependencies', dependencies);
  const parts = [
    all,
    ...(isCounted ? [findings === 1 ? t('1 finding') : t('{0} findings', findings)] : []),
    ...(below > 0 ? [below === 1 ? t('1 brings affected packages') : t('{0} bring affected packages', below)] : []),
    ...(worst === undefined ? [] : [t('worst: {0}', worst.text)]),
  ];
  return parts.join(', ');
}
