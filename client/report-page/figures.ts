import { severities } from '../../server/src/model/finding.ts';
import type { PageTexts } from '../../server/src/report/formats/page-texts.ts';
import type { Report } from '../../server/src/report/report.ts';

/** One bar of a chart. */
export interface Bar {
  readonly label: string;
  readonly count: number;
  /** The class of its color in the style sheet. */
  readonly tone: string;
}

export interface Figure {
  readonly title: string;
  readonly bars: readonly Bar[];
}

/** The charts of a report, in their order. */
export function figuresOf(report: Report, texts: PageTexts): Figure[] {
  return [
    { title: texts.severities, bars: bySeverity(report, texts) },
    { title: texts.licenses, bars: byLicense(report, texts) },
    { title: texts.ages, bars: byAge(report, texts) },
  ];
}

function bySeverity({ findings }: Report, texts: PageTexts): Bar[] {
  const counted = findings.filter((it) => !it.known && it.ignored === undefined);
  return severities.flatMap((tone) => {
    const { length: count } = counted.filter((it) => it.severity === tone);
    return count > 0 || tone !== 'hint' ? [{ label: texts[tone], count, tone }] : [];
  });
}

/** Further licenses are summed up in one bar. */
const MAX_LICENSE_BARS = 7;

function byLicense({ packages }: Report, texts: PageTexts): Bar[] {
  const counts = new Map<string, number>();
  let unknown = 0;
  for (const { licenses: all } of packages) {
    const label = all.join(', ');
    if (label === '') unknown++;
    else counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const other = sorted.slice(MAX_LICENSE_BARS).reduce((sum, [, count]) => sum + count, 0);
  return [
    ...sorted.slice(0, MAX_LICENSE_BARS).map(([label, count]) => ({ label, count, tone: 'plain' })),
    ...(other > 0 ? [{ label: texts.other, count: other, tone: 'faint' }] : []),
    ...(unknown > 0 ? [{ label: texts.unknown, count: unknown, tone: 'faint' }] : []),
  ];
}

/** Ages in days from which a bar counts, the youngest first. */
const steps = [
  { from: 0, text: 'halfYear' },
  { from: 183, text: 'year' },
  { from: 365, text: 'twoYears' },
  { from: 731, text: 'fiveYears' },
  { from: 1826, text: 'older' },
] as const;

function byAge({ packages }: Report, texts: PageTexts): Bar[] {
  const counts = steps.map(() => 0);
  let unknown = 0;
  for (const { days } of packages) {
    if (days === undefined) unknown++;
    else {
      const at = steps.findLastIndex((it) => it.from <= days);
      counts[at] = (counts[at] ?? 0) + 1;
    }
  }
  return [
    ...steps.map(({ text }, at) => ({ label: texts[text], count: counts[at] ?? 0, tone: `age${at}` })),
    ...(unknown > 0 ? [{ label: texts.unknown, count: unknown, tone: 'faint' }] : []),
  ];
}
