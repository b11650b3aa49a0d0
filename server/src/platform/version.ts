import manifest from '../../../package.json' with { type: 'json' };

/** The version of this program, from its package.json. */
export const { version } = manifest;

/** The `User-Agent` of all requests. */
export const userAgent = `package-insights/${version}`;
