import * as l10n from '@vscode/l10n';
import type { CodeLens, CodeLensParams } from 'vscode-languageserver';
import { updatableIn } from '../../engine/analysis/snapshot.ts';
import { planUpdates } from '../../engine/analysis/update-plan.ts';
import { verdictOf } from '../../engine/analysis/verdict.ts';
import { updateAllCommand } from '../command-names.ts';
import { lensesOfService } from '../service-documents/answers.ts';
import { scheduleAllCommand } from './commands.ts';
import type { Feature } from './feature.ts';

/** Above the first dependency, if the setting is on: updates every deprecated or affected dependency, or plans updates. */
export const codeLens: Feature<CodeLensParams, CodeLens[]> = {
  method: 'textDocument/codeLens',
  patience: 0,
  uri: (it) => it.textDocument.uri,
  emptyAnswer: () => [],
  ofService: lensesOfService,
  movable: ({ dependencies }, _, { settings }) =>
    settings.codeLens ? dependencies.filter((it) => verdictOf(it).needsMove) : [],
  answer({ uri, ...snapshot }, _, { settings, positions, facts, dependents, plans, client }) {
    const dependencies = updatableIn(snapshot);
    const [first] = dependencies;
    const { length } = settings.codeLens && first ? planUpdates(dependencies, 'safe', facts, dependents).changes : [];
    if (first === undefined || length === 0) return [];
    const at = positions(uri).at(first.linked.dependency.nameSpan.start);
    const title =
      length === 1
        ? l10n.t('Update 1 affected dependency (safe)')
        : l10n.t('Update {0} affected dependencies (safe)', length);
    const command = { title, command: updateAllCommand, arguments: [uri] };
    const range = { start: at, end: at };
    const schedule = { title: l10n.t('Schedule all updates…'), command: scheduleAllCommand };
    return [{ range, command }, ...(plans && client.commandLinks ? [{ range, command: schedule }] : [])];
  },
};
