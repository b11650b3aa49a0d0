/*
 * Holds ecosystems/nuget/versions.ts against NuGet.Versioning, NuGet's own library, over random versions and ranges:
 *
 *     node test/engine/ecosystems/versions/differential/nuget.mjs [cases] [seed] [version of NuGet.Versioning]
 *
 * Not part of the tests: it needs the .NET SDK, which fetches the library. NuGet's `Satisfies` knows the bounds of a range
 * alone, ours also what an asterisk covers, so ours is held against both together.
 *
 * Known differences, not asked for: NuGet takes `[ ]` for a range, an empty text for none, and what counts as white space
 * is .NET's to say (U+0085, but not U+FEFF), where it is JavaScript's for us.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  formatNuGetVersion,
  parseNuGetRange,
  parseNuGetVersion,
} from '../../../server/src/engine/ecosystems/nuget/range.ts';
import { nuget } from '../../../server/src/engine/ecosystems/nuget/versions.ts';
import { randomSemver, tell } from './random.mjs';

const [cases = '50000', seed = '1', release = '6.14.3'] = process.argv.slice(2);
const { any, below, maybe } = randomSemver(Number(seed));

const oracle = `
using System;
using System.IO;
using System.Linq;
using System.Text;
using NuGet.Versioning;

public static class Oracle {
  public static void Main() {
    var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
    var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));
    for (string line; (line = input.ReadLine()) != null; )
      output.WriteLine(Answer(line.Split('\\t').Select(it => Uri.UnescapeDataString(it)).ToArray()));
    output.Flush();
  }

  static string Answer(string[] cells) {
    NuGetVersion a, b;
    VersionRange range;
    if (cells[0] == "canonical")
      return NuGetVersion.TryParse(cells[1], out a) ? a.ToNormalizedString() + " " + !a.IsPrerelease : "none";
    if (cells[0] == "compare")
      return NuGetVersion.TryParse(cells[1], out a) && NuGetVersion.TryParse(cells[2], out b)
        ? Math.Sign(a.CompareTo(b)).ToString()
        : "none";
    if (!VersionRange.TryParse(cells[1], true, out range)) return "invalid";
    if (cells[0] == "range") return Describe(range);
    if (cells[0] == "satisfies")
      return NuGetVersion.TryParse(cells[2], out a)
        ? (range.Satisfies(a) && (!range.IsFloating || range.Float.Satisfies(a))).ToString()
        : "none";
    var versions = cells[2].Split(' ').Select(NuGetVersion.Parse);
    return range.FindBestMatch(versions)?.OriginalVersion ?? "none";
  }

  static string Describe(VersionRange range) {
    var floor = range.HasLowerBound ? (range.IsMinInclusive ? "[" : "(") + range.MinVersion.ToNormalizedString() : "";
    var ceiling = range.HasUpperBound ? range.MaxVersion.ToNormalizedString() + (range.IsMaxInclusive ? "]" : ")") : "";
    return floor + "," + ceiling + (range.IsFloating ? "*" : "");
  }
}
`;

/** Built by whichever SDK there is, for its own runtime. */
const project = (framework) => `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><OutputType>Exe</OutputType><TargetFramework>${framework}</TargetFramework></PropertyGroup>
  <ItemGroup><PackageReference Include="NuGet.Versioning" Version="[${release}]" /></ItemGroup>
</Project>
`;

const times = (count, make, separator) => Array.from({ length: count }, make).join(separator);
const blank = () => any(' ', ' ', '  ', '\t', '\n', '\u00a0', '\u3000');
const large = () => any('2147483647', '2147483648', '4294967296', '99999999999999999999', '00002147483647');
const odd = () => any(large(), large(), '00', '01', '007', '-1', '+1', '\u0661', '', '1e3', '1,0');
const number = () => maybe(25, odd) || any('0', '0', '1', '1', '2', '3', '10');
const letters = 'abzABZ019-';
const label = () =>
  any('alpha', 'Alpha', 'beta', 'BETA', 'rc', 'a', 'B', '0', '1', '2', '10', '-', '--', '-1', '-5', '-a', 'a-', 'x-y') +
  any(
    '',
    '',
    maybe(3, () => times(1 + below(4), () => letters[below(letters.length)], '')),
  ) +
  maybe(40, () => any('01', '_', '', ' ', '+', '*', '\u00e9', '\u0130', '.'));
const numeric = () => any(large(), '20240131120000', '-2147483648', '-2147483649', '-01', '-0', '01', '00', '');
const labels = () => times(any(1, 1, 1, 2, 3), () => maybe(12, numeric) || label(), '.');
const build = () => any('build', '1', '01', '10', 'a.b', '', '7a', 'a..b', 'a+b', 'a_b', '-', '.', '*', ' ');
const suffix = () => maybe(3, () => `-${labels()}`) + maybe(6, () => `+${build()}`);
const dot = () => maybe(30, () => any(`${blank()}.`, `.${blank()}`, '..', ',')) || '.';
const numbers = () => {
  let text = number();
  for (let more = any(0, 1, 2, 2, 2, 2, 3, 3, maybe(10, () => 4) || 2); more > 0; more--) text += dot() + number();
  return text;
};
const padded = (text) => maybe(12, blank) + text + maybe(12, blank);
const version = () =>
  padded(
    maybe(30, () => any('v', 'V', '=', 'v.')) +
      numbers() +
      maybe(40, blank) +
      suffix() +
      maybe(60, () => any('.', '.1', '-', '+', 'x', '*')),
  );
const near = (text) => {
  const at = below(text.length + 1);
  const added = () => any('0', '1', '.', '-', 'a', '+', '-0', '.0', '-alpha.1', ' ', '*', ',');
  return any(
    () => text.slice(0, at) + added() + text.slice(at),
    () => text.slice(0, at) + text.slice(at + 1),
    () => text.replace(/[-+].*$/, '') + suffix(),
    () => text.replace(/\d+/, number),
    () => text.replace(/[a-z]/, (it) => it.toUpperCase()),
    version,
  )();
};

const star = () => maybe(30, () => any('**', '* ', ' *', '*.*', '*1', '1*', 'x')) || '*';
const open = () =>
  any('-*', '-*', `-${labels()}*`, `-${labels()}.*`, '-.*', '-*.*', `-${label()}-*`, '-0*', '-01*', '-a*b');
const usual = () =>
  any('*', '1.*', '1.0.*', '1.0.0.*', '*-*', '1.*-*', '1.0.*-*', '1.0.0-*', '1.0.0-a*', '1.0.0-beta.*');
const float = () =>
  padded(
    any(
      () => times(below(5), () => `${number()}.`, '') + star() + any('', open()),
      () => numbers() + open(),
      usual,
    )() + maybe(20, () => any('+*', '+a', '.', '.1', '-a', '.*')),
  );
const bound = () => any(version, version, version, float, usual, () => any('', '', ' '))();
const interval = () =>
  padded(
    (maybe(40, () => any('', ']', '{', '[[')) || any('[', '(')) +
      bound() +
      (maybe(40, () => any('', ',,', ';')) || any(',', ', ')) +
      bound() +
      (maybe(40, () => any('', '[', '))')) || any(']', ')')),
  );
const exact = () => padded(any('[', '[', '[', '(') + any(version, version, float)() + any(']', ']', ']', ')'));
const brackets = () =>
  any('', '(,)', '( , )', '[,]', '(,]', '[]', '(,', '[,,]', '(*,*)', '(,1.*)', '[*]', '[1.*]', '[1.0', '1.0]');

/** Few and close to one another, so that ranges have something to choose from. */
const small = () =>
  `${any(0, 1, 1, 1, 2)}.${below(3)}.${below(3)}${maybe(6, () => `.${below(3)}`)}` +
  maybe(3, () => any('-rc.1', '-0', '-beta.2', '-a', '-alpha', '-beta.10', '-Beta.3', '-a.1')) +
  maybe(9, () => any('+1', '+01', '+a'));
const short = () => any(small(), `${below(3)}.${below(3)}`, `${below(3)}`);
const common = () =>
  any(
    short,
    usual,
    () => `[${short()}]`,
    () => any('[', '(') + any(short(), usual(), '') + any(',', ', ') + any(short(), short(), '') + any(']', ')'),
  )();
const written = () =>
  any(
    version,
    float,
    float,
    interval,
    interval,
    interval,
    exact,
    () => near(interval()),
    () => near(float()),
    () => maybe(6, brackets),
  )();
const range = () => {
  const text = any(common, common, written)();
  return /^\s*\[\s+\]\s*$/.test(text) ? '[]' : text;
};

function one() {
  const text = range();
  const it = any(version, small)();
  switch (below(6)) {
    case 0:
      return ['canonical', any(it, near(it))];
    case 1:
      return [
        'compare',
        it,
        any(
          version,
          small,
          () => near(it),
          () => near(it),
        )(),
      ];
    case 2:
      return ['range', text];
    case 3:
      return ['satisfies', text, any(it, small(), near(text.replace(/^\D*/, '').replace(/[^\w.+-].*$/s, '')))];
    case 4:
      return ['pick', text, times(1 + below(8), small, ' ')];
    default: {
      const target = small().replace(/\+.*/, '');
      const rewritten = nuget.rewrite(text, target);
      return rewritten.ok ? ['rewrite', rewritten.text, target, text] : one();
    }
  }
}

function answer([kind, a, b]) {
  const isVersion = (it) => parseNuGetVersion(it) !== undefined;
  const spoken = (it) => (it ? 'True' : 'False');
  if (kind === 'canonical') return isVersion(a) ? `${nuget.canonical(a)} ${spoken(nuget.isStable(a))}` : 'none';
  if (kind === 'compare') return isVersion(a) && isVersion(b) ? String(Math.sign(nuget.compare(a, b))) : 'none';
  // A rewritten requirement must resolve to its target.
  if (kind === 'rewrite') return b;
  const read = parseNuGetRange(a);
  if (!read) return 'invalid';
  if (kind === 'range') return describe(read);
  if (kind === 'satisfies') return isVersion(b) ? spoken(nuget.satisfies(b, a)) : 'none';
  return nuget.pick(a, b.split(' ')) ?? 'none';
}

function describe({ floor, ceiling, float: floating }) {
  const low = floor ? (floor.inclusive ? '[' : '(') + formatNuGetVersion(floor.version) : '';
  const high = ceiling ? formatNuGetVersion(ceiling.version) + (ceiling.inclusive ? ']' : ')') : '';
  return `${low},${high}${floating ? '*' : ''}`;
}

const folder = mkdtempSync(join(tmpdir(), 'nuget-order-'));
try {
  const run = (...args) => execFileSync('dotnet', args, { cwd: folder, encoding: 'utf8' });
  const [major, minor] = run('--version').split('.');
  writeFileSync(join(folder, 'Oracle.cs'), oracle);
  writeFileSync(join(folder, 'oracle.csproj'), project(`net${major}.${minor}`));
  run('build', '--output', 'built');
  const asked = Array.from({ length: Number(cases) }, one);
  const input = asked.map((it) => `${it.slice(0, 3).map(encodeURIComponent).join('\t')}\n`).join('');
  const { stdout } = spawnSync('dotnet', [join(folder, 'built/oracle.dll')], {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  process.exitCode = tell(asked, asked.map(answer), stdout.split('\n'), `NuGet.Versioning ${release}, seed ${seed}`);
} finally {
  rmSync(folder, { recursive: true });
}
