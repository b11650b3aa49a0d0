import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cooldownOf } from '../../../../server/src/engine/analysis/evaluate/cooldown.ts';
import { cooldownReaders } from '../../../../server/src/engine/ecosystems/cooldowns.ts';
import type { CooldownLimit, CooldownRule } from '../../../../server/src/engine/model/registries/cooldown.ts';

const DAY = 24 * 3_600_000;
const age = (days: number): CooldownLimit => ({ kind: 'age', age: days * DAY });
/** What is uploaded at the moment itself is refused. */
const until = (moment: number): CooldownLimit => ({ kind: 'date', before: moment - 1 });
/** What is uploaded at the moment itself is accepted. */
const from = (before: number): CooldownLimit => ({ kind: 'date', before });
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
  ['pdm.toml', '[strategy]\nexclude-newer = "7d"', age(7)],
  ['.pdm.toml', '[strategy]\nexclude-newer = "12h"', age(0.5)],
  ['pdm.toml', '[strategy]\nexclude-newer = "2w"', age(14)],
  ['pdm.toml', '[strategy]\nexclude-newer = "7 days"', unclear('“7 days”')],
  ['pdm.toml', '[strategy]\nexclude-newer = "7', unclear('“…”')],
  ['pdm.toml', '[pypi]\nurl = "https://a.example"', undefined],
  ['pyproject.toml', '[tool.pdm.resolution]\nexclude-newer = "2026-01-31"', from(Date.UTC(2026, 0, 31))],
  ['pyproject.toml', '[tool.pdm.resolution]\nexclude-newer = "2026-01-31T12:00:00"', from(Date.UTC(2026, 0, 31, 12))],
  [
    'pyproject.toml',
    '[tool.pdm.resolution]\nexclude-newer = "2026-01-31T12:00:00+01:00"',
    from(Date.UTC(2026, 0, 31, 11)),
  ],
  ['pyproject.toml', '[tool.pdm.resolution]\nexclude-newer = "2026-01-31t12:00:00z"', from(Date.UTC(2026, 0, 31, 12))],
  ['pyproject.toml', '[tool.pdm.options]\nlock = ["--exclude-newer", "7d"]', age(7)],
  ['pyproject.toml', '[tool.pdm.options]\nlock = ["-v", "--exclude-newer=3w"]', age(21)],
  ['pyproject.toml', '[tool.pdm.options]\nlock = ["--exclude-newer"]', undefined],
  ['pixi.toml', '[workspace]\nexclude-newer = "7d"', age(7)],
  ['pixi.toml', '[project]\nexclude-newer = "1h30m"', age(1.5 / 24)],
  ['pixi.toml', '[workspace]\nexclude-newer = "2026-01-31"', until(Date.UTC(2026, 0, 31))],
  ['pixi.toml', '[workspace]\nexclude-newer = "2026-01-31T12:00:00Z"', until(Date.UTC(2026, 0, 31, 12))],
  ['pixi.toml', '[workspace]\nexclude-newer = "later"', unclear('“later”')],
  ['pyproject.toml', '[tool.pixi.workspace]\nexclude-newer = "7d"', age(7)],
  ['pyproject.toml', '[tool.pixi.project]\nexclude-newer = "7d"', age(7)],
  ['pixi.toml', '[pypi-options]\nindex-url = "https://a.example"', undefined],
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

const ownLimits: readonly (readonly [string, string, string])[] = [
  [
    'uv',
    'uv.toml',
    'exclude-newer = "7 days"\nexclude-newer-package = { Free_Own = false, sooner = "1 day", later = "30 days" }',
  ],
  [
    'PDM',
    'pyproject.toml',
    '[tool.pdm.resolution]\nexclude-newer = "7d"\n[tool.pdm.resolution.exclude-newer-override]\nFree_Own = false\nsooner = "1d"\nlater = "30d"',
  ],
];

for (const [manager, file, text] of ownLimits) {
  test(`a package may have a limit of its own in ${manager}, or none`, () => {
    const now = Date.UTC(2026, 0, 31);
    const isHeld = (name: string, days: number): boolean =>
      cooldownOf({ now, rules: rulesIn(file, text) }, { system: 'PYPI', name }).heldBack('1.0', now - days * DAY) !==
      undefined;
    assert.deepEqual([isHeld('other', 3), isHeld('other', 8)], [true, false]);
    assert.equal(isHeld('free-own', 0), false);
    assert.deepEqual([isHeld('sooner', 0), isHeld('sooner', 2)], [true, false]);
    assert.deepEqual([isHeld('later', 20), isHeld('later', 31)], [true, false]);
  });
}

test('the exceptions of Poetry are a list', () => {
  const isHeld = (name: string, list: string): boolean => {
    const text = `[solver]\nmin-release-age = 7\nmin-release-age-exclude = ${list}`;
    const rules = rulesIn('poetry.toml', text);
    return cooldownOf({ now: 0, rules }, { system: 'PYPI', name }).heldBack('1.0', -DAY) !== undefined;
  };
  assert.equal(isHeld('own', '["own", "Other_One"]'), false);
  assert.equal(isHeld('other-one', '["own", "Other_One"]'), false);
  assert.equal(isHeld('requests', '["own", "Other_One"]'), true);
});
