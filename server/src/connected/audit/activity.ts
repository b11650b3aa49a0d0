import * as l10n from '@vscode/l10n';
import { isRecord } from '../../engine/base/text.ts';
import type { AuditEvent } from '../model/audit.ts';

/** Reads the events of an activity record. Whatever is not as described is left out. */
export function readEvents(record: unknown): AuditEvent[] {
  if (!isRecord(record) || !Array.isArray(record['events'])) return [];
  const time = isRecord(record['id']) ? Date.parse(anyText(record['id']['time'])) : Number.NaN;
  const { actor: given, ipAddress } = record;
  const actor = isRecord(given) ? textOf(given['email'] ?? given['profileId'] ?? given['key']) : undefined;
  return record['events'].filter(isRecord).map((event): AuditEvent => {
    const parameters = new Map(
      (Array.isArray(event['parameters']) ? event['parameters'] : [])
        .filter(isRecord)
        .map((it): [string, Parameter] => [anyText(it['name']), it]),
    );
    const take = (name: string): Parameter | undefined => {
      const found = parameters.get(name);
      parameters.delete(name);
      return found;
    };
    const text = (name: string): string | undefined => textOf(take(name)?.['value']);
    const fields = {
      actor,
      ipAddress: textOf(ipAddress),
      app: text('app_name'),
      clientId: text('client_id'),
      clientType: text('client_type'),
      api: text('api_name'),
      method: text('method_name'),
      productBucket: text('product_bucket'),
    };
    const bytes = anyText(take('num_response_bytes')?.['intValue']);
    const scopes = valuesOf(take('scope'));
    const others = Object.fromEntries([...parameters].map(([name, it]) => [name, valuesOf(it).join(', ')]));
    return {
      name: anyText(event['name']),
      ...(Number.isNaN(time) ? {} : { at: time }),
      ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
      // Beyond the numbers of JSON, so it comes as a text.
      ...(/^\d{1,19}$/.test(bytes) && { responseBytes: BigInt(bytes) }),
      scopes,
      others,
    };
  });
}

type Parameter = Readonly<Record<string, unknown>>;

/** The values of a parameter of any type. */
function valuesOf(parameter: Parameter | undefined): string[] {
  if (parameter === undefined) return [];
  const { value, intValue, boolValue, multiValue, multiIntValue, messageValue, multiMessageValue } = parameter;
  const many = [multiValue, multiIntValue].flatMap((it) => (Array.isArray(it) ? it.map(anyText) : []));
  const messages = [messageValue, multiMessageValue].filter((it) => it !== undefined).map((it) => JSON.stringify(it));
  const single = [value, intValue, boolValue].filter((it) => it !== undefined).map(anyText);
  return [...single, ...many, ...messages];
}

/** Empty for what is no text, number or boolean: an object may refuse to become a text. */
function anyText(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? `${value}` : '';
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The event as a sentence, by the templates of the contract. */
export function eventText({ name, actor, app, method, scopes }: AuditEvent): string {
  const someone = actor ?? l10n.t('an unknown user');
  const application = app ?? l10n.t('an unknown application');
  const scope = scopes.length > 0 ? scopes.join(', ') : l10n.t('unknown');
  switch (name) {
    case 'activity':
      return l10n.t('{0} called {1} on behalf of {2}', application, method ?? l10n.t('an unknown method'), someone);
    case 'authorize':
      return l10n.t('{0} authorized access to {1} for {2} scopes', someone, application, scope);
    case 'request':
      return l10n.t('{0} requested access to {1} for {2} scopes', someone, application, scope);
    case 'revoke':
      return l10n.t('{0} revoked access to {1} for {2} scopes', someone, application, scope);
    default:
      return l10n.t('{0}: {1} by {2}', name, application, someone);
  }
}
