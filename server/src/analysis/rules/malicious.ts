import * as l10n from '@vscode/l10n';
import { isMalware } from '../../model/severity-rating.ts';
import { pathText, releaseText } from '../below/texts.ts';
import type { Rule } from './rule.ts';

/** Lines below one message. The hover lists as many. */
const MAX_LISTED = 10;

/** The resolved version is malware, or the dependency brings some along, by its lockfile. */
export const malicious: Rule = {
  code: 'malicious',
  find({ resolution, advisories, below, linked }, { recommended }) {
    const own = resolution.kind === 'version' ? advisories.filter(isMalware) : [];
    const brought = below?.affected.filter((it) => it.advisories.some(isMalware)) ?? [];
    const [first, ...others] = brought;
    if (own.length === 0 && first === undefined) return undefined;
    const fact =
      own.length > 0 || first === undefined
        ? l10n.t('Malicious version.')
        : others.length === 0
          ? l10n.t('Brings {0}, which is malicious.', releaseText(first.key))
          : l10n.t('Brings {0} malicious packages, {1} among them.', brought.length, releaseText(first.key));
    const wayOut =
      own.length === 0 || recommended === undefined
        ? ''
        : recommended.isDowngrade
          ? l10n.t('Go back to {0}.', recommended.version)
          : l10n.t('Update to {0}.', recommended.version);
    const paths = below?.pathsTo(brought.slice(0, MAX_LISTED)) ?? [];
    return {
      severity: 'error',
      message: [fact, whatToDo(), wayOut].filter((it) => it !== '').join(' '),
      details: [
        ...own.map(({ id, facts }) =>
          facts.state === 'ready' && facts.value.title ? `${id}: ${facts.value.title}` : id,
        ),
        ...paths.map((it, at) => {
          const found = brought[at]?.advisories.find(isMalware);
          return `${found?.id ?? ''}: ${below ? pathText(below.graph, it, linked.dependency.name) : ''}`;
        }),
      ].slice(0, MAX_LISTED),
    };
  },
};

function whatToDo(): string {
  return l10n.t('Treat every machine that installed it as compromised: rotate all credentials that it could reach.');
}
