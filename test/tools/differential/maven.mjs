/*
 * Holds ecosystems/shared/maven-versions.ts against Maven's own classes, over random versions and ranges:
 *
 *     node test/engine/ecosystems/versions/differential/maven.mjs [cases] [seed] [version of maven-artifact]
 *
 * Not part of the tests: it needs `mvn` and `java`, and fetches maven-artifact with them. The order has changed between
 * releases of Maven; ours is that of 3.9. Two differences are known and not asked for: Maven takes `2]` for a version,
 * and a number of ten zeros or more for larger than 1.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { maven } from '../../../server/src/engine/ecosystems/shared/maven-versions.ts';

const [cases = '50000', seed = '1', release = '3.9.9'] = process.argv.slice(2);

const oracle = `
import java.io.*;
import java.nio.charset.StandardCharsets;
import org.apache.maven.artifact.versioning.*;

public class Oracle {
  public static void main(String[] arguments) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(new BufferedOutputStream(System.out), false, "UTF-8");
    for (String line; (line = in.readLine()) != null; ) {
      String[] cells = line.split("\\t", -1);
      out.println(cells[0].equals("compare")
        ? String.valueOf(Integer.signum(new ComparableVersion(cells[1]).compareTo(new ComparableVersion(cells[2]))))
        : contains(cells[1], cells[2]));
    }
    out.flush();
  }

  static String contains(String range, String version) {
    try {
      VersionRange read = VersionRange.createFromVersionSpec(range);
      return String.valueOf(read.containsVersion(new DefaultArtifactVersion(version)));
    } catch (InvalidVersionSpecificationException e) {
      return "invalid";
    }
  }
}
`;

const folder = mkdtempSync(join(tmpdir(), 'maven-order-'));
try {
  process.exitCode = run();
} finally {
  rmSync(folder, { recursive: true });
}

function run() {
  for (const artifact of [`org.apache.maven:maven-artifact:${release}`, 'org.apache.commons:commons-lang3:3.14.0']) {
    const copy = ['-q', '-B', 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy'];
    const fetched = spawnSync('mvn', [...copy, `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`], {
      encoding: 'utf8',
    });
    if (fetched.status !== 0) {
      console.log(`Skipped: mvn did not fetch ${artifact}. ${fetched.error?.message ?? fetched.stdout}`);
      return 0;
    }
  }
  const source = join(folder, 'Oracle.java');
  writeFileSync(source, oracle);
  const jars = readdirSync(folder).filter((it) => it.endsWith('.jar'));
  const asked = makeCases(Number(cases));
  const answered = spawnSync('java', ['-cp', jars.map((it) => join(folder, it)).join(delimiter), source], {
    input: asked.map((it) => `${it.join('\t')}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (answered.status !== 0) {
    console.log(`Skipped: java did not run. ${answered.error?.message ?? answered.stderr}`);
    return 0;
  }
  const theirs = answered.stdout.trimEnd().split('\n');
  const different = asked.flatMap((it, i) => {
    const ours = answer(it);
    return ours === theirs[i] ? [] : [`${it.join('  ')}: ours ${ours}, Maven's ${theirs[i]}`];
  });
  for (const it of different.slice(0, 20)) console.log(it);
  console.log(`${asked.length} cases, ${different.length} different, maven-artifact ${release}, seed ${seed}`);
  return different.length > 0 ? 1 : 0;
}

function answer([kind, first, second]) {
  if (kind === 'compare') return String(Math.sign(maven.compare(first, second)));
  return maven.read(first).kind === 'invalid' ? 'invalid' : String(maven.satisfies(second, first));
}

/** Half of them versions to compare, half ranges with a version to look for in them. */
function makeCases(count) {
  // Marsaglia's xorshift: the same cases for the same seed.
  let state = Number(seed) * 2654435761 || 1;
  const below = (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
  const oneOf = (all) => all[below(all.length)];
  const words = [
    ...['alpha', 'beta', 'milestone', 'rc', 'cr', 'snapshot', 'SNAPSHOT', 'ga', 'final', 'Final', 'release', 'sp'],
    ...['a', 'b', 'm', 'x', 'jre', 'android', 'z', 'RELEASE', 'xyz', 'pre', 'dev', 'é', '_'],
  ];
  const numbers = ['0', '0', '0', '1', '1', '2', '3', '9', '10', '00', '01', '007', '20240131', '2147483648'];
  const long = ['9223372036854775807', '9223372036854775808', '000001'];
  const separators = ['.', '.', '.', '-', '-', '', '', '..', '--', '.-', '-.', '+'];

  const version = () => {
    let text = '';
    for (let left = 1 + below(6); left > 0; left--) {
      const kind = below(20);
      text += kind < 11 ? oneOf(numbers) : kind < 12 ? oneOf(long) : oneOf(words);
      if (left > 1) text += oneOf(separators);
    }
    return text;
  };
  const near = (text) => {
    const at = below(text.length + 1);
    switch (below(4)) {
      case 0:
        return text.slice(0, at) + oneOf(['.0', '-0', '-ga', '.final', '0', '-1', '.1', '-sp', 'a1']) + text.slice(at);
      case 1:
        return text.slice(0, at) + text.slice(at + 1) || '1';
      case 2:
        return text + oneOf(['.0', '-0', '-ga', '.final', '.0.0-0', '-alpha', '-rc-1', '-1', '.x']);
      default:
        return version();
    }
  };
  const readable = (text) => maven.read(text).kind === 'pin';
  const pair = () => {
    for (;;) {
      const first = version();
      const second = near(first);
      if (readable(first) && readable(second)) return [first, second];
    }
  };
  const range = (a, b) => {
    const set = (low, high) =>
      oneOf(['[', '(', '[ ']) + low + oneOf([',', ',', ' , ']) + high + oneOf([']', ')', ' )']);
    switch (below(8)) {
      case 0:
        return `[${a}]`;
      case 1:
        return set(a, '');
      case 2:
        return set('', b);
      case 3:
        return set('', a) + oneOf([',', ' , ', '']) + set(b, '');
      case 4:
        return `${set(a, b)},[${b}]`;
      case 5:
        return oneOf([`(${a})`, `[${a}`, `[${a},${b}`, '(,)', `[${a}],${b}`, `${set(a, b)},`]);
      default:
        return set(a, b);
    }
  };
  return Array.from({ length: count }, (_, i) => {
    const [a, b] = pair();
    return i % 2 === 0 ? ['compare', a, b] : ['contains', range(a, b), oneOf([a, b, near(a)].filter(readable))];
  });
}
