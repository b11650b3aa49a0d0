import { createHash } from 'node:crypto';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, type SubjectFinding } from '../engine/check.ts';
import { fixesFor } from '../engine/fixes.ts';
import type { Snapshot } from '../engine/workspace.ts';
import { rating } from '../model/rating.ts';
import type { Settings } from '../model/settings.ts';
import type { Span } from '../model/span.ts';
import type { Advisory, Subject } from '../model/subject.ts';
import type { Region, ReportedAdvisory, ReportedFinding, ReportedFix } from '../report/report.ts';
import { type Positions, positionsIn } from '../text/positions.ts';

/** A finding before anybody has said whether it counts. */
export type PlainFinding = Omit<ReportedFinding, 'counts' | 'known'>;

/**
 * What is wrong in some manifests, by file and place. A file that several include is told of once.
 * @param directory the paths are relative to it
 */
export function findingsOf(snapshots: readonly Snapshot[], settings: Settings, directory: string): PlainFinding[] {
  const found = new Map<string, PlainFinding>();
  const seen = new Map<string, number>();
  for (const snapshot of snapshots) {
    const view = viewOf(snapshot, directory);
    for (const { uri, subjects } of [snapshot, ...snapshot.included]) {
      for (const finding of check(subjects, settings)) {
        const place = `${view.path(uri)} ${finding.span.start} ${finding.code} ${finding.message}`;
        if (found.has(place)) continue;
        const plain = report(finding, subjects, view);
        // Two lines that ask for the same thing are two findings.
        const nth = (seen.get(plain.fingerprint) ?? 0) + 1;
        seen.set(plain.fingerprint, nth);
        found.set(place, nth === 1 ? plain : { ...plain, fingerprint: `${plain.fingerprint}:${nth}` });
      }
    }
  }
  return [...found.values()].sort(
    (a, b) =>
      byText(a.path, b.path) ||
      a.region.startLine - b.region.startLine ||
      a.region.startColumn - b.region.startColumn ||
      byText(a.code, b.code) ||
      byText(a.message, b.message),
  );
}

/** How much was looked at; a file that several include counts once. */
export function sizeOf(snapshots: readonly Snapshot[]): { readonly manifests: number; readonly dependencies: number } {
  const counts = new Map<string, number>();
  for (const snapshot of snapshots) {
    for (const { uri, subjects } of [snapshot, ...snapshot.included]) counts.set(uri, subjects.length);
  }
  return { manifests: counts.size, dependencies: [...counts.values()].reduce((sum, it) => sum + it, 0) };
}

/** How addresses and offsets of a snapshot are told to people. */
interface View {
  path(uri: string): string;
  region(uri: string, span: Span): Region;
}

function viewOf({ texts }: Snapshot, directory: string): View {
  const known = new Map<string, Positions>();
  return {
    path: (uri) => relativePath(uri, directory),
    region(uri, span) {
      const positions = known.get(uri) ?? positionsIn(texts.get(uri) ?? '');
      known.set(uri, positions);
      const [start, end] = [positions.at(span.start), positions.at(span.end)];
      return {
        startLine: start.line + 1,
        startColumn: start.character + 1,
        endLine: end.line + 1,
        endColumn: end.character + 1,
      };
    },
  };
}

/** `packages/app/package.json`, with `/` everywhere. */
export function relativePath(uri: string, directory: string): string {
  return relative(directory, fileURLToPath(uri)).split(sep).join('/');
}

function report({ code, severity, message, uri, span, subject }: SubjectFinding, all: readonly Subject[], view: View) {
  const { resolution, linked } = subject;
  const { system, name } = linked.key;
  const version = resolution.kind === 'version' ? resolution.version : undefined;
  const advisories = code === 'advisory' ? subject.advisories.map(reportAdvisory).sort(worstFirst) : [];
  const path = view.path(uri);
  const about = [code, path, system, name, version ?? '', ...advisories.map((it) => it.id).sort()];
  const finding: PlainFinding = {
    code,
    severity,
    message,
    path,
    region: view.region(uri, span),
    system,
    name,
    ...(version !== undefined && { version }),
    advisories,
    fixes: code === 'not-found' ? [] : fixesFor(subject, all).map((it) => reportFix(it, view)),
    fingerprint: createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 32),
  };
  return finding;
}

function reportFix({ version, why, flaw, move }: ReturnType<typeof fixesFor>[number], view: View): ReportedFix {
  return {
    version,
    why,
    ...(flaw !== undefined && { flaw }),
    ...(!move.ok && { refused: move.reason }),
    edits: move.ok
      ? move.edits.map(({ uri, span, newText }) => ({ path: view.path(uri), region: view.region(uri, span), newText }))
      : [],
  };
}

function reportAdvisory({ id, aliases, facts }: Advisory): ReportedAdvisory {
  const { title = '', url = '', score } = facts.state === 'ready' ? facts.value : {};
  return { id, aliases, title, url, rating: rating(score), ...(score !== undefined && { score }) };
}

function worstFirst(a: ReportedAdvisory, b: ReportedAdvisory): number {
  return (b.score ?? 0) - (a.score ?? 0) || byText(a.id, b.id);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
