import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The environment without variables that configure registries or the places of their settings. */
export const withoutRegistries: Readonly<NodeJS.ProcessEnv> = Object.fromEntries(
  Object.keys(process.env)
    .filter((it) => /registr|index_url|^uv_|^go(?:private|proxy|noproxy|nosumdb|env)$|_home$|_config/i.test(it))
    .map((it) => [it, undefined]),
);

const nowhere = join(tmpdir(), 'package-insights-no-home');

/** The environment of a person without settings for any tool, so that a test does not depend on those of who runs it. */
export const nobody: Readonly<NodeJS.ProcessEnv> = {
  ...withoutRegistries,
  HOME: nowhere,
  USERPROFILE: nowhere,
  APPDATA: nowhere,
  XDG_CONFIG_HOME: nowhere,
  LC_ALL: 'C',
};
