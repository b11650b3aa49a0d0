import type { PrivateCase } from './cases.ts';

const dependency = (name: string, version = '1.0'): string => {
  const [group, artifact] = name.split(':');
  return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
};
const plugin = (name: string): string => dependency(name).replaceAll('dependency>', 'plugin>');
const lists = {
  repository: (more = ''): string =>
    `<repositories><repository><id>a</id><url>https://maven.acme.example</url>${more}</repository></repositories>`,
  plugins:
    '<pluginRepositories><pluginRepository><id>b</id><url>https://maven.acme.example</url></pluginRepository></pluginRepositories>',
};
const snapshots = '<releases><enabled>false</enabled></releases>';

/** Registries that the build tool asks for some packages of a file, and not for the others. */
export const askedCases: readonly PrivateCase[] = [
  {
    title: 'repositories of Maven for plugins alone',
    files: {
      'pom.xml': `<project>${lists.plugins}<dependencies>${dependency('org.yaml:snakeyaml')}</dependencies><build><plugins>${plugin('com.secret:core')}</plugins></build></project>`,
    },
    asked: ['org.yaml:snakeyaml'],
  },
  {
    title: 'repositories of Maven for all but plugins',
    files: {
      'pom.xml': `<project>${lists.repository()}<dependencies>${dependency('com.secret:core')}</dependencies><build><plugins>${plugin('org.yaml:snakeyaml')}</plugins></build></project>`,
    },
    asked: ['org.yaml:snakeyaml'],
  },
  {
    title: 'repositories of Maven for snapshots alone',
    files: {
      'pom.xml': `<project>${lists.repository(snapshots)}\n<properties><v>1.0</v></properties>\n<dependencies>${dependency('org.yaml:snakeyaml', '$'.concat('{v}'))}${dependency('com.secret:core', '1.0-SNAPSHOT')}${dependency('com.secret:range', '[1.0,2)')}</dependencies></project>`,
    },
    asked: ['org.yaml:snakeyaml'],
  },
  {
    title: 'a dependency of the profile that has its repository',
    files: {
      'pom.xml': `<project><profiles><profile><id>acme</id>${lists.repository()}<dependencies>${dependency('com.secret:core')}</dependencies></profile></profiles><dependencies>${dependency('org.yaml:snakeyaml')}</dependencies></project>`,
    },
    asked: ['org.yaml:snakeyaml'],
  },
  {
    title: 'repositories of Gradle for plugins alone',
    files: {
      'build.gradle.kts': `buildscript { dependencies { classpath("com.secret:classpath:1.0") } }
plugins { id("com.secret.plugin") version "1.0" }
dependencies { implementation("org.yaml:snakeyaml:1.0"); constraints { api("junit:junit:4.13.2") } }
`,
      'settings.gradle.kts': `pluginManagement { repositories { maven("https://maven.acme.example") } }
dependencyResolutionManagement { repositories { mavenCentral() } }
`,
    },
    asked: ['junit:junit', 'org.yaml:snakeyaml'],
  },
  {
    title: 'repositories of Gradle for all but plugins',
    files: {
      'build.gradle': `buildscript.dependencies { classpath 'org.yaml:snakeyaml:1.0' }
plugins { id 'com.secret.plugin' }
repositories { maven { url 'https://maven.acme.example' } }
dependencies { implementation 'com.secret:core:1.0'; classpath 'com.secret:applied:1.0' }
configurations.all { resolutionStrategy { force 'com.secret:forced:1.0' } }
checkstyle { toolVersion = '10.0' }
`,
    },
    asked: ['org.yaml:snakeyaml'],
  },
  {
    title: 'repositories of Gradle for snapshots or some groups alone',
    files: {
      'build.gradle': `repositories { mavenCentral(); maven { url 'https://maven.acme.example'; mavenContent { snapshotsOnly() } }
  maven { url 'https://groups.acme.example'; mavenContent { includeGroupByRegex('com\\\\.secret.*') } } }
dependencies { implementation 'org.yaml:snakeyaml:1.0'; implementation 'net.secret:core:1.0-SNAPSHOT'; implementation 'net.secret:range:1.+'; implementation 'com.secret.sub:core:1.0' }
`,
    },
    asked: ['org.yaml:snakeyaml'],
  },
];
