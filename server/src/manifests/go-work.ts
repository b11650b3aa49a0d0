import * as l10n from '@vscode/l10n';
import type { Definition, Dependency, Manifest, ManifestFormat } from '../model/manifest.ts';
import type { Problem } from '../model/span.ts';
import { readGoFile } from './go-lines.ts';
import { type Replacement, readReplacement, replacementDependency, workspaceReplacement } from './go-replace.ts';

/** A workspace of Go modules: its members stand in files of their own, its replacements hold for all of them. */
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
  const found = file.lines.flatMap((line) => {
    const replacement = line.verb === 'replace' ? readReplacement(line, problems) : undefined;
    return replacement ? replacementDependency(replacement).map((stand) => ({ replacement, stand })) : [];
  });
  const members = file.lines.flatMap(({ verb, words }) =>
    verb === 'use' && words[0] ? [directory(words[0].text)] : [],
  );
  return {
    dependencies: found.map((it) => it.stand),
    definitions: found.map(({ replacement, stand }) => definition(replacement, stand)),
    references: [],
    members,
    modules: members.map((it) => (it === '' ? 'go.mod' : `${it}/go.mod`)),
    problems,
  };
}

/** For the members of the workspace, which are looked up as what takes their dependencies' place. */
function definition({ path, version, words }: Replacement, { key, nameSpan, requirement }: Dependency): Definition {
  return {
    id: workspaceReplacement(path.text, version?.text),
    span: nameSpan,
    value: requirement,
    key,
    frozen: l10n.t('replaced by {0} in go.work', words.map((it) => it.text).join(' ')),
  };
}

/** `./cmd/app/` → `cmd/app` */
function directory(path: string): string {
  return path
    .split(/[\\/]/)
    .filter((it) => it !== '.' && it !== '')
    .join('/');
}
