import * as l10n from '@vscode/l10n';
import { dayOf } from '../../engine/base/dates.ts';
import type { TypeInsight } from '../model/deployments/types.ts';
import type { DeploymentManifest } from './manifest.ts';
import { type ManifestWorld, sourceOf } from './world.ts';

/** A text behind the type of a resource. */
export interface TypeHint {
  /** The end of the type, its closing quote included. */
  readonly offset: number;
  readonly text: string;
}

export function hintsIn(text: string, manifest: DeploymentManifest, world: ManifestWorld): TypeHint[] {
  if (!manifest.isCertain) return [];
  return manifest.resources.flatMap(({ type }): TypeHint[] => {
    if (!type || type.text === '') return [];
    const source = sourceOf(type.text, manifest, world);
    const shown = source.kind === 'service' ? stateText(source.insight) : undefined;
    const { end } = type.span;
    const isQuoted = type.style !== 'plain' && text[end] === text[type.span.start - 1];
    return shown === undefined ? [] : [{ offset: isQuoted ? end + 1 : end, text: shown }];
  });
}

/** The state of a type in a few words; undefined while it is requested. */
export function stateText(insight: TypeInsight): string | undefined {
  switch (insight.kind) {
    case 'pending':
      return undefined;
    case 'unchecked':
      return l10n.t('not checked');
    case 'unknown':
      return l10n.t('⚠ unknown type');
    case 'known': {
      const { facts, staleSince } = insight;
      const shown = stateWord(facts.state);
      return staleSince === undefined ? shown : l10n.t('{0} (as of {1})', shown, dayOf(staleSince));
    }
  }
}

function stateWord(state: (TypeInsight & { readonly kind: 'known' })['facts']['state']): string {
  switch (state) {
    case 'supported':
      return l10n.t('✓ supported');
    case 'experimental':
      return l10n.t('experimental');
    case 'deprecated':
      return l10n.t('⚠ deprecated');
    case undefined:
      return l10n.t('✓ known');
  }
}
