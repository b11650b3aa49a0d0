import { type ApiRequest, connectionVariable } from '../../engine/model/connection.ts';
import { type CredentialPlace, credentialPlaces } from './credentials.ts';

export const dryRunFormats = ['http', 'curl'] as const;
export type DryRunFormat = (typeof dryRunFormats)[number];

/**
 * A request as text that can be sent by other programs: as a `.http` file, or as a command of a POSIX shell. The
 * credential is the name of a variable in it.
 */
export function dryRun(
  request: ApiRequest,
  format: DryRunFormat,
  { baseUrl, comments = [] }: DryRunOptions = {},
): string {
  const lines = comments.map((it) => `# ${it.replace(/\s+/g, ' ')}`);
  return [...lines, ...(format === 'http' ? httpLines(request, baseUrl) : curlLines(request, baseUrl))].join('\n');
}

export interface DryRunOptions {
  /** Without a slash at its end; a variable of the environment if it is absent. */
  readonly baseUrl?: string;
  /** They precede it, a line each. */
  readonly comments?: readonly string[];
}

/**
 *     PATCH https://calendar.example/v3/calendars/primary/events/ab12 HTTP/1.1
 *     Authorization: Bearer {{$processEnv PACKAGE_INSIGHTS_SCHEDULING_TOKEN}}
 *     Content-Type: application/json
 *
 *     {"summary": "Update lodash"}
 */
function httpLines({ connection, verb, path, headers = {}, body }: ApiRequest, baseUrl: string | undefined): string[] {
  const place: CredentialPlace = credentialPlaces[connection];
  const variable = `{{$processEnv ${connectionVariable(connection, 'TOKEN')}}}`;
  const base = baseUrl ?? `{{$processEnv ${connectionVariable(connection, 'URL')}}}`;
  const query = place.kind === 'query' ? `${path.includes('?') ? '&' : '?'}${place.name}=${variable}` : '';
  return [
    `${verb} ${base}/${path}${query} HTTP/1.1`,
    'Accept: application/json',
    ...(place.kind === 'bearer' ? [`Authorization: Bearer ${variable}`] : []),
    ...Object.entries(headers).map(([name, it]) => `${titleCase(name)}: ${it}`),
    ...(body === undefined ? [] : ['Content-Type: application/json', '', body]),
  ];
}

/**
 *     curl --request PATCH 'https://calendar.example/v3/calendars/primary/events/ab12' \
 *       --header "Authorization: Bearer $PACKAGE_INSIGHTS_SCHEDULING_TOKEN" \
 *       --header 'Content-Type: application/json' \
 *       --data-binary '{"summary": "Update lodash"}'
 */
function curlLines({ connection, verb, path, headers = {}, body }: ApiRequest, baseUrl: string | undefined): string[] {
  const place: CredentialPlace = credentialPlaces[connection];
  const variable = `$${connectionVariable(connection, 'TOKEN')}`;
  const variableUrl = `"$${connectionVariable(connection, 'URL')}"`;
  const address = baseUrl === undefined ? `${variableUrl}${quoted(`/${path}`)}` : quoted(`${baseUrl}/${path}`);
  const parts = [
    // Brackets and braces in an address are no patterns.
    `curl --globoff --request ${verb} ${address}`,
    "--header 'Accept: application/json'",
    place.kind === 'bearer'
      ? `--header "Authorization: Bearer ${variable}"`
      : // With percent-encoding. Source: curl 7.87.
        `--url-query "${place.name}=${variable}"`,
    ...Object.entries(headers).map(([name, it]) => `--header ${quoted(`${titleCase(name)}: ${it}`)}`),
    ...(body === undefined ? [] : ["--header 'Content-Type: application/json'", `--data-binary ${quoted(body)}`]),
    // Without a body a server may require its length.
    ...(body === undefined && (verb === 'POST' || verb === 'PUT') ? ["--header 'Content-Length: 0'"] : []),
  ];
  return [parts.join(' \\\n  ')];
}

/** A word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** `if-match` → `If-Match` */
function titleCase(name: string): string {
  return name.replace(/\b[a-z]/g, (it) => it.toUpperCase());
}
