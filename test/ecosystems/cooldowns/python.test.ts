import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cooldownOf } from '../../../server/src/analysis/evaluate/cooldown.ts';
import { cooldownReaders } from '../../../server/src/ecosystems/cooldowns.ts';
import type { CooldownLimit, CooldownRule } from '../../../server/src/model/registries/cooldown.ts';

const DAY = 24 * 3_600_000;
const age = (days: number): CooldownLimit => ({ kind: 'age', age: days * DAY });
/** What is uploaded at the moment itself is refused. */
const until = (moment: number): CooldownLimit => ({ kind: 'date', before: moment - 1 });
const unclear = (text: string): CooldownLimit => ({ kind: 'unclear', text });

function rulesIn(name: string, text: string): CooldownRule[] {
  return cooldownReaders
    .filter((it) => it.names.includes(name))
    .flatMap((it) => it.read({ name, text }, 'PYPI').map((rule) => ({ ...rule, system: 'PYPI' as const })));
}

/*
 * Sources: pip 26 `cmdoptions.py`, `_handle_uploaded_prior_to` (`P<n>D`, or a moment, of this time zone without an
 * offset; `upload_time >= prior` is refused); uv 0.13, each value given to `uv pip compile --exclude-newer`, which refuses
 * months, years and numbers without a unit, and counts a day to its end.
 */
const limits: readonly (readonly [string, string, CooldownLimit | undefined])[] = [
  ['uv.toml', 'exclude-newer = "2026-01-31T12:00:00Z"', until(Date.UTC(2026, 0, 31, 12))],
  ['uv.toml', 'exclude-newer = "2026-01-31"', until(new Date(2026, 1, 1).getTime())],
  ['uv.toml', 'exclude-newer = "7 days"', age(7)],
  ['uv.toml', 'exclude-newer = "1 week"', age(7)],
  ['uv.toml', 'exclude-newer = "2w 3d"', age(17)],
  ['uv.toml', 'exclude-newer = "3 days, 12 hours"', age(3.5)],
  ['uv.toml', 'exclude-newer = "7 days ago"', age(7)],
  ['uv.toml', 'exclude-newer = "P7D"', age(7)],
  ['uv.toml', 'exclude-newer = "PT12H"', age(0.5)],
  ['uv.toml', 'exclude-newer = false', age(0)],
  ['uv.toml', 'exclude-newer = "1 month"', unclear('“1 month”')],
  ['poetry.toml', '[solver]\nmin-release-age = 7', age(7)],
  ['poetry.toml', '[solver]\nmin-release-age = "7"', age(7)],
  ['poetry.toml', '[solver]\nmin-release-age = "a week"', unclear('“a week”')],
  ['poetry.toml', '[virtualenvs]\nin-project = true', undefined],
  ['POETRY_SOLVER_MIN_RELEASE_AGE', '7', age(7)],
  ['uv.toml', 'exclude-newer = "P1M"', unclear('“P1M”')],
  ['uv.toml', 'exclude-newer = 7', unclear('“7”')],
  ['uv.toml', '[pip]\nexclude-newer = "7 days"', age(7)],
  ['uv.toml', '[[index]]\nname = "a"\nexclude-newer = "7 days"', age(7)],
  ['uv.toml', 'exclude-newer = "7 days', unclear('“…”')],
  ['uv.toml', 'offline = true', undefined],
  ['pyproject.toml', '[tool.uv]\nexclude-newer = "7 days"', age(7)],
  ['pyproject.toml', '[tool.other]\nexclude-newer = "7 days"', undefined],
  ['UV_EXCLUDE_NEWER', '7 days', age(7)],
  ['pip.conf', '[install]\nuploaded-prior-to = P7D', age(7)],
  ['pip.conf', '[global]\nuploaded_prior_to: 2026-01-31', until(new Date(2026, 0, 31).getTime())],
  ['pip.conf', '[global]\nuploaded-prior-to = P1W', unclear('“P1W”')],
  ['pip.conf', '[global]\ntimeout = 7', undefined],
  ['PIP_UPLOADED_PRIOR_TO', '2026-01-31T12:00:00+01:00', until(Date.UTC(2026, 0, 31, 11))],
];

for (const [name, text, limit] of limits) {
  test(`${name}: ${text}`, () => {
    assert.deepEqual(
      rulesIn(name, text).map((it) => it.limit),
      limit ? [limit] : [],
    );
  });
}

test('a package may have a limit of its own in uv, or none', () => {
  const text =
    'exclude-newer = "7 days"\nexclude-newer-package = { Free_Own = false, sooner = "1 day", later = "30 days" }';
  const now = Date.UTC(2026, 0, 31);
  const isHeld = (name: string, days: number): boolean =>
    cooldownOf({ now, rules: rulesIn('uv.toml', text) }, { system: 'PYPI', name }).heldBack('1.0', now - days * DAY) !==
    undefined;
  assert.deepEqual([isHeld('other', 3), isHeld('other', 8)], [true, false]);
  assert.equal(isHeld('free-own', 0), false);
  assert.deepEqual([isHeld('sooner', 0), isHeld('sooner', 2)], [true, false]);
  assert.deepEqual([isHeld('later', 20), isHeld('later', 31)], [true, false]);
});

test('the exceptions of Poetry are a list, or names with commas', () => {
  for (const list of ['["own", "Other_One"]', '"own, Other_One"']) {
    const text = `[solver]\nmin-release-age = 7\nmin-release-age-exclude = ${list}`;
    const { heldBack } = cooldownOf({ now: 0, rules: rulesIn('poetry.toml', text) }, { system: 'PYPI', name: 'own' });
    assert.equal(heldBack('1.0', -DAY), undefined);
    const other = cooldownOf({ now: 0, rules: rulesIn('poetry.toml', text) }, { system: 'PYPI', name: 'requests' });
    assert.ok(other.heldBack('1.0', -DAY));
  }
});
