import * as l10n from '@vscode/l10n';
import type { Manifest, ManifestFormat } from '../../model/manifest.ts';
import type { Problem } from '../../model/span.ts';
import { readReplacement, replacementDefinitions, replacementDependency } from './replace.ts';
import { readGoFile } from './syntax.ts';

/** A workspace of Go modules: its members have files of their own, its replacements count for all of them. */
export const goWork: ManifestFormat = {
  id: 'go.work',
  system: 'GO',
  files: /(^|\/)go\.work$/,
  languages: ['go.work'],
  parse,
};

function parse(text: string): Manifest {
  const file = readGoFile(text);
  const problems: Problem[] = [...file.problems];
  const replacements = file.lines.flatMap((line) => {
    const replacement = line.verb === 'replace' ? readReplacement(line, problems) : undefined;
    return replacement ? [replacement] : [];
  });
  const used = file.lines.flatMap(({ verb, words: [word] }) => (verb === 'use' && word ? [word] : []));
  const members = used.map((it) => directory(it.text));
  const modules = members.map((it) => (it === '' ? 'go.mod' : `${it}/go.mod`));
  const frozen = (words: string): string => l10n.t('replaced by {0} in go.work', words);
  return {
    dependencies: replacements.flatMap(replacementDependency),
    definitions: replacements.flatMap((it) => replacementDefinitions('workspace', it, frozen)),
    // The replacements of each member hold for all, behind these. Source: the Go modules reference, on workspaces.
    references: modules.map((path) => ({ kind: 'workspace', path, format: 'go.mod' })),
    members,
    modules,
    links: used.map(({ span }, at) => ({ span, paths: modules.slice(at, at + 1) })),
    problems,
  };
}

/** `./cmd/app/` → `cmd/app` */
function directory(path: string): string {
  return path
    .split(/[\\/]/)
    .filter((it) => it !== '.' && it !== '')
    .join('/');
}
