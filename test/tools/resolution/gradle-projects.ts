import { type Random, randomOf } from '../clients/random.ts';

/** A build with one project in it, as the paths and texts of its files. */
export interface GradleProject {
  readonly files: Readonly<Record<string, string>>;
}

/** Conditions and what they come to here. */
const conditions = [
  "project.hasProperty('none')",
  "!project.hasProperty('none')",
  "System.getenv('NO_SUCH_NAME') == null",
  "gradle.startParameter.taskNames.contains('none')",
];

/** Writes statements that a build is valid with. Each dependency has a name of its own: `a12`. */
class Script {
  readonly #random: Random;
  readonly #names: string[];
  readonly lines: string[] = [];
  readonly #count: { dependencies: number; names: number; versions: number };

  constructor(
    random: Random,
    count: Script['counts'] = { dependencies: 0, names: 0, versions: 0 },
    names: readonly string[] = [],
  ) {
    this.#random = random;
    this.#count = count;
    this.#names = [...names];
  }

  get counts(): { dependencies: number; names: number; versions: number } {
    return this.#count;
  }

  /** The names that may be set again here. */
  readonly #own: string[] = [];
  /** The properties that other scripts see. */
  readonly properties: string[] = [];

  version(): string {
    return `1.${this.#count.versions++}`;
  }

  #artifact(): string {
    return `a${this.#count.dependencies++}`;
  }

  #name(): string {
    return `v${this.#count.names++}`;
  }

  /** An expression that gives a version, of what is known so far. */
  #expression(): string {
    const random = this.#random;
    const known = this.#names.length > 0 ? random.one(this.#names) : undefined;
    if (known === undefined || random.is(0.15)) return `'${this.version()}'`;
    return random.one([known, known, `"$\{${known}}"`, `"$\{${known}}.1"`, `${known} + '.2'`]);
  }

  /** The artifact in one of the notations. */
  notation(version = this.#expression()): string {
    const artifact = this.#artifact();
    const written = /^'(.*)'$/.exec(version)?.[1];
    const inText = written ?? (/^"(.*)"$/.exec(version)?.[1] || `\${${version}}`);
    return this.#random.one([
      `"g:${artifact}:${inText}"`,
      `"g:${artifact}:${inText}"`,
      `'g:${artifact}:' + ${/\+/.test(version) ? `(${version})` : version}`,
      `group: 'g', name: '${artifact}', version: ${version}`,
    ]);
  }

  dependency(): string {
    const notation = this.notation();
    return this.#random.one([`compile ${notation}`, `testCompile ${notation}`, `compile(${notation})`]);
  }

  #define(name: string, value: string): string {
    this.#names.push(name);
    if (/^v/.test(name)) this.#own.push(name);
    return this.#random.is(0.5) ? `def ${name} = ${value}` : this.#property(name, value);
  }

  #property(name: string, value: string): string {
    this.properties.push(name);
    return this.#random.one([
      `ext.${name} = ${value}`,
      `ext {\n  ${name} = ${value}\n}`,
      `project.ext.${name} = ${value}`,
    ]);
  }

  /** One statement of some kinds. */
  add(): void {
    const random = this.#random;
    const kinds: readonly (() => string)[] = [
      () => this.#define(this.#name(), this.#expression()),
      () => this.#again(),
      () => this.#again(),
      () => this.#inBranch(),
      () => this.#inSwitch(),
      () => this.#map(),
      () => this.#number(),
      () => this.#conditional(),
      () => this.#function(),
      () => this.#loop(),
      () => this.#artifactInVariable(),
      () => this.#dependencies(),
      () => this.#dependencies(),
      () => this.#dependenciesInBranch(),
    ];
    this.lines.push(random.one(kinds)());
  }

  #again(): string {
    const name = this.#own.find(() => this.#random.is(0.5));
    return name === undefined ? this.#dependencies() : `${name} = '${this.version()}'`;
  }

  #inBranch(): string {
    const name = this.#own.find(() => this.#random.is(0.5));
    if (name === undefined) return this.#dependencies();
    const condition = this.#random.one(conditions);
    const other = this.#random.is(0.5) ? ` else {\n  ${name} = '${this.version()}'\n}` : '';
    return `if (${condition}) {\n  ${name} = '${this.version()}'\n}${other}`;
  }

  #inSwitch(): string {
    const name = this.#own.find(() => this.#random.is(0.5));
    if (name === undefined) return this.#dependencies();
    const subject = this.#random.one(["'a'", "System.getenv('NO_SUCH_NAME') ?: 'b'", 'project.name.substring(0, 1)']);
    return `switch (${subject}) {
  case 'a':
    ${name} = '${this.version()}'
    break
  case ['b', 'p']:
    ${name} = '${this.version()}'
    break
  default:
    ${name} = '${this.version()}'
}`;
  }

  #map(): string {
    const name = `m${this.#count.names++}`;
    const value = `[a: ${this.#expression()}, b: '${this.version()}']`;
    this.#names.push(`${name}.a`, `${name}.b`);
    const more = this.#random.is(0.3) ? `\n${name}.b = '${this.version()}'` : '';
    return `${this.#random.is(0.5) ? `def ${name} = ${value}` : this.#property(name, value)}${more}`;
  }

  #number(): string {
    const name = `n${this.#count.names++}`;
    const [a, b] = [this.#random.below(5), this.#random.below(5)];
    const sum = this.#random.one([`${a} + ${b}`, `${a} * ${b}`, `${a + b} - ${a}`, `${a}`]);
    const version = this.#random.one([
      `"$\{${name}}.${this.#count.versions++}"`,
      `"$\{${name} + 1}.${this.#count.versions++}"`,
      `[${name}, ${this.#count.versions++}].join('.')`,
      `'1.x'.replace('x', '${this.#count.versions++}')`,
      `'v${this.version()}'.substring(1)`,
    ]);
    return `def ${name} = ${sum}\n${this.#define(this.#name(), version)}`;
  }

  #conditional(): string {
    const name = this.#name();
    const value = this.#random.one([
      `${this.#random.one(conditions)} ? '${this.version()}' : '${this.version()}'`,
      `project.findProperty('none') ?: '${this.version()}'`,
      `project.hasProperty('none') ? project.property('none') : '${this.version()}'`,
    ]);
    return this.#define(name, value);
  }

  #function(): string {
    const name = `f${this.#count.names++}`;
    const outer = this.#names.length > 0 && this.#random.is(0.3) ? this.#properties() : undefined;
    const version = outer ?? `'${this.version()}'`;
    const inText = /^'(.*)'$/.exec(version)?.[1] ?? `\${${version}}`;
    const artifact = this.#artifact();
    const other = this.#artifact();
    const [body, calls]: readonly [string, readonly string[]] = this.#random.one([
      [`def ${name}(artifact) { "g:$artifact:${inText}" }`, [`${name}('${artifact}')`, `${name}('${other}')`]],
      [`def ${name}(String artifact) {\n  return 'g:' + artifact + ':' + ${version}\n}`, [`${name}('${artifact}')`]],
      [
        `def ${name}(group, artifact, version) { "$group:$artifact:$version" }`,
        [`${name}('g', '${artifact}', '${this.version()}')`, `${name}('g', '${other}', ${this.#expression()})`],
      ],
      [`def ${name} = { artifact -> "g:$artifact:${inText}" }`, [`${name}('${artifact}')`]],
      [
        `def ${name} = { artifact, version = '${this.version()}' -> "g:\${artifact}:\${version}" }`,
        [`${name}('${artifact}', '${this.version()}')`, `${name}('${other}')`],
      ],
      [`ext.${name} = { artifact -> [group: 'g', name: artifact, version: ${version}] }`, [`${name}('${artifact}')`]],
    ] as const);
    // A method does not see the variables of its script.
    return `${body}\ndependencies {\n${calls.map((it) => `  compile ${it}\n`).join('')}}`;
  }

  #properties(): string | undefined {
    return this.properties.length > 0
      ? this.#random.one(this.properties.filter((it) => it.startsWith('v')))
      : undefined;
  }

  #loop(): string {
    const [a, b] = [this.#artifact(), this.#artifact()];
    const version = this.#expression();
    const inText = /^'(.*)'$/.exec(version)?.[1] ?? (/^"(.*)"$/.exec(version)?.[1] || `\${${version}}`);
    return this.#random.one([
      `['${a}', '${b}'].each {\n  dependencies.compile "g:$it:${inText}"\n}`,
      `dependencies {\n  ['${a}', '${b}'].each { compile "g:$it:${inText}" }\n}`,
      `dependencies {\n  ['${a}': ${version}, '${b}': '${this.version()}'].each { name, version -> compile "g:$name:$version" }\n}`,
      `for (it in ['${a}', '${b}']) {\n  dependencies.add('compile', "g:\${it}:${inText}")\n}`,
      `def l${this.#count.names} = ["g:${a}:${inText}", "g:${b}:${inText}"]\ndependencies {\n  compile l${this.#count.names++}\n}`,
    ]);
  }

  #artifactInVariable(): string {
    const name = `d${this.#count.names++}`;
    const first = this.notation();
    const isMap = first.startsWith('group');
    const again = this.#random.is(0.3);
    const written = (it: string): string => (it.startsWith('group') ? `[${it}]` : it);
    const use = `dependencies {\n  compile ${name}\n}`;
    if (isMap || !again) return `def ${name} = ${written(first)}\n${use}`;
    return `def ${name} = ${first}\n${use}\n${name} = ${written(this.notation())}\n${use}`;
  }

  #dependencies(): string {
    const count = 1 + this.#random.below(3);
    return `dependencies {\n${Array.from({ length: count }, () => `  ${this.dependency()}\n`).join('')}}`;
  }

  #dependenciesInBranch(): string {
    const condition = this.#random.one(conditions);
    return this.#random.is(0.5)
      ? `dependencies {\n  if (${condition}) {\n    ${this.dependency()}\n  } else {\n    ${this.dependency()}\n  }\n}`
      : `if (${condition}) {\n  dependencies {\n    ${this.dependency()}\n  }\n}`;
  }
}

/** A project with another below it, which has a script that it applies, in a folder of the build. */
export function gradleProjectOf(seed: number, folder = `p${seed}`): GradleProject {
  const random = randomOf(seed * 100 + 90);
  const count = { dependencies: 0, names: 0, versions: 0 };
  const inProperties = random.is(0.5) ? [`v${count.names++}`] : [];
  const properties = inProperties.map((it) => `${it}=0.${count.versions++}\n`).join('');
  const above = new Script(random, count, inProperties);
  for (let at = 3 + random.below(6); at > 0; at--) above.add();
  if (random.is(0.5)) above.lines.push(`subprojects {\n  dependencies {\n    ${above.dependency()}\n  }\n}`);
  const own = new Script(random, count, [...inProperties, ...above.properties.filter((it) => it.startsWith('v'))]);
  for (let at = 2 + random.below(6); at > 0; at--) own.add();
  const header = "apply plugin: 'java'\n";
  const applied = random.is(0.4);
  const script = new Script(random, count, []);
  if (applied) for (let at = 1 + random.below(3); at > 0; at--) script.add();
  return {
    files: {
      [`${folder}/build.gradle`]: `${header}subprojects { apply plugin: 'java' }\n${above.lines.join('\n')}\n`,
      [`${folder}/app/build.gradle`]: `${applied ? "apply from: '../more.gradle'\n" : ''}${own.lines.join('\n')}\n`,
      ...(applied && { [`${folder}/more.gradle`]: `${script.lines.join('\n')}\n` }),
      ...(properties && { [`${folder}/gradle.properties`]: properties }),
    },
  };
}
