import * as l10n from '@vscode/l10n';
import type { AffectedBelow } from '../../model/graph/below.ts';
import type { Span } from '../../model/span.ts';
import { pathText, releaseText } from './texts.ts';
import type { WayIn } from './way-in.ts';
import type { WayOut } from './ways-out.ts';

/** What a way does, for a list: `Override qs with 6.11.1`. */
export function wayTitle(way: WayOut, { key }: AffectedBelow, direct: string): string {
  switch (way.kind) {
    case 'lock':
      return l10n.t('Lock {0} {1} anew', key.name, way.wanted);
    case 'direct':
      return l10n.t('Update {0} to {1} because of {2}', direct, way.version, key.name);
    case 'override':
      return l10n.t('Override {0} with {1}', key.name, way.wanted);
  }
}

/** What it changes, and what is to be done; a sentence. */
export function wayText(way: WayOut, affected: AffectedBelow, direct: string, lockfile: string): string {
  const { name } = affected.key;
  switch (way.kind) {
    case 'lock':
      return way.isAllowed
        ? l10n.t(
            'Run “{0}” beside {1}: all packages that require {2} allow {3}.',
            way.command,
            lockfile,
            name,
            way.wanted,
          )
        : l10n.t(
            'Run “{0}” beside {1}, in case the packages that require {2} allow {3}: the lockfile does not record that.',
            way.command,
            lockfile,
            name,
            way.wanted,
          );
    case 'direct':
      return l10n.t(
        'Update {0} to {1}, whose requirements lead out of {2}.',
        direct,
        way.version,
        releaseText(affected.key),
      );
    case 'override':
      return l10n.t(
        'Override {0} with {1}, against what packages require, and install anew.',
        releaseText(affected.key),
        way.wanted,
      );
  }
}

/** Where a package of a lockfile is required, for a text. */
export interface WayInWords {
  /** The manifest. */
  readonly file: string;
  /** From 0; absent where its line is not known. */
  readonly line?: number;
  /** `express → body-parser → qs 6.11.0` */
  readonly path: string;
}

export function wordsOfWayIn(
  { graph, path, name, uri, dependency }: WayIn,
  fileOf: (uri: string) => string,
  lineOf: (uri: string, span: Span) => number,
): WayInWords {
  const line = dependency && lineOf(uri, dependency.nameSpan);
  const words = pathText(graph, path, path.length > 1 ? name : '').replace(/^ → /, '');
  return { file: fileOf(uri), path: words, ...(line !== undefined && { line }) };
}

/** `Required in package.json, line 3: express → body-parser → qs 6.11.0` */
export function wayInSentence({ file, line, path }: WayInWords): string {
  return line === undefined
    ? l10n.t('Required in {0}: {1}', file, path)
    : l10n.t('Required in {0}, line {1}: {2}', file, line + 1, path);
}
