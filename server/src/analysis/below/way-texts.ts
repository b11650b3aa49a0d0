import * as l10n from '@vscode/l10n';
import type { AffectedBelow } from '../../model/graph/below.ts';
import { releaseText } from './texts.ts';
import type { WayOut } from './ways.ts';

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
