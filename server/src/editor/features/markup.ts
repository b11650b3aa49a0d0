import * as l10n from '@vscode/l10n';
import { oneLine } from '../../engine/base/text.ts';
import { type LinkSafety, linkNote, nothingChecked, shownState, webAddress } from '../../engine/model/links.ts';
import type { ClientTraits } from '../client-traits.ts';

/** Text for people, composed of safe pieces: rendered as markdown or plain text. */
export type Markup = readonly Block[];

export interface Block {
  /** `rule`: a line between two parts. */
  readonly kind: 'paragraph' | 'item' | 'rule';
  readonly parts: readonly Inline[];
}

/** Strings are plain text and are escaped. */
export type Inline =
  | string
  | { readonly strong: string }
  | { readonly code: string }
  /** `isKept`: the address is not sent to be checked. */
  | { readonly link: string; readonly url: string; readonly isKept?: true }
  /** A file of the workspace; its text alone where the client shows no links. */
  | { readonly link: string; readonly place: { readonly uri: string /** From 0. */; readonly line: number } }
  | CommandLink;

/** A link that runs a command of our extension; its text alone for other clients. */
export interface CommandLink {
  readonly link: string;
  readonly command: string;
  readonly args: readonly unknown[];
  /** Shown on hover. */
  readonly title?: string;
}

export function paragraph(...parts: readonly Inline[]): Block {
  return { kind: 'paragraph', parts };
}

export function item(...parts: readonly Inline[]): Block {
  return { kind: 'item', parts };
}

export const rule: Block = { kind: 'rule', parts: [] };

/** Pieces with a separator between them. */
export function joined(pieces: readonly (readonly Inline[])[], separator: string): Inline[] {
  return pieces.flatMap((it, at) => (at === 0 ? it : [separator, ...it]));
}

/**
 * A translated message with pieces in the place of its placeholders, wherever the language has put them.
 *
 *     phrase(l10n.t('Built from {0}'), { link: 'github.com/a/b', url })
 */
export function phrase(message: string, ...pieces: readonly Inline[]): Inline[] {
  return message
    .split(/\{(\d+)\}/)
    .map((text, at) => (at % 2 === 0 ? text : (pieces[Number(text)] ?? '')))
    .filter((it) => it !== '');
}

/** As markdown or plain text. The kinds are those of the Language Server Protocol. */
export function toMarkup(
  prose: Markup,
  client: Pick<ClientTraits, 'markdownHover'> & CommandRunner,
  links: LinkSafety | undefined,
): { readonly kind: 'markdown' | 'plaintext'; readonly value: string } {
  return client.markdownHover
    ? { kind: 'markdown', value: toMarkdown(prose, links, client) }
    : { kind: 'plaintext', value: toPlainText(prose, links) };
}

/** A client that may run commands of links. */
export type CommandRunner = Pick<ClientTraits, 'commandLinks' | 'linkKey'>;

/** @param links undefined if links are not checked */
export function toMarkdown(
  prose: Markup,
  links: LinkSafety | undefined,
  client: CommandRunner = { commandLinks: false },
): string {
  return render(prose, (it) => {
    if (typeof it === 'string') return escapeMarkdown(it);
    if ('strong' in it) return strong(escapeMarkdown(it.strong).trim());
    if ('code' in it) return codeSpan(it.code);
    if ('command' in it) return client.commandLinks ? commandLink(it, client) : escapeMarkdown(it.link);
    if ('place' in it) return fileLink(it.link, it.place);
    const url = webAddress(it.url);
    return url === undefined
      ? escapeMarkdown(it.link)
      : webLink(it.link, url, it.isKept && links ? nothingChecked : links, client);
  });
}

export function toPlainText(prose: Markup, links: LinkSafety | undefined): string {
  return render(prose, (it) => {
    if (typeof it === 'string') return oneLine(it);
    if ('strong' in it) return oneLine(it.strong);
    if ('code' in it) return oneLine(it.code);
    if ('command' in it || 'place' in it) return oneLine(it.link);
    const url = webAddress(it.url);
    if (url === undefined) return oneLine(it.link);
    const state = shownState(url, it.isKept && links ? nothingChecked : links);
    const note = state === undefined ? '' : ` (${linkNote(state)})`;
    // Clients make links of addresses in plain texts.
    const isLink = state === undefined || state.kind === 'checked';
    return `${oneLine(it.link)}${isLink ? ` <${url}>` : ''}${note}`;
  });
}

/** The same with addresses that are not sent to be checked: those of a private package. */
export function withAddressesKept(prose: Markup): Markup {
  const keep = (it: Inline): Inline => (typeof it === 'object' && 'url' in it ? { ...it, isKept: true } : it);
  return prose.map((it) => ({ ...it, parts: it.parts.map(keep) }));
}

/** The web addresses in a text that may be sent to be checked. */
export function addressesIn(prose: Markup): readonly string[] {
  return prose
    .flatMap((it) => it.parts)
    .flatMap((it) => (typeof it === 'object' && 'url' in it && !it.isKept ? (webAddress(it.url) ?? []) : []));
}

/**
 * The one place where a web address becomes a link in markdown.
 *
 *     [Source (host.example)](https://host.example/ "no known threat, 12:03")      checked
 *     Source (host.example) ([Open anyway](command:…))                             unchecked
 *     ~~Source (host.example)~~ (may lead to malware)                              suspected
 */
function webLink(text: string, url: string, links: LinkSafety | undefined, client: CommandRunner): string {
  const shown = escapeMarkdown(text);
  const state = shownState(url, links);
  switch (state?.kind) {
    case undefined:
      return `[${escapeLinkText(text)}](${url})`;
    case 'checked':
      return `[${escapeLinkText(text)}](${url} "${escapeTitle(linkNote(state))}")`;
    case 'suspected':
      return `~~${shown.trim()}~~ (${escapeMarkdown(linkNote(state))})`;
    case 'unchecked': {
      const note = linkNote(state);
      if (!client.commandLinks) return `${shown} (${escapeMarkdown(note)})`;
      const open = { link: l10n.t('Open anyway'), command: openLinkCommand, args: [{ url }], title: note };
      return `${shown} (${commandLink(open, client)})`;
    }
  }
}

/** Checks the address again, and asks the person before an unchecked one is opened. */
const openLinkCommand = 'packageInsights.openLink';

/** A command of our extension: runs the command of a link that has the key. Its arguments: key, command, arguments. */
export const linkCommand = 'packageInsights.link';

/**
 * `[Update](command:packageInsights.link?%5B…%5D "4.18.1: minor")`: no text of a package can end the link. A text that
 * became a link nevertheless does not know the key.
 */
function commandLink({ link, command, args, title }: CommandLink, { linkKey }: CommandRunner): string {
  const given = linkKey === undefined ? args : [linkKey, command, args];
  const encoded = encodeURIComponent(JSON.stringify(given).toWellFormed()).replace(/[!'()*~_]/g, percentEncoded);
  const shown = title === undefined ? '' : ` "${escapeTitle(title)}"`;
  return `[${escapeLinkText(link)}](command:${linkKey === undefined ? command : linkCommand}?${encoded}${shown})`;
}

/** `[.npmrc](file:///w/.npmrc#L3)`: the form that VS Code and others open at the line. */
function fileLink(text: string, { uri, line }: { readonly uri: string; readonly line: number }): string {
  if (!/^file:/i.test(uri) || !URL.canParse(uri)) return escapeMarkdown(text);
  const address = new URL(uri).href.replace(/[()<>\\[\]*_`|]/g, percentEncoded);
  return `[${escapeLinkText(text)}](${address}#L${line + 1})`;
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function render(prose: Markup, inline: (it: Inline) => string): string {
  let text = '';
  prose.forEach(({ kind, parts }, at) => {
    const list = kind === 'item';
    if (at > 0) text += list && prose[at - 1]?.kind === 'item' ? '\n' : '\n\n';
    text += kind === 'rule' ? '---' : `${list ? '- ' : ''}${parts.map(inline).join('')}`;
  });
  return text;
}

/**
 * Text with everything escaped that markdown or HTML would take for markup: a package's own words may try to be a
 * link, an image, a command or a heading; here they stay words. What could not be markup is left alone, since some
 * editors show the source: `4.17.15` stays `4.17.15`.
 */
function escapeMarkdown(text: string): string {
  return (
    oneLine(text)
      .replace(/[\\`*[\]~]/g, '\\$&')
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
      .replace(/&(?=#?\w+;)/g, '&amp;')
      .replace(/<(?=[\p{L}/!?])/gu, '&lt;')
      .replace(/:(?=\/\/)/g, '\\:')
      .replace(/(?<=www)\./gi, '\\.')
      .replace(/(?<=[\w.+-])@(?=[\w-])/g, '\\@')
      .replace(/^(\s*)([#>+\-=])/, '$1\\$2')
      .replace(/^(\s*\d+)([.)])(?=\s|$)/, '$1\\$2')
      // A link may follow.
      .replace(/!$/, '\\!')
  );
}

/**
 * The same for the text of a link. VS Code's renderer removes the backslash of brackets in there before it looks for
 * images and links, so they are character references.
 */
function escapeLinkText(text: string): string {
  return escapeMarkdown(text).replace(/\\([[\]])/g, (_, it) => (it === '[' ? '&#91;' : '&#93;'));
}

/** The title of a link, which renderers end at different quotes where a backslash is before one. */
function escapeTitle(text: string): string {
  return oneLine(text).replace(/["&<>\\]/g, (it) => `&#${it.charCodeAt(0)};`);
}

/** Empty emphasis would be a thematic break. */
function strong(markdown: string): string {
  return markdown === '' ? '' : `**${markdown}**`;
}

function codeSpan(text: string): string {
  const shown = oneLine(text);
  const fence = '`'.repeat(1 + Math.max(0, ...(shown.match(/`+/g) ?? []).map((it) => it.length)));
  const padding = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return shown === '' ? '' : `${fence}${padding}${shown}${padding}${fence}`;
}
