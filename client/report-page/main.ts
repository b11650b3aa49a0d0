import type { PageData } from '../../server/src/report/formats/page-texts.ts';
import { type PageState, showPage } from './page.ts';

/* The page of a report. As a file it contains its data; in an editor it reports that it is ready and receives them. */

/** The API of the editor for pages. Source: Visual Studio Code, “Webview API”. */
interface Editor {
  postMessage(message: unknown): void;
  getState(): PageState | undefined;
  setState(state: PageState): void;
}

declare const acquireVsCodeApi: (() => Editor) | undefined;

// A page that fails shows the error instead of its loading state.
window.addEventListener('error', ({ message }) => document.querySelector('[role=status]')?.replaceChildren(message));

const data = document.getElementById('data')?.textContent;
if (data) showPage(JSON.parse(data), { keep: () => {} }, undefined);
else if (typeof acquireVsCodeApi === 'function') {
  const editor = acquireVsCodeApi();
  window.addEventListener('message', ({ data: sent }: MessageEvent<PageData>) => {
    showPage(
      sent,
      {
        open: ({ path, line, column }) => editor.postMessage({ kind: 'open', path, line, column }),
        refresh: () => editor.postMessage({ kind: 'refresh' }),
        keep: (state) => editor.setState(state),
      },
      editor.getState(),
    );
  });
  editor.postMessage({ kind: 'ready' });
}
