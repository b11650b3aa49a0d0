import type { Report, ReportedFinding, ReportedPackage } from '../../../server/src/engine/report/report.ts';

/** Of nothing, all of which was checked. */
export const wholeCoverage: Report['coverage'] = {
  total: 0,
  lookedUp: 0,
  withheld: 0,
  unknown: 0,
  failed: 0,
  unchecked: 0,
  old: 0,
  unread: 0,
  unclear: 0,
  leftOut: 0,
};

const region = { startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 };

/** A report with so many dependencies, each with a finding. */
export function reportOf(names: readonly string[]): Report {
  const at = (index: number) => ({ ...region, startLine: index + 1, endLine: index + 1 });
  const packages = names.map(
    (name, index): ReportedPackage => ({
      purl: `pkg:npm/p${index}@1.${index}.0`,
      system: 'NPM',
      name,
      version: `1.${index}.0`,
      licenses: index % 3 === 0 ? [] : [index % 3 === 1 ? 'MIT' : name],
      licenseClass: index % 3 === 1 ? 'permissive' : 'unknown',
      published: '2020-01-01T00:00:00.000Z',
      days: index * 100,
      deprecated: false,
      advisories: [],
    }),
  );
  return {
    manifests: 1,
    dependencies: names.length,
    coverage: { ...wholeCoverage, total: names.length, lookedUp: names.length },
    at: '2026-01-01T00:00:00.000Z',
    projects: [
      {
        path: 'app/package.json',
        format: 'package.json',
        dependencies: packages.map(({ purl, system, name, version }, index) => ({
          system,
          name,
          requirement: `^${version}`,
          version,
          purl,
          scope: 'runtime',
          region: at(index),
          updates: [
            { version: '2.0.0', kinds: ['safe', 'default'], step: 'major', recommended: true, notes: ['major'] },
          ],
        })),
      },
    ],
    packages,
    findings: packages.map(
      ({ name, version }, index): ReportedFinding => ({
        code: 'advisory',
        severity: index % 2 === 0 ? 'error' : 'warning',
        message: `${name} ${version}: 1 vulnerability, high 7.0, fixed in 2.0.0.`,
        subject: `${name} ${version}`,
        summary: '1 vulnerability, high 7.0, fixed in 2.0.0.',
        path: 'app/package.json',
        region: at(index),
        system: 'NPM',
        name,
        version,
        advisories: [
          {
            id: `X-${index}`,
            aliases: [],
            title: name,
            url: `javascript:alert(1)//${index}`,
            rating: 'high',
            score: 7,
          },
        ],
        score: 7,
        fixes: [
          {
            version: '2.0.0',
            why: 'default',
            kinds: ['safe', 'default'],
            step: 'major',
            recommended: true,
            fixed: 1,
            notes: ['major'],
            edits: [],
          },
        ],
        fingerprint: `${index}`,
        counts: true,
        known: false,
      }),
    ),
    failures: [],
    withheld: [],
    unchecked: [],
    unclear: [],
    unread: [],
  };
}

export const tool = { name: 'package-insights', version: '1.0.0' };
