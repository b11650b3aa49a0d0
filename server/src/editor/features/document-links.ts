import * as l10n from '@vscode/l10n';
import type { DocumentLink, DocumentLinkParams } from 'vscode-languageserver';
import { oneLine } from '../../engine/base/text.ts';
import { aliasedName, type EvaluatedDependency, factsOf, isPending } from '../../engine/model/evaluated-dependency.ts';
import type { VersionFacts } from '../../engine/model/facts.ts';
import { addressLabeled, hostOf, linkNote, nothingChecked, shownState } from '../../engine/model/links.ts';
import type { Feature } from './feature.ts';

/** The target of a link: the first of these labels for which the version has an address. */
const labels = ['SOURCE_REPO', 'HOMEPAGE', 'DOCUMENTATION'] as const;

/**
 * Links from package names to their source. Off by default: many editors underline every link, which looks like a
 * problem beside diagnostics, and the hover has the same addresses.
 */
export const documentLinks: Feature<DocumentLinkParams, DocumentLink[]> = {
  method: 'textDocument/documentLink',
  // A client requests links once for a text.
  patience: 10_000,
  awaitedFacts: ({ dependencies }, _, { settings }) =>
    settings.documentLinks && dependencies.some(isPending) ? 'all' : undefined,
  uri: (it) => it.textDocument.uri,
  emptyAnswer: () => [],
  addresses: ({ dependencies }, _, { settings }) =>
    settings.documentLinks ? dependencies.filter(isOfService).flatMap((it) => targetOf(factsOf(it)) ?? []) : [],
  answer(snapshot, _, context) {
    if (!context.settings.documentLinks) return [];
    const positions = context.positions(snapshot.uri);
    return snapshot.dependencies.flatMap((evaluated): DocumentLink[] => {
      const target = targetOf(factsOf(evaluated));
      if (target === undefined) return [];
      // The addresses of a private package are not sent to be checked.
      const state = shownState(target, isOfService(evaluated) || !context.links ? context.links : nothingChecked);
      // There is no other way to show a link here than as one.
      if (state !== undefined && state.kind !== 'checked') return [];
      const { linked } = evaluated;
      const { name, nameSpan } = linked.dependency;
      const range = positions.range(nameSpan);
      const page = l10n.t('Open the page of {0} at {1}', plainName(aliasedName(linked) ?? name), hostOf(target));
      const tooltip = state === undefined ? page : `${page} (${linkNote(state)})`;
      return [{ range, target, ...(context.client.linkTooltips && { tooltip }) }];
    });
  },
};

function isOfService({ linked: { key } }: EvaluatedDependency): boolean {
  return key.registry === undefined;
}

/** A name in a tooltip, which VS Code shows as trusted markdown: brackets in it could be a link to a command. */
function plainName(name: string): string {
  return oneLine(name.replace(/[^\p{L}\p{N}@/:._+-]+/gu, ' '), MAX_NAME_LENGTH);
}

/** In characters. A tooltip has one line. */
const MAX_NAME_LENGTH = 200;

function targetOf(facts: VersionFacts | undefined): string | undefined {
  const { links = [] } = facts ?? {};
  return labels.map((label) => addressLabeled(links, label)).find((it) => it !== undefined);
}
