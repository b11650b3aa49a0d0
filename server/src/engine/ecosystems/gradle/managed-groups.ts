import type { Role } from '../../model/manifest.ts';
import { listElements } from './collections.ts';
import { addArtifact, readArgument } from './dependencies.ts';
import type { Script } from './script.ts';
import { bracketContents, punctuationAt, type Statement, splitTokens, wordAt } from './statements.ts';
import type { Token } from './tokens.ts';
import { readValue, spanOf, type ValuePiece } from './values.ts';

/** Lists of artifacts, and of BOMs, in the block of a group. */
const kindsOf: ReadonlyMap<string, 'module' | 'bom'> = new Map([
  ['modules', 'module'],
  ['module', 'module'],
  ['bom', 'bom'],
  ['boms', 'bom'],
  ['imports', 'bom'],
]);

/**
 * Reads what the blocks of a platform give a version to, as builds define them for themselves: the artifacts of groups.
 *
 *     library("ActiveMQ", "6.3.1") {
 *       group("org.apache.activemq") {
 *         modules = ["activemq-console", "activemq-spring"]
 *         bom("activemq-bom")
 *       }
 *     }
 */
export function readManagedGroups(statement: Statement, role: Role, script: Script): void {
  const { blocks } = statement;
  if (blocks.length === 0) return;
  const inner = blocks.flat();
  const groups = inner.filter((it) => wordAt(it.tokens, 0) === 'group' && it.blocks.length > 0);
  const version = groups.length === 0 ? undefined : versionOf(statement, inner, script);
  if (version === undefined) return;
  for (const one of groups) {
    const group = readArgument(one.tokens.slice(1), script)?.pieces ?? [];
    if (group.length === 0 || group.some((it) => it.kind !== 'text')) continue;
    for (const { kind, tokens } of one.blocks.flat().flatMap(listedIn)) {
      const artifact = readValue(tokens, script)?.pieces ?? [];
      if (artifact.length > 0) add(kind, group, artifact, version);
    }
  }

  function add(
    kind: 'module' | 'bom',
    group: readonly ValuePiece[],
    artifact: readonly ValuePiece[],
    version: readonly ValuePiece[],
  ): void {
    const nameSpan = spanOf(artifact);
    const separator = { kind: 'text', text: ':', span: nameSpan, quote: '"' } as const;
    const name = [...group, separator, ...artifact];
    const isBom = kind === 'bom';
    const about = {
      ...({ scope: 'runtime', group: isBom ? 'constraints platform' : 'constraints', role } as const),
      ...(isBom && { inherits: { as: 'bom' } as const }),
    };
    addArtifact(
      { kind: 'coordinates', name, nameSpan, version, platform: isBom && 'platform' },
      about,
      !isBom,
      undefined,
      script,
    );
  }
}

/** The second text of the call, or what its block states: `version("1.0")`. */
function versionOf(
  { tokens, path }: Statement,
  inner: readonly Statement[],
  script: Script,
): readonly ValuePiece[] | undefined {
  const at = path.length * 2 - 1;
  const given = punctuationAt(tokens, at) === '(' ? bracketContents(tokens, at) : tokens.slice(at);
  const [, second, ...more] = splitTokens(given, ',');
  const stated = inner.find((it) => wordAt(it.tokens, 0) === 'version' && it.blocks.length === 0);
  const value =
    second && more.length === 0 ? readValue(second, script) : stated && readArgument(stated.tokens.slice(1), script);
  return value && value.pieces.length > 0 ? value.pieces : undefined;
}

/** `modules = ["a", "b"]`, `bom("a")`, `imports = ["a"]` */
function listedIn({
  tokens,
}: Statement): readonly { readonly kind: 'module' | 'bom'; readonly tokens: readonly Token[] }[] {
  const kind = kindsOf.get(wordAt(tokens, 0) ?? '');
  if (kind === undefined) return [];
  const mark = punctuationAt(tokens, 1);
  const value = tokens.slice(mark === '=' || mark === '(' ? 2 : 1);
  const list = listElements(value) ?? (mark === '(' ? bracketContents(tokens, 1) : value);
  return splitTokens(list, ',').map((it) => ({ kind, tokens: it }));
}
