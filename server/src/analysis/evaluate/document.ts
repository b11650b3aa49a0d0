import type { Insight, VersionFacts } from '../../model/facts.ts';
import type { Dependency } from '../../model/manifest.ts';
import type { Insights, ReceivedFact, Wanted } from '../../model/ports.ts';
import type { Settings } from '../../model/settings.ts';
import type { Span } from '../../model/span.ts';
import { isFlagged, isPending, type Subject } from '../../model/subject.ts';
import { effectiveProject } from '../../policy/ignores.ts';
import { spanOf } from '../link/linker.ts';
import type { Examinee } from '../link/locked-versions.ts';
import type { Linking } from '../load/context.ts';
import type { HalfTyped } from '../privacy/incomplete-names.ts';
import { type Admission, createAdmission } from '../privacy/lookup-filter.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Examined } from './dependency.ts';
import type { Joined } from './linked-document.ts';
import type { Examiner } from './memo.ts';
import { type Surroundings, type Terms, termsOf } from './update-target.ts';

/** What dependencies are looked at with. */
export interface Eyes {
  readonly examiner: Examiner;
  readonly admission: Admission;
  /** What a sound dependency could be moved to is asked for, too. */
  readonly lookUpDefaults: boolean;
  readonly terms: Terms;
}

/** What the dependencies of a document are looked at with now. */
export function eyesFor(
  { format, project }: Linking,
  examiner: Examiner,
  insights: Insights,
  settings: Settings,
  surroundings: Surroundings,
  halfTyped: HalfTyped,
): Eyes {
  const now = surroundings.now();
  const inEffect = project && effectiveProject(project.project, now, surroundings.isTrusted());
  return {
    examiner,
    admission: createAdmission(insights, settings.publicRegistries, (it) => halfTyped.has(it)),
    // Nobody moves the thousands of packages of a record one by one: what is sound there is not asked about further.
    lookUpDefaults: settings.lookUpDefaults && format.record === undefined,
    terms: termsOf(inEffect, settings, now),
  };
}

/** What is known of the dependencies of a document and of what it includes, and what has to be asked to know more. */
export interface Seen extends Pick<Snapshot, 'subjects' | 'included'> {
  readonly wanted: readonly Wanted[];
  readonly background: readonly Wanted[];
}

const nothing: readonly Wanted[] = [];

const limits = {
  /** How much has to be unknown for the look to pause: what one request of the service holds. Source: its limits. */
  together: 100,
  /** How many are looked at without a pause: a ms or two where all code runs for the first time. */
  atOnce: 50,
  /** No screen has more lines. Who asks for more (Neovim, for a whole document) waits for a look that others may interrupt. */
  inView: 300,
} as const;

/**
 * Looks at all dependencies of a document. Pauses again and again, so that others have their turn: with what has to be
 * asked as soon as a request is full of it, so that the first are on their way while the rest are looked at.
 */
export function* look({ own, included, wanted: before }: Joined, eyes: Eyes): Generator<readonly Wanted[], Seen> {
  const wanted: Wanted[] = [];
  const background: Wanted[] = [];
  let open: Wanted[] = [];

  function see(examinee: Examinee): Subject {
    const examined = examine(examinee, eyes);
    for (const it of examined.wanted) wanted.push(it);
    for (const it of examined.background) background.push(it);
    if (isPending(examined.subject)) open.push(...examined.wanted);
    return examined.subject;
  }

  const subjects: Subject[] = [];
  for (const it of own.dependencies) {
    subjects.push(see(own.of(it)));
    if (open.length >= limits.together) {
      yield open;
      open = [];
    } else if (subjects.length % limits.atOnce === 0) yield nothing;
  }
  const others = included.map(({ uri, examinees }) => ({
    uri,
    subjects: examinees.dependencies.map((it) => see(examinees.of(it))),
  }));
  return { subjects, included: others, wanted: [...eyes.admission.wanted, ...before, ...wanted], background };
}

/** The dependencies in a stretch of a document, and one more on either side; undefined where no screen holds as many. */
export function within({ start, end }: Span, { own: { dependencies } }: Joined): Dependency[] | undefined {
  const isIn = dependencies.map((it) => {
    const span = spanOf(it);
    return span.end >= start && span.start <= end;
  });
  const some = dependencies.filter((_, at) => isIn[at] || isIn[at - 1] || isIn[at + 1]);
  return some.length > limits.inView ? undefined : some;
}

/** Looks at some dependencies of a document. Asks for nothing. */
export function glance(some: readonly Dependency[], { own }: Joined, eyes: Eyes): Subject[] {
  return some.map((it) => examine(own.of(it), eyes).subject);
}

/** The packages of which something wrong was just told, or of which it may be known by now what to move to. */
export function concernedBy(answered: readonly ReceivedFact[]): Set<string> {
  const names = new Set<string>();
  for (const { wanted, insight } of answered) {
    if (wanted.kind === 'package') names.add(wanted.key.name);
    if (wanted.kind === 'version' && isWrong(insight as Insight<VersionFacts>)) names.add(wanted.key.name);
  }
  return names;
}

/** What has to be asked about dependencies of some packages, where something is wrong with the version that is used. */
export function following(packages: ReadonlySet<string>, { own }: Joined, eyes: Eyes): Wanted[] {
  return [...packages].flatMap(own.named).flatMap((it) => {
    const { subject, wanted } = examine(own.of(it), eyes);
    return isWrong(subject.version) ? wanted : [];
  });
}

function isWrong(version: Insight<VersionFacts> | undefined): boolean {
  return version?.state === 'ready' && isFlagged(version.value);
}

function examine({ linked, locked }: Examinee, { examiner, admission, lookUpDefaults, terms }: Eyes): Examined {
  const { project } = terms;
  const instead = admission.instead(linked);
  if (instead === undefined) return examiner.examine(linked, locked, lookUpDefaults, terms);
  const subject = { linked, resolution: instead, advisories: [], ...(project && { project }) };
  return { subject, wanted: nothing, background: nothing };
}
