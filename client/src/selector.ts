/** The files that the server knows. A test compares them with its table of formats. */
export const manifestPatterns: readonly string[] = [
  '**/package.json',
  '**/{pom.xml,*.pom}',
  '**/*requirements*.{txt,in}',
  '**/requirements/*.{txt,in}',
  '**/*constraints*.{txt,in}',
  '**/*.{csproj,fsproj,vbproj}',
  '**/*.{props,targets}',
  '**/packages.config',
];

/** Documents of the disk only: other places hold nothing that could be looked up beside a manifest. */
export const manifestSelector: { readonly scheme: string; readonly pattern: string }[] = manifestPatterns.map(
  (pattern) => ({ scheme: 'file', pattern }),
);
