import { type LicensePolicy, type LicenseVerdict, licenseVerdicts } from '../model/license-policy.ts';
import { type License, type LicenseExpression, licenseText, parseLicense } from './license-expressions.ts';

type Lists = Pick<LicensePolicy, 'allow' | 'deny' | 'review' | 'unknown'>;

/** What a policy says of the licences of a version. */
export interface Judgement {
  readonly verdict: LicenseVerdict;
  /** The licences that decided, each once: of `MIT OR GPL-3.0-only` that is `MIT`, where it is allowed. */
  readonly because: readonly Decision[];
}

/** What a policy says of one licence, and which rule of it. */
export interface Decision {
  readonly verdict: LicenseVerdict;
  /** As the current identifier says it; what stood there where nobody could read it, empty where there was nothing. */
  readonly license: string;
  /**
   * `allow`, `review`, `deny`: it is in that list. `unlisted`: it is in none; denied where there is a list of what is
   * allowed. `unknown`: no SPDX licence.
   */
  readonly rule: LicenseVerdict | 'unlisted' | 'unknown';
}

/**
 * Judges licences whose relation nobody stated, so that each has to pass.
 * @param licenses SPDX expressions or `non-standard`; none where they are unknown
 */
export function evaluate(licenses: readonly string[], policy: Lists): Judgement {
  const lists = known.get(policy) ?? { ...read(policy), judged: new Map() };
  known.set(policy, lists);
  const judged = (licenses.length > 0 ? licenses : ['']).map((text): Judgement => {
    const judgement = lists.judged.get(text) ?? judgeText(text, lists, policy.unknown);
    lists.judged.set(text, judgement);
    return judgement;
  });
  return judged.reduce((one, other) => join(one, other, worse(one.verdict, other.verdict)));
}

/** The lists of a policy, read once. Entries that are no licences judge nothing. */
type ReadLists = Readonly<Record<LicenseVerdict, readonly License[]>>;

/** A lockfile has thousands of packages and a handful of licences: each is judged once. */
const known = new WeakMap<Lists, ReadLists & { readonly judged: Map<string, Judgement> }>();

function judgeText(text: string, lists: ReadLists, unknown: LicenseVerdict): Judgement {
  const expression = parseLicense(text);
  if (expression) return judge(expression, lists);
  return { verdict: unknown, because: [{ verdict: unknown, license: text.trim(), rule: 'unknown' }] };
}

function read(policy: Lists): ReadLists {
  const licenses = (texts: readonly string[]): License[] =>
    texts.flatMap((text) => {
      const expression = parseLicense(text);
      return expression?.kind === 'license' ? [expression] : [];
    });
  return { allow: licenses(policy.allow), review: licenses(policy.review), deny: licenses(policy.deny) };
}

function judge(expression: LicenseExpression, lists: ReadLists): Judgement {
  if (expression.kind === 'license') {
    const decision = decide(expression, lists);
    return { verdict: decision.verdict, because: [decision] };
  }
  const left = judge(expression.left, lists);
  const right = judge(expression.right, lists);
  const verdict = expression.kind === 'and' ? worse(left.verdict, right.verdict) : better(left.verdict, right.verdict);
  return join(left, right, verdict);
}

/** The closest entry counts; of several equally close ones the strictest. */
function decide(license: License, lists: ReadLists): Decision {
  for (const closeness of closenesses) {
    const rule = closeness.among.find((it) => lists[it].some((entry) => closeness.covers(entry, license)));
    if (rule) return { verdict: rule, license: licenseText(license), rule };
  }
  const verdict = lists.allow.length > 0 ? 'deny' : 'allow';
  return { verdict, license: licenseText(license), rule: 'unlisted' };
}

const strictestFirst = ['deny', 'review', 'allow'] as const;

/** When an entry of a list is about a licence, the closest first. */
const closenesses: readonly {
  readonly among: readonly LicenseVerdict[];
  readonly covers: (entry: License, license: License) => boolean;
}[] = [
  { among: strictestFirst, covers: (entry, license) => licenseText(entry) === licenseText(license) },
  // An exception only ever permits more, so what holds for the licence holds with it, unless it is listed itself.
  { among: strictestFirst, covers: (entry, license) => !entry.exception && entry.id === license.id },
  // Whoever may choose a later version may choose one that is allowed, or at least one that is to be looked at.
  {
    among: ['allow', 'review'],
    covers: (entry, license) => license.orLater && sameFamily(entry, license) && order(entry, license) >= 0,
  },
  {
    among: strictestFirst,
    covers: (entry, license) => sameFamily(entry, license) && order(entry, license) === 0 && license.orLater,
  },
  // `GPL-2.0-or-later` in a list stands for GPL-3.0, too.
  {
    among: strictestFirst,
    covers: (entry, license) => entry.orLater && sameFamily(entry, license) && order(entry, license) <= 0,
  },
];

function sameFamily(entry: License, license: License): boolean {
  return !entry.exception && entry.version !== '' && license.version !== '' && entry.family === license.family;
}

function order(a: License, b: License): number {
  return a.version.localeCompare(b.version, 'en', { numeric: true });
}

/** Those that decide are the ones that came to the verdict. */
function join(one: Judgement, other: Judgement, verdict: LicenseVerdict): Judgement {
  const all = [one, other].filter((it) => it.verdict === verdict).flatMap((it) => it.because);
  const because = all.filter((it, at) => all.findIndex((same) => same.license === it.license) === at);
  return { verdict, because };
}

function worse(a: LicenseVerdict, b: LicenseVerdict): LicenseVerdict {
  return licenseVerdicts.indexOf(a) > licenseVerdicts.indexOf(b) ? a : b;
}

function better(a: LicenseVerdict, b: LicenseVerdict): LicenseVerdict {
  return worse(a, b) === a ? b : a;
}
