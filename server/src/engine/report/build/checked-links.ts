import { type LinkSafety, shownState, uncheckedAmong } from '../../model/links.ts';
import type { Report, ReportedAdvisory } from '../report.ts';

/** The addresses that a report for people would show as links, and that are not checked. */
export function uncheckedLinksIn(report: Report, links: LinkSafety): readonly string[] {
  return uncheckedAmong(
    advisoriesIn(report).flatMap(({ url }) => (url === '' ? [] : [url])),
    links,
  );
}

/** The report for people: an advisory whose page is not known to be safe leads to the public record instead. */
export function withCheckedLinks(report: Report, links: LinkSafety): Report {
  const checked = (all: readonly ReportedAdvisory[]): readonly ReportedAdvisory[] =>
    all.map((it) => ({ ...it, url: isChecked(it.url, links) ? it.url : '' }));
  return {
    ...report,
    findings: report.findings.map((it) => ({ ...it, advisories: checked(it.advisories) })),
    packages: report.packages.map((it) => ({ ...it, advisories: checked(it.advisories) })),
  };
}

function isChecked(url: string, links: LinkSafety): boolean {
  const kind = shownState(url, links)?.kind ?? 'checked';
  return kind === 'checked';
}

function advisoriesIn({ findings, packages }: Report): readonly ReportedAdvisory[] {
  return [...findings, ...packages].flatMap((it) => it.advisories);
}
