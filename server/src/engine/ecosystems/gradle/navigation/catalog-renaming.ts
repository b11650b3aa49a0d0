import * as l10n from '@vscode/l10n';
import type { Renaming, WrittenUse } from '../../../model/manifest.ts';
import { catalogIds } from '../values.ts';

/** Without dots, which TOML takes for tables. Source: Gradle's documentation of version catalogs, on aliases. */
const valid = /^[a-z](?:[a-zA-Z0-9_-]*[a-zA-Z0-9])$/;
const reserved: ReadonlySet<string> = new Set(['extensions', 'class', 'convention']);
/** The first words of libraries' accessors that lead elsewhere. */
const reservedFirst: ReadonlySet<string> = new Set(['bundles', 'versions', 'plugins']);

/** The aliases of a version catalog, and the names of its versions and bundles. */
export const catalogRenaming: Renaming = {
  kinds: {
    version: catalogIds.version,
    library: catalogIds.library,
    plugin: catalogIds.plugin,
    bundle: catalogIds.bundle,
  },
  refuse(name, kind) {
    const [first = '', ...others] = name.split(/[_-]/);
    if (!valid.test(name) || [first, ...others].includes(''))
      return l10n.t('an alias begins with a small letter, and has letters, digits, - and _ between them');
    const isTaken =
      [first, ...others].some((it) => reserved.has(it)) || (kind === 'library' && reservedFirst.has(first));
    return isTaken ? l10n.t('Gradle reserves {0}', name) : undefined;
  },
  namesOf: (_, { span }) => [span],
};

/** `spring-core` as a script names it: `libs.spring.core`, and as written in `libs.findLibrary("spring-core")`. */
export function aliasInScript(name: string, { text, span: { start } }: WrittenUse): string {
  return /["']/.test(text[start - 1] ?? '') ? name : name.replace(/[_-]/g, '.');
}
