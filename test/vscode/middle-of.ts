import type { Locator } from 'playwright-core';

/** The middle of a text in a line of the editor. Elements do not tell: they hold hints and neighbours as well. */
export function middleOf(line: Locator, text: string): Promise<{ readonly x: number; readonly y: number }> {
  // This function runs in the browser, whose types are not among those of this project.
  return line.evaluate((element, wanted) => {
    const document = element.ownerDocument;
    const textNodes = 4;
    const walker = document.createTreeWalker(element, textNodes);
    const nodes: { readonly node: typeof walker.currentNode; readonly start: number }[] = [];
    let all = '';
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      nodes.push({ node, start: all.length });
      all += node.textContent ?? '';
    }
    const middle = all.replaceAll('\u00a0', ' ').indexOf(wanted) + Math.floor(wanted.length / 2);
    const at = nodes.findLast((it) => it.start <= middle);
    if (at === undefined) throw new Error(`${wanted} is not on the screen`);
    const range = document.createRange();
    range.setStart(at.node, middle - at.start);
    range.setEnd(at.node, middle - at.start + 1);
    const box = range.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }, text);
}
