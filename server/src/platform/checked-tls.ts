import * as l10n from '@vscode/l10n';

/**
 * Enforces certificate checks even if the environment disables them, and logs this once. Connections to the service
 * check certificates anyway; removing the variable avoids Node's warning that they do not.
 */
export function enforceCertificateChecks(environment: NodeJS.ProcessEnv, tell: (line: string) => void): void {
  const name = 'NODE_TLS_REJECT_UNAUTHORIZED';
  if (environment[name] !== '0') return;
  delete environment[name];
  tell(
    l10n.t(
      "{0} is ignored: certificates are always verified. To trust a certificate authority of your company, set {1} to its PEM file, or use the system's authorities with {2}.",
      `${name}=0`,
      'NODE_EXTRA_CA_CERTS',
      'NODE_OPTIONS=--use-system-ca',
    ),
  );
}
