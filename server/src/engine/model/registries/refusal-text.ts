import * as l10n from '@vscode/l10n';
import type { AskedRegistry, Refusal } from './access.ts';

/** Why a registry is not asked, as a clause that follows "Not looked up:". */
export function refusalText({ rule, from, detail = '', add }: Refusal): string {
  switch (rule) {
    case 'variable-in-workspace':
      return add === undefined
        ? l10n.t('{0} is a file of the workspace and names the environment variable {1}', from, detail)
        : l10n.t(
            '{0} is a file of the workspace and names the environment variable {1}; put the credential into {2}: {3}',
            from,
            detail,
            add.file,
            add.setting,
          );
    case 'inner-address':
      return l10n.t(
        '{0} is a file of the workspace or a registry and leads to {1}, an address of this machine or its network',
        from,
        detail,
      );
    case 'untrusted':
      return l10n.t('only {0} names its registry, and the workspace is not trusted', from);
    case 'only-on-path':
      return l10n.t('only PATH leads to {0}, so no registry is asked because of it', from);
    case 'plain-http':
      return l10n.t('the credential in {0} would be sent to {1} without encryption', from, detail);
    case 'credential-of-another':
      if (add) {
        return l10n.t(
          'the credential in {0} is for the name {1}, to which only the workspace gives this address; if the address is right, add it to {2}: {3}',
          from,
          detail,
          add.file,
          add.setting,
        );
      }
      return l10n.t(
        '{0} is a file of the workspace and has a credential for {1}, which it does not name as a registry',
        from,
        detail,
      );
    case 'unreadable-credential':
      return detail === ''
        ? l10n.t('the credential in {0} cannot be read', from)
        : l10n.t('the credential in {0} cannot be read: {1}', from, detail);
    case 'offline':
      return l10n.t('{0} makes its client work offline', from);
    case 'unusable-address':
      return l10n.t('the address of the registry in {0} cannot be used', from);
  }
}

/** `npm.acme.example:8443` */
export function hostOfRegistry({ address }: Pick<AskedRegistry, 'address'>): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

/** `npm.acme.example (.npmrc)`, or several in the order of their client. */
export function registriesText(registries: readonly AskedRegistry[]): string {
  return registries.map((it) => l10n.t('{0} ({1})', hostOfRegistry(it), it.from)).join(', ');
}
