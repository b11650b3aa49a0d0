/*
 * Holds ecosystems/cargo/versions.ts against the semver crate, which is Cargo's own, over random versions and requirements:
 *
 *     node test/engine/ecosystems/versions/differential/cargo.mjs [cases] [seed]
 *
 * Not part of the tests: it needs `cargo`, which fetches the crate. Of what satisfies, Cargo's resolver tries the highest
 * first, in the crate's own order.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cargo } from '../../../server/src/engine/ecosystems/cargo/versions.ts';
import { randomSemver, rewritten, tell } from './random.mjs';

const [cases = '50000', seed = '1'] = process.argv.slice(2);
const { any, below, maybe, version, near, number, suffix } = randomSemver(Number(seed));

const oracle = `
use semver::{Version, VersionReq};
use std::io::{self, BufRead, Write};

fn main() {
    let mut out = io::BufWriter::new(io::stdout());
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        let cells: Vec<&str> = line.split('\\t').collect();
        let answer = match cells[0] {
            "compare" => match (Version::parse(cells[1]), Version::parse(cells[2])) {
                (Ok(a), Ok(b)) => format!("{}", a.cmp(&b) as i32),
                _ => "no version".to_string(),
            },
            "satisfies" | "rewritten" => match (Version::parse(cells[1]), VersionReq::parse(cells[2])) {
                (_, Err(_)) => "invalid".to_string(),
                (Err(_), _) => "false".to_string(),
                (Ok(v), Ok(req)) => req.matches(&v).to_string(),
            },
            _ => match VersionReq::parse(cells[1]) {
                Err(_) => "invalid".to_string(),
                Ok(req) => cells[2]
                    .split(' ')
                    .filter_map(|it| Version::parse(it).ok())
                    .filter(|it| req.matches(it))
                    .max()
                    .map_or("none".to_string(), |it| it.to_string()),
            },
        };
        writeln!(out, "{}", answer).unwrap();
    }
}
`;

const wild = () => any('x', 'X', '*');
const partial = () =>
  any(number(), `${number()}.${number()}`, `${number()}.${wild()}`, `${number()}.${number()}.${wild()}`) +
  maybe(8, () => any('.*', `.${wild()}`, '.1', suffix(), '.'));
const condition = () =>
  maybe(10, () => ' ') +
  any('', '', '^', '~', '>=', '>', '<', '<=', '=', maybe(10, () => any('~>', '==', '>=v', 'v', '!=')) || '') +
  maybe(6, () => any(' ', '  ', '\u00a0')) +
  any(partial(), version(), version().replace(/[+-].*/, '')) +
  maybe(10, () => ' ');
const requirement = () =>
  maybe(20, () => any('*', 'x', '', '*.*', '*, 1', '*.*.*', '*.1', ' * ', '>=*', '^*', '1.2.3 - 2')) ||
  maybe(60, () => Array.from({ length: 31 + below(3) }, () => '>0').join(',')) ||
  Array.from({ length: any(1, 1, 1, 2, 3) }, condition).join(any(',', ', ')) + maybe(40, () => ',');
const small = () =>
  `${any(0, 1, 1, 2)}.${below(4)}.${below(4)}${maybe(4, () => any('-rc.1', '-0', '-beta.2'))}${maybe(6, () => any('+1', '+01', '+a', '+1.2'))}`;
const large = () =>
  maybe(40, () =>
    any(
      '1.9007199254740993.0',
      '1.9007199254740992.0',
      '18446744073709551615.0.0',
      '18446744073709551616.0.0',
      '1.0.0-9007199254740993',
      '1.0.0-9007199254740992',
      '1.0.0-99999999999999999999',
      '1.0.0-99999999999999999998',
    ),
  );

const asked = Array.from({ length: Number(cases) }, () => {
  const it = large() || version();
  const text = large() || requirement();
  return any(
    ['compare', it, any(large() || version(), near(it))],
    ['satisfies', any(it, small()), text],
    ['satisfies', any(small(), near(text.replace(/^\D*/, ''))), text],
    ['pick', text, [...new Set(Array.from({ length: 1 + below(7) }, small))].join(' ')],
    rewritten(cargo, text, small(), any('widen', 'replace')),
    rewritten(cargo, text, small(), any('widen', 'replace')),
  );
});

function answer([kind, a, b]) {
  const isVersion = (it) => cargo.compare(it, 'x') > 0;
  if (kind === 'compare') return isVersion(a) && isVersion(b) ? String(Math.sign(cargo.compare(a, b))) : 'no version';
  if (kind === 'rewritten') return 'true';
  if (cargo.read(kind === 'pick' ? a : b).kind === 'invalid') return 'invalid';
  return kind === 'pick' ? (cargo.pick(a, b.split(' ')) ?? 'none') : String(cargo.satisfies(a, b));
}

const folder = mkdtempSync(join(tmpdir(), 'cargo-order-'));
try {
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/main.rs'), oracle);
  writeFileSync(
    join(folder, 'Cargo.toml'),
    '[package]\nname = "oracle"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nsemver = "1"\n',
  );
  execFileSync('cargo', ['build', '--release', '--quiet'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const input = asked.map((it) => `${it.join('\t')}\n`).join('');
  const { stdout } = spawnSync(join(folder, 'target/release/oracle'), { input, encoding: 'utf8', maxBuffer: 1 << 30 });
  process.exitCode = tell(asked, asked.map(answer), stdout.trimEnd().split('\n'), `seed ${seed}`);
} finally {
  rmSync(folder, { recursive: true });
}
