import type { CancellationToken, ClientCapabilities, Location } from 'vscode-languageserver';
import type { FoundDefinition } from '../../engine/analysis/link/definitions.ts';
import type { Location as FoundLocation, Navigated } from '../../engine/analysis/navigation/navigated.ts';
import { directoryOf } from '../../engine/base/uri.ts';
import { type Positions, positionsIn } from '../../engine/formats/text/positions.ts';
import { knownText, locationInPom } from '../contents/contents.ts';
import { type NavigationMethod, takesContents } from '../features/offers.ts';
import type { ServerState } from '../state/server-state.ts';

/** A request about how the files of a project refer to each other: a row of the table in index.ts. */
export interface NavigationFeature<Params = unknown, Answer = unknown> {
  /** The request of the Language Server Protocol, a row of offers.ts. */
  readonly method: NavigationMethod;
  /** The document of the request. */
  readonly uri: (params: Params) => string;
  readonly answer: (document: Navigated, params: Params, context: NavigationContext) => Answer | Promise<Answer>;
  /** The answer for documents that are no manifests, and after an error. */
  readonly emptyAnswer: Answer;
}

export interface NavigationContext {
  readonly client: ClientCapabilities;
  /** Positions in the document itself. */
  readonly positions: Positions;
  /** Positions in another file of the project. */
  readonly positionsOf: (uri: string) => Promise<Positions>;
  /** The version of a document that is open in the client; null for one that is not. */
  readonly versionOf: (uri: string) => number | null;
}

/** Handles the request of a feature. It waits for files, and never for facts. */
export function navigate<Params, Answer>(feature: NavigationFeature<Params, Answer>, server: ServerState) {
  return async (params: Params, token: CancellationToken): Promise<Answer> => {
    const { workspace } = server.engine;
    const uri = feature.uri(params);
    try {
      await server.settings.known;
      const document = await workspace.navigated(uri, server.folders.of(uri) ?? directoryOf(uri));
      if (document === undefined || token.isCancellationRequested) return feature.emptyAnswer;
      const locate = (found: FoundDefinition) => locationInPom(found, server.engine);
      const located = takesContents(server.client.capabilities) ? { ...document, locate } : document;
      return await feature.answer(located, params, contextOf(document, server));
    } catch (error) {
      server.client.log(feature.method, error);
      return feature.emptyAnswer;
    }
  };
}

/** Places as the client takes them. Of many files each is read once. */
export async function toLocations(
  found: readonly FoundLocation[],
  { positionsOf }: NavigationContext,
): Promise<Location[]> {
  return Promise.all(found.map(async ({ uri, span }) => ({ uri, range: (await positionsOf(uri)).range(span) })));
}

/** The line offsets of each text, which stay the same until a file changes. */
const known = new WeakMap<ReadonlyMap<string, string>, Map<string, Positions>>();

function contextOf(navigated: Navigated, { client, engine }: ServerState): NavigationContext {
  const { context, chains, files } = navigated;
  const { texts, document } = context;
  const { encoding } = client;
  const all = known.get(texts) ?? new Map<string, Positions>();
  known.set(texts, all);
  const positions = (uri: string, text: string): Positions => {
    const before = all.get(uri) ?? positionsIn(text, encoding);
    all.set(uri, before);
    return before;
  };
  const others = new Map<string, Promise<Positions>>();
  const readOther = async (uri: string): Promise<Positions> => {
    const text = knownText(uri, engine) ?? (await chains.text(files, uri));
    return positionsIn(typeof text === 'string' ? text : '', encoding);
  };
  return {
    client: client.capabilities,
    positions: positions(document.uri, document.text),
    versionOf: (uri) => client.documents.get(uri)?.version ?? null,
    positionsOf: (uri) => {
      const text = texts.get(uri);
      if (text !== undefined) return Promise.resolve(positions(uri, text));
      const other = others.get(uri) ?? readOther(uri);
      others.set(uri, other);
      return other;
    },
  };
}
