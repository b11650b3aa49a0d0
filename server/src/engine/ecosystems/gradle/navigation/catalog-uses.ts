import { parseToml } from '../../../formats/toml/parse.ts';
import { entriesOf, stringAt, tomlAt } from '../../../formats/toml/tree.ts';
import type { DefinitionUse } from '../../../model/manifest.ts';
import type { Span } from '../../../model/span.ts';
import { punctuationAt, wordAt } from '../statements.ts';
import type { Token } from '../tokens.ts';
import { catalogIds } from '../values.ts';
import type { Code } from './script-names.ts';

/**
 * What a catalog names of its own: versions, and the libraries of its bundles.
 *
 *     kotlin = { module = "g:a", version.ref = "kotlin" }      all = ["kotlin"]
 *                                               ^^^^^^                  ^^^^^^
 */
export function usesInCatalog(text: string): readonly DefinitionUse[] {
  const { root } = parseToml(text);
  return entriesOf(root).flatMap(({ key, value: table }) =>
    entriesOf(table).flatMap(({ value }): DefinitionUse[] => {
      if (key.text === 'bundles')
        return (value?.kind === 'array' ? value.items : []).flatMap((it) =>
          it.kind === 'string' ? { id: catalogIds.library(it.text), span: it.span } : [],
        );
      const ref = stringAt(tomlAt(value, 'version'), 'ref');
      return ref ? [{ id: catalogIds.version(ref.text), span: ref.span }] : [];
    }),
  );
}

/** What the second word of an accessor leads to; libraries have none. */
const sections: ReadonlyMap<string, (alias: string) => string> = new Map([
  ['versions', catalogIds.version],
  ['plugins', catalogIds.plugin],
  ['bundles', catalogIds.bundle],
]);

/** Parts of an accessor. Real ones have up to six. */
const MAX_PARTS = 20;

/** The id of what a method of a catalog finds by its name. */
const finders: ReadonlyMap<string, (alias: string) => string> = new Map([
  ['findLibrary', catalogIds.library],
  ['findVersion', catalogIds.version],
  ['findPlugin', catalogIds.plugin],
  ['findBundle', catalogIds.bundle],
]);

/**
 * What a script names of a catalog, outside dependencies, too. The span is the alias without the catalog.
 *
 *     compileSdk = libs.versions.compile.sdk.get().toInt()      libs.findLibrary("spring-core").get()
 *                                ^^^^^^^^^^^                                       ^^^^^^^^^^^
 */
export function aliasesIn({ tokens, text, from }: Code): readonly DefinitionUse[] {
  const found: DefinitionUse[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.kind !== 'word') continue;
    const finder = punctuationAt(tokens, at + 1) === '(' ? finders.get(token.text) : undefined;
    const name = tokens[at + 2];
    if (finder && name?.kind === 'string') {
      const { start, end } = name.span;
      found.push({ id: finder(text.slice(start, end)), span: { start: start + from, end: end + from } });
    } else if (punctuationAt(tokens, at - 1) !== '.') found.push(...accessor(tokens, at, from));
  }
  return found;
}

/** `libs.spring.core`, of which the last words may be methods or members of the value. */
function accessor(tokens: readonly Token[], at: number, offset: number): readonly DefinitionUse[] {
  const words = [at];
  while (words.length < MAX_PARTS && punctuationAt(tokens, (words.at(-1) ?? 0) + 1) === '.') {
    const next = (words.at(-1) ?? 0) + 2;
    // A call is no part of an accessor.
    if (wordAt(tokens, next) === undefined || punctuationAt(tokens, next + 1) === '(') break;
    words.push(next);
  }
  const [catalog = '', kind = ''] = words.map((it) => wordAt(tokens, it) ?? '');
  const section = sections.get(kind);
  const idOf = section ?? catalogIds.library;
  const from = section ? 2 : 1;
  const prefix = catalog === 'libs' ? '' : `${catalog}.`;
  return words.slice(from).map((last, index): DefinitionUse => {
    const alias = words.slice(from, from + index + 1).map((it) => wordAt(tokens, it) ?? '');
    const span: Span = { start: tokens[words[from] ?? 0]?.start ?? 0, end: tokens[last]?.end ?? 0 };
    return { id: idOf(prefix + alias.join('.')), span: { start: span.start + offset, end: span.end + offset } };
  });
}
