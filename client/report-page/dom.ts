import { oneLine } from '../../server/src/base/text.ts';

type Child = Node | string;

/** No text of a report is longer and still of use. */
const MAX_TEXT_LENGTH = 5000;

/**
 * Makes an element. Whatever a child says is text: nothing of it is read as markup, and characters that turn the
 * direction of writing are left out.
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

/** Makes an element of a picture. */
export function svgElement(name: string, attributes: Readonly<Record<string, string>>, ...children: readonly Child[]) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.map(shown));
  return made;
}

function shown(child: Child): Child {
  return typeof child === 'string' ? oneLine(child, MAX_TEXT_LENGTH) : child;
}

/** A link to a page of the web, or its mere text where the address is none that a browser should open. */
export function link(text: string, address: string): Child {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return text;
  return element('a', { href: address, rel: 'noreferrer noopener', target: '_blank' }, text);
}
