import * as l10n from '@vscode/l10n';
import { stepText } from '../../analysis/verdict-text.ts';
import type { Report, Tool } from '../report.ts';
import { connectionLines } from './connections.ts';
import { coverageText, isComplete, isMostlyUnchecked, shortfallText } from './texts.ts';

/** The data of the report page: everything that it shows, including its texts. */
export interface PageData {
  readonly report: Report;
  readonly tool: Tool;
  readonly texts: PageTexts;
  /** The coverage, with advice; absent where everything was checked. */
  /** The connected services, a text each; absent where none is connected. */
  readonly connections?: readonly string[];
  readonly coverage?: { readonly text: string; readonly isComplete: boolean; readonly notes: readonly string[] };
  /** A browser waits for the person's permission to look up names: what is on the button that asks for it. */
  readonly lookUp?: string;
}

/** Builds the data of the report page. */
export function pageDataOf(report: Report, tool: Tool): PageData {
  const notes = report.withheld.some((it) => it.isPublicUnsaid) ? [publicRegistriesNote()] : [];
  const text = shortfallText(report) ?? coverageText(report);
  return {
    report,
    tool,
    texts: pageTexts(),
    ...(report.connections && {
      connections: report.connections.map((it) =>
        connectionLines(it)
          .map((line) => line.trim())
          .join('; '),
      ),
    }),
    ...(report.coverage.undecided && { lookUp: l10n.t('Look Up Packages in the Browser…') }),
    ...(text !== undefined && {
      coverage: { text: `${text}.`, isComplete: isComplete(report) && !isMostlyUnchecked(report), notes },
    }),
  };
}

function publicRegistriesNote(): string {
  return l10n.t(
    'The service reports no public registries. List them in the setting {0}, or in the terminal with {1}.',
    'packageInsights.publicRegistries',
    '--public-registry HOST',
  );
}

/** The texts of the report page. The page fills in `{0}` and `{1}`. */
export function pageTexts() {
  return {
    heading: l10n.t('Dependency report'),
    connections: l10n.t('Connections'),
    oneManifest: l10n.t('1 manifest'),
    manyManifests: l10n.t('{0} manifests'),
    oneDependency: l10n.t('1 dependency'),
    manyDependencies: l10n.t('{0} dependencies'),
    incomplete: l10n.t('Failed lookups: {0} ({1})'),
    withheld: l10n.t('Not looked up to keep names private: {0}'),
    withheldFrom: l10n.t({ message: '{0} from {1}', comment: 'a number of dependencies, and where they come from' }),
    unclear: l10n.t('Partly understood, dependencies may be missing: {0}'),
    unread: l10n.t('Unreadable, dependencies are missing: {0}'),
    andMore: l10n.t('and {0} more'),
    refresh: l10n.t('Refresh'),
    findings: l10n.t('Findings ({0})'),
    dependencies: l10n.t('Dependencies ({0})'),
    views: l10n.t('List'),
    search: l10n.t('Search (press /)'),
    all: l10n.t('All'),
    severity: l10n.t('Severity'),
    score: l10n.t({ message: 'Score', comment: 'the CVSS score of an advisory, 0 to 10' }),
    system: l10n.t('System'),
    project: l10n.t('Project'),
    license: l10n.t('License'),
    package: l10n.t('Package'),
    requirement: l10n.t('Requirement'),
    version: l10n.t('Version'),
    default: l10n.t('Latest'),
    published: l10n.t('Published'),
    repository: l10n.t('Repository'),
    finding: l10n.t('Finding'),
    update: l10n.t({ message: 'Update', comment: 'the heading of a column of versions to update to' }),
    updateTo: l10n.t('Update to {0}'),
    schedule: l10n.t('Schedule…'),
    scheduleTo: l10n.t('Schedule the update to {0}…'),
    updateRow: l10n.t('Update {0} to {1} (press U)'),
    updated: l10n.t('Updated to {0}'),
    updatedSince: l10n.t('{0} updated to {1}. Refresh to check again.'),
    byHand: l10n.t('{0}, by hand: {1}'),
    byHandOnly: l10n.t('by hand: {0}'),
    error: l10n.t('Error'),
    warning: l10n.t('Warning'),
    information: l10n.t('Information'),
    hint: l10n.t('Hint'),
    gap: l10n.t('Not checked'),
    ignored: l10n.t('Ignored'),
    ignoredFor: l10n.t('Ignored: {0}'),
    inBaseline: l10n.t('In the baseline'),
    shown: l10n.t('{0} of {1} shown'),
    clear: l10n.t('Clear filters'),
    open: l10n.t('Open {0}:{1}'),
    problems: l10n.t('Findings'),
    classes: l10n.t('Licenses'),
    distances: l10n.t('Updates'),
    unknown: l10n.t('Unknown'),
    daysAgo: l10n.t('{0} ({1} days ago)'),
    noFindings: l10n.t('No findings.'),
    noDependencies: l10n.t('No dependencies.'),
    noManifests: l10n.t('No manifests such as package.json, pom.xml or pyproject.toml were found.'),
    noMatches: l10n.t('No row matches the filters.'),
    exploited: l10n.t('{0}, exploited'),
    problemNames: {
      malicious: l10n.t('Malicious'),
      critical: l10n.t('Critical'),
      high: l10n.t('High'),
      medium: l10n.t('Medium'),
      low: l10n.t('Low'),
      unrated: l10n.t('Unrated'),
      'advisory-below': l10n.t('Affected transitive packages'),
      license: l10n.t('License policy'),
      deprecated: l10n.t('Deprecated'),
      'no-match': l10n.t('No matching version'),
      'license-mismatch': l10n.t('License mismatch'),
      archived: l10n.t('Repository archived'),
      'young-version': l10n.t('Within the cooldown'),
      'provenance-lost': l10n.t('Provenance lost'),
      'install-script': l10n.t('Install script'),
      'low-score': l10n.t('Low score'),
      'similar-name': l10n.t('Similar name'),
      ignored: l10n.t('Ignored'),
      inBaseline: l10n.t('In the baseline'),
      withheld: l10n.t({ message: 'Not looked up', comment: 'dependencies that were not checked' }),
      'not-found': l10n.t('Unknown to the service'),
      failed: l10n.t({ message: 'Failed', comment: 'dependencies that were not checked' }),
      listed: l10n.t('Vulnerabilities unknown'),
      unchecked: l10n.t('Without a known version'),
    },
    classNames: {
      permissive: l10n.t('Permissive'),
      'weak-copyleft': l10n.t('Weak copyleft'),
      'strong-copyleft': l10n.t('Strong copyleft'),
      'use-restricted': l10n.t('Use restricted'),
      unknown: l10n.t('Unknown'),
    },
    distanceNames: {
      current: l10n.t('Up to date'),
      patch: l10n.t('Patch'),
      minor: l10n.t('Minor'),
      major: l10n.t('Major'),
      unknown: l10n.t('Unknown'),
    },
    stepNames: { patch: stepText('patch'), minor: stepText('minor'), major: stepText('major') },
  };
}

export type PageTexts = ReturnType<typeof pageTexts>;
