import { isRecord } from '../model/is-record.ts';
import type { Lockfile, LockfileFormat } from '../model/lockfile.ts';
import { readPlainJson } from '../text/json-plain.ts';
import { npm } from '../versions/npm.ts';

/** Deno's lockfile, from its version 2 on: the packages of npm in it. */
export const denoLock: LockfileFormat = {
  id: 'deno.lock',
  serves: ['deno.json', 'package.json'],
  below: true,
  update: 'deno install',
  parse,
};

/**
 * What is asked for is locked under the very words it is asked with, for all members of a workspace alike:
 *
 *     2:  "npm": { "specifiers": { "chalk@^5": "chalk@5.3.0" } }
 *     3:  "packages": { "specifiers": { "npm:chalk@^5": "npm:chalk@5.3.0" } }
 *     4:  "specifiers": { "npm:chalk@^5": "5.3.0", "npm:react-dom@18": "18.3.1_react@18.3.1" }
 */
function parse(text: string): Lockfile {
  const value = readPlainJson(text);
  const root = isRecord(value) ? value : {};
  const versions = new Map<string, string>();
  for (const [holder, asked, named] of [
    [root.npm, 'npm:', /^@?[^@]*@/],
    [root.packages, '', /^npm:@?[^@]*@/],
    [root, '', /^/],
  ] as const) {
    const specifiers = isRecord(holder) && isRecord(holder.specifiers) ? holder.specifiers : {};
    for (const [specifier, locked] of Object.entries(specifiers)) {
      // What its peers come to is told behind the version.
      if (typeof locked === 'string') versions.set(asked + specifier, locked.replace(named, '').replace(/_.*$/s, ''));
    }
  }
  return {
    locked: ({ key, requirement }) => {
      const asked = requirement.kind === 'literal' ? requirement.at.text.trim() : '';
      const names = asked === '' ? [`npm:${key.name}@*`, `npm:${key.name}`] : [`npm:${key.name}@${asked}`];
      const version = names.map((it) => versions.get(it)).find((it) => it !== undefined);
      return version !== undefined && npm.read(version).kind === 'pin' ? version : undefined;
    },
  };
}
