import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';

/** The folder of translations: beside that of the bundles, or two above the sources. */
const folder =
  [join(import.meta.dirname, '..', 'l10n'), join(import.meta.dirname, '..', '..', '..', 'l10n')].find((it) =>
    existsSync(it),
  ) ?? 'l10n';

/**
 * Switches all texts to a language: to its most specific translation, else to the English of the sources.
 * @param locale as editors and environments name it: `de`, `pt-br`, `de_AT.UTF-8`
 */
export function loadTranslations(locale: string): void {
  const [file] = candidates(locale)
    .map((it) => join(folder, `bundle.l10n.${it}.json`))
    .filter((it) => existsSync(it));
  l10n.config({ contents: file === undefined ? {} : readFileSync(file, 'utf8') });
}

/** The language of texts in the environment. Source: POSIX, “Environment Variables”, 8.2. */
export function localeOf({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): string {
  return LC_ALL || LC_MESSAGES || LANG || '';
}

/** `['pt-br', 'pt']`; empty for a locale that does not name a language, such as `C`. */
function candidates(locale: string): string[] {
  const [, language, region] =
    /^([a-z]{2,3})(?:[-_]([a-z]{2,4}))?(?![a-z])/i.exec(locale)?.map((it) => it?.toLowerCase()) ?? [];
  if (language === undefined) return [];
  return region === undefined ? [language] : [`${language}-${region}`, language];
}
