import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { fileTrouble } from '../../engine/base/file-error.ts';
import { isRecord } from '../../engine/base/text.ts';
import { decode } from '../../engine/formats/text/decode.ts';
import { packageId } from '../../engine/model/keys.ts';
import type { ReportedFinding } from '../../engine/report/report.ts';
import type { ChangeBase } from '../../engine/report/scan/change-base.ts';
import { type Terminal, UsageError } from '../command.ts';
import { writeOutput } from '../print.ts';

/** Accepted findings. */
export interface Baseline {
  has(finding: BaselineFinding): boolean;
  /** Whether it accepts nothing more than another one. */
  isWithin(other: Baseline): boolean;
  /** The identifiers of accepted advisories by finding. */
  readonly accepted: ReadonlyMap<string, ReadonlySet<string>>;
}

type BaselineFinding = Pick<ReportedFinding, 'code' | 'path' | 'system' | 'name' | 'version' | 'advisories'>;

/** One line of the file: a finding of a package in a manifest, independent of its line. */
interface Entry {
  readonly path: string;
  readonly code: string;
  readonly package: string;
  /** Absent where no version is resolved. */
  readonly version?: string;
  /** A finding with other advisories is new. */
  readonly advisories?: readonly string[];
}

const version = 1;

/**
 * Writes the present findings, one per line, so that diffs are readable.
 *
 *     { "version": 1, "findings": [
 *       { "path": "package.json", "code": "advisory", "package": "NPM lodash", "version": "4.17.15", "advisories": ["GHSA-…"] }
 *     ] }
 *
 * @param file as typed
 */
export async function writeBaseline(
  file: string,
  findings: readonly BaselineFinding[],
  terminal: Terminal,
): Promise<void> {
  const lines = [...new Set(findings.map((it) => `    ${JSON.stringify(entryOf(it))}`))];
  const text = `{\n  "version": ${version},\n  "findings": [\n${lines.join(',\n')}\n  ]\n}\n`;
  await writeOutput(file, text, terminal);
}

/**
 * @param name of the file, as typed
 * @throws UsageError where the file is not there or is no baseline: a check must not pass for a wrong name
 */
export async function readBaseline(name: string, { directory }: Terminal): Promise<Baseline> {
  const bytes = await readFile(resolve(directory, name)).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      error.code === 'ENOENT'
        ? l10n.t('the baseline {0} does not exist; {1} creates it', name, '--write-baseline')
        : l10n.t('{0} cannot be read: {1}', name, fileTrouble(error)),
    );
  });
  return baselineIn(decode(bytes).text, name);
}

/**
 * A baseline without what a change adds to it.
 * @param name of the file, as typed
 * @returns the same object if it adds nothing
 * @throws UsageError where the file was no baseline before the change
 */
export function strictestBaseline(
  baseline: Baseline,
  name: string,
  before: Pick<ChangeBase, 'text'>,
  { directory }: Terminal,
): Baseline {
  const text = before.text(resolve(directory, name));
  const former = text === undefined ? nothingAccepted : baselineIn(text, name);
  if (baseline.isWithin(former)) return baseline;
  return { ...baseline, has: (it) => baseline.has(it) && former.has(it) };
}

/** @throws UsageError for another text */
function baselineIn(text: string, name: string): Baseline {
  const known = new Map<string, Set<string>>();
  for (const it of entriesIn(text, name)) {
    const ids = known.get(placeOf(it)) ?? new Set();
    for (const id of it.advisories ?? []) ids.add(id);
    known.set(placeOf(it), ids);
  }
  return {
    accepted: known,
    isWithin: (other) =>
      [...known].every(([place, ids]) => {
        const others = other.accepted.get(place);
        return others !== undefined && [...ids].every((it) => others.has(it));
      }),
    has(finding) {
      // A record of malware may be newer than the baseline.
      if (finding.code === 'malicious') return false;
      const ids = known.get(placeOf(entryOf(finding)));
      return ids !== undefined && finding.advisories.every((it) => [it.id, ...it.aliases].some((id) => ids.has(id)));
    },
  };
}

const nothingAccepted: Baseline = { has: () => false, isWithin: () => true, accepted: new Map() };

function entryOf({ path, code, system, name, version: resolved, advisories }: BaselineFinding): Entry {
  return {
    path,
    code,
    // Independent of the spelling in the manifest.
    package: packageId({ system, name }),
    ...(resolved !== undefined && { version: resolved }),
    ...(advisories.length > 0 && { advisories: advisories.map((it) => it.id).sort() }),
  };
}

function placeOf({ path, code, package: name, version: resolved }: Entry): string {
  return JSON.stringify([path, code, name, resolved]);
}

function entriesIn(text: string, name: string): Entry[] {
  const fail = (): never => {
    throw new UsageError(l10n.t('{0} is not a baseline of version {1}', name, version));
  };
  const value = parse(text) ?? fail();
  if (!isRecord(value) || value['version'] !== version || !Array.isArray(value['findings'])) return fail();
  return value['findings'].map((it: unknown) => (isEntry(it) ? it : fail()));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is Entry {
  if (!isRecord(value)) return false;
  const { path, code, package: name, version: resolved = '', advisories = [] } = value;
  return (
    [path, code, name, resolved].every((it) => typeof it === 'string') &&
    Array.isArray(advisories) &&
    advisories.every((it) => typeof it === 'string')
  );
}
