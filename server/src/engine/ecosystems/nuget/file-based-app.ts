import { canonicalName } from '../../model/keys.ts';
import type { Definition, Dependency, Manifest, ManifestFormat, Requirement } from '../../model/manifest.ts';
import { sdkDependency } from './msbuild.ts';
import { buildProps, centralPackagesFile, globalJsonFile, impliedBy } from './msbuild-imports.ts';
import { centralId, propertyId, requirementOf } from './msbuild-values.ts';
import type { Value } from './msbuild-xml.ts';

/**
 * A C# file that is a program of its own, with directives above the code in place of a project.
 *
 *     #!/usr/bin/env dotnet
 *     #:package Spectre.Console@0.49.*
 *               ^^^^^^^^^^^^^^^ ^^^^^^
 */
export const fileBasedApp: ManifestFormat = {
  id: 'file-based-app',
  system: 'NUGET',
  files: /\.cs$/i,
  begins: /^\uFEFF?(?:\s*(?:\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/)){0,8000}\*\/)){0,200}\s*#[!:]/,
  parse,
};

const implied = [buildProps, centralPackagesFile, globalJsonFile];

function parse(text: string): Manifest {
  const dependencies: Dependency[] = [];
  const definitions: Definition[] = [];
  for (const line of directives(text)) {
    const directive = /^#:(package|sdk|property)(?=[ \t])/.exec(line.text)?.[1];
    if (directive === undefined) continue;
    const rest = valueAt(line, directive.length + 2, line.text.length);
    const separator = rest.text.indexOf(directive === 'property' ? '=' : '@');
    const name = separator < 0 ? rest : valueAt(rest, 0, separator);
    const value = separator < 0 ? undefined : valueAt(rest, separator + 1, rest.text.length);
    if (name.text === '') continue;
    if (directive === 'sdk') dependencies.push(...sdkDependency(name, value, undefined));
    else if (directive === 'package') dependencies.push(packageOf(name, value));
    else if (value) definitions.push({ id: propertyId(name.text), span: name.span, value: requirementOf(value) });
  }
  return { dependencies, definitions, references: impliedBy(implied, dependencies, definitions, []), problems: [] };
}

/** The lines that begin with `#:`, up to the first that is neither of these nor blank, a comment, or another directive. */
function* directives(text: string): Generator<Value> {
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  while (start < text.length) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = valueAt({ text: text.slice(start, end), span: { start, end } }, 0, end - start);
    start = end + 1;
    if (line.text.startsWith('#:')) yield line;
    else if (line.text.startsWith('/*')) {
      const close = text.indexOf('*/', line.span.start + 2);
      if (close < 0) return;
      start = close + 2;
    } else if (line.text !== '' && !/^(?:\/\/|#)/.test(line.text)) return;
  }
}

function packageOf(name: Value, version: Value | undefined): Dependency {
  const to = { id: centralId(name.text), label: 'Directory.Packages.props' };
  const requirement: Requirement = version ? requirementOf(version) : { kind: 'reference', to, span: name.span };
  const key = { system: 'NUGET', name: canonicalName('NUGET', name.text) } as const;
  return { key, name: name.text, nameSpan: name.span, requirement, scope: 'runtime' };
}

/** A stretch of a value without the white space around it. */
function valueAt({ text, span }: Value, from: number, to: number): Value {
  const cut = text.slice(from, to);
  const trimmed = cut.trim();
  const start = span.start + from + (trimmed === '' ? 0 : cut.indexOf(trimmed));
  const at = { start, end: start + trimmed.length };
  return { text: trimmed, span: at, literal: { span: at, text: trimmed, encode: (value) => value } };
}
