import * as l10n from '@vscode/l10n';
import { factsOf } from '../../model/evaluated-dependency.ts';
import type { AffectedBelow } from '../../model/graph/below.ts';
import type { AdvisoryId } from '../../model/keys.ts';
import { isMalware, isSuspicion, suspicions, suspicionText } from '../../model/severity-rating.ts';
import { pathText, releaseText } from '../below/texts.ts';
import type { Rule } from './rule.ts';

/** Lines below one message. The hover lists as many. */
const MAX_LISTED = 10;

/** The resolved version is malware, or the dependency brings some along, by its lockfile. */
export const malicious: Rule = {
  code: 'malicious',
  find(evaluated, { recommended }) {
    const { resolution, advisories, below, linked } = evaluated;
    const own = resolution.kind === 'version' ? advisories.filter(isMalware) : [];
    const brought = below?.affected.filter((it) => it.advisories.some(isMalware)) ?? [];
    const [first, ...others] = brought;
    if (own.length === 0 && first === undefined) return undefined;
    // What is suspected is certain no more once a record says it, of this version or of another.
    const isSuspected = [...own, ...brought.flatMap((it) => it.advisories.filter(isMalware))].every(
      (it) => it.id === suspicions.quarantined,
    );
    const isDirect = own.length > 0 || first === undefined;
    const fact = isDirect ? ownText(isSuspected) : broughtText(first, others.length + 1, isSuspected);
    const reason = own.some((it) => it.id === suspicions.quarantined)
      ? factsOf(evaluated)?.projectStatus?.reason
      : undefined;
    const wayOut =
      own.length === 0 || recommended === undefined
        ? ''
        : recommended.isDowngrade
          ? l10n.t('Go back to {0}.', recommended.version)
          : l10n.t('Update to {0}.', recommended.version);
    const paths = below?.pathsTo(brought.slice(0, MAX_LISTED)) ?? [];
    return {
      severity: 'error',
      message: [fact, wayOut, whatToDo(isSuspected), ...(reason ? [l10n.t('Reason: {0}', reason)] : [])]
        .filter((it) => it !== '')
        .join(' '),
      details: [
        ...own.map(({ id, facts }) =>
          facts.state === 'ready' && facts.value.title && !isSuspicion(id)
            ? `${id}: ${facts.value.title}`
            : wordsOf(id),
        ),
        ...paths.map((it, at) => {
          const found = brought[at]?.advisories.find(isMalware);
          return `${wordsOf(found?.id ?? '')}: ${below ? pathText(below.graph, it, linked.dependency.name) : ''}`;
        }),
      ].slice(0, MAX_LISTED),
    };
  },
};

function ownText(isSuspected: boolean): string {
  return isSuspected ? l10n.t('Malware suspected: PyPI has quarantined the project.') : l10n.t('Malicious version.');
}

function broughtText({ key }: AffectedBelow, count: number, isSuspected: boolean): string {
  const release = releaseText(key);
  if (isSuspected && count === 1) return l10n.t('Brings {0}, which PyPI has quarantined: malware suspected.', release);
  if (count === 1) return l10n.t('Brings {0}, which is malicious.', release);
  return isSuspected
    ? l10n.t('Brings {0} packages that PyPI has quarantined, {1} among them: malware suspected.', count, release)
    : l10n.t('Brings {0} malicious packages, {1} among them.', count, release);
}

function wordsOf(id: AdvisoryId): string {
  return isSuspicion(id) ? suspicionText(id) : id;
}

function whatToDo(isSuspected: boolean): string {
  if (isSuspected) {
    return l10n.t(
      'Do not install it. Until this is settled, treat every machine that installed it as compromised: rotate all credentials that it could reach.',
    );
  }
  return l10n.t('Treat every machine that installed it as compromised: rotate all credentials that it could reach.');
}
