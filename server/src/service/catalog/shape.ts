import { isRecord } from '../../engine/base/text.ts';
import { projectStatuses } from '../../engine/model/facts.ts';
import { isSystem } from '../../engine/model/system.ts';
import { advisoryLevels, hashTypes } from './record.ts';

/** Validates a value; undefined where it is valid. */
export type Shape = (value: unknown) => Fault | undefined;

export interface Fault {
  /** Where, from the value: `versions["4.17.15"].publishedAt`. */
  readonly path: string;
  /** The expected value, as a phrase after "expected": `a string`. */
  readonly expected: string;
}

function that(expected: string, holds: (value: unknown) => boolean): Shape {
  const fault = { path: '', expected };
  return (value) => (holds(value) ? undefined : fault);
}

function list(item: Shape): Shape {
  return (value) => {
    if (!Array.isArray(value)) return { path: '', expected: 'a list' };
    for (const [index, it] of value.entries()) {
      const fault = item(it);
      if (fault !== undefined) return below(`[${index}]`, fault);
    }
    return undefined;
  };
}

/** An object with any keys. */
function mapOf(item: Shape): Shape {
  return (value) => {
    if (!isRecord(value)) return { path: '', expected: 'an object' };
    for (const key in value) {
      const fault = item(value[key]);
      if (fault !== undefined) return below(step(key), fault);
    }
    return undefined;
  };
}

/** An object with these keys and no others, so that a misspelt one is found. A key with `?` may be missing. */
function object(fields: Readonly<Record<string, Shape>>): Shape {
  const shapes = new Map(Object.entries(fields).map(([key, shape]) => [key.replace('?', ''), shape]));
  const required = Object.keys(fields).filter((it) => !it.endsWith('?'));
  return (value) => {
    if (!isRecord(value)) return { path: '', expected: 'an object' };
    for (const key in value) {
      const shape = shapes.get(key);
      if (shape === undefined)
        return { path: step(key), expected: `one of the fields ${[...shapes.keys()].join(', ')}` };
      const fault = shape(value[key]);
      if (fault !== undefined) return below(step(key), fault);
    }
    const missing = required.find((it) => !Object.hasOwn(value, it));
    return missing === undefined ? undefined : { path: missing, expected: 'it to be there' };
  };
}

function below(before: string, fault: Fault): Fault {
  const dot = fault.path === '' || fault.path.startsWith('[') ? '' : '.';
  return { path: `${before}${dot}${fault.path}`, expected: fault.expected };
}

function step(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? key : `[${JSON.stringify(key)}]`;
}

const text = that('a string', (it) => typeof it === 'string');
const filled = that('a string that is not empty', (it) => typeof it === 'string' && it !== '');
const flag = that('true or false', (it) => typeof it === 'boolean');
const system = that('one of the systems', isSystem);
const time = that(
  'an RFC 3339 time',
  (it) =>
    typeof it === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(it) &&
    !Number.isNaN(Date.parse(it)),
);
const day = that('a day', (it) => typeof it === 'string' && /^\d{4}-\d\d-\d\d$/.test(it));
const natural = that('a whole number', (it) => Number.isSafeInteger(it) && Number(it) >= 0);
const score = that('a score from 0 to 10', (it) => typeof it === 'number' && it >= 0 && it <= 10);
const digest = that(
  'hexadecimal digits',
  (it) => typeof it === 'string' && it.length % 2 === 0 && /^[0-9a-f]+$/i.test(it),
);

const provenance = { sourceRepository: text, commit: text, url: text, verified: flag };

const versionShape = object({
  'publishedAt?': time,
  'isDefault?': flag,
  'deprecated?': text,
  'licenses?': list(filled),
  'licenseDetails?': list(object({ license: text, spdx: text })),
  'links?': list(object({ label: filled, url: filled })),
  'slsaProvenances?': list(object(provenance)),
  'attestations?': list(object({ type: filled, ...provenance })),
  'relatedProjects?': list(
    object({ projectKey: object({ id: text }), relationProvenance: filled, relationType: filled }),
  ),
  'upstreamIdentifiers?': list(object({ packageName: text, versionString: text, source: text })),
  'hashes?': object(Object.fromEntries(hashTypes.map((it) => [`${it}?`, digest]))),
  'artifact?': filled,
  'requirements?': mapOf(that('an object', isRecord)),
  'from?': list(filled),
});

export const packageShape = object({
  system,
  name: filled,
  'invented?': flag,
  sources: mapOf(filled),
  from: list(filled),
  'whole?': object({ by: filled, asOf: day, count: natural }),
  'shared?': versionShape,
  versions: mapOf(versionShape),
  'similar?': list(filled),
  'projectStatus?': object({
    status: that(`one of ${projectStatuses.join(', ')}`, (it) => projectStatuses.some((status) => status === it)),
    reason: text,
  }),
  'others?': list(filled),
});

const checkScore = that('a score from -1 to 10', (it) => Number.isInteger(it) && Number(it) >= -1 && Number(it) <= 10);

export const projectShape = object({
  projectId: filled,
  'invented?': flag,
  source: filled,
  'openIssuesCount?': natural,
  'starsCount?': natural,
  'forksCount?': natural,
  'license?': text,
  'description?': text,
  'homepage?': text,
  'scorecard?': object({
    date: time,
    commit: text,
    version: text,
    overallScore: score,
    checks: list(
      object({
        name: filled,
        description: text,
        url: text,
        score: checkScore,
        reason: text,
        'details?': list(text),
      }),
    ),
  }),
});

export const advisoryShape = object({
  id: filled,
  title: text,
  url: text,
  aliases: list(filled),
  cvss3Score: score,
  cvss3Vector: text,
  'cvss4Score?': score,
  'cvss4Vector?': filled,
  'severity?': that('a level', (it) => advisoryLevels.some((level) => level === it)),
  'knownExploited?': that('true', (it) => it === true),
  affected: list(
    object({
      system,
      name: filled,
      'ranges?': list(object({ introduced: filled, 'fixed?': filled, 'lastAffected?': filled })),
      'versions?': list(filled),
    }),
  ),
  source: filled,
});
