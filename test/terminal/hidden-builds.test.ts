import { type Files, startHiding, testHidden, testPlain } from './hidden.ts';

/* Ways in which the code and the settings of a build hide an affected dependency from a check. */

const run = await startHiding();

const gradle = (content: string) => `dependencies {\n  ${content}\n}\n`;
const evil = "'com.example:evil:1.0.0'";
const script = gradle(`implementation ${evil}`);
const fine = gradle("implementation 'com.example:fine:1.0.0'");
const all = (content: string) => `${fine}configurations.all {\n  resolutionStrategy {\n    ${content}\n  }\n}\n`;
const settings = { 'settings.gradle': "rootProject.name = 'a'\n" };
const plugin = (content: string) => ({
  ...settings,
  'build.gradle': "plugins { id 'java' }\napply plugin: Acme\n",
  ...(content.includes('class Acme : ')
    ? { 'buildSrc/src/main/kotlin/Acme.kt': content }
    : { 'buildSrc/src/main/java/Acme.java': content }),
});

const hidden: Readonly<Record<string, Files>> = {
  'a rule that puts another module in the place': {
    'build.gradle': all(
      `eachDependency { details ->\n if (details.requested.name == 'fine') details.useTarget ${evil}\n }`,
    ),
  },
  'a rule with a map': {
    'build.gradle': all("eachDependency { useTarget group: 'com.example', name: 'evil', version: '1.0.0' }"),
  },
  'a rule with a computed target': { 'build.gradle': all('eachDependency { it.useTarget(x.y) }') },
  'a rule with another version': { 'build.gradle': all("eachDependency { it.useVersion('9.9.9') }") },
  'a rule of Kotlin': {
    'build.gradle.kts': `${fine.replaceAll("'", '"').replace(/implementation (.*)/, 'implementation($1)')}configurations.all { resolutionStrategy.eachDependency { useTarget("com.example:evil:1.0.0") } }\n`,
  },
  'a substitution': {
    'build.gradle': all(`dependencySubstitution { substitute module('com.example:fine') using module(${evil}) }`),
  },
  'a substitution of older Gradle': {
    'build.gradle': all(`dependencySubstitution { substitute module('com.example:fine') with module(${evil}) }`),
  },
  'a substitution of all': {
    'build.gradle': all(`dependencySubstitution { all { it.useTarget(${evil}) } }`),
  },
  'a forced module of another name': { 'build.gradle': all(`force ${evil}`) },
  'a text that is computed': { 'build.gradle': gradle("implementation '0.0.1:live:elpmaxe.moc'.reverse()") },
  'a text of which a part is replaced': {
    'build.gradle': gradle("implementation('com.example:fine:1.0.0'.replace('fine', 'evil'))"),
  },
  'a method by its name': { 'build.gradle': `dependencies.invokeMethod('implementation', ${evil})\n` },
  'a method by a name in a string': { 'build.gradle': `dependencies."implementation"(${evil})\n` },
  'a method by its name in the block': {
    'build.gradle': gradle(`invokeMethod('implementation', [${evil}] as Object[])`),
  },
  'a script that is evaluated': { 'build.gradle': "evaluate(file('x.txt'))\n", 'x.txt': script },
  'a script that is evaluated as a text': { 'build.gradle': "evaluate(new File('x.txt').text)\n", 'x.txt': script },
  'a shell of Groovy': { 'build.gradle': "new GroovyShell(binding).evaluate(new File('x.txt'))\n", 'x.txt': script },
  'dependencies in a variable': { 'build.gradle': `def d = dependencies\nd.implementation ${evil}\n` },
  'dependencies of a project in a variable': {
    'build.gradle': `def d = project.dependencies\nd.add('implementation', ${evil})\n`,
  },
  'dependencies in a constant': {
    'build.gradle.kts': 'val d = dependencies\nd.add("implementation", "com.example:evil:1.0.0")\n',
  },
  'dependencies behind a method': { 'build.gradle': `getDependencies().add('implementation', ${evil})\n` },
  'dependencies in a function': {
    'build.gradle.kts':
      'fun DependencyHandler.acme() { add("implementation", "com.example:evil:1.0.0") }\ndependencies { acme() }\n',
  },
  'dependencies in another block': { 'build.gradle': `with(dependencies) { implementation(${evil}) }\n` },
  'dependencies of a closure': { 'build.gradle': `dependencies.with { implementation(${evil}) }\n` },
  'dependencies of a project': { 'build.gradle': `project(':a').dependencies { implementation ${evil} }\n` },
  'a dependency that is made': {
    'build.gradle': `configurations.implementation.dependencies.add(dependencies.create(${evil}))\n`,
  },
  'a list that is added outside of a block': {
    'build.gradle.kts': 'listOf("com.example:evil:1.0.0").forEach { dependencies.add("implementation", it) }\n',
  },
  'a list in a variable that is added outside of a block': {
    'build.gradle': `def all = [${evil}]\nall.each { project.dependencies.add('implementation', it) }\n`,
  },
  'a loop over a list in a variable': {
    'build.gradle.kts':
      'val all = listOf("com.example:evil:1.0.0")\nfor (d in all) dependencies.add("implementation", d)\n',
  },
  'a list that is given to a function': {
    'build.gradle': `def addAll(list) { list.each { dependencies.add('implementation', it) } }\naddAll([${evil}])\n`,
  },
  'a plugin of Kotlin in buildSrc': plugin(
    'class Acme : Plugin<Project> { override fun apply(p: Project) { p.dependencies.add("implementation", "com.example:evil:1.0.0") } }',
  ),
  'a plugin of Java in buildSrc': plugin(
    'class Acme implements Plugin<Project> { public void apply(Project p) { p.getDependencies().add("implementation", "com.example:evil:1.0.0"); } }',
  ),
  'a plugin behind much else': plugin(
    `/* ${'much else\n'.repeat(1000)} */ class Acme : Plugin<Project> { override fun apply(p: Project) { p.dependencies.add("implementation", "com.example:evil:1.0.0") } }`,
  ),
  'the text of a file': {
    'build.gradle': gradle("implementation file('x.txt').text"),
    'x.txt': 'com.example:evil:1.0.0',
  },
  'the text of a file in Kotlin': {
    'build.gradle.kts': gradle('implementation(file("x.txt").readText().trim())'),
    'x.txt': 'com.example:evil:1.0.0',
  },
  'a loop whose body is on the next line': {
    'build.gradle': `dependencies {\n  for (x in [${evil}])\n    implementation x\n}\n`,
  },
  'a plugin with a computed text': plugin(
    'class Acme implements Plugin<Project> { public void apply(Project p) { p.getDependencies().add("implementation", "com.example:" + X); } }',
  ),
};

testHidden(hidden, run);

testPlain(
  {
    'the path of a folder that is computed': {
      'build.gradle': gradle("implementation files('libs/a.jar'.replace('a', 'b'))"),
    },
    'a text as a text': { 'build.gradle': gradle("implementation 'com.example:fine:1.0.0'.toString()") },
    'a rule that excludes': { 'build.gradle': all('preferProjectModules()') },
    'a rule for reasons': { 'build.gradle': all('eachDependency { d -> println d.requested.name }') },
    'an artifact in a variable that is added outside of a block': {
      'build.gradle': "def one = 'com.example:fine:1.0.0'\nproject.dependencies.add('implementation', one)\n",
    },
    'lists that are added outside of a block, and written out': {
      'build.gradle.kts':
        'listOf("com.example:fine:1.0.0").forEach { dependencies.add("implementation", it) }\nfor (d in listOf("com.example:fine:1.0.0")) { dependencies.add("api", d) }\n',
    },
    'a plugin without dependencies': plugin(
      'class Acme : Plugin<Project> { override fun apply(p: Project) { p.tasks.register("x") } }',
    ),
  },
  run,
);
