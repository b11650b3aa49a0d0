import * as l10n from '@vscode/l10n';
import type { CodeLens, CodeLensParams } from 'vscode-languageserver';
import { updatableIn } from '../../engine/analysis/snapshot.ts';
import { planUpdates } from '../../engine/analysis/update-plan.ts';
import { verdictOf } from '../../engine/analysis/verdict.ts';
import { updateAllCommand } from '../command-names.ts';
import { added, type Feature } from './feature.ts';

/** Above the first dependency, if the setting is on: updates every deprecated or affected dependency. */
export const codeLens: Feature<CodeLensParams, CodeLens[]> = {
  method: 'textDocument/codeLens',
  patience: 0,
  uri: (it) => it.textDocument.uri,
  emptyAnswer: () => [],
  movable: ({ dependencies }, _, { settings }) =>
    settings.codeLens ? dependencies.filter((it) => verdictOf(it).needsMove) : [],
  answer(snapshot, _, context) {
    const { settings, positions, facts, dependents } = context;
    const { uri } = snapshot;
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
    return [command, ...added('lenses', snapshot, context)].map((it) => ({ range, command: it }));
  },
};
