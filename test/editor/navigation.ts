import type { TestContext } from 'node:test';
import type { ClientCapabilities, DefinitionLink, Location } from 'vscode-languageserver';
import { positionsIn } from '../../server/src/engine/formats/text/positions.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

/*
 * A project is its files by name; `¦` in one of them is the cursor, and that file is open. A place is shown as the file, the
 * line, and the text there in brackets:
 *
 *     pom.xml:3  <‹a.version›>1.0</a.version>
 */

export interface Navigating {
  readonly client: StrictClient;
  readonly uri: string;
  readonly position: { readonly line: number; readonly character: number };
  /** The files without the cursor, by URI. */
  readonly files: Map<string, string>;
  show(places: readonly (Location | DefinitionLink)[] | null): string[];
}

interface Circumstances {
  readonly capabilities?: ClientCapabilities;
  /** The names of files that are there and cannot be read. */
  readonly unreadable?: readonly string[];
  /** The folder that is open; that of all files where this is absent. */
  readonly folder?: string | undefined;
}

const root = 'file:///w/';

const usual: ClientCapabilities = {
  textDocument: {
    definition: { linkSupport: true },
    references: {},
    rename: { prepareSupport: true },
    documentHighlight: {},
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
  },
  workspace: { workspaceEdit: { documentChanges: true } },
};

export async function navigating(
  t: TestContext,
  written: Readonly<Record<string, string>>,
  { capabilities = usual, unreadable = [], folder }: Circumstances = {},
): Promise<Navigating> {
  const files = new Map<string, string>();
  let uri = root;
  let offset = 0;
  for (const [name, text] of Object.entries(written)) {
    const at = text.indexOf('¦');
    if (at >= 0) {
      uri = root + name;
      offset = at;
    }
    files.set(root + name, text.replace('¦', ''));
  }
  const client = await strictClient({
    capabilities,
    settings: { baseUrl: 'http://127.0.0.1:9', lookUp: false },
    initialize: { workspaceFolders: [{ uri: folder === undefined ? 'file:///w' : root + folder, name: 'w' }] },
    files: {
      read: async (it) => (unreadable.includes(it.slice(root.length)) ? undefined : files.get(it)),
      tryRead: async (it) => (unreadable.includes(it.slice(root.length)) ? { why: 'denied' } : files.get(it)),
      find: async (directory, matches, most, depth) =>
        [...files.keys()]
          .filter((it) => it.startsWith(directory) && matches.test(it))
          .filter((it) => depth === undefined || it.slice(directory.length).split('/').length <= depth + 1)
          .slice(0, most),
    },
  });
  t.after(() => client.stop());
  const text = files.get(uri) ?? '';
  await client.open(uri, text);
  return {
    client,
    uri,
    files,
    position: positionsIn(text).at(offset),
    show: (places) => (places ?? []).map((it) => shown(it, files)).sort(),
  };
}

function shown(place: Location | DefinitionLink, files: ReadonlyMap<string, string>): string {
  const [uri, range] = 'targetUri' in place ? [place.targetUri, place.targetSelectionRange] : [place.uri, place.range];
  const line = (files.get(uri) ?? '').split('\n')[range.start.line] ?? '';
  const name = uri.slice(root.length);
  const { start, end } = range;
  if (start.line === 0 && start.character === 0 && end.character === 0) return name;
  const marked = `${line.slice(0, start.character)}‹${line.slice(start.character, end.character)}›${line.slice(end.character)}`;
  return `${name}:${start.line + 1}  ${marked.trim()}`;
}

/** The text in a range of one line. */
export function marked(text: string, { start, end }: Location['range']): string {
  return (text.split('\n')[start.line] ?? '').slice(start.character, end.character);
}
