import type { PageData } from '../../server/src/engine/report/formats/page-texts.ts';
import { type Page, type PageState, type RowPlace, showPage } from './page.ts';

/* The page of a report. As a file it contains its data; in an editor it reports that it is ready and receives them. */

/** The editor has updated a dependency. */
interface UpdatedMessage {
  readonly updated: RowPlace;
  readonly version: string;
}

/** The report, as the editor sends it. */
interface EditorData extends PageData {
  /** A calendar is connected. */
  readonly canSchedule?: boolean;
}

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
  let page: Page | undefined;
  window.addEventListener('message', ({ data: sent }: MessageEvent<EditorData | UpdatedMessage>) => {
    if ('updated' in sent) {
      page?.markUpdated(sent.updated, sent.version);
      return;
    }
    page = showPage(
      sent,
      {
        open: (place) => editor.postMessage({ kind: 'open', ...placeIn(place) }),
        explain: (code) => editor.postMessage({ kind: 'explain', code }),
        update: (place, version) => editor.postMessage({ kind: 'update', ...placeIn(place), version }),
        ...(sent.canSchedule && {
          schedule: (place: RowPlace, version: string) =>
            editor.postMessage({ kind: 'schedule', ...placeIn(place), version }),
        }),
        lookUp: () => editor.postMessage({ kind: 'lookUp' }),
        refresh: () => editor.postMessage({ kind: 'refresh' }),
        keep: (state) => editor.setState(state),
      },
      editor.getState(),
    );
  });
  editor.postMessage({ kind: 'ready' });
}

function placeIn({ path, line, column, declared }: RowPlace): RowPlace {
  return { path, line, column, declared };
}
