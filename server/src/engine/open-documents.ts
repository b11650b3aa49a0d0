import type { PackageKey } from '../model/keys.ts';
import { sameUri } from '../model/uri.ts';
import { HalfTyped } from './half-typed.ts';
import type { OpenDocument } from './linking.ts';

/** The open documents, however their addresses are spelt. */
export class OpenDocuments {
  readonly #all = new Map<string, OpenDocument>();
  /** How each address is spelt, by `sameUri`: every file that is read is looked for among them. */
  readonly #spelt = new Map<string, string>();
  readonly halfTyped = new HalfTyped();
  #list: readonly OpenDocument[] | undefined;

  /** The same list until a document is opened, changed or closed. */
  get all(): readonly OpenDocument[] {
    this.#list ??= [...this.#all.values()];
    return this.#list;
  }

  /** By the address that it was opened with. */
  get(uri: string): OpenDocument | undefined {
    return this.#all.get(uri);
  }

  textOf(uri: string): string | undefined {
    return this.#all.get(this.#spelt.get(sameUri(uri)) ?? uri)?.text;
  }

  /**
   * @param concerned the others that mean something else now
   * @param named keeps what was named so far, the document being as it was
   */
  set(
    document: OpenDocument,
    concerned: readonly string[],
    named: (before: OpenDocument) => () => Iterable<PackageKey>,
  ): void {
    const before = this.#all.get(document.uri);
    const texts = before && { before: before.text, now: document.text };
    if (texts) this.halfTyped.changed(document.uri, texts, concerned, named(before));
    this.#all.set(document.uri, document);
    this.#list = undefined;
    this.#spelt.set(sameUri(document.uri), document.uri);
  }

  delete(uri: string): void {
    this.#all.delete(uri);
    this.#list = undefined;
    this.halfTyped.closed(uri);
    this.#spelt.delete(sameUri(uri));
  }
}
