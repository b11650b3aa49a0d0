import * as l10n from '@vscode/l10n';
import {
  type CancellationToken,
  LSPErrorCodes,
  ResponseError,
  type TextDocumentContentParams,
  type TextDocumentContentResult,
} from 'vscode-languageserver';
import type { FoundDefinition } from '../../engine/analysis/link/definitions.ts';
import type { Location } from '../../engine/analysis/navigation/navigated.ts';
import { definitionInText, pomText } from '../../engine/analysis/navigation/pom-text.ts';
import { oneLine } from '../../engine/base/text.ts';
import type { VersionKey } from '../../engine/model/keys.ts';
import { uncheckedAmong } from '../../engine/model/links.ts';
import { isSystem } from '../../engine/model/system.ts';
import { markdown } from '../../engine/report/formats/markdown.ts';
import { contentScheme } from '../features/offers.ts';
import { scanFolders } from '../requests/report.ts';
import { upgradeRequest } from '../requests/requirements.ts';
import type { Engine } from '../state/engine.ts';
import type { ServerState } from '../state/server-state.ts';
import { changesText } from './changes-text.ts';

/*
 * Texts that are no files, for every editor that asks for them (LSP 3.18):
 *
 *     package-insights-text:/pom/org.acme:bom/1.0/bom-1.0.pom          a published POM, as far as the service reports it
 *     package-insights-text:/changes/NPM/lodash/4.17.15/4.17.21.md     what an update changes
 *     package-insights-text:/report.md                                 the report of the workspace
 */
export const contentMethod = 'workspace/textDocumentContent';

/** Answers with a text, or with an error that gives the reason. */
export function answerContent(server: ServerState) {
  return async (
    { uri }: TextDocumentContentParams,
    token: CancellationToken,
  ): Promise<TextDocumentContentResult | ResponseError> => {
    try {
      await server.settings.known;
      const text = await contentOf(uri, server, token);
      return text === undefined ? refused(l10n.t('There is no such document.')) : { text };
    } catch (error) {
      server.client.log(contentMethod, error);
      return refused(l10n.t('There is no such document.'));
    }
  };
}

async function contentOf(uri: string, server: ServerState, token: CancellationToken): Promise<string | undefined> {
  const [kind, ...parts] = partsOf(uri);
  if (kind === 'report.md') return reportText(server, token);
  const [first = '', second = '', third = '', last = ''] = parts;
  if (kind === 'pom') return knownPom({ system: 'MAVEN', name: first, version: second }, server.engine);
  if (kind !== 'changes' || !isSystem(first) || !last.endsWith('.md')) return undefined;
  const key = { system: first, name: second, version: third };
  const answer = await upgradeRequest.answer({ ...key, to: last.slice(0, -'.md'.length) }, server, token);
  const { links } = server.engine;
  const urls = answer.kind === 'found' ? answer.notes.flatMap((it) => it.url ?? []) : [];
  if (links && urls.length > 0) await links.request(uncheckedAmong(urls, links), 'asked');
  return changesText(key, answer, links);
}

/** The address of a published POM, and the place of a definition in it; undefined where it is not known. */
export function locationInPom({ published, definition }: FoundDefinition, engine: Engine): Location | undefined {
  const text = published && knownPom(published.key, engine);
  const found = text === undefined ? undefined : definitionInText(text, definition.id);
  if (published === undefined || found === undefined) return undefined;
  const { name, version } = published.key;
  const file = `${name.slice(name.indexOf(':') + 1)}-${version}.pom`;
  return { uri: contentUri('pom', name, version, file), span: found.span };
}

/** The text of such an address, if it is known already. */
export function knownText(uri: string, engine: Engine): string | undefined {
  const [kind, name = '', version = ''] = partsOf(uri);
  return kind === 'pom' ? knownPom({ system: 'MAVEN', name, version }, engine) : undefined;
}

/** Only what was looked up for a manifest: an address that a person follows sends no name. */
function knownPom(key: VersionKey, { insights }: Engine): string | undefined {
  const insight = insights.requirements(key);
  const declared = insight.state === 'ready' ? insight.value : insights.lookups.knownRequirements(key);
  return declared?.system === 'MAVEN' ? pomText(key, declared) : undefined;
}

async function reportText(server: ServerState, token: CancellationToken): Promise<string | undefined> {
  const scanned = await scanFolders(server, undefined, token);
  const tool = { name: 'Package Insights', version: server.engine.version };
  const noPage = () => ({ script: '', style: '' });
  return scanned ? markdown.write(scanned.report, { color: false, tool, page: noPage }) : undefined;
}

export function contentUri(...parts: readonly string[]): string {
  return `${contentScheme}:/${parts.map((it) => encodeURIComponent(it)).join('/')}`;
}

/** Empty for other addresses, and for those that are invalid. */
function partsOf(uri: string): readonly string[] {
  const path = /^package-insights-text:\/+(.*)$/.exec(uri)?.[1];
  try {
    return path === undefined ? [] : path.split('/').map(decodeURIComponent);
  } catch {
    return [];
  }
}

function refused(reason: string): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, oneLine(reason));
}
