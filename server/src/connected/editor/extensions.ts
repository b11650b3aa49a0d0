import { documentCommand } from '../../editor/command-names.ts';
import type { Extend, Extension } from '../../editor/extension.ts';
import { type LinkSafety, nothingChecked } from '../../engine/model/links.ts';
import type { ConnectedInsights } from '../../engine/model/ports.ts';
import { withConnections } from '../../engine/report/build/connections.ts';
import { type JoinedInsights, joinRepositories } from '../model/join-repositories.ts';
import { auditRequest, connectionsRequest, threatListsRequest, tryConnectionRequest } from './connections/requests.ts';
import { Services, type ServicesParts } from './connections/services.ts';
import { answerOf } from './documents/answers.ts';
import {
  callMethodRequest,
  copyRequestRequest,
  requestTemplateRequest,
  serviceMethodsRequest,
} from './documents/call-method.ts';
import { documentCommandOf } from './documents/command.ts';
import { ServiceDocuments } from './documents/documents.ts';
import { scheduleAdditions } from './schedule/answers.ts';
import { Calendar } from './schedule/calendar.ts';
import { Observing } from './schedule/observing.ts';
import { plannableRequest, scheduleRequest } from './schedule/requests.ts';

/** What connected services bring to a language server. */
export interface ConnectedEditor {
  /** Facts of packages with those of repositories, once a code host is connected. */
  joined(packages: ConnectedInsights): ConnectedInsights;
  readonly extend: Extend;
}

export function connectedEditor(parts: ServicesParts): ConnectedEditor {
  let facts: JoinedInsights | undefined;
  return {
    joined(packages) {
      facts = joinRepositories(packages);
      return facts.insights;
    },
    extend(server, shown) {
      const services = new Services(parts, server, (loaded) => {
        facts?.join(loaded.repositories);
        documents.follow(loaded.documents, shown.documents);
        loaded.onDidCheckLinks(shown.links);
        const showPlans = services.throttled(async () => {
          shown.hints();
          observing.look();
        });
        loaded.schedule.onDidChange(showPlans);
      });
      const documents = new ServiceDocuments(services, server);
      const calendar = new Calendar(services, server);
      const observing = new Observing(calendar);
      const checks = (): LinkSafety | undefined =>
        linksOf(services, server.settings.current.connections['link-safety'].baseUrl);
      return [
        { ...ofConnections(services), links: checks },
        ofDocuments(services, documents),
        ofSchedule(calendar, observing),
      ];
    },
  };
}

function ofConnections(services: Services): Extension {
  return {
    requests: [
      connectionsRequest(services),
      tryConnectionRequest(services),
      auditRequest(services),
      threatListsRequest(services),
    ],
    settingsChanged: () => services.settingsChanged(),
    async completed(report) {
      const { loaded } = services;
      return loaded ? withConnections(report, await loaded.connections.list()) : report;
    },
    closed: () => services.close(),
  };
}

/** While the setting is on and the checks are not loaded, no link is checked: the first request loads them. */
function linksOf(services: Services, baseUrl: string): LinkSafety | undefined {
  if (services.loaded) return services.loaded.links;
  if (baseUrl === '') return undefined;
  const request: LinkSafety['request'] = async (urls, priority) =>
    (await services.load())?.links.request(urls, priority);
  return { ...nothingChecked, request };
}

/** Calls that a person writes as documents, and other documents of services. */
function ofDocuments(services: Services, documents: ServiceDocuments): Extension {
  return {
    requests: [
      serviceMethodsRequest(services),
      requestTemplateRequest(services),
      callMethodRequest(services),
      copyRequestRequest(services),
    ],
    commands: { [documentCommand]: documentCommandOf(services) },
    async answer(method, params, uri, signal) {
      const answer = answerOf(method);
      const claimed = answer && (await documents.claim(uri, signal));
      return claimed && answer?.(claimed, params as never);
    },
    settingsChanged: () => documents.forget(),
    documentClosed: (uri) => documents.closed(uri),
  };
}

/** Updates that are planned in a calendar. */
function ofSchedule(calendar: Calendar, observing: Observing): Extension {
  return {
    requests: [scheduleRequest(calendar), plannableRequest(calendar)],
    additions: scheduleAdditions(calendar),
    evaluated: () => observing.look(),
    documentTyped: (uri) => observing.typed(uri),
    documentSaved: (uri) => observing.saved(uri),
    documentClosed: (uri) => observing.closed(uri),
  };
}
