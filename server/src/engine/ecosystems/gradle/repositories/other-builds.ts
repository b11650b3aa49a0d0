import { directoryOf, nameOf } from '../../../base/uri.ts';

/** What a build begins with. Scripts of other names may be applied to any project, and those in `src` are plugins. */
const ownScripts = /^(?:build|settings)\.gradle(?:\.kts)?$/;
const settingsScripts = /^settings\.gradle(?:\.kts)?$/;
/** Source: Gradle, “Using buildSrc to organize build logic”: it is a build of its own, without settings, too. */
const buildSrc = /^.*\/buildSrc\//;

/** Where plugins are, as scripts and as code. */
const sources = /(?:^|\/)src\/main\//;

/**
 * Whether a script belongs to another build than the document: to buildSrc, or to one with settings of its own that the document
 * does not lie in. What it declares holds for that build alone, unless one of the others applies it by its name.
 */
export function isOfOtherBuild(
  uri: string,
  document: string,
  files: readonly { readonly uri: string; readonly text: string }[],
): boolean {
  const name = nameOf(uri);
  if (!ownScripts.test(name)) return false;
  const own = directoryOf(uri);
  const settings = files.flatMap((it) => (settingsScripts.test(nameOf(it.uri)) ? directoryOf(it.uri) : []));
  const roots = [...settings, ...[uri, document].flatMap((it) => buildSrc.exec(it) ?? [])];
  const around = roots.filter((it) => document.startsWith(it)).sort((a, b) => b.length - a.length);
  const [inner = '', outer] = [...new Set(around)];
  // What a plugin adds to projects is none of the build that makes it.
  const left = outer !== undefined && sources.test(document.slice(inner.length)) ? inner : undefined;
  const isApart = roots.some(
    (it) => own.startsWith(it) && !sources.test(own.slice(it.length)) && (it === left || !document.startsWith(it)),
  );
  if (!isApart) return false;
  const path = `${own.slice(own.slice(0, -1).lastIndexOf('/') + 1)}${name}`;
  return !files.some((it) => it.uri !== uri && it.text.includes(path));
}
