import { createHash } from 'node:crypto';
import { byText } from '../../base/text.ts';
import { formatPurl } from '../../model/purl.ts';
import type { Rating } from '../../model/severity-rating.ts';
import { expressionText, parseLicense } from '../../policy/license-expressions.ts';
import type {
  Report,
  ReportedAdvisory,
  ReportedDependency,
  ReportedPackage,
  ReportedProject,
  Tool,
} from '../report.ts';
import type { Format } from './format.ts';
import { jsonText } from './format.ts';
import { isComplete } from './texts.ts';

/**
 * A BOM: CycloneDX 1.6 (ECMA-424, second edition). It lists the resolved versions of manifests, or with `--all` the
 * versions in lockfiles. Transitive dependencies are unknown, which `compositions` declares.
 */
export const cyclonedx: Format = {
  name: 'cyclonedx',
  isForPrograms: true,
  write: (report, { tool }) => `${jsonText(bomOf(report, tool))}\n`,
};

/** The reference of the whole workspace. */
const workspace = 'workspace';

function bomOf(report: Report, { name, version }: Tool) {
  const { at, projects, packages, coverage, excluded = [], advisoriesAsOf: asOf } = report;
  const { below = {}, ...counts } = coverage;
  const projectRef = (path: string): string => `project:${path}`;
  // What is brought is not listed, except for malware.
  const unknown = [...unknownIn(projects), ...malwareBelow(report)];
  const body = {
    components: [
      ...projects.map((it) => ({ type: 'application', 'bom-ref': projectRef(it.path), name: it.path })),
      ...packages.map(componentOf),
      ...unknown.map(componentOf),
    ],
    dependencies: [
      { ref: workspace, dependsOn: projects.map((it) => projectRef(it.path)) },
      ...projects.map(({ path, dependencies }) => ({
        ref: projectRef(path),
        dependsOn: [...new Set(dependencies.flatMap((it) => purlOf(it) ?? []))].sort(),
      })),
      ...[...packages, ...unknown].map((it) => ({ ref: it.purl })),
    ],
    compositions: [
      {
        aggregate: 'incomplete',
        // With failed lookups, the direct dependencies of projects are incomplete, too.
        dependencies: [
          ...(isComplete(report) ? [] : [workspace, ...projects.map((it) => projectRef(it.path))]),
          ...[...packages, ...unknown].map((it) => it.purl),
        ],
      },
    ],
    vulnerabilities: vulnerabilitiesOf([...packages, ...unknown]),
  };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialNumberOf(JSON.stringify(body)),
    version: 1,
    metadata: {
      timestamp: at,
      tools: { components: [{ type: 'application', name, version }] },
      component: { type: 'application', 'bom-ref': workspace, name: workspace },
      properties: [
        ...[
          ...Object.entries(counts),
          ...Object.entries<number>(below).map(([key, value]) => [`below:${key}`, value] as const),
        ].map(([key, value]) => ({ name: `package-insights:coverage:${key}`, value: `${value}` })),
        ...(asOf === undefined ? [] : [{ name: 'package-insights:vulnerabilities-as-of', value: asOf }]),
        ...(excluded.length > 0
          ? [{ name: 'package-insights:excluded', value: `${excluded.reduce((sum, it) => sum + it.count, 0)}` }]
          : []),
      ],
    },
    ...body,
  };
}

/** Versions in lockfiles that the service does not know. The BOM lists them without facts. */
function unknownIn(projects: readonly ReportedProject[]): ReportedPackage[] {
  const found = new Map<string, ReportedPackage>();
  for (const it of projects.flatMap(({ dependencies }) => dependencies)) {
    const purl = purlOf(it);
    if (it.purl !== undefined || it.version === undefined || purl === undefined) continue;
    const { system, name, version } = it;
    found.set(purl, { ...knownNot, purl, system, name, version });
  }
  return [...found.values()].sort((a, b) => byText(a.purl, b.purl));
}

/** Malware that dependencies bring by their lockfiles, each once; what manifests declare themselves is listed already. */
function malwareBelow({ findings, packages }: Report): ReportedPackage[] {
  const found = new Map<string, ReportedPackage>();
  for (const { code, system, below = [] } of findings) {
    if (code !== 'malicious') continue;
    for (const { purl, name, version, advisories } of below) {
      if (!advisories.some(isMalicious) || packages.some((it) => it.purl === purl)) continue;
      found.set(purl, { ...knownNot, purl, system, name, version, advisories });
    }
  }
  return [...found.values()].sort((a, b) => byText(a.purl, b.purl));
}

const knownNot = { licenses: [], licenseClass: 'unknown', deprecated: false, advisories: [] } as const;

function isMalicious({ rating }: ReportedAdvisory): boolean {
  return rating === 'malicious';
}

function purlOf({ purl, system, name, version }: ReportedDependency): string | undefined {
  return purl ?? (version === undefined ? undefined : formatPurl({ system, name }, version));
}

/** A serial number that depends only on the content. Source: RFC 9562, section 5.8, a custom UUID. */
function serialNumberOf(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex');
  // The schema allows versions 1 to 5, and 5 is derived from a name.
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)];
  return `urn:uuid:${uuid.join('-')}`;
}

function componentOf({ purl, system, name, version, licenses, published, deprecated, advisories }: ReportedPackage) {
  const { group, last } = partsOf(system, name);
  const properties = [
    ...(published === undefined ? [] : [{ name: 'package-insights:published', value: published }]),
    ...(advisories.some(isMalicious) ? [{ name: 'package-insights:malicious', value: 'true' }] : []),
    ...(deprecated ? [{ name: 'package-insights:deprecated', value: 'true' }] : []),
  ];
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group !== undefined && { group }),
    name: last,
    version,
    ...(licenses.length > 0 && { licenses: licensesOf(licenses) }),
    purl,
    ...(properties.length > 0 && { properties }),
  };
}

function partsOf(system: ReportedPackage['system'], name: string): { readonly group?: string; readonly last: string } {
  const cut =
    system === 'MAVEN' ? name.indexOf(':') : system === 'NPM' && name.startsWith('@') ? name.indexOf('/') : -1;
  return cut < 0 ? { last: name } : { group: name.slice(0, cut), last: name.slice(cut + 1) };
}

/** A single license is written as an expression. Several are listed one by one, since their relation is unknown. */
function licensesOf(licenses: readonly string[]) {
  const read = licenses.map((text) => ({ text, expression: parseLicense(text) }));
  const [only] = read;
  if (read.length === 1 && only?.expression && idOf(only.expression) === undefined) {
    return [{ expression: expressionText(only.expression) }];
  }
  return read.map(({ text, expression }) => {
    const id = expression && idOf(expression);
    return { license: id === undefined ? { name: expression ? expressionText(expression) : text } : { id } };
  });
}

/** The identifier of a single license on the SPDX list; undefined for other expressions. */
function idOf(expression: NonNullable<ReturnType<typeof parseLicense>>): string | undefined {
  const isPlain = expression.kind === 'license' && expression.exception === undefined;
  return isPlain && /^(?!LicenseRef-|DocumentRef-)[\w.-]+$/.test(expression.id) ? expression.id : undefined;
}

function vulnerabilitiesOf(packages: readonly ReportedPackage[]) {
  const affected = new Map<string, { readonly advisory: ReportedAdvisory; readonly packages: ReportedPackage[] }>();
  for (const it of packages) {
    for (const advisory of it.advisories) {
      const known = affected.get(advisory.id);
      if (known) known.packages.push(it);
      else affected.set(advisory.id, { advisory, packages: [it] });
    }
  }
  return [...affected.keys()].sort().flatMap((id) => {
    const found = affected.get(id);
    return found ? [vulnerabilityOf(found.advisory, found.packages)] : [];
  });
}

const severities = {
  malicious: 'critical',
  critical: 'critical',
  high: 'high',
  medium: 'medium',
  low: 'low',
  unrated: 'unknown',
} as const satisfies Record<Rating, string>;

function vulnerabilityOf(
  { id, aliases, title, url, rating, score, vector, exploited }: ReportedAdvisory,
  packages: readonly ReportedPackage[],
) {
  const isAddress = URL.canParse(url) && /^https?:/i.test(url);
  return {
    'bom-ref': `advisory:${id}`,
    id,
    source: { name: sourceOf(id), ...(isAddress && { url }) },
    ...(aliases.length > 0 && { references: aliases.map((it) => ({ id: it, source: { name: sourceOf(it) } })) }),
    ratings: [
      {
        ...(score !== undefined && { score }),
        severity: severities[rating],
        ...(score !== undefined && { method: methodOf(vector) }),
        ...(vector !== undefined && { vector }),
      },
    ],
    ...(title !== '' && { description: title }),
    ...(exploited && { properties: [{ name: 'package-insights:exploited', value: 'true' }] }),
    affects: packages.map(({ purl, version }) => ({ ref: purl, versions: [{ version, status: 'affected' }] })),
  };
}

function methodOf(vector = ''): string {
  if (vector.startsWith('CVSS:4')) return 'CVSSv4';
  return vector.startsWith('CVSS:3.1') ? 'CVSSv31' : 'CVSSv3';
}

/** The list of an identifier: `GHSA` of `GHSA-35jh-r3h4-6jhm`. */
function sourceOf(id: string): string {
  return /^[A-Za-z]+/.exec(id)?.[0] ?? id;
}
