import type { ArtifactChange, Fix, Location, Log, Notification, Result, Run, Region as SarifRegion } from 'sarif';
import { type FindingCode, findingCodes, type Severity } from '../../model/finding.ts';
import { ratedText, ratings } from '../../model/severity-rating.ts';
import type {
  Region,
  Report,
  ReportedAdvisory,
  ReportedBelow,
  ReportedFinding,
  ReportedFix,
  ReportedWayIn,
  SyntaxProblem,
  Tool,
} from '../report.ts';
import type { Format } from './format.ts';
import { jsonText } from './format.ts';
import {
  coverageText,
  failureText,
  isComplete,
  oldText,
  privateDependenciesText,
  publicRegistryHints,
  repositoriesText,
  sanitize,
  summaryLines,
  syntaxProblemText,
  uncheckedText,
  unreadText,
  withoutAdvisoriesGap,
} from './texts.ts';

/** For code scanning: the Static Analysis Results Interchange Format, version 2.1.0 (OASIS standard). */
export const sarif: Format = {
  name: 'sarif',
  isForPrograms: true,
  write: (report, { tool }) => `${jsonText(logOf(report, tool))}\n`,
};

function logOf(report: Report, tool: Tool): Log {
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [runOf(report, tool)],
  };
}

/**
 * The rules of the log. Code scanning sorts findings by a score that only a rule can have, so advisories have a rule
 * for each rating: `advisory/high`. Advisories without a rating are sorted by their level.
 */
const rules: readonly { readonly id: string; readonly code: FindingCode; readonly score?: string }[] = [
  ...ratings.map(({ name, from }) => ({ id: `advisory/${name}`, code: 'advisory', score: from.toFixed(1) }) as const),
  ...findingCodes.map((code) => ({ id: code, code, ...(code === 'malicious' && { score: '10.0' }) })),
];

function ruleOf({ code, advisories }: ReportedFinding): string {
  const [worst] = advisories;
  return code === 'malicious' || worst === undefined || worst.rating === 'unrated' ? code : `${code}/${worst.rating}`;
}

function runOf(report: Report, { name, version }: Tool): Run {
  const { findings, failures, repositories = [], old, at, unread, unclear, unchecked, withheld } = report;
  return {
    tool: {
      driver: {
        name,
        version,
        semanticVersion: version,
        rules: rules.map(({ id, code, score }) => {
          const { title, help, severity, tags } = ruleTexts[code];
          return {
            id,
            shortDescription: { text: title },
            fullDescription: { text: help },
            help: { text: help },
            defaultConfiguration: { level: levels[severity] },
            properties: { tags: [...tags], ...(score !== undefined && { 'security-severity': score }) },
          };
        }),
      },
    },
    // Most editors count columns in these units, too.
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { [root]: { description: { text: 'The directory that the check was started in.' } } },
    invocations: [
      {
        executionSuccessful: isComplete(report),
        toolExecutionNotifications: [
          ...failures.map((it) => ({ level: 'error', message: { text: message(failureText(it)) } }) as const),
          ...(old ? [{ level: 'error', message: { text: message(oldText(old, at)) } } as const] : []),
          ...unread.map((it) => noteAbout(it, { level: 'error', message: { text: message(unreadText(it)) } })),
          ...unclear.map(syntaxProblemNote),
          ...[
            ...repositories.map(repositoriesText),
            ...withheld.map(privateDependenciesText),
            ...publicRegistryHints(report),
            ...withoutAdvisoriesGap(report),
            ...unchecked.map(uncheckedText),
          ].map((text) => ({ level: 'warning', message: { text: message(text) } }) as const),
          ...(coverageText(report) === undefined
            ? []
            : [
                {
                  level: isComplete(report) ? 'note' : 'warning',
                  message: { text: message(summaryLines(report).join('. ')) },
                } as const,
              ]),
        ],
      },
    ],
    results: findings.map(resultOf),
  };
}

/** Escapes a text as a plain message, in which `[text](target)` would be a link (3.11.6). */
function message(text: string): string {
  return text.replace(/[[\]]|\\(?=\\*[[\]])/g, '\\$&');
}

/** The base of all paths. */
const root = 'SRCROOT';

const levels = {
  error: 'error',
  warning: 'warning',
  information: 'note',
  hint: 'note',
} as const satisfies Record<Severity, Result.level>;

function resultOf(finding: ReportedFinding): Result {
  const {
    severity,
    path,
    region,
    fingerprint,
    fixes,
    advisories,
    system,
    name,
    version,
    below = [],
    required,
  } = finding;
  const related = [...below.map(locationBelow), ...(required ? [locationIn(required, below.length)] : [])];
  const possible = fixes.filter((it) => it.edits.length > 0);
  const rule = ruleOf(finding);
  const suppression = finding.ignored?.reason ?? (finding.known ? 'It is in the baseline.' : undefined);
  return {
    ruleId: rule,
    ruleIndex: rules.findIndex((it) => it.id === rule),
    level: levels[severity],
    message: { text: message(sanitize(resultText(finding))) },
    locations: [{ physicalLocation: { artifactLocation: artifact(path), region: regionOf(region) } }],
    // GitHub's code scanning reads the second one: a hash, and the number among equal hashes.
    partialFingerprints: {
      'packageInsights/v1': fingerprint,
      primaryLocationLineHash: fingerprint.includes(':') ? fingerprint : `${fingerprint}:1`,
    },
    ...(related.length > 0 && { relatedLocations: related }),
    ...(possible.length > 0 && { fixes: possible.map((it) => fixOf(it, finding)) }),
    ...(suppression !== undefined && { suppressions: [{ kind: 'external', justification: suppression }] }),
    properties: {
      system,
      package: name,
      ...(version !== undefined && { version }),
      ...advisoryProperties(below.length > 0 ? below.flatMap((it) => it.advisories) : advisories),
    },
  };
}

function advisoryProperties(advisories: readonly ReportedAdvisory[]): Result['properties'] {
  return {
    ...(advisories.length > 0 && { advisories: [...new Set(advisories.map((it) => it.id))] }),
    ...(advisories.some((it) => it.exploited) && { exploited: true }),
  };
}

/** Where the lockfile has an affected package, and how it gets there. */
function locationBelow(below: ReportedBelow, at: number): Location {
  const { lockfile, region } = below;
  return {
    id: at + 1,
    message: { text: message(sanitize(pathBelow(below))) },
    physicalLocation: { artifactLocation: artifact(lockfile), ...(region && { region: regionOf(region) }) },
  };
}

/** Where a package of a lockfile is required. */
function locationIn({ path, line, text }: ReportedWayIn, before: number): Location {
  return {
    id: before + 1,
    message: { text: message(sanitize(text)) },
    physicalLocation: { artifactLocation: artifact(path), ...(line !== undefined && { region: { startLine: line } }) },
  };
}

/** `express 4.19.2 → body-parser 1.20.2 → qs 6.11.0` */
function pathBelow({ path }: ReportedBelow): string {
  return path.map((it) => `${it.name} ${it.version}`).join(' → ');
}

/** In the text of a result. Its properties have all. */
const MAX_ADVISORIES = 10;

/** `lodash 4.17.15: 2 vulnerabilities, worst high 7.4, fixed in 4.17.21. GHSA-… high 7.4: Command Injection; GHSA-…` */
function resultText({ message: summary, advisories, below = [], required }: ReportedFinding): string {
  const message = required === undefined ? summary : `${summary} ${required.text}.`;
  if (below.length > 0) {
    const paths = below.slice(0, MAX_ADVISORIES).map((it) => {
      const ways = (it.ways ?? []).map((way) => ` ${way.text}`).join('');
      return `${it.advisories[0]?.id ?? ''}: ${pathBelow(it)}.${ways}`;
    });
    return `${message} ${paths.join(' ')}`;
  }
  if (advisories.length === 0) return message;
  const listed = advisories.slice(0, MAX_ADVISORIES).map((it) => {
    const severity = advisories.length === 1 ? '' : ` ${ratedText(it)}`;
    return `${it.id}${severity}${it.title === '' ? '' : `: ${it.title}`}`;
  });
  const more = advisories.length - listed.length;
  return `${message} ${[...listed, ...(more > 0 ? [`${more} more`] : [])].join('; ')}`;
}

function syntaxProblemNote(problem: SyntaxProblem): Notification {
  const region = { startLine: problem.line };
  return noteAbout(problem.path, { level: 'warning', message: { text: message(syntaxProblemText(problem)) } }, region);
}

function noteAbout(path: string, note: Notification, region?: SarifRegion): Notification {
  const physicalLocation = { artifactLocation: artifact(path), ...(region && { region }) };
  return { ...note, locations: [{ physicalLocation }] };
}

/** Shown after the version of a fix. */
const reasons = {
  default: 'latest',
  flavor: 'newest of the flavor in use',
  nearest: 'nearest with no known vulnerability',
  aged: 'newest that is old enough',
  'in-range': 'newest in range',
  'in-major': 'latest minor',
} as const satisfies Record<ReportedFix['why'], string>;

function fixOf({ version, why, flaw, license, edits }: ReportedFix, { name }: ReportedFinding): Fix {
  const change = license ? [`license changes from ${license.from} to ${license.to}`] : [];
  const notes = sanitize([reasons[why], ...change, ...(flaw === undefined ? [] : [flaw])].join('; '));
  const paths = [...new Set(edits.map((it) => it.path))];
  return {
    description: { text: message(`Update ${sanitize(name)} to ${sanitize(version)} (${notes})`) },
    artifactChanges: paths.map(
      (path): ArtifactChange => ({
        artifactLocation: artifact(path),
        replacements: edits
          .filter((it) => it.path === path)
          .map((it) => ({ deletedRegion: regionOf(it.region), insertedContent: { text: it.newText } })),
      }),
    ),
  };
}

function artifact(path: string): { readonly uri: string; readonly uriBaseId: string } {
  return { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: root };
}

function regionOf({ startLine, startColumn, endLine, endColumn }: Region): SarifRegion {
  return { startLine, startColumn, endLine, endColumn };
}

/** The description of a rule for readers who do not know docs/findings.md. */
interface RuleText {
  readonly title: string;
  readonly help: string;
  /** The severity of most of its findings. */
  readonly severity: Severity;
  readonly tags: readonly string[];
}

const ruleTexts: Readonly<Record<FindingCode, RuleText>> = {
  malicious: {
    title: 'Malicious version',
    help: 'The version, or one that the dependency brings along by its lockfile, is malware, or PyPI has quarantined its project because it suspects that. Treat every machine that installed it as compromised: rotate all credentials that it could reach, and move to a sound version.',
    severity: 'error',
    tags: ['security', 'supply-chain'],
  },
  advisory: {
    title: 'Version with known vulnerabilities',
    help: 'The version itself has known vulnerabilities. Update to the latest version, or to the nearest one with no known vulnerability.',
    severity: 'error',
    tags: ['security', 'supply-chain'],
  },
  'advisory-below': {
    title: 'Brings packages with known vulnerabilities',
    help: 'By the lockfile, the dependency brings packages along that have known vulnerabilities. Update the dependency, or the packages themselves.',
    severity: 'information',
    tags: ['security', 'supply-chain'],
  },
  deprecated: {
    title: 'Deprecated version',
    help: 'The publisher has deprecated, yanked or retracted the version. Update to the latest version.',
    severity: 'warning',
    tags: ['maintainability', 'supply-chain'],
  },
  'no-match': {
    title: 'Requirement without a matching version',
    help: 'The package is known, but no published version meets the requirement: installing it will fail.',
    severity: 'error',
    tags: ['correctness'],
  },
  'not-found': {
    title: 'Unknown package',
    help: 'The package is unknown to the service. This is normal for private packages. The package may also be too new, misspelled, or not covered. It is a warning where the name is new in its file and anybody could publish it: it may be invented.',
    severity: 'hint',
    tags: ['supply-chain'],
  },
  license: {
    title: 'License outside the policy',
    help: 'The policy does not allow the license of the version.',
    severity: 'warning',
    tags: ['license'],
  },
  'license-mismatch': {
    title: 'Declared license differs from the reported license',
    help: 'The SBOM declares another license for the version than the service reports. Find out which one is right, and correct the SBOM.',
    severity: 'information',
    tags: ['license'],
  },
  archived: {
    title: 'Archived source repository',
    help: 'The source repository of the version is archived, so problems are not fixed there any more. Look for a successor.',
    severity: 'information',
    tags: ['supply-chain'],
  },
  'young-version': {
    title: 'Version within the cooldown',
    help: 'The version in use was published more recently than the cooldown allows. Malicious releases are mostly found within days: wait, or use an older version.',
    severity: 'warning',
    tags: ['security', 'supply-chain'],
  },
  'provenance-lost': {
    title: 'Update without provenance',
    help: 'The version in use has a verified attestation of its origin, the version to move to has none. Find out how it was published before you update.',
    severity: 'information',
    tags: ['security', 'supply-chain'],
  },
  'install-script': {
    title: 'Script that runs at installation',
    help: 'The package, or one that it brings, runs a script when it is installed, with the rights of the person who installs it. Find out what it does.',
    severity: 'information',
    tags: ['security', 'supply-chain'],
  },
  'low-score': {
    title: 'Project with a low Scorecard',
    help: 'The OpenSSF Scorecard of the source project is below the chosen score. Look at its lowest checks before you rely on the package.',
    severity: 'information',
    tags: ['supply-chain'],
  },
  'similar-name': {
    title: 'Name similar to that of another package',
    help: 'The name is almost that of another package. Such names are used to have a malicious package installed by mistake: check that it is the one that is meant.',
    severity: 'warning',
    tags: ['security', 'supply-chain'],
  },
};
