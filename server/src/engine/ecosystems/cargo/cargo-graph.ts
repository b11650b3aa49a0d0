import { addTo } from '../../base/collections.ts';
import { scanLines } from '../../formats/text/lines.ts';
import type { LockedGraph } from '../../model/graph/locked-graph.ts';
import type { Dependency } from '../../model/manifest.ts';
import { GraphBuilder } from '../shared/graph-builder.ts';

interface Crate {
  name: string;
  version: string;
  source: string;
  readonly requires: string[];
}

/**
 * A requirement names a crate, with its version and its source where these are needed to tell several apart:
 *
 *     [[package]]
 *     name = "app"
 *     version = "0.1.0"
 *     dependencies = [
 *      "serde",
 *      "time 0.1.45",
 *      "time 0.3.36 (registry+https://registry.example/index)",
 *     ]
 *
 * Dependencies of a build and of the tests of a member are among them, for all platforms and all features that the
 * workspace can enable: the file does not tell them apart. It does not name the directories of members either.
 */
export function cargoGraph(
  text: string,
  locked: (dependency: Dependency, importer: string) => string | undefined,
): LockedGraph {
  const crates = readCrates(text);
  const builder = new GraphBuilder('CARGO');
  /** By name, and by name and version. */
  const byId = new Map<string, number[]>();
  for (const [index, { name, version, source }] of crates.entries()) {
    const isRegistry = /^(?:registry|sparse)\+/.test(source);
    builder.node({
      name,
      version,
      source: isRegistry ? undefined : source === '' ? 'workspace' : 'git',
      registry: isRegistry ? source : undefined,
    });
    addTo(byId, name, index);
    addTo(byId, `${name} ${version}`, index);
  }
  for (const [index, { requires }] of crates.entries()) {
    for (const it of requires) builder.edge(index, resolve(it), 'runtime');
  }
  return builder.build({ locked });

  function resolve(written: string): number | undefined {
    const [name = '', version, source] = written.split(' ', 3);
    const same = byId.get(version === undefined ? name : `${name} ${version}`)?.slice(0, MAX_SOURCES) ?? [];
    if (same.length < 2 || source === undefined) return same[0];
    // The revision of a repository follows behind a hash.
    const address = source.slice(1, -1);
    return (
      same.find((it) => crates[it]?.source === address) ?? same.find((it) => crates[it]?.source.startsWith(address))
    );
  }
}

/** A version comes from a registry, and perhaps from a repository. */
const MAX_SOURCES = 100;

const assignment = /^(name|version|source) = "([^"]*)"/;
const required = /^\s*"([^"]+)",?\s*$/;

function readCrates(text: string): Crate[] {
  const crates: Crate[] = [];
  let current: Crate | undefined;
  let isInList = false;
  scanLines(text, (start, end, indent) => {
    const line = text.slice(start, end);
    if (line[indent] === '[') {
      current = undefined;
      isInList = false;
      if (line !== '[[package]]' && line !== '[root]') return;
      current = { name: '', version: '', source: '', requires: [] };
      crates.push(current);
    } else if (!current) return;
    else if (line.startsWith('dependencies = [')) isInList = !line.endsWith(']');
    else if (line[indent] === ']') isInList = false;
    else if (isInList) {
      const name = required.exec(line)?.[1];
      if (name !== undefined) current.requires.push(name);
    } else {
      const [, field, value = ''] = assignment.exec(line) ?? [];
      if (field === 'name' || field === 'version' || field === 'source') current[field] ||= value;
    }
  });
  return crates.filter((it) => it.name !== '');
}
