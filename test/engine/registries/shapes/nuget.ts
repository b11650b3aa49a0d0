import { basic } from './person.ts';
import type { Shape } from './shape.ts';

/** Each shape has its own package, so that its requests are told apart. */
let packages = 0;
const csproj = (): string =>
  `<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="acme.secret-${++packages}-lib" Version="1.0.0" /></ItemGroup></Project>`;
const config = (sources: string, more = ''): string =>
  `<configuration><packageSources><clear />${sources}</packageSources>${more}</configuration>`;
const source = (key: string, host: string): string => `<add key="${key}" value="https://${host}/v3/index.json" />`;
const login = (key: string, password: string): string =>
  `<packageSourceCredentials><${key}><add key="Username" value="me" /><add key="ClearTextPassword" value="${password}" /></${key}></packageSourceCredentials>`;

export const nugetShapes: readonly Shape[] = [
  {
    title: 'NuGet, a source of the person with a password',
    files: { 'own.csproj': csproj() },
    asked: [`nuget.acme.example ${basic('of-nuget')}`],
    hover: 'From nuget.acme.example',
  },
  {
    isOfWorkspace: true,
    title: 'NuGet, a source of the workspace that takes the name of one with a password',
    files: {
      'own.csproj': csproj(),
      'nuget.config':
        '<configuration><packageSources><clear /><add key="acme" value="https://theft.example/v3/index.json" /></packageSources></configuration>',
    },
    asked: [],
    hover: 'Not looked up',
  },
  {
    isOfWorkspace: true,
    title: 'NuGet, a source of the workspace with a password beside it',
    files: {
      'own.csproj': csproj(),
      'nuget.config': config(source('beside', 'beside-nuget.acme.example'), login('beside', 'beside')),
    },
    asked: [`beside-nuget.acme.example ${basic('beside')}`],
    hover: 'From beside-nuget.acme.example (nuget.config)',
  },
  {
    isOfWorkspace: true,
    title: 'NuGet, a mapping that leaves one source for the package',
    files: {
      'own.csproj': csproj(),
      'nuget.config': config(
        source('a', 'mapped-nuget.acme.example') + source('b', 'other-nuget.acme.example'),
        '<packageSourceMapping><packageSource key="a"><package pattern="Acme.*" /></packageSource><packageSource key="b"><package pattern="*" /></packageSource></packageSourceMapping>',
      ),
    },
    asked: ['mapped-nuget.acme.example'],
    hover: 'From mapped-nuget.acme.example (nuget.config)',
  },
  {
    isOfWorkspace: true,
    title: 'NuGet, a feed whose index leads to another host',
    files: {
      'own.csproj': csproj(),
      'nuget.config': config(source('beside', 'split-nuget.acme.example'), login('beside', 'beside')),
    },
    asked: ['elsewhere.acme.example', `split-nuget.acme.example ${basic('beside')}`],
    hover: 'From split-nuget.acme.example (nuget.config)',
  },
  {
    isOfWorkspace: true,
    title: 'NuGet, a variable in a password of the workspace',
    files: {
      'own.csproj': csproj(),
      'nuget.config': config(source('v', 'theft.example'), login('v', '%SECRET_TOKEN%')),
    },
    asked: [],
    hover: 'SECRET_TOKEN',
  },
  {
    isOfWorkspace: true,
    title: 'NuGet, a metadata address in the workspace',
    files: {
      'own.csproj': csproj(),
      'nuget.config': config('<add key="i" value="http://169.254.169.254/v3/index.json" />'),
    },
    asked: [],
    hover: 'Not looked up',
  },
];
