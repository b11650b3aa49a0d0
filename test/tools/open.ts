import { spawn } from 'node:child_process';
import { hasDisplay } from './desktop.ts';

/** Shows an address in the person's browser, where there is a screen to show it on. */
export function openAddress(address: string): void {
  const command = opener();
  if (command === undefined) return;
  const [name, ...args] = command;
  const child = spawn(name, [...args, address], { stdio: 'ignore', detached: true });
  // The address has been printed as well.
  child.on('error', () => undefined);
  child.unref();
}

function opener(): readonly [string, ...string[]] | undefined {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return hasDisplay() ? ['xdg-open'] : undefined;
}
