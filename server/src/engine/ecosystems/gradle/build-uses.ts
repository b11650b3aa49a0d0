import { normalizeAlias } from './files/alias-id.ts';
import { pluginBlocks } from './repositories/declared.ts';
import { readStatements } from './statements.ts';
import { tokenize } from './tokens.ts';

/** Different words of one script. Long ones have some hundred. */
const MAX_WORDS = 2000;
/** Parts of an accessor. Real ones have up to six. */
const MAX_PARTS = 10;

const isAbout = new RegExp(`\\b(?:${[...pluginBlocks].join('|')})\\b`);

/**
 * The words of a script that may name a library of a catalog, in the blocks for the build itself or anywhere in it.
 *
 *     buildscript { dependencies { classpath(libs.android.gradle.get()) } }
 *                                            ^^^^^^^^^^^^^^^^^^^^^^^^
 *     implementation(deps.findLibrary("android-gradle").get())
 *                                      ^^^^^^^^^^^^^^
 */
export function catalogWords(text: string): { readonly forBuild: readonly string[]; readonly all: readonly string[] } {
  return { forBuild: isAbout.test(text) ? wordsIn(textForBuild(text)) : [], all: wordsIn(text) };
}

function textForBuild(text: string): string {
  const statements = readStatements(tokenize(text).tokens);
  const texts = statements.map(({ path, tokens }, at) =>
    path.some((it) => pluginBlocks.has(it)) ? text.slice(tokens[0]?.start, statements[at + 1]?.tokens[0]?.start) : '',
  );
  return texts.join('\n');
}

function wordsIn(text: string): readonly string[] {
  const found = new Set<string>();
  for (const pattern of [dotted, named]) {
    for (const [word, name = word] of text.matchAll(pattern)) {
      if (found.size >= MAX_WORDS) break;
      found.add(normalizeAlias(name));
    }
  }
  return [...found];
}

const dotted = /\b\w+(?:\.\w+)+/g;
const named = /\bfind(?:Library|Bundle)\s*\(\s*["']([\w.-]+)/g;

/** The accessors that a word may mean, without the name of its catalog: each of its beginnings, since methods follow. */
export function accessorsIn(word: string): readonly string[] {
  const parts = word.split('-').slice(0, MAX_PARTS);
  // A name in a string has no catalog before it, and that of a bundle not its first part.
  return [0, 1].flatMap((from) =>
    parts.slice(from).flatMap((_, at) => {
      const accessor = parts.slice(from, from + at + 1).join('-');
      return [accessor, `bundles-${accessor}`];
    }),
  );
}
