import type { Forced } from '../../../model/graph/override.ts';
import { canonicalName } from '../../../model/keys.ts';
import type { Manifest } from '../../../model/manifest.ts';
import { raisedRange, type Standing } from '../../shared/override.ts';
import { pypi } from '../versions.ts';

/** Raises an override that stands already, unless it is for one platform or version of Python only. */
export function raisePython({ dependencies }: Manifest, forced: Forced, section: string): Standing {
  const id = canonicalName('PYPI', forced.name);
  const own = dependencies.find(
    (it) => canonicalName('PYPI', it.key.name) === id && it.group === section && it.condition === undefined,
  );
  if (own === undefined) return { kind: 'none' };
  const { requirement } = own;
  if (requirement.kind !== 'literal') return { kind: 'fixed', text: requirement.kind };
  const { span, text, encode } = requirement.at;
  const raised = raisedRange(pypi, text, forced, `==${forced.wanted}`);
  return raised === text ? { kind: 'fixed', text } : { kind: 'raised', edit: { span, newText: encode(raised) } };
}
