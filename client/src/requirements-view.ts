import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { DependencyAnswer } from '../../server/src/editor/requests/dependencies.ts';
import { dependencyAt, dependencyNear } from './dependency.ts';
import { itemOf } from './requirements-item.ts';
import { childrenOf, failure, messageOf, type Node, rootsOf } from './requirements-node.ts';

const viewId = 'packageInsights.requirements';

/** How long the cursor must rest on a dependency before the view shows it, in ms. */
const REST_TIME = 300;

/** How often the view asks for what a dependency brings while that is looked up, in ms. It may take a minute. */
const BELOW_TIME = 2000;

/** How long children may take before a row says that they are loading, in ms. Shorter, rows would flicker. */
const LOADING_TIME = 250;

/** The tree of requirements of the dependency at the cursor, while it is visible. */
export interface RequirementsView {
  /** Shows a dependency and takes the focus. */
  show(summary: DependencyAnswer): Promise<void>;
  /** Shows what changes with a version, which need not be one of the targets. */
  showUpgrade(summary: DependencyAnswer, version: string): Promise<void>;
  /** Loads the children of a node again. */
  retry(node: Node): void;
  /** Whether the view keeps its dependency when the cursor moves. */
  pin(isPinned: boolean): void;
  dispose(): void;
}

export function createRequirementsView(client: BaseLanguageClient): RequirementsView {
  const changed = new vscode.EventEmitter<Node | undefined>();
  let roots: readonly Node[] = [];
  let shown: DependencyAnswer | undefined;
  /** Set by the person: the view does not follow the cursor. */
  let isPinned = false;
  /** Set while it shows what a command asked for, until the cursor moves. */
  let isHeld = false;
  /** Set if a lookup failed: showing the same dependency again retries. */
  let hasFailed = false;
  let asking = new vscode.CancellationTokenSource();
  let resting: NodeJS.Timeout | undefined;
  let children = new WeakMap<Node, Promise<readonly Node[]>>();

  const load = async (node: Node): Promise<Node[]> => {
    const known = children.get(node);
    if (known) return [...(await known)];
    const { token } = asking;
    const loading = childrenOf(node, client, token)
      // The server may be restarting.
      .catch((error: unknown) => [failure(error instanceof Error ? error.message : String(error), node)])
      .then((found) => {
        if (!token.isCancellationRequested && found.some(isFailure)) hasFailed = true;
        return found;
      });
    children.set(node, loading);
    const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), LOADING_TIME));
    const found = await Promise.race([loading, late]);
    if (found) return [...found];
    vscode.window.withProgress({ location: { viewId } }, () => loading);
    loading.then(() => {
      if (!token.isCancellationRequested) changed.fire(node);
    });
    return [{ kind: 'loading' }];
  };

  const view = vscode.window.createTreeView<Node>(viewId, {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: itemOf,
      // Only roots are revealed, and they have no parent.
      getParent: () => undefined,
      getChildren: (node) => (node === undefined ? [...roots] : load(node)),
    },
    showCollapseAll: true,
  });
  vscode.commands.executeCommand('setContext', 'packageInsights.isRunning', true);

  const put = (summary: DependencyAnswer): void => {
    if (shown && !hasFailed && identify(summary) === identify(shown)) {
      // It may have moved in its file.
      shown = summary;
      return;
    }
    shown = summary;
    hasFailed = false;
    asking.cancel();
    asking.dispose();
    asking = new vscode.CancellationTokenSource();
    children = new WeakMap();
    roots = rootsOf(summary);
    view.message = messageOf(summary);
    view.description = `${summary.name} ${summary.version ?? ''}`.trim();
    changed.fire(undefined);
  };

  /** Asks what the view should show, as soon as nothing has moved for a while. Asks nothing while it is hidden. */
  const askSoon = (ask: () => Promise<DependencyAnswer | undefined>, delay = REST_TIME): void => {
    clearTimeout(resting);
    if (!view.visible) return;
    resting = setTimeout(async () => {
      const summary = await ask().catch(() => undefined);
      if (summary === undefined || !view.visible) return;
      put(summary);
      if (summary.isPending) askSoon(ask);
      else if (isBelowPending(summary)) askSoon(ask, BELOW_TIME);
    }, delay);
  };

  const follow = (editor: vscode.TextEditor | undefined): void => {
    if (isPinned || editor === undefined) return;
    askSoon(async () => (vscode.window.activeTextEditor === editor ? dependencyAt(client, editor) : undefined));
  };

  /** Updates what is shown: its text, or what is known of it, may have changed. */
  const refresh = (): void => {
    const place = shown?.place;
    if (place) askSoon(() => dependencyNear(client, place));
  };

  const show = async (summary: DependencyAnswer, summon: () => Node | undefined, expand: boolean): Promise<void> => {
    clearTimeout(resting);
    isHeld = true;
    hasFailed = true;
    put(summary);
    const node = summon();
    if (node) await view.reveal(node, { focus: true, select: true, expand });
  };

  const subscriptions = vscode.Disposable.from(
    view,
    changed,
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      isHeld = false;
      follow(textEditor);
    }),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor) isHeld = false;
      follow(editor);
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (client.code2ProtocolConverter.asUri(document.uri) === shown?.place.uri) refresh();
    }),
    view.onDidChangeVisibility(() => {
      if (isPinned) refresh();
      else if (!isHeld) follow(vscode.window.activeTextEditor);
    }),
  );
  return {
    async show(summary) {
      await show(summary, () => roots.find((it) => it.kind === 'package'), false);
      // Chosen from a list, it comes without what it brings.
      if (shown === summary && (summary.brings === undefined || isBelowPending(summary))) refresh();
    },
    showUpgrade(summary, version) {
      const isTarget = summary.targets.some((it) => it.version === version);
      const targets = isTarget ? summary.targets : [{ version, notes: [] }, ...summary.targets];
      const find = (): Node | undefined => roots.find((it) => it.kind === 'upgrade' && it.target.version === version);
      return show({ ...summary, targets }, find, true);
    },
    retry(node) {
      children.delete(node);
      changed.fire(node);
    },
    pin(value) {
      isPinned = value;
      vscode.commands.executeCommand('setContext', 'packageInsights.isPinned', value);
      if (!value) follow(vscode.window.activeTextEditor);
    },
    dispose() {
      clearTimeout(resting);
      asking.dispose();
      subscriptions.dispose();
    },
  };
}

function isBelowPending({ brings }: DependencyAnswer): boolean {
  return brings?.kind === 'reading' || (brings?.kind === 'packages' && brings.isPending === true);
}

function isFailure(node: Node): boolean {
  return node.kind === 'message' && node.retry !== undefined;
}

/** Everything of a dependency that the tree shows: of two equal texts, the tree is the same. */
function identify({ range: _range, place: _place, isPending: _isPending, ...rest }: DependencyAnswer): string {
  return JSON.stringify(rest);
}
