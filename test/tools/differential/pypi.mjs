/*
 * Holds ecosystems/python/versions.ts against the `packaging` library of Python, over random versions and specifiers:
 *
 *     PYTHONPATH=… node test/engine/ecosystems/versions/differential/pypi.mjs [cases] [seed]
 *
 * Not part of the tests: it needs python3 with `packaging` 26 or later. Earlier ones, such as older pips bring along,
 * differ knowingly: they read texts that are no versions, and `>` and `<` do not name a pre-release for them. Poetry's
 * own operators, which `packaging` does not know, are not asked for.
 */
import { spawnSync } from 'node:child_process';
import { pypi } from '../../../server/src/engine/ecosystems/python/versions.ts';

const oracle = `
import json, sys
try:
    import packaging
    from packaging.version import Version, InvalidVersion
    from packaging.specifiers import SpecifierSet, InvalidSpecifier
except ImportError:
    import pip._vendor.packaging as packaging
    from pip._vendor.packaging.version import Version, InvalidVersion
    from pip._vendor.packaging.specifiers import SpecifierSet, InvalidSpecifier

def version(text):
    try: return Version(text)
    except InvalidVersion: return None

def specifier(text):
    try: return SpecifierSet(text)
    except InvalidSpecifier: return None

def answer(case):
    kind = case[0]
    if kind == "compare":
        a, b = version(case[1]), version(case[2])
        return None if a is None or b is None else (a > b) - (a < b)
    if kind == "canonical":
        v = version(case[1])
        return None if v is None else [str(v), v.is_prerelease]
    s = specifier(case[1])
    if s is None: return "invalid"
    if kind == "rewritten":
        return s.contains(case[2], prereleases=True)
    if kind == "satisfies":
        v = version(case[2])
        # No clause, no version: theirs lets any text pass, ours none.
        if v is None and len(s) == 0: return False
        if v is not None and v.is_prerelease and not s.prereleases: return False
        return s.contains(case[2], prereleases=True)
    if kind == "pick":
        found = [v for v in s.filter(case[2]) if version(v) is not None]
        return max(found, key=Version) if found else None

print(json.dumps({"version": packaging.__version__, "answers": [answer(c) for c in json.load(sys.stdin)]}))
`;

const cases = Number(process.argv[2] ?? 40_000);
let state = Number(process.argv[3] ?? 1);

function random(below) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

const any = (...choices) => choices[random(choices.length)];
const maybe = (oneIn, make) => (random(oneIn) === 0 ? make() : '');
const count = () => any('0', '1', '2', '3', '10', '01', String(random(30)), any('', '20230101123456789012'));

function release() {
  return Array.from({ length: 1 + random(4) }, () => any('0', '1', '2', '3', '10', '02')).join('.');
}

function version() {
  const separator = () => any('', '', '.', '-', '_');
  return [
    maybe(20, () => any('v', 'V', ' ')),
    maybe(10, () => any('0!', '1!')),
    release(),
    maybe(
      3,
      () => separator() + any('a', 'b', 'rc', 'c', 'alpha', 'beta', 'Pre', 'preview', 'RC') + separator() + count(),
    ),
    maybe(4, () => any(separator() + any('post', 'r', 'rev', 'Post') + separator() + count(), `-${random(4)}`)),
    maybe(4, () => separator() + any('dev', 'DEV') + separator() + count()),
    maybe(
      6,
      () => `+${any('a', 'ubuntu', '1', '10', '2')}${maybe(2, () => any('.', '-', '_') + any('b', '1', '02', 'a1'))}`,
    ),
    maybe(40, () => any('x', '.', '-', '!', ' ')),
  ].join('');
}

function clause() {
  const operator = any(
    '==',
    '==',
    '!=',
    '<=',
    '>=',
    '<',
    '>',
    '~=',
    '===',
    maybe(9, () => any('=', '=>', '=<')) || '>=',
  );
  return [
    maybe(6, () => ' '),
    operator,
    maybe(4, () => ' '),
    version(),
    operator[1] === '=' && operator.length === 2 ? maybe(5, () => '.*') : maybe(60, () => '.*'),
    maybe(6, () => ' '),
  ].join('');
}

const specifier = () =>
  Array.from({ length: any(1, 1, 1, 2, 2, 3, 0) }, clause).join(any(',', ', ')) + maybe(30, () => ',');

function one() {
  switch (random(7)) {
    case 0:
      return ['compare', version(), version()];
    case 1:
      return ['canonical', version()];
    case 2:
    case 3:
      return ['satisfies', specifier(), version()];
    case 4:
    case 5:
      return rewritten(specifier(), version().trim());
    default:
      return ['pick', specifier(), Array.from({ length: random(8) }, version)];
  }
}

/** What a specifier becomes for a version, to be held against what `packaging` makes of the result. */
function rewritten(range, target) {
  const result = pypi.rewrite(range, target, any('widen', 'replace'));
  return result.ok ? ['rewritten', result.text, target] : ['satisfies', range, target];
}

/** Text that is no version sorts below every version. */
const isVersion = (text) => pypi.compare(text, '0.dev0') >= 0;

function ours([kind, a, b], theirs) {
  switch (kind) {
    case 'compare':
      // Without a version there is no answer of theirs to compare with.
      return theirs === null ? null : Math.sign(pypi.compare(a, b));
    case 'canonical': {
      if (theirs === null) return pypi.canonical(a) === a && !pypi.isStable(a) ? null : pypi.canonical(a);
      const padded = theirs[0].replace(/^((?:\d+!)?)(\d+(?:\.\d+)*)/, (_, epoch, it) => {
        const numbers = it.split('.');
        while (numbers.length < 3) numbers.push('0');
        return epoch + numbers.join('.');
      });
      return pypi.canonical(a) === padded && pypi.isStable(a) === !theirs[1] ? theirs : pypi.canonical(a);
    }
    case 'rewritten':
      return true;
    case 'satisfies':
      return pypi.read(a).kind === 'invalid' ? 'invalid' : pypi.satisfies(b, a);
    default: {
      if (pypi.read(a).kind === 'invalid') return 'invalid';
      const found = pypi.pick(a, b) ?? null;
      if (found !== null && !isVersion(found)) return null;
      // Of equal versions any may be meant.
      return found !== null && typeof theirs === 'string' && pypi.compare(found, theirs) === 0 ? theirs : found;
    }
  }
}

const all = Array.from({ length: cases }, one);
const run = spawnSync('python3', ['-c', oracle], { input: JSON.stringify(all), encoding: 'utf8', maxBuffer: 1 << 28 });
if (run.status !== 0) throw new Error(run.stderr);
const { version: packaging, answers } = JSON.parse(run.stdout);
const counts = {};
let shown = 0;
for (const [at, it] of all.entries()) {
  const got = ours(it, answers[at]);
  counts[it[0]] ??= { cases: 0, positive: 0, invalid: 0, different: 0 };
  const row = counts[it[0]];
  row.cases++;
  if (answers[at] === 'invalid' || (answers[at] === null && it[0] !== 'pick')) row.invalid++;
  else if (answers[at] !== false && answers[at] !== null) row.positive++;
  if (JSON.stringify(got) === JSON.stringify(answers[at])) continue;
  row.different++;
  if (shown++ < 20)
    console.log(JSON.stringify(it), 'packaging:', JSON.stringify(answers[at]), 'ours:', JSON.stringify(got));
}
console.log(`against packaging ${packaging}, seed ${process.argv[3] ?? 1}`);
console.table(counts);
process.exitCode = shown > 0 ? 1 : 0;
