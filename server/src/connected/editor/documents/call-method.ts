import { signalOf } from '../../../editor/dispatch.ts';
import type { OwnRequest } from '../../../editor/extension.ts';
import { fieldsIn, textIn } from '../../../editor/params.ts';
import type { ClientState } from '../../../editor/state/client-state.ts';
import {
  type CallAnswer,
  type CopiedRequest,
  type CopyFormat,
  copyFormats,
  type MethodSummary,
  type SendOptions,
} from '../../model/documents/requests.ts';
import type { Services } from '../connections/services.ts';

export interface ServiceMethodsAnswer {
  /** By service, in the order of their tables. */
  readonly methods: readonly MethodSummary[];
}

/** Every method of every connected service. */
export const serviceMethodsRequest = (services: Services): OwnRequest<object, ServiceMethodsAnswer> => ({
  method: 'packageInsights/serviceMethods',
  read: (params) => fieldsIn(params),
  async answer() {
    return { methods: (await (await services.load())?.requests.methods()) ?? [] };
  },
});

export interface RequestTemplateParams {
  /** `scheduling.events.list` */
  readonly method: string;
}

/** The text of a new request document; null for a method that does not exist. */
export const requestTemplateRequest = (services: Services): OwnRequest<RequestTemplateParams, string | null> => ({
  method: 'packageInsights/requestTemplate',
  read(params) {
    const method = textIn(params, 'method');
    return method === undefined ? undefined : { method };
  },
  async answer({ method }) {
    return (await (await services.load())?.requests.template(method)) ?? null;
  },
});

/** A request document: one that is open, or its text. */
export type RequestSource = { readonly uri: string } | { readonly text: string };

export type CallMethodParams = RequestSource & SendOptions;

/** Checks a request document and sends it. It can be canceled: what changes something may have been done then. */
export const callMethodRequest = (services: Services): OwnRequest<CallMethodParams, CallAnswer> => ({
  method: 'packageInsights/callMethod',
  read(params) {
    const source = sourceIn(params);
    const { confirm } = fieldsIn(params);
    const page = textIn(params, 'page');
    return (
      source && { ...source, ...(page !== undefined && { page }), ...(typeof confirm === 'string' && { confirm }) }
    );
  },
  async answer({ page, confirm, ...source }, { client }, token) {
    const loaded = await services.load();
    const text = textOf(source, client);
    if (loaded === undefined || text === undefined) return { kind: 'aborted' };
    const options = { ...(page !== undefined && { page }), ...(confirm !== undefined && { confirm }) };
    return loaded.requests.send(text, options, signalOf(token));
  },
});

export type CopyRequestParams = RequestSource & { readonly format: CopyFormat };

/** The request of a document for another program, without address and credential. */
export const copyRequestRequest = (services: Services): OwnRequest<CopyRequestParams, CopiedRequest | null> => ({
  method: 'packageInsights/copyRequest',
  read(params) {
    const source = sourceIn(params);
    const format = copyFormats.find((it) => it === fieldsIn(params)['format']);
    return source && format && { ...source, format };
  },
  async answer({ format, ...source }, { client }) {
    const loaded = await services.load();
    const text = textOf(source, client);
    return loaded === undefined || text === undefined ? null : loaded.requests.copy(text, format);
  },
});

function sourceIn(params: unknown): RequestSource | undefined {
  const { text } = fieldsIn(params);
  const uri = textIn(fieldsIn(params)['textDocument'], 'uri') ?? textIn(params, 'uri');
  if (typeof text === 'string') return { text };
  return uri === undefined ? undefined : { uri };
}

function textOf(source: RequestSource, { documents }: ClientState): string | undefined {
  return 'text' in source ? source.text : documents.get(source.uri)?.getText();
}
