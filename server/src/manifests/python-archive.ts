import { canonicalName } from '../model/keys.ts';

/** In characters. Source: NAME_MAX of Linux. */
const longestFile = 255;

/** `./wheels/acme_lib-1.0-py3-none-any.whl` is of `acme-lib`: the name ends where the version begins. */
export function archiveName(address: string): string | undefined {
  const file = address.slice(Math.max(address.lastIndexOf('/'), address.lastIndexOf('\\')) + 1);
  if (file.length > longestFile) return undefined;
  const [, name] = /^([a-z0-9](?:[\w.]|-(?!\d))*)-\d.*\.(?:whl|zip|tgz|tar\.\w+)$/i.exec(file) ?? [];
  return name && canonicalName('PYPI', name);
}

/** The package that an address says it is of, and where the name stands in it: `git+https://…/lib.git#egg=lib`. */
export function eggIn(address: string): { readonly name: string; readonly start: number } | undefined {
  const fragment = address.indexOf('#');
  if (fragment < 0) return undefined;
  const egg = /[#&]egg=([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)/i.exec(address.slice(fragment));
  return egg?.[1] === undefined ? undefined : { name: egg[1], start: fragment + egg.index + '#egg='.length };
}
