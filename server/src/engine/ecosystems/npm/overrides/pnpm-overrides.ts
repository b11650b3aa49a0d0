import { setJsonMembers } from '../../../formats/json/insert.ts';
import { parseJson } from '../../../formats/json/parse.ts';
import { stringAt, valueAt } from '../../../formats/json/tree.ts';
import { setYamlTexts } from '../../../formats/yaml/insert.ts';
import { parseYaml } from '../../../formats/yaml/parse.ts';
import { entryAt } from '../../../formats/yaml/tree.ts';
import type { FileTexts, Forced, Override, OverrideTool } from '../../../model/graph/override.ts';
import { brokenFile, fixedOverride, missingFile, otherShape } from '../../shared/override.ts';
import { packageJson } from '../package-json.ts';
import { pnpmWorkspace } from '../pnpm-workspace.ts';
import { unknownRequirers } from './npm-overrides.ts';
import { caretLine, raiseStanding, widthOf } from './standing.ts';

/** Where pnpm records which version of it has installed the packages, as YAML or JSON. Version 9 refuses a new workspace file. */
const installed = 'node_modules/.modules.yaml';

/**
 * pnpm's overrides: up to version 9 in package.json, from 11 on in pnpm-workspace.yaml, in between in either.
 *
 *     "pnpm": { "overrides": { "qs": "6.11.1" } }    overrides:
 *                                                      qs@^6: 6.11.1
 *                                                      body-parser>qs: 6.11.1
 */
export const pnpmOverrides: OverrideTool = {
  files: ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml', installed],
  write,
};

/** The first version of pnpm that reads overrides in pnpm-workspace.yaml. Source: its changelog, 10.5. */
const FIRST_WITH_WORKSPACE = 10;

function write(forced: Forced, texts: FileTexts): Override {
  const text = texts.get('package.json');
  if (text === undefined) return missingFile('package.json');
  const { root, problems } = parseJson(text);
  if (root?.kind !== 'object' || problems.length > 0) return brokenFile('package.json');
  const manifest = packageJson.parse(text);
  const width = widthOf(manifest, forced);
  const { name, wanted, version, requiredBy } = forced;
  if (width === 'below' && requiredBy.length === 0) return unknownRequirers(name);
  const below = requiredBy.map((it) => `${it}>${name}`);
  const names = width === 'all' ? [name] : width === 'line' ? [`${name}@${caretLine(version)}`] : below;
  const added = names.map((it) => [it, wanted] as const);

  const workspace = texts.get('pnpm-workspace.yaml');
  if (placeOf(text, workspace, texts) === 'pnpm-workspace.yaml') {
    const file = 'pnpm-workspace.yaml';
    const section = 'overrides';
    const own = workspace ?? '';
    const read = parseYaml(own);
    if (read.problems.length > 0) return brokenFile(file);
    const standing = raiseStanding(pnpmWorkspace.parse(own), [section], forced);
    if (standing.kind === 'fixed') return fixedOverride(standing.text);
    const edits = standing.kind === 'raised' ? [standing.edit] : setYamlTexts(own, read.root, section, added);
    return edits ? { ok: true, file, edits, section } : otherShape(section);
  }
  const section = 'pnpm.overrides';
  const standing = raiseStanding(manifest, [section], forced);
  if (standing.kind === 'fixed') return fixedOverride(standing.text);
  if (standing.kind === 'raised') return { ok: true, file: 'package.json', edits: [standing.edit], section };
  const edits = setJsonMembers(text, root, { pnpm: { overrides: Object.fromEntries(added) } });
  return edits ? { ok: true, file: 'package.json', edits, section } : otherShape(section);
}

/** Where overrides are already; else where the version of pnpm reads them, as far as the files name it. */
function placeOf(
  manifest: string,
  workspace: string | undefined,
  texts: FileTexts,
): 'package.json' | 'pnpm-workspace.yaml' {
  const { root } = parseJson(manifest);
  const named =
    /^pnpm@(\d+)/.exec(stringAt(root, 'packageManager')?.text ?? '')?.[1] ??
    /^[\s"]*packageManager"?: *"?pnpm@(\d+)/m.exec(texts.get(installed) ?? '')?.[1];
  const major = named === undefined ? undefined : Number(named);
  if (major !== undefined && major < FIRST_WITH_WORKSPACE) return 'package.json';
  if (workspace !== undefined && entryAt(parseYaml(workspace).root, 'overrides')) return 'pnpm-workspace.yaml';
  if (major !== undefined && major > FIRST_WITH_WORKSPACE) return 'pnpm-workspace.yaml';
  if (valueAt(valueAt(root, 'pnpm'), 'overrides')) return 'package.json';
  if (major !== undefined) return 'pnpm-workspace.yaml';
  // Version 9 of the format is that of pnpm 9 and of all later ones.
  const format = Number(/^lockfileVersion: *['"]?(\d+)/m.exec(texts.get('pnpm-lock.yaml') ?? '')?.[1] ?? 9);
  return format < 9 || valueAt(root, 'pnpm') !== undefined ? 'package.json' : 'pnpm-workspace.yaml';
}
