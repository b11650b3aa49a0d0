import { isRecord } from '../../base/text.ts';
import type { CooldownPattern, CooldownReader, WrittenCooldown } from '../../model/registries/cooldown.ts';
import type { System } from '../../model/system.ts';
import { countOf, DAY, limitReader, plainAt, readPlainSettings, textsOf, unclear } from './cooldown-values.ts';

/** The names of `package-ecosystem`. */
const ecosystems = {
  NPM: ['npm', 'bun', 'deno'],
  PYPI: ['pip', 'uv', 'pre-commit'],
  MAVEN: ['maven', 'gradle', 'sbt'],
  GO: ['gomod'],
  CARGO: ['cargo'],
  NUGET: ['nuget'],
} as const satisfies Record<System, readonly string[]>;

const days = limitReader(countOf(DAY));

/** It has a cooldown for each step, and none for security updates. Source: its options reference, `cooldown`. */
export const dependabotCooldown: CooldownReader = {
  systems: 'all',
  names: ['.github/dependabot.yml', '.github/dependabot.yaml'],
  read({ text, directory = '' }, system) {
    if (!text.includes('cooldown')) return [];
    const { root, isBroken } = readPlainSettings('dependabot.yml', text);
    if (isBroken) return [{ key: 'cooldown', limit: unclear('…') }];
    const updates = plainAt(root, 'updates');
    const names: readonly string[] = ecosystems[system];
    return (Array.isArray(updates) ? updates : []).flatMap((it: unknown): WrittenCooldown[] => {
      const cooldown = plainAt(it, 'cooldown');
      const isOurs = textsOf(plainAt(it, 'package-ecosystem')).some((name) => names.includes(name));
      const folders = [...textsOf(plainAt(it, 'directory')), ...textsOf(plainAt(it, 'directories'))];
      if (!isRecord(cooldown) || !isOurs || !folders.some((folder) => contains(folder, directory))) return [];
      return [ruleOf(cooldown)];
    });
  },
};

function ruleOf(cooldown: Readonly<Record<string, unknown>>): WrittenCooldown {
  const [patch, minor, major] = ['patch', 'minor', 'major'].map((it) => days(plainAt(cooldown, `semver-${it}-days`)));
  const [only, except] = ['include', 'exclude'].map((it) => patternsIn(plainAt(cooldown, it)));
  return {
    key: 'cooldown',
    limit: days(plainAt(cooldown, 'default-days')) ?? { kind: 'age', age: 0 },
    ...((patch ?? minor ?? major) && {
      steps: { ...(patch && { patch }), ...(minor && { minor }), ...(major && { major }) },
    }),
    ...(only && only.length > 0 && { only }),
    ...(except && except.length > 0 && { except }),
  };
}

function patternsIn(list: unknown): CooldownPattern[] {
  return textsOf(list).map((name) => ({ name, wildcard: 'any' }));
}

/** Whether a manifest is in a directory or below it: a workspace's members belong to its root. */
function contains(folder: string, directory: string): boolean {
  // What is matched by a pattern is open.
  if (folder.includes('*')) return true;
  const bare = folder.replace(/^\/|\/$/g, '');
  return bare === '' || directory === bare || directory.startsWith(`${bare}/`);
}
