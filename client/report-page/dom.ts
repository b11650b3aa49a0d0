import { oneLine } from '../../server/src/engine/base/text.ts';

type Child = Node | string;

/** Longer texts of a report are cut. */
const MAX_TEXT_LENGTH = 5000;

/**
 * Creates an element. Child strings are plain text, never markup, without characters that change the text direction.
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.map(shown));
  return made;
}

function shown(child: Child): Child {
  return typeof child === 'string' ? oneLine(child, MAX_TEXT_LENGTH) : child;
}

/** A link to a web page; plain text if the address is not one. */
export function link(text: string, address: string): Child {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return text;
  return element('a', { href: address, rel: 'noreferrer noopener', target: '_blank' }, text);
}

/** A button that looks like a link: it leads to what is no web page. */
export function linkButton(text: string, press: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', class: 'link' }, text);
  made.addEventListener('click', press);
  return made;
}

/** In characters: the end of a name that stays visible, if a separator allows it. */
const MIN_END_LENGTH = 6;
const MAX_END_LENGTH = 14;

/** `org.springframework…starter-web`: a text whose middle is cut where there is no room for all of it. */
export function cutInTheMiddle(text: string): HTMLElement {
  const whole = oneLine(text, MAX_TEXT_LENGTH);
  const at = endOf(whole);
  return element(
    'span',
    { class: 'cut' },
    element('span', { class: 'start' }, whole.slice(0, at)),
    element('span', { class: 'end' }, whole.slice(at)),
  );
}

/** Where the end begins: after the first separator that leaves a short one, otherwise at a fixed length. */
function endOf(text: string): number {
  for (let at = Math.max(1, text.length - MAX_END_LENGTH); at <= text.length - MIN_END_LENGTH; at++) {
    if (/[/:.@-]/.test(text.charAt(at - 1))) return at;
  }
  const at = Math.max(0, text.length - MIN_END_LENGTH);
  // Both halves of a character outside the basic plane stay together.
  return /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at + 1 : at;
}
