import * as l10n from '@vscode/l10n';
import type { Report, Tool } from '../report.ts';
import { coverageText, isComplete } from './texts.ts';

/** The data of the report page: everything that it shows, including its texts. */
export interface PageData {
  readonly report: Report;
  readonly tool: Tool;
  readonly texts: PageTexts;
  /** The coverage, with advice; absent where everything was checked. */
  readonly coverage?: { readonly text: string; readonly isComplete: boolean; readonly notes: readonly string[] };
}

/** Builds the data of the report page. */
export function pageDataOf(report: Report, tool: Tool): PageData {
  const text = coverageText(report);
  const notes = report.withheld.some((it) => it.isPublicUnsaid) ? [publicRegistriesNote()] : [];
  const said = text === undefined ? undefined : isComplete(report) ? text : l10n.t('Incomplete: {0}.', text);
  return {
    report,
    tool,
    texts: pageTexts(),
    ...(said !== undefined && {
      coverage: { text: said, isComplete: isComplete(report), notes },
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
    made: l10n.t('{0} manifests, {1} dependencies, {2}'),
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
    system: l10n.t('System'),
    project: l10n.t('Project'),
    license: l10n.t('License'),
    package: l10n.t('Package'),
    requirement: l10n.t('Requirement'),
    version: l10n.t('Version'),
    default: l10n.t('Default'),
    published: l10n.t('Published'),
    finding: l10n.t('Finding'),
    updateTo: l10n.t('Update to'),
    error: l10n.t('Error'),
    warning: l10n.t('Warning'),
    information: l10n.t('Information'),
    hint: l10n.t('Hint'),
    gap: l10n.t('Not checked'),
    none: l10n.t('No finding'),
    ignored: l10n.t('Ignored'),
    ignoredFor: l10n.t('Ignored: {0}'),
    inBaseline: l10n.t('In the baseline'),
    byHand: l10n.t('{0}, by hand: {1}'),
    shown: l10n.t('{0} of {1} shown'),
    nothing: l10n.t('Nothing to show.'),
    clear: l10n.t('Clear filters'),
    open: l10n.t('Open {0}:{1}'),
    severities: l10n.t('Findings by severity'),
    licenses: l10n.t('Packages by license'),
    ages: l10n.t('Packages by version age'),
    asTable: l10n.t('As a table'),
    count: l10n.t('Count'),
    other: l10n.t('Other'),
    unknown: l10n.t('Unknown'),
    halfYear: l10n.t('Under 6 months'),
    year: l10n.t('6 to 12 months'),
    twoYears: l10n.t('1 to 2 years'),
    fiveYears: l10n.t('2 to 5 years'),
    older: l10n.t('Over 5 years'),
    daysAgo: l10n.t('{0} ({1} days ago)'),
    deprecated: l10n.t('deprecated'),
    loading: l10n.t('Checking the workspace…'),
  };
}

export type PageTexts = ReturnType<typeof pageTexts>;
