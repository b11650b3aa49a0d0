import { sha256 } from '@noble/hashes/sha2.js';
import * as l10n from '@vscode/l10n';
import { wayInto } from '../../analysis/below/way-in.ts';
import { wayInSentence, wordsOfWayIn } from '../../analysis/below/way-texts.ts';
import { type DependencyFinding, findingsIn, type IgnoredFinding, ignoredFindingsIn } from '../../analysis/findings.ts';
import { type Fix, fixesFor } from '../../analysis/fixes.ts';
import { graphReader } from '../../analysis/graphs.ts';
import { deprecationText } from '../../analysis/rules/deprecated.ts';
import { exchangedText } from '../../analysis/rules/no-match.ts';
import { newNameText } from '../../analysis/rules/not-found.ts';
import type { Snapshot } from '../../analysis/snapshot.ts';
import { verdictOf } from '../../analysis/verdict.ts';
import { answerNotes, targetNotes } from '../../analysis/verdict-text.ts';
import { hexOf } from '../../base/bytes.ts';
import { byText, oneLine } from '../../base/text.ts';
import { type EvaluatedDependency, factsOf, spelledName, type TargetKind } from '../../model/evaluated-dependency.ts';
import { deprecationOf } from '../../model/facts.ts';
import type { Ignore } from '../../model/project.ts';
import type { Settings } from '../../model/settings.ts';
import type { ReportedBelow, ReportedFinding, ReportedFix, ReportedWayIn } from '../report.ts';
import { reportAdvisories } from './advisories.ts';
import { releasesOn, reportBelow } from './below.ts';
import { type Locations, locationsIn } from './paths.ts';

/** A finding as built, before `--fail-on` and the baseline give it a status. */
export type FindingWithoutStatus = Omit<ReportedFinding, 'counts' | 'known'>;

/** The settings of a manifest. Each folder of a workspace may have its own. */
export type SettingsFor = (uri: string) => Pick<Settings, 'severity' | 'publicRegistries'>;

/**
 * The findings of some manifests, by file and place, including those that project files ignore. A file that several
 * manifests include is reported once.
 * @param directory the paths are relative to it
 */
export function findingsOf(
  snapshots: readonly Snapshot[],
  settingsFor: SettingsFor,
  directory: string,
): FindingWithoutStatus[] {
  const found = new Map<string, FindingWithoutStatus>();
  const seen = new Map<string, number>();
  for (const snapshot of snapshots) {
    const locations = locationsIn(snapshot, directory);
    const settings = settingsFor(snapshot.uri);
    for (const { uri, dependencies } of [snapshot, ...snapshot.included]) {
      for (const finding of [...findingsIn(dependencies, settings), ...ignoredFindingsIn(dependencies, settings)]) {
        const place = `${locations.path(uri)} ${finding.span.start} ${finding.code} ${finding.subject} ${finding.message}`;
        if (found.has(place)) continue;
        const below =
          finding.code === 'advisory-below' || finding.code === 'malicious'
            ? reportBelow(finding.evaluated, snapshot, directory)
            : [];
        const required = requiredBy(finding, snapshot, locations);
        const plain = { ...report(finding, locations, below), ...(required && { required }) };
        // Two lines that declare the same dependency are two findings.
        const nth = (seen.get(plain.fingerprint) ?? 0) + 1;
        seen.set(plain.fingerprint, nth);
        found.set(place, nth === 1 ? plain : { ...plain, fingerprint: `${plain.fingerprint}:${nth}` });
      }
    }
  }
  return [...found.values()].sort(
    (a, b) =>
      Number(b.code === 'malicious') - Number(a.code === 'malicious') ||
      byText(a.path, b.path) ||
      a.region.startLine - b.region.startLine ||
      a.region.startColumn - b.region.startColumn ||
      byText(a.code, b.code) ||
      byText(a.message, b.message),
  );
}

/** Of a package in a lockfile, where it changes. */
function requiredBy(
  { evaluated }: DependencyFinding,
  snapshot: Snapshot,
  locations: Locations,
): ReportedWayIn | undefined {
  const way = wayInto(snapshot, evaluated, graphHere);
  if (way === undefined) return undefined;
  const words = wordsOfWayIn(way, locations.path, (uri, span) => locations.region(uri, span).startLine - 1);
  return {
    path: words.file,
    ...(words.line !== undefined && { line: words.line + 1 }),
    way: releasesOn(way.graph, way.path),
    text: wayInSentence(words),
  };
}

const graphHere = graphReader(undefined);

function report(
  finding: DependencyFinding | IgnoredFinding,
  locations: Locations,
  below: readonly ReportedBelow[],
): FindingWithoutStatus {
  const { code, severity, subject, message: summary, uri, span, evaluated } = finding;
  const { resolution, linked } = evaluated;
  const { system, name } = linked.key;
  const version = resolution.kind === 'version' ? resolution.version : undefined;
  const condition = linked.of && linked.dependency.condition;
  const advisories = code === 'advisory' || code === 'malicious' ? reportAdvisories(evaluated.advisories) : [];
  const path = locations.path(uri);
  const score = advisories[0]?.score;
  const reason = reasonOf(finding);
  const about = [code, path, system, name, version ?? '', ...advisories.map((it) => it.id).sort()];
  return {
    code,
    severity,
    // The sentence about an unknown package begins with its name.
    message: code === 'not-found' ? summary : `${subject}: ${summary}`,
    subject,
    summary,
    ...(reason !== undefined && { reason }),
    path,
    region: locations.region(uri, span),
    system,
    name: spelledName(evaluated.linked, factsOf(evaluated)),
    ...(version !== undefined && { version }),
    ...(condition !== undefined && { condition }),
    advisories,
    ...(score !== undefined && { score }),
    ...(below.length > 0 && { below }),
    fixes:
      code === 'not-found' || code === 'advisory-below'
        ? []
        : fixesFor(evaluated).map((it) => reportFix(it, locations)),
    ...(code === 'not-found' && evaluated.isNewName && { isNewName: true }),
    ...(code === 'advisory' && verdictOf(evaluated).isWithoutFix && { isWithoutFix: true }),
    fingerprint: hexOf(sha256(new TextEncoder().encode(JSON.stringify(about)))).slice(0, 32),
    ...('ignore' in finding && { ignored: acceptedFor(finding.ignore) }),
  };
}

/** What the name, the code and the fixes of a finding do not say. */
function reasonOf({ code, message, evaluated }: DependencyFinding): string | undefined {
  const { resolution, linked } = evaluated;
  switch (code) {
    case 'advisory':
      return undefined;
    case 'not-found':
      return evaluated.isNewName ? newNameText(evaluated).reason : undefined;
    case 'deprecated': {
      const facts = factsOf(evaluated);
      const found = facts && deprecationOf(facts);
      if (found === undefined) return undefined;
      // The code says it of the version alone.
      const project = found.of === 'version' ? [] : [deprecationText(found, facts?.key.system ?? 'PYPI')];
      const reason = [...project, ...(found.reason ? [found.reason] : [])].join(': ');
      return reason === '' ? undefined : oneLine(reason, MAX_REASON_LENGTH);
    }
    case 'no-match':
      if (linked.exchanged && resolution.kind !== 'no-match') return exchangedText(linked.exchanged);
      return resolution.kind === 'no-match' ? l10n.t('No published version meets {0}.', resolution.range) : undefined;
    case 'malicious':
    case 'license':
    case 'license-mismatch':
    case 'archived':
    case 'young-version':
    case 'provenance-lost':
    case 'install-script':
    case 'advisory-below':
    case 'low-score':
    case 'similar-name':
      return message;
  }
}

/** In characters. A publisher may write any text. */
const MAX_REASON_LENGTH = 1000;

function acceptedFor({ reason, until }: Ignore): NonNullable<ReportedFinding['ignored']> {
  return { reason, ...(until !== undefined && { until }) };
}

function reportFix({ evaluated, target, move }: Fix, locations: Locations): ReportedFix {
  const { version, kinds, step, fixed, license, flaw } = target;
  const verdict = verdictOf(evaluated);
  // The recommended version fixes all of it.
  const isRecommended = verdict.recommended?.version === version;
  const notes = isRecommended ? answerNotes(evaluated, target) : targetNotes(evaluated, target);
  return {
    version,
    why: whyOf(kinds, evaluated),
    kinds,
    ...(step && { step }),
    ...(isRecommended && { recommended: true }),
    fixed,
    notes: move.ok || target.isChecked ? notes : [],
    ...(license && { license }),
    ...(flaw !== undefined && { flaw }),
    ...(!move.ok && { refused: move.reason }),
    edits: move.ok
      ? move.edits.map(({ uri, span, newText }) => ({
          path: locations.path(uri),
          region: locations.region(uri, span),
          newText,
        }))
      : [],
  };
}

/** The main reason of a fix, of those that the report has named from its first version on. */
function whyOf(kinds: readonly TargetKind[], { heldBack, otherFlavor }: EvaluatedDependency): ReportedFix['why'] {
  if (kinds.includes('default')) return heldBack ? 'aged' : otherFlavor ? 'flavor' : 'default';
  if (kinds.includes('safe')) return 'nearest';
  if (kinds.includes('stable')) return 'flavor';
  return kinds.includes('in-range') ? 'in-range' : 'in-major';
}
