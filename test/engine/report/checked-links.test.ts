import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  advisoryLink,
  type LinkSafety,
  type LinkState,
  nothingChecked,
} from '../../../server/src/engine/model/links.ts';
import { uncheckedLinksIn, withCheckedLinks } from '../../../server/src/engine/report/build/checked-links.ts';
import type { Report, ReportedAdvisory } from '../../../server/src/engine/report/report.ts';
import { reportOf } from './reports.ts';

const urls = {
  good: 'https://good.example/1',
  bad: 'https://bad.example/2',
  other: 'https://other.example/3',
  record: 'https://osv.dev/vulnerability/GHSA-4',
  none: '',
};

/** A report whose first finding and first package have an advisory for each address. */
function report(): Report {
  const plain = reportOf(['a']);
  const advisories = Object.entries(urls).map(
    ([id, url]): ReportedAdvisory => ({ id, aliases: [], title: '', url, rating: 'high' }),
  );
  return {
    ...plain,
    findings: plain.findings.map((it) => ({ ...it, advisories })),
    packages: plain.packages.map((it) => ({ ...it, advisories })),
  };
}

const states: Readonly<Record<string, LinkState>> = {
  [urls.good]: { kind: 'checked', at: 0 },
  [urls.bad]: { kind: 'suspected', threats: ['MALWARE'], at: 0 },
};
const links: LinkSafety = { ...nothingChecked, stateOf: (url) => states[url] ?? { kind: 'unchecked' } };

test('only checked pages of advisories stay in a report for people, and others lead to the public record', () => {
  assert.deepEqual(uncheckedLinksIn(report(), links), [urls.other]);
  const { findings, packages } = withCheckedLinks(report(), links);
  assert.ok(findings.length > 0 && packages.length > 0);
  for (const { advisories } of [...findings, ...packages]) {
    assert.deepEqual(
      advisories.map(({ id, url }) => advisoryLink(id, url).url),
      [
        urls.good,
        'https://osv.dev/vulnerability/bad',
        'https://osv.dev/vulnerability/other',
        urls.record,
        'https://osv.dev/vulnerability/none',
      ],
    );
  }
});
