import type { CancellationToken, Hover, HoverParams } from 'vscode-languageserver';
import { examineMention } from '../asking/mention.ts';
import { traitsOf } from '../features/feature.ts';
import { hover } from '../features/hover.ts';
import { toMarkup } from '../features/prose.ts';
import { describePurl } from '../features/purl-text.ts';
import type { Purl } from '../model/purl.ts';
import { closedBy } from '../model/settings.ts';
import { isPending, type Subject } from '../model/subject.ts';
import { positionsIn } from '../text/positions.ts';
import { purlAt } from '../text/purls.ts';
import { signalOf } from './cancellation.ts';
import type { Session } from './session.ts';

type Answer = (params: HoverParams, token: CancellationToken) => Promise<Hover | null>;

/** Answers over a purl in any text, too, where a manifest has nothing to say and the setting asks for it. */
export function withPurls(answer: Answer, session: Session): Answer {
  return async (params, token) => {
    const found = await answer(params, token);
    if (found || !session.settings.purlHovers) return found;
    return overPurl(params, token, session).catch((it: unknown) => {
      session.log('a purl', it);
      return null;
    });
  };
}

async function overPurl(
  { textDocument: { uri }, position }: HoverParams,
  token: CancellationToken,
  session: Session,
): Promise<Hover | null> {
  const text = session.workspace.textOf(uri);
  if (text === undefined) return null;
  const positions = positionsIn(text, session.encoding);
  const found = purlAt(text, positions.offset(position));
  if (!found) return null;
  const subject = await learn(found.purl, uri, token, session);
  const prose = describePurl(found.purl, subject, session.clock.now(), closedBy(session.settings)?.reason);
  return {
    contents: toMarkup(prose, traitsOf(session.client).markdownHover),
    range: positions.range(found.span),
  };
}

/**
 * What becomes known of a package in the time that a hover may take. What does not is asked for further, until the next
 * purl: it may be the same one again.
 */
async function learn(
  purl: Purl,
  uri: string,
  token: CancellationToken,
  { workspace, insights, settings, clock }: Session,
): Promise<Subject> {
  const until = clock.now() + hover.patience;
  const signal = signalOf(token);
  const route = await workspace.routing(uri, purl.key.system);
  for (;;) {
    const { subject, wanted } = examineMention(purl, route, insights, settings.publicRegistries);
    insights.want(owner, wanted);
    const left = until - clock.now();
    if (!isPending(subject) || left <= 0 || signal.aborted) return subject;
    await insights.settled(owner, left, signal);
  }
}

const owner = 'purl';
