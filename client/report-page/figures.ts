import { licenseClasses } from '../../server/src/engine/model/license-policy.ts';
import type { PageTexts } from '../../server/src/engine/report/formats/page-texts.ts';
import { distances, type Filter, gaps, problems, type Row, type View } from './rows.ts';

/** The parts of the filter that bars choose. */
export type Facet = 'problems' | 'classes' | 'distances';

/** One bar of a chart: rows that it counts, and that a click shows. */
export interface Bar {
  readonly value: string;
  readonly label: string;
  readonly count: number;
  /** The class of its color in the style sheet. */
  readonly tone: string;
  /** The list that contains what it counts. */
  readonly view: View;
}

export interface Figure {
  readonly facet: Facet;
  readonly title: string;
  readonly bars: readonly Bar[];
  /** The text in place of bars, if there are none. */
  readonly empty: string;
}

/** The charts of a report, in their order. */
export function figuresOf(
  { findings, dependencies }: Readonly<Record<View, readonly Row[]>>,
  texts: PageTexts,
): Figure[] {
  const isEmpty = dependencies.length === 0;
  return [
    {
      facet: 'problems',
      title: texts.problems,
      empty: texts.noFindings,
      bars: problems.flatMap((value): Bar[] => {
        const [view, rows] = gaps.includes(value)
          ? (['dependencies', dependencies] as const)
          : (['findings', findings] as const);
        const count = countOf(rows, (it) => it.problems.includes(value));
        return count > 0 ? [{ value, label: texts.problemNames[value], count, tone: value, view }] : [];
      }),
    },
    {
      facet: 'classes',
      title: texts.classes,
      empty: texts.noDependencies,
      // A class without a dependency is an answer, too.
      bars: (isEmpty ? [] : licenseClasses).map((value) => {
        const count = countOf(dependencies, (it) => it.licenseClass === value);
        return { value, label: texts.classNames[value], count, tone: value, view: 'dependencies' };
      }),
    },
    {
      facet: 'distances',
      title: texts.distances,
      empty: texts.noDependencies,
      bars: (isEmpty ? [] : distances).map((value) => {
        const count = countOf(dependencies, (it) => it.distance === value);
        return { value, label: texts.distanceNames[value], count, tone: value, view: 'dependencies' };
      }),
    },
  ];
}

function countOf(rows: readonly Row[], isCounted: (row: Row) => boolean): number {
  return rows.filter(isCounted).length;
}

/** The filter after a click on a bar. Several bars of a chart add up. */
export function toggled(filter: Filter, facet: Facet, value: string): Filter {
  const chosen = filter[facet];
  return { ...filter, [facet]: chosen.includes(value) ? chosen.filter((it) => it !== value) : [...chosen, value] };
}
