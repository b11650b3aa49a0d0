import manifest from '../../../package.json' with { type: 'json' };
import { homepage } from '../model/links.ts';

/** The version of this program, as its package says. */
export const { version } = manifest;

/** What this program calls itself to whom it asks. */
export const userAgent = `package-insights/${version} (+${homepage})`;
