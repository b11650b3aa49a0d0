import { type LinkSafety, nothingChecked } from '../engine/model/links.ts';
import type { Settings } from '../engine/model/settings.ts';
import type { Terminal } from './command.ts';

/**
 * Checks addresses that are about to be printed. The result knows their states, and checks nothing more.
 * @param addressesOf chooses the addresses
 * @returns undefined if the settings have no links checked
 */
export async function checkLinks(
  addressesOf: (links: LinkSafety) => readonly string[],
  settings: Settings,
  terminal: Terminal,
): Promise<LinkSafety | undefined> {
  if (settings.linkSafety === 'off') return undefined;
  const isConnected = settings.connections['link-safety'].baseUrl !== '';
  const services = isConnected ? await terminal.services(settings) : undefined;
  try {
    const links = services?.links ?? nothingChecked;
    await links.request(addressesOf(links), 'asked');
    return links;
  } finally {
    services?.close();
  }
}
