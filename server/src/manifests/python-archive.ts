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
