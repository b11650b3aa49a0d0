import * as l10n from '@vscode/l10n';
import type { Registry } from '../model/registry.ts';
import { type Block, paragraph } from './prose.ts';

/** What a person can do who knows that a registry has nothing to hide. */
export function wayOut(registry: Registry | undefined): Block[] {
  if (registry === undefined) return [];
  if (registry.host === undefined) return [paragraph(l10n.t('Its name stays on this machine.'))];
  return [
    paragraph(
      l10n.t(
        'Its name stays on this machine. If {0} holds public packages alone, list it in the setting {1}.',
        registry.host,
        'packageInsights.publicRegistries',
      ),
    ),
  ];
}
