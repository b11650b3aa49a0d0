import * as l10n from '@vscode/l10n';
import type { DefinitionRef } from '../model/manifest.ts';
import { shared } from '../model/shared.ts';
import type { Asked } from '../model/subject.ts';
import type { Gap } from './definitions.ts';
import type { Lookup } from './link.ts';

/** What is said of a dependency whose reference leads nowhere, or not yet. */
export function unresolved(to: DefinitionRef, { definitions, missing }: Lookup): Asked {
  const gap = definitions.gap(to.id);
  if (gap) return gap.kind === 'pending' ? gap : { kind: 'unresolved', reason: gapText(to.label, gap) };
  const reason =
    missing.length > 0
      ? l10n.t(
          'the files at hand define nothing for it through {0}, and {1} cannot be read from here',
          to.label,
          shared(missing.join(', ')),
        )
      : l10n.t('the files at hand define nothing for it through {0}', to.label);
  return { kind: 'unresolved', reason };
}

function gapText(label: string, gap: Exclude<Gap, { readonly kind: 'pending' }>): string {
  switch (gap.kind) {
    case 'unknown':
      return l10n.t(
        'the files at hand define nothing for it through {0}, and the service does not know {1}',
        label,
        gap.pom,
      );
    case 'withheld':
      return l10n.t(
        'the files at hand define nothing for it through {0}, and {1} is not looked up: {2}',
        label,
        gap.pom,
        gap.reason,
      );
    case 'plugins':
      return l10n.t(
        'the files at hand define nothing for it through {0}, and what {1} says of plugins is not known',
        label,
        gap.pom,
      );
  }
}
