import { readArtifacts } from './arguments.ts';
import { addArtifact, readArgument } from './dependencies.ts';
import type { Script } from './script.ts';
import { bracketContents, punctuationAt, type Statement } from './statements.ts';
import type { Token } from './tokens.ts';
import { requirementOf, spanOf, type Value } from './values.ts';

/** The blocks around a statement. */
interface EnclosingBlock {
  readonly path: readonly string[];
  readonly parent: EnclosingBlock | undefined;
}

/**
 * The artifact that the version in a plugin's block belongs to. Sources: Gradle's plugins for Checkstyle, PMD, CodeNarc and
 * JaCoCo, and the documentation of the others.
 */
const tools: ReadonlyMap<string, (version: string) => string> = new Map<string, (version: string) => string>([
  ['checkstyle', () => 'com.puppycrawl.tools:checkstyle'],
  ['pmd', (version) => (/^[1-4]\./.test(version) ? 'pmd:pmd' : 'net.sourceforge.pmd:pmd-java')],
  ['codenarc', () => 'org.codenarc:CodeNarc'],
  ['jacoco', () => 'org.jacoco:org.jacoco.agent'],
  ['spotbugs', () => 'com.github.spotbugs:spotbugs'],
  [
    'detekt',
    (version) => (/^[2-9]\./.test(version) ? 'dev.detekt:detekt-cli' : 'io.gitlab.arturbosch.detekt:detekt-cli'),
  ],
  ['ktlint', (version) => (/^0\./.test(version) ? 'com.pinterest:ktlint' : 'com.pinterest.ktlint:ktlint-cli')],
]);

/** Extensions by the names of their types: `configure<CheckstyleExtension> { … }`. */
const extension = /^(\w+?)(?:Plugin)?Extension$/;

/**
 * Reads the tool that a plugin runs.
 *
 *     checkstyle { toolVersion = "10.12.5" }      jacoco.toolVersion = '0.8.11'      spotbugs { toolVersion.set("4.8.3") }
 *     protobuf { protoc { artifact = 'com.google.protobuf:protoc:3.25.0' } }
 */
export function readTool({ tokens, path }: Statement, around: EnclosingBlock, script: Script): void {
  const last = path.at(-1) === 'set' ? path.at(-2) : path.at(-1);
  if (last === 'artifact') readArtifact();
  else if (last === 'toolVersion' || last === 'version') readVersion();

  function readArtifact(): void {
    if (path.length > 1 || punctuationAt(tokens, 1) !== '=' || !isWithin('protobuf', around)) return;
    const value = tokens.slice(2);
    const [artifact] = value[0]?.kind === 'string' ? readArtifacts(value, script) : [];
    if (artifact)
      addArtifact(artifact, { scope: 'build', group: 'artifact', role: 'library' }, false, undefined, script);
  }

  function readVersion(): void {
    const owner = path.at(path.at(-1) === 'set' ? -3 : -2) ?? toolOf(around);
    // In other blocks `version` is that of something else.
    const naming = owner === undefined || (last === 'version' && owner !== 'ktlint') ? undefined : tools.get(owner);
    const value = naming && versionIn(tokens.slice(path.length * 2 - 1), script);
    if (naming === undefined || value === undefined || value.pieces.length === 0) return;
    const nameSpan = spanOf(value.pieces);
    const name = naming(value.text);
    const text = { kind: 'text', text: name, span: nameSpan, quote: '"' } as const;
    const artifact = { kind: 'coordinates', name: [text], nameSpan, version: value.pieces, platform: false } as const;
    addArtifact(artifact, { scope: 'build', group: 'toolVersion', role: 'library' }, false, undefined, script);
    if (last === 'version' || path.at(-1) === 'set' || path.length > 1) return;
    script.definitions.push({
      id: `property:${owner}.toolVersion`,
      span: nameSpan,
      value: requirementOf(value.pieces),
    });
  }
}

/** `= "1.0"`, `("1.0")`, `"1.0"` */
function versionIn(tokens: readonly Token[], script: Script): Value | undefined {
  if (punctuationAt(tokens, 0) === '=') return readArgument(tokens.slice(1), script);
  if (punctuationAt(tokens, 0) === '(') return readArgument(bracketContents(tokens, 0), script);
  return tokens[0]?.kind === 'string' ? readArgument(tokens, script) : undefined;
}

/** The tool that a block configures. */
function toolOf({ path }: EnclosingBlock): string | undefined {
  const own = path.findLast((it) => it !== 'apply' && it !== 'with' && it !== 'configure' && it !== 'extensions');
  return own === undefined ? undefined : (extension.exec(own)?.[1]?.toLowerCase() ?? own);
}

function isWithin(name: string, around: EnclosingBlock): boolean {
  for (let at: EnclosingBlock | undefined = around; at !== undefined; at = at.parent)
    if (at.path[0] === name) return true;
  return false;
}
