import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { DependencySummary } from '../../server/src/language-server/requests/summary.ts';
import { dependencyAt } from './dependency.ts';
import { itemOf } from './requirements-item.ts';
import { childrenOf, hasUpgrade, type Node } from './requirements-node.ts';

const viewId = 'packageInsights.requirements';

/** How long the cursor must rest on a dependency before the view shows it, in ms. */
const REST_TIME = 300;

/** The tree of requirements of the dependency at the cursor, while it is visible. */
export interface RequirementsView {
  /** Shows a dependency and takes the focus. */
  show(summary: DependencySummary): Promise<void>;
  /** Expands the changes of an upgrade. */
  showUpgrade(): Promise<void>;
  dispose(): void;
}

export function createRequirementsView(client: LanguageClient): RequirementsView {
  const changed = new vscode.EventEmitter<undefined>();
  let roots: readonly Node[] = [];
  let shown = '';
  let asking = new vscode.CancellationTokenSource();
  let resting: NodeJS.Timeout | undefined;

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

  /** A message about the root is shown above the tree, where it has enough room. */
  const spoken = (node: Node, children: readonly Node[]): Node[] => {
    const [first] = children;
    if (node.kind !== 'root' || first?.kind !== 'message') return [...children];
    if (roots.includes(node)) {
      view.message = first.text;
      // The next selection of the same dependency retries.
      if (first.mayPass) shown = '';
    }
    return [];
  };

  const load = (node: Node): Thenable<Node[]> =>
    vscode.window.withProgress({ location: { viewId } }, async () => {
      try {
        return spoken(node, await childrenOf(node, client, asking.token));
      } catch (error) {
        // The server may be restarting.
        const text = error instanceof Error ? error.message : String(error);
        return spoken(node, [{ kind: 'message', text, isEmpty: false, mayPass: true }]);
      }
    });

  const put = (summary: DependencySummary): void => {
    const id = `${summary.purl} ${summary.reason}`;
    if (id === shown) return;
    shown = id;
    asking.cancel();
    asking.dispose();
    asking = new vscode.CancellationTokenSource();
    // The upgrade comes first, since hundreds of requirements may follow.
    roots = [...(hasUpgrade(summary) ? [{ kind: 'upgrade', summary } as const] : []), { kind: 'root', summary }];
    view.message = '';
    view.description = `${summary.name} ${summary.version ?? ''}`.trim();
    changed.fire(undefined);
  };

  const follow = (editor: vscode.TextEditor | undefined): void => {
    clearTimeout(resting);
    if (!view.visible || editor === undefined) return;
    resting = setTimeout(async () => {
      const summary = await dependencyAt(client, editor).catch(() => undefined);
      if (summary !== undefined && vscode.window.activeTextEditor === editor) put(summary);
    }, REST_TIME);
  };

  const subscriptions = vscode.Disposable.from(
    view,
    changed,
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => follow(textEditor)),
    vscode.window.onDidChangeActiveTextEditor(follow),
    view.onDidChangeVisibility(() => follow(vscode.window.activeTextEditor)),
  );
  return {
    async show(summary) {
      // Showing the same dependency again retries.
      shown = '';
      put(summary);
      const root = roots.find((it) => it.kind === 'root');
      if (root) await view.reveal(root, { focus: true, expand: true });
    },
    async showUpgrade() {
      const upgrade = roots.find((it) => it.kind === 'upgrade');
      if (upgrade) await view.reveal(upgrade, { focus: true, expand: 2 });
    },
    dispose() {
      clearTimeout(resting);
      asking.dispose();
      subscriptions.dispose();
    },
  };
}
