import * as l10n from '@vscode/l10n';
import type { ServiceMethod } from './service-method.ts';

/** `reads, 1 quota unit` */
export function costText({ effect, units }: ServiceMethod): string {
  const cost = unitsText(units);
  switch (effect) {
    case 'read':
      return l10n.t('reads, {0}', cost);
    case 'write':
      return l10n.t('changes something, {0}', cost);
    case 'destroy':
      return l10n.t('removes something, {0}', cost);
  }
}

export function unitsText(units: number): string {
  return units === 1 ? l10n.t('1 quota unit') : l10n.t('{0} quota units', units);
}
