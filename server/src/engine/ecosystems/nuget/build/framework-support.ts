import { frameworkName } from '../msbuild-conditions.ts';

interface Framework {
  readonly family: 'net' | 'netcoreapp' | 'netstandard' | 'netframework';
  /** `8.0`, `4.72` */
  readonly version: number;
  /** `windows` of `net8.0-windows10.0` */
  readonly platform: string;
}

/** The highest .NET Standard that a framework has. Source: Microsoft, “.NET Standard”, the versions that it supports. */
function standardOf({ family, version }: Framework): number {
  switch (family) {
    case 'net':
      return 2.1;
    case 'netstandard':
      return version;
    case 'netcoreapp':
      return version >= 3 ? 2.1 : version >= 2 ? 2 : 1.6;
    case 'netframework':
      return version >= 4.61 ? 2 : version >= 4.6 ? 1.3 : version >= 4.51 ? 1.2 : version >= 4.5 ? 1.1 : 0;
  }
}

/**
 * Whether a project with a framework can use a package that has one of some. Where any of them is not known, it can.
 * @param project `net8.0`
 * @param offered `.NETStandard2.0`, `net6.0`; `''` for all
 */
export function canUse(project: string, offered: readonly string[]): boolean {
  const own = read(project);
  if (own === undefined || offered.length === 0) return true;
  return offered.some((it) => {
    const theirs = read(it);
    return theirs === undefined || isUsable(own, theirs);
  });
}

function isUsable(own: Framework, theirs: Framework): boolean {
  if (theirs.platform !== '' && theirs.platform !== own.platform) return false;
  if (theirs.family === 'netstandard') return theirs.version <= standardOf(own);
  if (theirs.family === own.family) return theirs.version <= own.version;
  if (own.family === 'net' && theirs.family === 'netcoreapp') return true;
  // The SDK falls back to the later .NET Frameworks, with a warning.
  return theirs.family === 'netframework' && theirs.version >= 4.61 && own.family !== 'netstandard';
}

function read(written: string): Framework | undefined {
  const name = frameworkName(written.replace(/^\.(NET\w+?)(\d[\d.]*)$/, '.$1,Version=v$2')).toLowerCase();
  const [, family, number = '', platform = ''] =
    /^(netcoreapp|netstandard|net)(\d[\d.]*)(?:-([a-z]+)[\d.]*)?$/.exec(name) ?? [];
  if (family === undefined) return undefined;
  if (family === 'net' && !number.includes('.')) {
    const version = Number(`${number.slice(0, 1)}.${number.slice(1) || '0'}`);
    return { family: 'netframework', version, platform };
  }
  return { family: family as Framework['family'], version: Number.parseFloat(number), platform };
}
