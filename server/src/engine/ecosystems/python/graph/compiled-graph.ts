import { addTo } from '../../../base/collections.ts';
import type { GraphOfLockfile } from '../../../model/graph/locked-graph.ts';
import { canonicalName } from '../../../model/keys.ts';
import type { LockedPackage, Lockfile } from '../../../model/lockfile.ts';
import { type PythonRequirement, type PythonRoot, pythonGraph } from './python-graph.ts';

/**
 * The comments below or behind a package name what requires it:
 *
 *     click==8.1.7            click==8.1.7     # via -r requirements.in, flask
 *         # via
 *         #   -r requirements.in
 *         #   flask
 */
export function compiledGraph(
  text: string,
  packages: readonly LockedPackage[],
  locked: Lockfile['locked'],
): GraphOfLockfile {
  const requires = new Map<string, PythonRequirement[]>();
  const roots: PythonRoot[] = [];
  packages.forEach(({ name, version, nameSpan }, at) => {
    const own = text.slice(nameSpan.start, packages[at + 1]?.nameSpan.start);
    const requirement = { name, extras: [], range: `==${version.text}` };
    for (const it of requiredBy(own)) {
      if (/^-[rc]\s|\(/.test(it)) roots.push({ importer: '', kind: 'runtime', requirement });
      else addTo(requires, canonicalName('PYPI', it.replace(/\[.*$/s, '')), requirement);
    }
  });
  if (requires.size + roots.length === 0) return 'unrecorded';
  const entries = packages.map(({ name, version, condition }) => ({
    name,
    version: version.text,
    marker: condition,
    requires: requires.get(canonicalName('PYPI', name)) ?? [],
    extras: new Map<string, readonly PythonRequirement[]>(),
  }));
  return pythonGraph(entries, { importers: [''], roots }, locked);
}

function requiredBy(entry: string): string[] {
  const [, behind = ''] = /#\s*via\b(.*)/s.exec(entry) ?? [];
  const [first = '', ...others] = behind.split(/\r?\n/);
  const below = others.map((it) => /^\s+#\s\s+(\S.*)$/.exec(it)?.[1]);
  const end = below.indexOf(undefined);
  return [...first.split(','), ...below.slice(0, end < 0 ? below.length : end)]
    .map((it) => (it ?? '').trim())
    .filter((it) => it !== '');
}
