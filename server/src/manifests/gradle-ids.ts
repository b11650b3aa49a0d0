import * as l10n from '@vscode/l10n';
import type { Requirement } from '../model/manifest.ts';
import type { Span } from '../model/span.ts';

/** Ids of what a version catalog defines. Build files spell an alias with dots: `libs.spring.core` is `spring-core`. */
export const catalogIds = {
  version: (alias: string) => `version:${normal(alias)}`,
  library: (alias: string) => `library:${normal(alias)}`,
  /** The `group:artifact` of a library. */
  module: (alias: string) => `module:${normal(alias)}`,
  plugin: (alias: string) => `plugin:${normal(alias)}`,
  /** The marker artifact of a plugin. */
  pluginModule: (alias: string) => `plugin-module:${normal(alias)}`,
} as const;

function normal(alias: string): string {
  return alias.replace(/[._-]/g, '-');
}

/** The artifact under which a plugin is published. */
export function pluginMarker(id: string): string {
  return `${id}:${id}.gradle.plugin`;
}

/** The version of a library that states none: a platform or a constraint says it. */
export function managedVersion(name: string, span: Span): Requirement {
  return { kind: 'reference', to: { id: `managed:${name}`, label: l10n.t('its version') }, span };
}

/** What a name has that is given an empty string: nothing, which leaves open whatever refers to it. */
export function noValue(name: string, span: Span): Requirement {
  return { kind: 'reference', to: { id: 'empty:', label: name }, span };
}
