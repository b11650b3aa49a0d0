import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gradle } from '../../../../server/src/engine/ecosystems/gradle/build-gradle.ts';
import {
  buildscriptLockfile,
  gradleLockfile,
} from '../../../../server/src/engine/ecosystems/gradle/records/gradle-lockfile.ts';

const lock = `# This is a Gradle generated file for dependency locking.
com.google.guava:guava:33.0.0-jre=compileClasspath,runtimeClasspath
org.slf4j:slf4j-api:1.7.36=testRuntimeClasspath
org.slf4j:slf4j-api:2.0.12=compileClasspath
a.b:a.b.gradle.plugin:1.5=classpath
empty=annotationProcessor
`;

/** What a lockfile says of every dependency of a script, in the order of the text. */
function locked(script: string, format = gradleLockfile, text = lock): (string | undefined)[] {
  const read = format.parse(text);
  return gradle.parse(script).dependencies.map((it) => read.locked(it, ''));
}

const dependencies = (...all: readonly string[]) =>
  `dependencies {\n${all.map((it) => `implementation '${it}'`).join('\n')}\n}`;

test('a version that is asked for is found, whatever its configurations', () => {
  const script = dependencies(
    'com.google.guava:guava:33.0.0-jre',
    'org.slf4j:slf4j-api:1.7.36',
    'org.slf4j:slf4j-api:2.+',
  );
  assert.deepEqual(locked(script), ['33.0.0-jre', '1.7.36', '2.0.12']);
});

test('a library without a version has the highest that is locked', () => {
  assert.deepEqual(locked(dependencies('org.slf4j:slf4j-api')), ['2.0.12']);
});

test('a lower version was left behind, a higher one was asked for by another library', () => {
  assert.deepEqual(locked(dependencies('com.google.guava:guava:34.0-jre')), ['33.0.0-jre']);
  assert.deepEqual(locked(dependencies('com.google.guava:guava:32.0-jre', 'g:missing:1')), [undefined, undefined]);
});

test('what the build runs on has a lockfile of its own', () => {
  const script = `plugins { id 'a.b' version '1.5' }\n${dependencies('com.google.guava:guava:33.0.0-jre')}`;
  assert.deepEqual(locked(script), [undefined, '33.0.0-jre']);
  assert.deepEqual(locked(script, buildscriptLockfile), ['1.5', undefined]);
});

test('line ends, a byte order mark and long lines are read', () => {
  const script = dependencies('com.google.guava:guava:33.0.0-jre');
  assert.deepEqual(locked(script, gradleLockfile, lock.replaceAll('\n', '\r\n')), ['33.0.0-jre']);
  assert.deepEqual(locked(script, gradleLockfile, `\uFEFF${lock.slice(lock.indexOf('com'))}`), ['33.0.0-jre']);
  for (const it of ['a', ':', 'a:', '=']) gradleLockfile.parse(it.repeat(200_000));
});
