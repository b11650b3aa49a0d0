import {
  type LicenseClass,
  type LicensePolicy,
  type LicenseVerdict,
  licenseVerdicts,
  listableClasses,
} from '../model/license-policy.ts';
import { classOfLicense } from './license-classes.ts';
import { type License, type LicenseExpression, licenseText, parseLicense } from './license-expressions.ts';

type Lists = Pick<LicensePolicy, 'allow' | 'deny' | 'review' | 'unknown'> & {
  /** What the exceptions of a package allow, whichever list contains it. */
  readonly excepted?: readonly string[];
};

/** The decision of a policy about the licenses of a version. */
export interface LicenseDecision {
  readonly verdict: LicenseVerdict;
  /** The licenses that decided, each once: for `MIT OR GPL-3.0-only` that is `MIT`, where it is allowed. */
  readonly because: readonly LicenseReason[];
}

/** The decision about one license, and the rule that made it. */
export interface LicenseReason {
  readonly verdict: LicenseVerdict;
  /** The current identifier; the text itself where it is not an SPDX expression; empty where there is none. */
  readonly license: string;
  /**
   * `allow`, `review`, `deny`: it is in that list. `unlisted`: it is in no list; denied where there is a list of what is
   * allowed. `unknown`: not an SPDX license. `unclassified`: in no list, but it may belong to a listed class. `unclear`:
   * in no list that was understood.
   */
  readonly rule: LicenseVerdict | 'unlisted' | 'unknown' | 'unclassified' | 'unclear';
  /** Set where its class is in the list. */
  readonly class?: LicenseClass;
  /** The entry that was not understood. */
  readonly unclear?: string;
}

/**
 * Evaluates licenses without a stated relation, so that each of them has to pass.
 * @param licenses SPDX expressions or `non-standard`; none where they are unknown
 */
export function evaluateLicenses(licenses: readonly string[], policy: Lists): LicenseDecision {
  const lists = known.get(policy) ?? { ...parseLists(policy), decisions: new Map() };
  known.set(policy, lists);
  const decisions = (licenses.length > 0 ? licenses : ['']).map((text): LicenseDecision => {
    const decision = lists.decisions.get(text) ?? evaluateText(text, lists, policy.unknown);
    lists.decisions.set(text, decision);
    return decision;
  });
  return decisions.reduce((one, other) => join(one, other, worse(one.verdict, other.verdict)));
}

/** The parsed lists of a policy. */
type ParsedLists = Readonly<Record<LicenseVerdict | 'excepted', ParsedList>> & {
  /** Whether only listed licenses are allowed. */
  readonly hasAllowed: boolean;
};

interface ParsedList {
  readonly licenses: readonly License[];
  readonly classes: readonly LicenseClass[];
  /** The first entry that is neither. */
  readonly unclear?: string;
}

/** A lockfile has thousands of packages and few licenses: each is evaluated once. */
const known = new WeakMap<Lists, ParsedLists & { readonly decisions: Map<string, LicenseDecision> }>();

function evaluateText(text: string, lists: ParsedLists, unknown: LicenseVerdict): LicenseDecision {
  const expression = parseLicense(text);
  if (expression) return evaluateExpression(expression, lists, unknown);
  return { verdict: unknown, because: [{ verdict: unknown, license: text.trim(), rule: 'unknown' }] };
}

function parseLists({ allow, review, deny, excepted = [] }: Lists): ParsedLists {
  return {
    allow: parseList(allow),
    review: parseList(review),
    deny: parseList(deny),
    excepted: parseList(excepted),
    hasAllowed: allow.length > 0,
  };
}

function parseList(texts: readonly string[]): ParsedList {
  const licenses: License[] = [];
  const classes: LicenseClass[] = [];
  const unclear: string[] = [];
  for (const text of texts) {
    const expression = parseLicense(text);
    const listed = listableClasses.find((it) => it === text);
    if (listed) classes.push(listed);
    else if (expression?.kind === 'license') licenses.push(expression);
    else unclear.push(text);
  }
  const [first] = unclear;
  return { licenses, classes, ...(first !== undefined && { unclear: first }) };
}

function evaluateExpression(
  expression: LicenseExpression,
  lists: ParsedLists,
  unknown: LicenseVerdict,
): LicenseDecision {
  if (expression.kind === 'license') {
    const decision = decide(expression, lists, unknown);
    return { verdict: decision.verdict, because: [decision] };
  }
  const left = evaluateExpression(expression.left, lists, unknown);
  const right = evaluateExpression(expression.right, lists, unknown);
  const verdict = expression.kind === 'and' ? worse(left.verdict, right.verdict) : better(left.verdict, right.verdict);
  return join(left, right, verdict);
}

/** The closest matching entry decides; of equally close ones the strictest. A class is less close than any license. */
function decide(it: License, lists: ParsedLists, unknown: LicenseVerdict): LicenseReason {
  const license = licenseText(it);
  const licenseClass = classOfLicense(it);
  if (isIn(lists.excepted, it, licenseClass)) return { verdict: 'allow', license, rule: 'allow' };
  for (const { among, covers } of matchRules) {
    const rule = among.find((name) => lists[name].licenses.some((entry) => covers(entry, it)));
    if (rule) return { verdict: rule, license, rule };
  }
  const rule = strictestFirst.find((name) => lists[name].classes.includes(licenseClass));
  if (rule) return { verdict: rule, license, rule, class: licenseClass };
  if (lists.hasAllowed) return { verdict: 'deny', license, rule: 'unlisted' };
  // A misspelled entry may deny this license: it must not pass because of the mistake.
  const unclear = lists.deny.unclear ?? lists.review.unclear;
  if (unclear !== undefined) return { verdict: 'review', license, rule: 'unclear', unclear };
  const isUnclassified = licenseClass === 'unknown' && strictestFirst.some((name) => lists[name].classes.length > 0);
  return isUnclassified
    ? { verdict: unknown, license, rule: 'unclassified' }
    : { verdict: 'allow', license, rule: 'unlisted' };
}

function isIn({ licenses, classes }: ParsedList, license: License, licenseClass: LicenseClass): boolean {
  return (
    classes.includes(licenseClass) ||
    matchRules.some(({ among, covers }) => among.includes('allow') && licenses.some((it) => covers(it, license)))
  );
}

const strictestFirst = ['deny', 'review', 'allow'] as const;

/** When an entry of a list matches a license, the closest match first. */
const matchRules: readonly {
  readonly among: readonly LicenseVerdict[];
  readonly covers: (entry: License, license: License) => boolean;
}[] = [
  { among: strictestFirst, covers: (entry, license) => licenseText(entry) === licenseText(license) },
  // An exception only permits more, so an entry for the license applies to it with an exception, unless that is listed, too.
  { among: strictestFirst, covers: (entry, license) => !entry.exception && entry.id === license.id },
  // `-or-later` lets the user choose a later version that is allowed, or at least one to review.
  {
    among: ['allow', 'review'],
    covers: (entry, license) => license.orLater && sameFamily(entry, license) && order(entry, license) >= 0,
  },
  {
    among: strictestFirst,
    covers: (entry, license) => sameFamily(entry, license) && order(entry, license) === 0 && license.orLater,
  },
  // `GPL-2.0-or-later` in a list covers GPL-3.0, too.
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

/** The reasons are those with the verdict that decided. */
function join(one: LicenseDecision, other: LicenseDecision, verdict: LicenseVerdict): LicenseDecision {
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
