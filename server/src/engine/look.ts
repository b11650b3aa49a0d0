import type { Wanted } from '../model/ports.ts';
import { isPending, type Subject } from '../model/subject.ts';
import type { Admission } from './admission.ts';
import type { Examiner } from './examiner.ts';
import type { Joined } from './joining.ts';
import type { Examinee } from './locked.ts';
import type { Terms } from './terms.ts';

/** What dependencies are looked at with. */
export interface Eyes {
  readonly examiner: Examiner;
  readonly admission: Admission;
  /** What a sound dependency could be moved to is asked for, too. */
  readonly lookUpDefaults: boolean;
  readonly terms: Terms;
}

/** What is known of the dependencies of a document and of what it includes, and what has to be asked to know more. */
export interface Seen {
  readonly subjects: readonly Subject[];
  readonly included: readonly { readonly uri: string; readonly subjects: readonly Subject[] }[];
  readonly wanted: readonly Wanted[];
  readonly background: readonly Wanted[];
}

/** How much has to be unknown for the look to pause: what one request of the service holds. Source: its limits. */
const together = 100;

/**
 * Looks at all dependencies of a document. Pauses with what has to be asked as soon as a request is full of it, so that
 * the first are on their way while the rest are looked at.
 */
export function* look({ own, included, wanted: before }: Joined, eyes: Eyes): Generator<readonly Wanted[], Seen> {
  const { examiner, admission, lookUpDefaults, terms } = eyes;
  const { project } = terms;
  const wanted: Wanted[] = [];
  const background: Wanted[] = [];
  let open: Wanted[] = [];

  function examine({ linked, locked }: Examinee): Subject {
    const instead = admission.instead(linked);
    if (instead) return { linked, resolution: instead, advisories: [], ...(project && { project }) };
    const examined = examiner.examine(linked, locked, lookUpDefaults, terms);
    const { subject } = examined;
    for (const it of examined.wanted) wanted.push(it);
    for (const it of examined.background) background.push(it);
    if (isPending(subject)) open.push(...examined.wanted);
    return subject;
  }

  const subjects: Subject[] = [];
  const left = own.values();
  /** @returns whether a request is full */
  function examineSome(): boolean {
    for (const it of left) {
      subjects.push(examine(it));
      if (open.length >= together) return true;
    }
    return false;
  }
  while (examineSome()) {
    yield open;
    open = [];
  }
  const others = included.map((it) => ({ uri: it.uri, subjects: it.examinees.map(examine) }));
  return { subjects, included: others, wanted: [...admission.wanted, ...before, ...wanted], background };
}
