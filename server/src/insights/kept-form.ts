import type { AdvisoryFacts, PackageFacts, VersionFacts } from '../model/facts.ts';

/** The lists that everything has which is kept of a kind. */
const lists: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'version',
    [
      'licenses',
      'licenseDetails',
      'advisories',
      'links',
      'provenances',
      'registries',
      'projects',
      'upstream',
    ] satisfies (keyof VersionFacts)[],
  ],
  ['package', ['versions'] satisfies (keyof PackageFacts)[]],
  ['advisory', ['aliases'] satisfies (keyof AdvisoryFacts)[]],
]);

/**
 * Whether what was kept looks like what this program keeps. Another version may have written it, or a person; what does
 * not is asked for again, where a missing list would cost a whole document its answers.
 * @param id `version NPM lodash@4.17.21`
 */
export function isInForm(id: string, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  const [kind = ''] = id.split(' ', 1);
  const hasKey = (kind !== 'version' && kind !== 'package') || isObject(fields['key']);
  return hasKey && (lists.get(kind) ?? []).every((it) => Array.isArray(fields[it]));
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
