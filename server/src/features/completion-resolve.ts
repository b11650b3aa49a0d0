import type { CompletionItem, MarkupContent } from 'vscode-languageserver';
import { groupAdvisories } from '../engine/subjects.ts';
import type { VersionFacts } from '../model/facts.ts';
import type { Offered } from './completion.ts';
import type { Context, Feature } from './feature.ts';
import { describeVersion } from './hover-text.ts';
import { toMarkdown, toPlainText } from './prose.ts';

/** An item with the document and version it is about, as `completion` sent it. */
type Item = CompletionItem & { readonly data: Offered };

/** What is known of the one version that a person looks at in the list: licence, deprecation, advisories. */
export const completionResolve: Feature<Item, CompletionItem> = {
  method: 'completionItem/resolve',
  patience: 800,
  // `completion` announces it.
  capability: (client) => (client.textDocument?.completion ? {} : undefined),
  uri: (it) => it.data.uri,
  nothing: (item) => item,
  wants(_, { data }, { facts }) {
    const known = facts.version(data.key);
    const advisories = known.state === 'ready' ? known.value.advisories : [];
    return [{ kind: 'version', key: data.key }, ...advisories.map((id) => ({ kind: 'advisory', id }) as const)];
  },
  answer(_, item, context) {
    const known = context.facts.version(item.data.key);
    return known.state === 'ready' ? { ...item, documentation: documented(known.value, context) } : item;
  },
};

function documented(version: VersionFacts, { client, facts }: Context): MarkupContent {
  const prose = describeVersion(version, groupAdvisories(version.advisories, facts));
  return client.markdownItems
    ? { kind: 'markdown', value: toMarkdown(prose) }
    : { kind: 'plaintext', value: toPlainText(prose) };
}
