/*
 * Holds ecosystems/go/versions.ts against golang.org/x/mod, over random versions:
 *
 *     node test/engine/ecosystems/versions/differential/go.mjs [cases] [seed]
 *
 * Not part of the tests: it needs `go`, which fetches the module.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { go, isPseudoVersion } from '../../../server/src/engine/ecosystems/go/versions.ts';
import { randomSemver, tell } from './random.mjs';

const [cases = '50000', seed = '1'] = process.argv.slice(2);
const { any, maybe, version, near, number } = randomSemver(Number(seed));

const oracle = `
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	for in.Scan() {
		cells := strings.Split(in.Text(), "\\t")
		switch cells[0] {
		case "compare":
			fmt.Fprintln(out, semver.Compare(cells[1], cells[2]))
		case "satisfies":
			fmt.Fprintln(out, semver.IsValid(cells[1]) && semver.IsValid(cells[2]) && semver.Compare(cells[1], cells[2]) >= 0)
		default:
			v := cells[1]
			fmt.Fprintln(out, module.CanonicalVersion(v), semver.IsValid(v) && semver.Prerelease(v) == "", module.IsPseudoVersion(v))
		}
	}
	out.Flush()
}
`;

const large = () => maybe(40, () => `v1.${any('9007199254740993', '9007199254740992', '184467440737095516160')}.0`);
const commit = () =>
  any('v0.0.0-', 'v1.2.3-0.', 'v1.2.3-pre.0.', 'v1.2.3-pre.', 'v2.0.0-') +
  any('20191109021931', '2019110902193', '20200101000000') +
  any('-daa7c04131f5', '-000000000000', '-xyz', '') +
  maybe(4, () => '+incompatible');
const written = () =>
  large() || maybe(6, commit) || maybe(20, () => `v${number()}`) || any('v', 'v', 'v', '') + version();

const asked = Array.from({ length: Number(cases) }, () => {
  const it = written().trim();
  const other = any(written(), near(it)).trim();
  return any(['compare', it, other], ['compare', it, other], ['satisfies', it, other], ['canonical', it]);
});

function answer([kind, a, b]) {
  if (kind === 'compare') return String(Math.sign(go.compare(a, b)));
  if (kind === 'satisfies') return String(go.satisfies(a, b));
  const isVersion = go.compare(a, 'x') > 0;
  return `${isVersion ? go.canonical(a) : ''} ${go.isStable(a)} ${isPseudoVersion(a)}`;
}

const folder = mkdtempSync(join(tmpdir(), 'go-order-'));
try {
  writeFileSync(join(folder, 'main.go'), oracle);
  const run = (...args) => execFileSync('go', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  run('mod', 'init', 'oracle');
  run('get', 'golang.org/x/mod@latest');
  run('build', '-o', 'oracle', '.');
  const input = asked.map((it) => `${it.join('\t')}\n`).join('');
  const { stdout } = spawnSync(join(folder, 'oracle'), { input, encoding: 'utf8', maxBuffer: 1 << 30 });
  process.exitCode = tell(
    asked,
    asked.map(answer),
    stdout
      .trimEnd()
      .split('\n')
      .map((it) => it.trimEnd()),
    `seed ${seed}`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
