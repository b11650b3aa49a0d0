import type { RegistrySource } from '../../../model/registry.ts';

/** The settings of a build; an included script has its format for its name, so the label counts. */
export const settingsScript = /(?:^|\/)settings\.gradle(?:\.kts)?$/;
/** A plugin for settings that is written as a script. */
const settingsPlugin = /^(.*\/src\/main\/(?:kotlin|groovy)\/)[^/]+\.settings\.gradle(?:\.kts)?$/;

/** Whether a script is one of settings, or a plugin for them. */
export function isOfSettings(label: string): boolean {
  return settingsScript.test(label) || settingsPlugin.test(label);
}

/** Real settings apply about five. */
const MAX_PLUGINS = 6;
/** Builds that plugins may come from. Real settings have one or two. */
const MAX_BUILDS = 2;

/**
 * The scripts of the plugins that settings, or such a script, apply from an included build: they often declare the
 * repositories of the whole build.
 *
 *     pluginManagement { includeBuild("build-settings") }
 *     plugins { id("acme.repositories") }      build-settings/src/main/kotlin/acme.repositories.settings.gradle.kts
 */
export function settingsPluginsIn({ label, text }: Pick<RegistrySource, 'label' | 'text'>): {
  readonly name: string;
  readonly label: string;
}[] {
  const [, own] = settingsPlugin.exec(label) ?? [];
  if (own === undefined && !settingsScript.test(label)) return [];
  const folders =
    own === undefined
      ? [...text.matchAll(includedBuild)]
          .slice(0, MAX_BUILDS)
          .flatMap(([, build]) => ['kotlin', 'groovy'].map((it) => `${build}/src/main/${it}/`))
      : [own];
  const ids = [...text.matchAll(applied)].flatMap(([, id = '', rest = '']) => (/\bversion\b/.test(rest) ? [] : [id]));
  return [...new Set(ids)].slice(0, MAX_PLUGINS).flatMap((id) =>
    folders.map((it) => {
      const name = `${id}.settings.gradle${it.endsWith('/kotlin/') ? '.kts' : ''}`;
      return { name, label: it + name };
    }),
  );
}

const includedBuild = /\bincludeBuild\s*\(?\s*["']([\w./-]{1,200}?)\/?["']/g;
const applied = /\bid\s*\(?\s*["']([\w.-]{1,200})["']([^\r\n]*)/g;
