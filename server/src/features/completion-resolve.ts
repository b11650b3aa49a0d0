import type { CompletionItem } from 'vscode-languageserver';
import { groupAdvisories } from '../engine/subjects.ts';
import type { Offered } from './completion.ts';
import type { Feature } from './feature.ts';
import { describeVersion } from './hover-text.ts';
import { toMarkup } from './prose.ts';

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
  answer(_, item, { client, facts }) {
    const known = facts.version(item.data.key);
    if (known.state !== 'ready') return item;
    const prose = describeVersion(known.value, groupAdvisories(known.value.advisories, facts));
    return { ...item, documentation: toMarkup(prose, client.markdownItems) };
  },
};
