import type { InitializeParams } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { directoryOf, fileUri, parentOf, relativeTo, sameUri } from '../../engine/base/uri.ts';

interface Folder {
  readonly uri: string;
}

/** The folders of the workspace, and what may be read besides. */
export class Folders {
  /** Their URIs, with a final slash. */
  all: readonly string[] = [];
  #pointedUris: readonly string[] = [];
  #readable:
    | { readonly documents: unknown; readonly folders: unknown; readonly readable: readonly string[] }
    | undefined;

  initialize({ workspaceFolders, rootUri, rootPath }: InitializeParams): void {
    const root = rootUri ?? (rootPath ? fileUri(rootPath) : undefined);
    this.change(workspaceFolders ?? (root === undefined ? [] : [{ uri: root }]), []);
  }

  /** The innermost one of a file. */
  of(uri: string): string | undefined {
    return this.all.filter((it) => relativeTo(it, uri) !== undefined).sort((a, b) => b.length - a.length)[0];
  }

  change(added: readonly Folder[], removed: readonly Folder[]): void {
    const gone = new Set(removed.map((it) => sameUri(withSlash(it.uri))));
    const stay = this.all.filter((it) => !gone.has(sameUri(it)));
    this.all = [...new Set([...stay, ...added.map((it) => withSlash(it.uri))])];
  }

  /** Makes configuration beside a document readable that need not be open here. */
  allowReadingBeside(uri: string): void {
    if (this.#pointedUris[0] === uri) return;
    this.#pointedUris = [uri];
    this.#readable = undefined;
  }

  /** The folders, and the directories of documents outside them, except a root directory. Called for each file that is read. */
  readable(documents: readonly { readonly uri: string }[]): readonly string[] {
    if (this.#readable?.documents === documents && this.#readable.folders === this.all) return this.#readable.readable;
    const outside = [...documents.map((it) => it.uri), ...this.#pointedUris]
      .map(directoryOf)
      .filter((it) => parentOf(it) !== undefined && !this.all.some((folder) => it.startsWith(folder)));
    const readable = [...this.all, ...new Set(outside)];
    this.#readable = { documents, folders: this.all, readable };
    return readable;
  }

  /** Whether a document may be a manifest. A revision in a repository's history or a notebook cell is not one. */
  mayBeManifest(document: TextDocument): boolean {
    const { uri } = document;
    const isPlaced = /^(?:file|untitled):/i.test(uri) || this.of(uri) !== undefined;
    return isPlaced && typeof document.getText() === 'string';
  }
}

function withSlash(uri: string): string {
  return uri.endsWith('/') ? uri : `${uri}/`;
}
