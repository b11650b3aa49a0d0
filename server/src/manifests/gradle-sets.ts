import { addArtifact, argumentOf } from './gradle-dependencies.ts';
import type { Script } from './gradle-script.ts';
import { cut, inside, markAt, type Statement, wordAt } from './gradle-statements.ts';
import { isOpening, readValue, slice, spanOf, type Value } from './gradle-values.ts';

/**
 * Reads a set of the dependency management plugin: artifacts of one group and one version.
 *
 *     dependencySet(group: 'org.slf4j', version: '1.7.7') { entry 'slf4j-api' }
 *     dependencySet('org.slf4j:1.7.7') { entry 'slf4j-api' }
 */
export function readSetEntries({ tokens, blocks }: Statement, script: Script): void {
  const named = new Map<string, Value>();
  for (const argument of cut(isOpening(tokens, 1) ? inside(tokens, 1) : tokens.slice(1), ',')) {
    const name = markAt(argument, 1) === ':' || markAt(argument, 1) === '=' ? wordAt(argument, 0) : undefined;
    const value = readValue(name === undefined ? argument : argument.slice(2), script);
    if (value) named.set(name ?? 'both', value);
  }
  const both = named.get('both');
  const colon = both?.text.indexOf(':') ?? -1;
  const group = both ? slice(both, 0, colon) : named.get('group')?.pieces;
  const version = both ? slice(both, colon + 1, both.text.length) : named.get('version')?.pieces;
  if (!group?.length || !version?.length) return;
  for (const { tokens: entry } of blocks.flat()) {
    const artifact = wordAt(entry, 0) === 'entry' ? argumentOf(entry.slice(1), script) : undefined;
    if (!artifact || artifact.pieces.length === 0) continue;
    const nameSpan = spanOf(artifact.pieces);
    const separator = { kind: 'text', text: ':', span: nameSpan, quote: '"' } as const;
    const name = [...group, separator, ...artifact.pieces];
    const about = { scope: 'runtime', group: 'dependencyManagement' } as const;
    const set = { kind: 'coordinates', name, nameSpan, version, platform: false } as const;
    addArtifact(set, about, true, undefined, script);
  }
}
