import * as vscode from 'vscode';
import { type LanguageClient, State } from 'vscode-languageclient/node';
import type { DocumentStatus, Status } from '../../server/src/language-server/publish/status.ts';
import { isManifest } from './manifest-context.ts';
import { type MenuNote, setMenuNotes } from './menu.ts';

/** Shows the status of the active manifest: the number of dependencies and findings, or a problem. */
export function showStatus(client: LanguageClient): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('packageInsights.status', vscode.StatusBarAlignment.Right, 90);
  item.name = 'Package Insights';
  item.command = 'packageInsights.showMenu';
  let status: Status = { documents: [] };

  const show = (): void => {
    const document = vscode.window.activeTextEditor?.document;
    const own = status.documents.find((it) => vscode.Uri.parse(it.uri).toString() === document?.uri.toString());
    const trouble = troubleOf(own, status);
    const notes = [
      trouble ?? delayNote(own),
      ...mistakeNotes(status),
      syntaxProblemNote(own),
      coverageNote(own),
    ].filter((it) => it !== undefined);
    const isRunning = client.state === State.Running;
    setMenuNotes(isRunning ? notes : []);
    if (!document || !isManifest(document)) {
      item.hide();
      return;
    }
    const { text, tooltip } = isRunning ? words(own, trouble, notes) : starting(client.state);
    const isClosed = isRunning && status.mistakes?.some((it) => it.closes);
    item.backgroundColor = isClosed ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.text = text;
    item.tooltip = tooltip;
    item.accessibilityInformation = { label: `Package Insights: ${tooltip}` };
    item.show();
  };
  show();
  return vscode.Disposable.from(
    item,
    vscode.window.onDidChangeActiveTextEditor(show),
    // Changing the language of a document closes and opens it in the same editor.
    vscode.workspace.onDidOpenTextDocument(show),
    client.onDidChangeState(show),
    client.onNotification('packageInsights/status', (it: Status) => {
      status = it;
      show();
    }),
  );
}

interface Words {
  readonly text: string;
  readonly tooltip: string;
}

function starting(state: State): Words {
  return state === State.Starting
    ? { text: '$(loading~spin) Package Insights', tooltip: vscode.l10n.t('The language server is starting.') }
    : { text: '$(circle-slash) Package Insights', tooltip: vscode.l10n.t('The language server is not running.') };
}

function words(status: DocumentStatus | undefined, trouble: MenuNote | undefined, notes: readonly MenuNote[]): Words {
  if (!status) return { text: '$(package)', tooltip: vscode.l10n.t('The dependencies have not been read yet.') };
  const { pending, findings, unanswered, unclearFrom, coverage } = status;
  // With missing facts, zero findings would suggest that there are none.
  const isWhole = pending + unanswered === 0 && unclearFrom === undefined && coverage === undefined;
  const isCounted = findings > 0 || isWhole;
  const counts = countsOf(status, isCounted);
  const isAsking = trouble === undefined && pending > 0;
  const settled = findings > 0 ? 'warning' : (notes[0]?.icon ?? 'package');
  const icon = trouble?.icon ?? (isAsking ? 'loading~spin' : settled);
  const first = isAsking ? vscode.l10n.t('{0}. Looking up {1} more…', counts, pending) : vscode.l10n.t('{0}.', counts);
  const gap = unanswered > 0 ? [vscode.l10n.t('No data for {0} of them.', unanswered)] : [];
  const number = isCounted ? ` ${findings}` : '';
  return {
    text: `$(${icon})${number}`,
    tooltip: [[first, ...gap].join(' '), ...notes.map((it) => `${it.label}. ${it.detail}`)].join('\n'),
  };
}

/** Why no requests are sent; the reason that makes the others irrelevant. */
function troubleOf(status: DocumentStatus | undefined, { heldUntil, offline, mistakes }: Status): MenuNote | undefined {
  const { t } = vscode.l10n;
  const closing = mistakes?.find((it) => it.closes);
  if (closing) {
    return {
      icon: 'warning',
      label: t('Nothing is looked up: {0}', closing.reason),
      detail: t('Lookups resume when the setting is valid.'),
      ...leadTo(closing.setting),
    };
  }
  const setting = 'packageInsights.offline';
  if (offline) {
    return {
      icon: 'circle-slash',
      label: t('Working offline'),
      detail: t('{0} is on: only cached answers are shown.', setting),
      ...leadTo(setting),
    };
  }
  const command = 'packageInsights.showLog';
  if (heldUntil !== undefined) {
    const until = new Date(heldUntil).toLocaleTimeString(vscode.env.language, { hourCycle: 'h23' });
    const detail = t('The service requested a wait. Cached answers are shown.');
    return { icon: 'watch', label: t('No requests until {0}', until), detail, command };
  }
  if (status?.failed === undefined) return undefined;
  const label = t('Lookups failed: {0}', status.failed);
  return { icon: 'debug-disconnect', label, detail: t('It is retried automatically.'), command };
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

/** `12 dependencies, 1 finding`, or only the dependencies. */
function countsOf({ dependencies, findings }: DocumentStatus, isCounted: boolean): string {
  const { t } = vscode.l10n;
  const all = dependencies === 1 ? t('1 dependency') : t('{0} dependencies', dependencies);
  if (!isCounted) return all;
  return [all, findings === 1 ? t('1 finding') : t('{0} findings', findings)].join(', ');
}
