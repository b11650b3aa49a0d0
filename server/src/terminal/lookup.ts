import * as l10n from '@vscode/l10n';
import { bySeverity, severityText } from '../engine/analysis/rules/advisory.ts';
import { deprecationText } from '../engine/analysis/rules/deprecated.ts';
import type { Snapshot } from '../engine/analysis/snapshot.ts';
import { dayOf } from '../engine/base/dates.ts';
import { type LookedUp, lookUpPurl, newestFirst } from '../engine/lookup/purl.ts';
import { choiceText, isSystemWord, readTypedName } from '../engine/lookup/typed-name.ts';
import type { EvaluatedDependency } from '../engine/model/evaluated-dependency.ts';
import {
  type Deprecation,
  deprecationOf,
  type PackageFacts,
  type Provenance,
  rowsOf,
  type VersionFacts,
  type VersionSummary,
} from '../engine/model/facts.ts';
import { packageId } from '../engine/model/keys.ts';
import { licensesOf } from '../engine/model/license-policy.ts';
import { browsableAddress, type LinkSafety, linkNote, shownState } from '../engine/model/links.ts';
import type { OldAnswer } from '../engine/model/lookups.ts';
import type { Purl } from '../engine/model/purl.ts';
import { byRank, certaintyText, relationText } from '../engine/model/relations.ts';
import { advisoriesAsOfText, isSuspicion, suspicionText } from '../engine/model/severity-rating.ts';
import type { Advisory } from '../engine/model/signals/advisory.ts';
import { attestedBy } from '../engine/model/signals/provenance.ts';
import { type System, systemNames } from '../engine/model/system.ts';
import { jsonText } from '../engine/report/formats/format.ts';
import { oldAnswerText, sanitize } from '../engine/report/formats/texts.ts';
import { checkLinks } from './checked-links.ts';
import { type Command, type OptionTable, type Terminal, UsageError } from './command.ts';
import { readServiceSettings, serviceOptions } from './options.ts';

/**
 * Prints the number of packages that are missing in a list because the service does not know them. Packages with
 * private names are reported separately.
 */
export function printMissing(
  snapshots: readonly Snapshot[],
  isMissing: (evaluated: EvaluatedDependency) => boolean,
  command: string,
  { error }: Terminal,
): void {
  const dependencies = snapshots.flatMap((it) => [
    ...it.dependencies,
    ...it.included.flatMap((file) => file.dependencies),
  ]);
  const { size } = new Set(dependencies.filter(isMissing).map((it) => packageId(it.linked.key)));
  if (size === 0) return;
  const said =
    size === 1
      ? l10n.t('1 package is missing: it is unknown to the service')
      : l10n.t('{0} packages are missing: they are unknown to the service', size);
  error(`package-insights ${command}: ${said}`);
}

/** Whether the service does not know a package, or does not know its locked version. */
export function isUnknown({ resolution, version }: EvaluatedDependency): boolean {
  return resolution.kind === 'unknown' || resolution.kind === 'unlisted' || version?.state === 'unknown';
}

const lookupOptions = {
  json: { help: () => l10n.t('print a JSON list in the order of the purls') },
  ...serviceOptions,
} as const satisfies OptionTable;

/** `package-insights lookup`: shows the facts about packages and versions, by their purls. */
export const lookupCommand: Command<typeof lookupOptions> = {
  name: 'lookup',
  usage: 'PURL… [--json]',
  summary: () => l10n.t('Show the data of packages and versions'),
  options: lookupOptions,
  notes: () => [
    l10n.t(
      'A purl names a package (pkg:npm/lodash) or a version (pkg:npm/lodash@4.17.21). Types: cargo, golang, maven, npm, nuget, pypi. Qualifiers and subpaths are not supported. Shorter forms are read, too: npm/lodash, crates serde, requests==2.31.0, org.yaml:snakeyaml.',
    ),
    l10n.t('Exit codes: 0 all found, 1 at least one unknown, 2 at least one lookup or refresh failed.'),
  ],
  examples: [
    'package-insights lookup npm/lodash pypi/requests@2.31.0',
    'package-insights lookup pkg:npm/%40babel/traverse',
    'package-insights lookup pkg:maven/org.yaml/snakeyaml@1.33 pkg:golang/golang.org/x/net@v0.20.0',
  ],
  isForPrograms: ({ json }) => json === true,
  takesPositionals: true,
  async run({ options, positionals }, terminal) {
    if (positionals.length === 0) throw new UsageError(l10n.t('which purl? For example {0}', 'pkg:npm/lodash@4.17.21'));
    const purls = withSystems(positionals).map(readPurl);
    const settings = readServiceSettings(options, terminal);
    const insights = await terminal.insights(settings);
    const aborting = new AbortController();
    terminal.ended.then(() => aborting.abort());
    try {
      const answers = await Promise.all(purls.map((it) => lookUpPurl(it, insights, aborting.signal)));
      if (options.json) terminal.out(jsonText(answers.map(jsonOf)));
      else {
        const found = answers.flatMap((it) => (it.kind === 'found' ? [it.identity] : []));
        const addresses = found.flatMap((it) => (it.kind === 'version' ? addressesOf(it.facts) : []));
        print(answers, terminal, await checkLinks(() => addresses, settings, terminal));
      }
      const old = answers.flatMap((it) => ('old' in it && it.old ? [[it.purl, it.old] as const] : []));
      for (const [purl, it] of old) printStaleAnswer(purl, it, 'lookup', terminal);
      // Offline, stale answers are acceptable.
      return Math.max(old.length > 0 && !settings.offline ? 2 : 0, ...answers.map((it) => exitCodes[it.kind]));
    } finally {
      await insights.close();
    }
  },
};

const exitCodes = { found: 0, unknown: 1, failed: 2 } as const;

/** Prints the age of an answer that could not be refreshed. */
export function printStaleAnswer(about: string, old: OldAnswer, command: string, terminal: Terminal): void {
  terminal.error(`package-insights ${command}: ${sanitize(about)}: ${oldAnswerText(old, terminal.clock.now())}`);
}

/**
 * Reads a purl, or a name as people type it: `npm/lodash`.
 * @throws UsageError with the problem and a solution
 */
export function readPurl(text: string): Purl {
  const reading = readTypedName(text);
  switch (reading.kind) {
    case 'purl':
      return reading.purl;
    case 'choice':
      throw new UsageError(
        l10n.t('{0} may be a package of several systems; give one of: {1}', sanitize(text), choiceText(reading)),
      );
    case 'invalid':
      throw new UsageError(
        reading.nearest === undefined
          ? l10n.t('{0} cannot be looked up: {1}', sanitize(text), reading.reason)
          : l10n.t('{0} cannot be looked up: {1}; did you mean {2}?', sanitize(text), reading.reason, reading.nearest),
      );
  }
}

/** Joins a system and the name behind it: `crates serde` is `crates/serde`. */
function withSystems(words: readonly string[]): string[] {
  const names: string[] = [];
  let system = '';
  for (const word of words) {
    if (system === '' && isSystemWord(word)) system = word;
    else {
      names.push(system === '' ? word : `${system}/${word}`);
      system = '';
    }
  }
  return system === '' ? names : [...names, system];
}

function addressesOf({ links, provenances }: VersionFacts): readonly string[] {
  return [...links.map((it) => it.url), ...provenances.map((it) => it.sourceRepository)].flatMap(
    (it) => browsableAddress(it) ?? [],
  );
}

function originText({ sourceRepository, commit }: Provenance, checks: LinkSafety | undefined): string {
  if (sourceRepository === '') return l10n.t('attestation without a source');
  const source = addressText(sourceRepository, checks);
  return commit === '' ? source : l10n.t('{0} at {1}', source, commit);
}

/** An address with what is known of it. Terminals make links of addresses, so only a checked one has its scheme. */
function addressText(written: string, links: LinkSafety | undefined): string {
  const address = browsableAddress(written);
  if (links === undefined) return written;
  if (address === undefined) return written.replace(/^[\w+.-]+:\/\//, '');
  const state = shownState(address, links);
  if (state === undefined) return written;
  const shown = state.kind === 'checked' ? address : address.replace(/^https?:\/\//, '');
  return `${shown} (${linkNote(state)})`;
}

function print(answers: readonly LookedUp[], terminal: Terminal, links: LinkSafety | undefined): void {
  for (const [at, answer] of answers.entries()) {
    switch (answer.kind) {
      case 'found': {
        const { identity, advisories, defaultVersion } = answer;
        if (at > 0) terminal.out('');
        terminal.out(
          identity.kind === 'package'
            ? describePackage(identity.facts)
            : describeVersion(identity.facts, advisories, links, defaultVersion),
        );
        break;
      }
      case 'unknown':
        terminal.error(`package-insights lookup: ${l10n.t('{0} is unknown to the service', sanitize(answer.purl))}`);
        break;
      case 'failed':
        terminal.error(
          `package-insights lookup: ${l10n.t('lookup of {0} failed: {1}', sanitize(answer.purl), sanitize(answer.reason))}`,
        );
    }
  }
}

function jsonOf(answer: LookedUp): object {
  const { kind, purl } = answer;
  const old = 'old' in answer && answer.old ? { old: staleAnswerJson(answer.old) } : {};
  switch (answer.kind) {
    case 'found': {
      const { identity } = answer;
      if (identity.kind === 'package') {
        const { facts } = identity;
        return { purl, state: kind, ...old, package: { ...facts, versions: rowsOf(facts.versions).map(withDate) } };
      }
      const advisories = answer.advisories.map(({ id, aliases, facts }) => ({
        ...(facts.state === 'ready' ? facts.value : {}),
        id,
        aliases,
      }));
      return { purl, state: kind, ...old, version: { ...withDate(identity.facts), advisories } };
    }
    case 'unknown':
      return { purl, state: kind, ...old };
    case 'failed':
      return { purl, state: kind, reason: answer.reason };
  }
}

/** The JSON of a stale answer. */
export function staleAnswerJson({ at, reason }: OldAnswer): object {
  return { since: new Date(at).toISOString(), reason };
}

/** Converts times to ISO 8601. */
function withDate<T extends { readonly publishedAt?: number }>(it: T): object {
  return it.publishedAt === undefined ? it : { ...it, publishedAt: new Date(it.publishedAt).toISOString() };
}

/** Formats a heading and rows of names with values, without empty rows. */
function describeRows(heading: string, rows: readonly (readonly [string, readonly string[]])[]): string {
  const shown = rows.filter(([, values]) => values.length > 0);
  const width = Math.max(...shown.map(([name]) => name.length));
  const lines = shown.flatMap(([name, values]) =>
    values.map((value, at) => `  ${(at === 0 ? name : '').padEnd(width)}  ${sanitize(value)}`),
  );
  return [sanitize(heading), ...lines].join('\n');
}

/** Versions that a package lists; its page in an editor has all. */
const MAX_NEWEST = 10;

/** Formats the facts about a package for people. */
export function describePackage(facts: PackageFacts): string {
  const { key, purl, isSample } = facts;
  const versions = rowsOf(facts.versions);
  const more = versions.length - MAX_NEWEST;
  const deprecated = versions.filter((it) => it.isDeprecated).length;
  const latest = versions.filter((it) => it.isDefault);
  return describeRows(`${key.name} (${systemNames[key.system]})`, [
    ['purl', [purl]],
    [l10n.t('latest'), latest.map(describeDated)],
    [
      l10n.t('versions'),
      [
        deprecated > 0
          ? l10n.t('{0}, {1} of them deprecated', versions.length, deprecated)
          : versions.length.toString(),
        ...(isSample ? [l10n.t('The service knows only some versions of this package.')] : []),
      ],
    ],
    [
      l10n.t('newest first'),
      [
        ...newestFirst(facts).slice(0, MAX_NEWEST).map(describeRow),
        ...(more > 0 ? [l10n.t('and {0} more', more)] : []),
      ],
    ],
  ]);
}

function describeDated({ version, publishedAt: at }: VersionSummary): string {
  return at === undefined ? version : l10n.t('{0}, published {1}', version, dayOf(at));
}

/** `4.17.21, 2021-02-20, latest`, `1.0.0, 2014-03-01, deprecated` */
function describeRow({ version, publishedAt, isDefault, isDeprecated }: VersionSummary): string {
  return [
    version,
    ...(publishedAt === undefined ? [] : [dayOf(publishedAt)]),
    ...(isDefault ? [l10n.t('latest')] : []),
    ...(isDeprecated ? [l10n.t('deprecated')] : []),
  ].join(', ');
}

function withoutAdvisoriesText({ areAdvisoriesUnknown, advisoriesAsOf: asOf }: VersionFacts): string {
  if (areAdvisoriesUnknown) return l10n.t('not checked');
  return asOf === undefined
    ? l10n.t('none known for this version itself')
    : l10n.t('none known for this version itself, as of {0}', dayOf(asOf));
}

/** Formats the facts about a version for people. */
export function describeVersion(
  facts: VersionFacts,
  advisories: readonly Advisory[],
  checks: LinkSafety | undefined,
  defaultVersion?: VersionSummary,
): string {
  const { key, isDefault, links, provenances, projects, registries, publishedAt, advisoriesAsOf: asOf } = facts;
  const deprecation = deprecationOf(facts);
  return describeRows(`${key.name} ${key.version} (${systemNames[key.system]})`, [
    ['purl', [facts.purl]],
    [l10n.t('published'), publishedAt === undefined ? [] : [dayOf(publishedAt)]],
    [l10n.t('latest'), [isDefault ? l10n.t('yes') : defaultVersion ? describeDated(defaultVersion) : l10n.t('no')]],
    [l10n.t('licenses'), [licensesOf(facts).join(', ') || l10n.t('unknown')]],
    [l10n.t('deprecated'), deprecation ? [deprecatedText(deprecation, key.system)] : []],
    [
      l10n.t('vulnerabilities'),
      advisories.length > 0
        ? [...bySeverity(advisories).map(describeAdvisory), ...(asOf === undefined ? [] : [advisoriesAsOfText(asOf)])]
        : [withoutAdvisoriesText(facts)],
    ],
    [
      l10n.t('links'),
      links.flatMap(({ label, url }) => {
        const address = browsableAddress(url);
        return address ? [`${relationText(label)} ${addressText(address, checks)}`] : [];
      }),
    ],
    [
      l10n.t('provenance'),
      provenances.map((it) =>
        [
          originText(it, checks),
          ...(attestedBy(it) === 'publication' ? [l10n.t('publication')] : []),
          ...(it.verified ? [l10n.t('verified')] : []),
        ].join(', '),
      ),
    ],
    [
      l10n.t('projects'),
      projects
        .filter((it) => it.id !== '')
        .toSorted(byRank)
        .map((it) => `${it.id} (${relationText(it.type)}, ${certaintyText(it.provenance)})`),
    ],
    [l10n.t('registries'), registries],
  ]);
}

function deprecatedText(deprecation: Deprecation, system: System): string {
  const of = deprecation.of === 'version' ? [] : [deprecationText(deprecation, system)];
  return [...of, ...(deprecation.reason ? [deprecation.reason] : [])].join(': ') || l10n.t('yes');
}

function describeAdvisory(advisory: Advisory): string {
  const { id, aliases, facts } = advisory;
  if (isSuspicion(id)) return suspicionText(id);
  const title = facts.state === 'ready' ? facts.value.title : '';
  const others = aliases.length > 0 ? ` (${aliases.join(', ')})` : '';
  const rated = facts.state === 'ready' ? `, ${severityText(advisory)}` : '';
  return `${id}${others}${title === '' ? '' : ` ${title}`}${rated}`;
}
