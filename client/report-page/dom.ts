import { oneLine } from '../../server/src/base/text.ts';

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

/** Creates an SVG element. */
export function svgElement(name: string, attributes: Readonly<Record<string, string>>, ...children: readonly Child[]) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
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
