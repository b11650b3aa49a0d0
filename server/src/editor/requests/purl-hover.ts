import type { CancellationToken, Hover, HoverParams } from 'vscode-languageserver';
import { settle } from '../../engine/analysis/settle.ts';
import { positionsIn } from '../../engine/formats/text/positions.ts';
import { purlAt } from '../../engine/formats/text/purls.ts';
import { evaluatePurl } from '../../engine/lookup/package-lookup.ts';
import { type EvaluatedDependency, isPending } from '../../engine/model/evaluated-dependency.ts';
import type { Purl } from '../../engine/model/purl.ts';
import { settingThatStopsLookups } from '../../engine/model/settings.ts';
import { awaitChecks, signalOf } from '../dispatch.ts';
import type { OwnRequest } from '../extension.ts';
import { describePurl } from '../features/hover/purl.ts';
import { hover } from '../features/hover.ts';
import { addressesIn, type Markup, toMarkdown, toMarkup } from '../features/markup.ts';
import { fieldsIn, textIn } from '../params.ts';
import type { ServerState } from '../state/server-state.ts';

/** A part of one line of any text. */
export interface PurlAtParams {
  readonly textDocument: { readonly uri: string };
  readonly text: string;
  /** Position in the text, in UTF-16 units. */
  readonly character: number;
}

/** The facts of the purl at the position as escaped markdown, and its range in the text. */
export interface PurlAtAnswer {
  readonly markdown: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Describes a purl in a text that is not synchronized. Otherwise the editor would have to open or close every text on
 * the server when the setting changes.
 */
export const purlAtRequest: OwnRequest<PurlAtParams, PurlAtAnswer | null> = {
  method: 'packageInsights/purlAt',
  read(params) {
    const [uri, text] = [textIn(fieldsIn(params)['textDocument'], 'uri'), textIn(params, 'text')];
    const { character } = fieldsIn(params);
    return uri !== undefined && text !== undefined && typeof character === 'number' && Number.isInteger(character)
      ? { textDocument: { uri }, text, character }
      : undefined;
  },
  async answer({ textDocument: { uri }, text, character }, server, token) {
    const found = purlAt(text, character);
    if (!found) return null;
    server.folders.allowReadingBeside(uri);
    const prose = await describe(found.purl, uri, token, server);
    return { markdown: toMarkdown(prose, server.engine.links), ...found.span };
  },
};

type Answer = (params: HoverParams, token: CancellationToken) => Promise<Hover | null>;

/** Adds hovers over purls in any text, if the setting is on and the manifest has no hover. */
export function withPurls(answer: Answer, server: ServerState): Answer {
  return async (params, token) => {
    const found = await answer(params, token);
    if (found || !server.settings.current.purlHovers) return found;
    return hoverOverPurl(params, token, server).catch((it: unknown) => {
      server.client.log('a purl', it);
      return null;
    });
  };
}

async function hoverOverPurl(
  { textDocument: { uri }, position }: HoverParams,
  token: CancellationToken,
  server: ServerState,
): Promise<Hover | null> {
  const text = server.engine.workspace.textOf(uri);
  if (text === undefined) return null;
  const positions = positionsIn(text, server.client.encoding);
  const found = purlAt(text, positions.offset(position));
  if (!found) return null;
  const prose = await describe(found.purl, uri, token, server);
  return {
    contents: toMarkup(prose, server.client.traits, server.engine.links),
    range: positions.range(found.span),
  };
}

async function describe(purl: Purl, uri: string, token: CancellationToken, server: ServerState): Promise<Markup> {
  const evaluated = await awaitPurlFacts(purl, uri, token, server);
  const closed = settingThatStopsLookups(server.settings.current)?.reason;
  const prose = describePurl(purl, evaluated, server.engine.clock.now(), closed);
  if (server.engine.links) await awaitChecks(addressesIn(prose), server.engine.links, hover.patience, server.engine);
  return prose;
}

/**
 * Evaluates a purl within the patience of a hover. Late facts stay requested until the next purl: it may be the same
 * one again.
 */
async function awaitPurlFacts(
  purl: Purl,
  uri: string,
  token: CancellationToken,
  { settings, engine: { workspace, insights, clock } }: ServerState,
): Promise<EvaluatedDependency> {
  const until = clock.now() + hover.patience;
  const signal = signalOf(token);
  const route = await workspace.loadRouting(uri, purl.key.system);
  return settle(
    async () => {
      const { publicRegistries } = settings.current;
      const { evaluated, wanted } = await evaluatePurl(purl, route, insights, publicRegistries, workspace.builtIn);
      insights.request(OWNER, wanted);
      return evaluated;
    },
    (it) => (isPending(it) && !signal.aborted ? until - clock.now() : 0),
    (ms) => insights.whenSettled(OWNER, ms, signal),
  );
}

const OWNER = 'purl';
