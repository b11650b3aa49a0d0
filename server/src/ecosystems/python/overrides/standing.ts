import type { Forced, TextEdit } from '../../../model/graph/override.ts';
import type { Manifest } from '../../../model/manifest.ts';
import { pypi } from '../versions.ts';

/** Raises an override that stands already, unless it is for one platform or version of Python only. */
export function raisePython(
  { dependencies }: Manifest,
  { name, wanted }: Forced,
  section: string,
): TextEdit | undefined {
  for (const { key, group, requirement, condition } of dependencies) {
    if (key.name !== name || group !== section || requirement.kind !== 'literal' || condition !== undefined) continue;
    const { span, text, encode } = requirement.at;
    const rewritten = pypi.rewrite(text, wanted);
    return { span, newText: encode(rewritten.ok ? rewritten.text : `==${wanted}`) };
  }
  return undefined;
}
