import * as l10n from '@vscode/l10n';
import type { Definition, Dependency, FileRef, Manifest, ManifestFormat } from '../../model/manifest.ts';
import type { Literal, Problem, Span } from '../../model/span.ts';
import {
  idOfReplacement,
  isFromFolder,
  type Replacement,
  readReplacement,
  replacementDefinitions,
  replacementDependency,
  replacementOf,
} from './replace.ts';
import { type GoLine, isIndirect, readGoFile } from './syntax.ts';

/** The manifest of a Go module. */
export const goMod: ManifestFormat = {
  id: 'go.mod',
  system: 'GO',
  files: /(^|\/)go(\.[\w-]+)?\.mod$/,
  languages: ['go.mod', 'package-insights-go-mod'],
  parse,
};

function parse(text: string): Manifest {
  const file = readGoFile(text);
  const problems: Problem[] = [...file.problems];
  const definitions = new Map<string, Definition>();
  const replacing = file.lines.filter((it) => it.verb === 'replace');
  const replacements = new Map(replacing.map((it) => [it, readReplacement(it, problems)]));
  const replaced = replacementOf([...replacements.values()]);
  const excluded = excludedVersions(file.lines);
  const dependencies = file.lines.flatMap((line): Dependency[] => {
    if (line.verb === 'require')
      return required(line, replaced, definitions, problems).map((it) => {
        const rejected = excluded.get(it.key.name);
        return rejected ? { ...it, rejected } : it;
      });
    const replacement = replacements.get(line);
    return replacement ? replacementDependency(replacement) : [];
  });
  const references = dependencies.some((it) => it.replacement) ? [workspace] : [];
  const asked = new Set(
    file.lines
      .filter((it) => it.verb === 'require')
      .map(({ words: [path, version] }) => `${path?.text} ${version?.text}`),
  );
  // A replacement of a version that nothing requires is left over.
  const isInForce = ({ path, version }: Replacement): boolean =>
    version === undefined || asked.has(`${path.text} ${version.text}`);
  const makes = [...replacements.values()].flatMap((it) =>
    it && isFromFolder(it) && isInForce(it) ? [it.path.text] : [],
  );
  const frozen = (words: string): string => l10n.t('replaced by {0} in another go.mod', words);
  const identity = file.lines.find((it) => it.verb === 'module')?.words[0]?.text;
  return {
    dependencies,
    definitions: [...definitions.values()],
    exportedDefinitions: () =>
      [...replacements.values()].flatMap((it) => (it ? replacementDefinitions('member', it, frozen) : [])),
    references,
    problems,
    // In a workspace the replacements of each module hold for all.
    ...(makes.length > 0 && { makes }),
    ...(identity && { identity }),
  };
}

/** `exclude golang.org/x/text v0.3.1`: as if that version were not published. Source: the Go modules reference. */
function excludedVersions(lines: readonly GoLine[]): ReadonlyMap<string, readonly string[]> {
  const excluded = new Map<string, string[]>();
  for (const { verb, words } of lines) {
    const [path, version] = words;
    if (verb !== 'exclude' || !path || !version) continue;
    excluded.set(path.text, [...(excluded.get(path.text) ?? []), version.text]);
  }
  return excluded;
}

/** Its replacements go before those of the modules. Source: the Go modules reference, on workspaces. */
const workspace: FileRef = { kind: 'workspace', path: 'go.work', format: 'go.work', upward: 'self' };

/**
 *     golang.org/x/text v0.3.0 // indirect
 *     ^^^^^^^^^^^^^^^^^ ^^^^^^
 */
function required(
  line: GoLine,
  replaced: (path: string, version: string) => Replacement | undefined,
  definitions: Map<string, Definition>,
  problems: Problem[],
): Dependency[] {
  const [path, version, more] = line.words;
  if (!path || path.text === '') return [];
  if (!version) problems.push({ span: path.span, message: 'a version is missing' });
  if (more) problems.push({ span: more.span, message: 'this does not belong here' });
  const replacement = version && replaced(path.text, version.text);
  const replacedBy = (by: 'workspace' | 'member', label: string) =>
    [version?.text, undefined].map((of) => ({ id: idOfReplacement(by, path.text, of), label }));
  const elsewhere = [
    ...replacedBy('workspace', l10n.t('replace in go.work')),
    ...(replacement ? [] : replacedBy('member', l10n.t('replace in another go.mod'))),
  ];
  const blank = version ? undefined : blankBehind(path.span.end, line);
  const dependency: Dependency = {
    key: { system: 'GO', name: path.text },
    name: path.text,
    nameSpan: path.span,
    requirement: version ? { kind: 'literal', at: version } : { kind: 'none' },
    ...(blank && { blank }),
    ...(version && { replacement: elsewhere }),
    scope: 'runtime',
    group: isIndirect(line.comment) ? 'indirect' : 'require',
  };
  return [replacement ? through(replacement, dependency, version.span, definitions) : dependency];
}

/**
 * The place for a version: behind a blank after the path, and before one in front of a comment, which is added where
 * there is none.
 *
 *     golang.org/x/text  // indirect
 *                       ^
 */
function blankBehind(path: number, { comment, end }: GoLine): Literal | undefined {
  const start = path + 1;
  if (start > end) return undefined;
  if (comment === undefined) return { span: { start, end }, text: '', encode: (it) => it };
  const isTight = start === end;
  return { span: { start, end: isTight ? start : end - 1 }, text: '', encode: (it) => (isTight ? `${it} ` : it) };
}

/** A replaced module is looked up, and edited, as its replacement. */
function through(
  replacement: Replacement,
  dependency: Dependency,
  span: Span,
  definitions: Map<string, Definition>,
): Dependency {
  const frozen = l10n.t('replaced by {0}', replacement.words.map((it) => it.text).join(' '));
  const [stand] = replacementDependency(replacement);
  if (!stand) return { ...dependency, frozen };
  const { requirement, key } = stand;
  if (requirement.kind === 'source') return { ...dependency, requirement: { ...requirement, span }, frozen };
  if (requirement.kind !== 'literal') return { ...dependency, frozen };
  const id = `replace:${replacement.path.text}${replacement.version ? ` ${replacement.version.text}` : ''}`;
  definitions.set(id, { id, span: stand.nameSpan, value: requirement });
  return { ...dependency, key, requirement: { kind: 'reference', to: { id, label: 'replace' }, span }, frozen };
}
