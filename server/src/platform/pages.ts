import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The address of the shipped pages of the documentation: beside the folder of the bundles, or in the checkout. */
export function pagesAddress(): string | undefined {
  const folders = [join(import.meta.dirname, '..', 'docs'), join(import.meta.dirname, '..', '..', '..', 'docs')];
  const folder = folders.find((it) => existsSync(join(it, 'findings.md')));
  return folder && pathToFileURL(folder).href;
}
