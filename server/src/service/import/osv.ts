import calculator from 'ae-cvss-calculator';
import { isRecord } from '../../engine/base/text.ts';
import { versioning } from '../../engine/ecosystems/versioning.ts';
import { canonicalName } from '../../engine/model/keys.ts';
import { gravestOf, levelOf } from '../../engine/model/severity-rating.ts';
import { type System, systems } from '../../engine/model/system.ts';
import { type AdvisorySeverity, type AffectedRange, type AffectedRecord, advisoryLevels } from '../catalog/record.ts';
import type { ImportedAdvisory } from '../store/store.ts';

/** An advisory in the shape of the wire, and what it affects. */
export interface OsvAdvisory extends ImportedAdvisory {
  readonly answer: object;
}

/** The names of the systems in OSV. Source: OSV Schema, “Defined ecosystems”. */
const ecosystems = {
  GO: 'Go',
  NPM: 'npm',
  CARGO: ['crates', 'io'].join('.'),
  MAVEN: 'Maven',
  PYPI: 'PyPI',
  NUGET: 'NuGet',
} as const satisfies Record<System, string>;

type Fields = Readonly<Record<string, unknown>>;

export function isOsv(record: Fields): boolean {
  return typeof record['id'] === 'string' && typeof record['modified'] === 'string';
}

/**
 * Reads a record of the OSV Schema. What it affects in other ecosystems is left out.
 * @param exploited CVE numbers of what is known to be exploited, whatever the record says of that
 */
export function readOsv(record: Fields, exploited?: ReadonlySet<string>): OsvAdvisory {
  const aliases = listOf(record['aliases']).filter((it) => typeof it === 'string');
  const id = textOf(record['id']);
  const affected = listOf(record['affected']).filter(isRecord);
  const isWithdrawn = textOf(record['withdrawn']) !== '';
  return {
    id,
    modified: Date.parse(textOf(record['modified'])) || 0,
    affected: isWithdrawn ? [] : affected.flatMap(readAffected),
    answer: {
      advisoryKey: { id },
      url: addressOf(record),
      title: titleOf(record) || id,
      aliases,
      ...severityOf(record, affected),
      ...([id, ...aliases].some((it) => exploited?.has(it.toUpperCase())) && { knownExploited: true }),
    },
  };
}

/** Whether a record names a package of a system, withdrawn or not. */
export function affectsSystem(record: Fields, system: System): boolean {
  return listOf(record['affected']).some((it) => isRecord(it) && systemIn(it) === system);
}

function systemIn(affected: Fields): System | undefined {
  const of = isRecord(affected['package']) ? affected['package'] : {};
  // `Maven:https://…` names a registry behind the ecosystem.
  const [ecosystem] = textOf(of['ecosystem']).split(':');
  return systems.find((it) => ecosystems[it] === ecosystem);
}

function readAffected(affected: Fields): readonly AffectedRecord[] {
  const system = systemIn(affected);
  const name = textOf(isRecord(affected['package']) ? affected['package']['name'] : undefined);
  if (system === undefined || name === '') return [];
  const ranges = listOf(affected['ranges'])
    .filter(isRecord)
    .filter((it) => it['type'] === 'SEMVER' || it['type'] === 'ECOSYSTEM')
    .flatMap((it) => readRange(system, it, lastKnown(affected)));
  const versions = listOf(affected['versions']).filter((it) => typeof it === 'string');
  return [{ system, name: canonicalName(system, name), ranges, versions: versions.map((it) => spelled(system, it)) }];
}

interface Event {
  readonly kind: 'introduced' | 'fixed' | 'last_affected' | 'limit';
  readonly version: string;
}

const eventKinds = ['introduced', 'fixed', 'last_affected', 'limit'] as const;

/** Events may be in any order. Source: OSV Schema, “Evaluation”. */
function readRange(system: System, range: Fields, bound: Partial<AffectedRange>): readonly AffectedRange[] {
  const { compare } = versioning[system];
  const events: Event[] = listOf(range['events'])
    .filter(isRecord)
    .flatMap((it) =>
      eventKinds.flatMap((kind) => {
        const version = it[kind];
        return typeof version === 'string' && version !== '*' ? { kind, version: spelled(system, version) } : [];
      }),
    );
  const order = (a: string, b: string): number => Number(b === '0') - Number(a === '0') || compare(a, b);
  const found: AffectedRange[] = [];
  let introduced: string | undefined;
  for (const { kind, version } of events.sort((a, b) => order(a.version, b.version))) {
    if (kind === 'introduced') introduced ??= version;
    else if (introduced !== undefined) {
      found.push(kind === 'last_affected' ? { introduced, lastAffected: version } : { introduced, fixed: version });
      introduced = undefined;
    }
  }
  if (introduced !== undefined) found.push({ introduced, ...boundIn(system, bound) });
  return found;
}

function boundIn(system: System, { fixed, lastAffected }: Partial<AffectedRange>): Partial<AffectedRange> {
  if (fixed !== undefined) return { fixed: spelled(system, fixed) };
  return lastAffected === undefined ? {} : { lastAffected: spelled(system, lastAffected) };
}

/** `"<= 1.2.3"`: the advisories of GitHub end a range without a fix this way. */
function lastKnown(affected: Fields): Partial<AffectedRange> {
  const specific = isRecord(affected['database_specific']) ? affected['database_specific'] : {};
  const [, sign, version] = /^<(=?) *(\S+)$/.exec(textOf(specific['last_known_affected_version_range'])) ?? [];
  if (version === undefined) return {};
  return sign === '=' ? { lastAffected: version } : { fixed: version };
}

/** Versions of Go are written without `v` in OSV. */
function spelled(system: System, version: string): string {
  return system === 'GO' && /^\d/.test(version) && version !== '0' ? `v${version}` : version;
}

function titleOf(record: Fields): string {
  const [line = ''] = (textOf(record['summary']) || textOf(record['details'])).trim().split('\n', 1);
  return line.slice(0, MAX_TITLE);
}

/** In characters. A title is one line of a hover. */
const MAX_TITLE = 300;

function addressOf(record: Fields): string {
  const references = listOf(record['references']).filter(isRecord);
  const typed = (type: string) => references.find((it) => it['type'] === type);
  const url = textOf((typed('ADVISORY') ?? typed('WEB') ?? references[0])?.['url']);
  return /^https?:\/\//.test(url) ? url : '';
}

/**
 * Of each version of CVSS the highest score, of the advisory or of a package; without a score the word of the record.
 * A score of 0 with an empty vector says that there is none.
 */
function severityOf(record: Fields, affected: readonly Fields[]): AdvisorySeverity {
  const given = [record, ...affected].flatMap((it) => listOf(it['severity']).filter(isRecord));
  const [version3, version4] = [highest(given, 'CVSS_V3'), highest(given, 'CVSS_V4')];
  const specific = [record, ...affected].map((it) => it['database_specific']).filter(isRecord);
  const word = version3 || version4 ? undefined : gravestOf(specific.map((it) => levelOf(textOf(it['severity']))));
  return {
    cvss3Score: version3?.score ?? 0,
    cvss3Vector: version3?.vector ?? '',
    ...(version4 && { cvss4Score: version4.score, cvss4Vector: version4.vector }),
    ...(word && { severity: advisoryLevels.find((it) => it === word.toUpperCase()) ?? 'LOW' }),
    ...(specific.some(isKnownExploited) && { knownExploited: true }),
  };
}

function highest(given: readonly Fields[], type: string) {
  return given
    .filter((it) => it['type'] === type)
    .map((it) => ({ score: baseScore(textOf(it['score'])), vector: textOf(it['score']) }))
    .filter((it) => it.score > 0)
    .reduce<{ score: number; vector: string } | undefined>(
      (best, it) => (best === undefined || it.score > best.score ? it : best),
      undefined,
    );
}

/** 0 for a vector that cannot be read. */
function baseScore(vector: string): number {
  const { Cvss3P0, Cvss3P1, Cvss4P0 } = calculator;
  try {
    if (vector.startsWith('CVSS:4.0/')) {
      const cvss = new Cvss4P0(vector);
      // Its `base` is lowered by what is said of threats.
      return cvss.isBaseFullyDefined() ? (cvss.calculateScores().baseMetricsOnly ?? 0) : 0;
    }
    const cvss = vector.startsWith('CVSS:3.0/') ? new Cvss3P0(vector) : new Cvss3P1(vector);
    return cvss.isBaseFullyDefined() ? (cvss.calculateScores().base ?? 0) : 0;
  } catch {
    return 0;
  }
}

/** Names that databases have for it: no schema defines one. */
function isKnownExploited(specific: Fields): boolean {
  return ['known_exploited', 'cisa_kev', 'kev'].some((it) => specific[it] === true || isRecord(specific[it]));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
