import * as l10n from '@vscode/l10n';
import type { DeploymentAction, DeploymentResult, DeploymentSummary } from '../model/deployments/deployments.ts';

export function actionTitle(action: DeploymentAction): string {
  switch (action) {
    case 'preview':
      return l10n.t('Preview');
    case 'deploy':
      return l10n.t('Deploy');
    case 'cancel-preview':
      return l10n.t('Cancel Preview');
    case 'stop':
      return l10n.t('Stop');
    case 'delete':
      return l10n.t('Delete');
  }
}

/** What became of an action, in a sentence. */
export function describeResult(action: DeploymentAction, result: DeploymentResult): DeploymentSummary {
  const title = actionTitle(action);
  switch (result.kind) {
    case 'aborted':
      return { severity: 'warning', message: l10n.t('{0}: canceled before anything was sent.', title) };
    case 'changed':
      return {
        severity: 'warning',
        message: l10n.t('{0}: the deployment has changed since it was read. Nothing was done.', title),
      };
    case 'running':
      return {
        severity: 'information',
        message: l10n.t('{0}: the operation {1} goes on without being watched.', title, result.operation),
      };
    case 'failed':
      return result.operation === undefined
        ? { severity: 'error', message: l10n.t('{0} failed: {1}.', title, result.reason) }
        : {
            severity: 'error',
            message: l10n.t(
              '{0}: what became of the operation {1} is not known: {2}.',
              title,
              result.operation,
              result.reason,
            ),
          };
    case 'done': {
      const errors = result.problems.filter((it) => it.severity === 'error').length;
      const warnings = result.problems.length - errors;
      if (errors > 0)
        return {
          severity: 'error',
          message: l10n.t('{0} has ended. Errors: {1}, warnings: {2}.', title, errors, warnings),
        };
      if (warnings > 0)
        return { severity: 'warning', message: l10n.t('{0} has ended. Warnings: {1}.', title, warnings) };
      return { severity: 'information', message: l10n.t('{0} is done.', title) };
    }
  }
}
