import type { Access, AskedRegistry } from '../../../server/src/model/registries/access.ts';

/** One line a registry: `https://repo.example as anna:pw (~/.m2/settings.xml), named by pom.xml`. */
export function shownAccess(access: Access | undefined): string[] {
  if (access === undefined) return ['no registry is named'];
  const lines = access.registries.map(shown);
  return access.join === 'first' ? [...lines, '(the first one that has it)'] : lines;
}

function shown({ address, from, namedBy, credential, refusal, takes }: AskedRegistry): string {
  const as = credential ? ` as ${opened(credential.open())} (${credential.from})` : '';
  const only = takes ? ` for ${takes}` : '';
  const not = refusal ? ` — ${refusal.rule} by ${refusal.from}${refusal.detail ? `: ${refusal.detail}` : ''}` : '';
  return `${address}${only}${as}, named by the ${namedBy} in ${from}${not}`;
}

/** `Basic YTpi` → `a:b` */
function opened(header: string): string {
  const [, basic] = /^Basic (.+)$/.exec(header) ?? [];
  return basic === undefined ? header : Buffer.from(basic, 'base64').toString();
}
