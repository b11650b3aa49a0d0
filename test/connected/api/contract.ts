/*
 * The tables of the contracts: group, method, verb and path of every method, as they stand there. The paths of the
 * deployment service follow `…/projects` in its base address.
 */

/** `Acl get GET /calendars/{calendarId}/acl/{ruleId}` */
export type ContractRow = readonly [group: string, method: string, verb: string, path: string];

export const scheduling: readonly ContractRow[] = [
  ['Acl', 'delete', 'DELETE', '/calendars/{calendarId}/acl/{ruleId}'],
  ['Acl', 'get', 'GET', '/calendars/{calendarId}/acl/{ruleId}'],
  ['Acl', 'insert', 'POST', '/calendars/{calendarId}/acl'],
  ['Acl', 'list', 'GET', '/calendars/{calendarId}/acl'],
  ['Acl', 'patch', 'PATCH', '/calendars/{calendarId}/acl/{ruleId}'],
  ['Acl', 'update', 'PUT', '/calendars/{calendarId}/acl/{ruleId}'],
  ['Acl', 'watch', 'POST', '/calendars/{calendarId}/acl/watch'],
  ['CalendarList', 'delete', 'DELETE', '/users/me/calendarList/{calendarId}'],
  ['CalendarList', 'get', 'GET', '/users/me/calendarList/{calendarId}'],
  ['CalendarList', 'insert', 'POST', '/users/me/calendarList'],
  ['CalendarList', 'list', 'GET', '/users/me/calendarList'],
  ['CalendarList', 'patch', 'PATCH', '/users/me/calendarList/{calendarId}'],
  ['CalendarList', 'update', 'PUT', '/users/me/calendarList/{calendarId}'],
  ['CalendarList', 'watch', 'POST', '/users/me/calendarList/watch'],
  ['Calendars', 'clear', 'POST', '/calendars/{calendarId}/clear'],
  ['Calendars', 'delete', 'DELETE', '/calendars/{calendarId}'],
  ['Calendars', 'get', 'GET', '/calendars/{calendarId}'],
  ['Calendars', 'insert', 'POST', '/calendars'],
  ['Calendars', 'patch', 'PATCH', '/calendars/{calendarId}'],
  ['Calendars', 'update', 'PUT', '/calendars/{calendarId}'],
  ['Channels', 'stop', 'POST', '/channels/stop'],
  ['Colors', 'get', 'GET', '/colors'],
  ['Events', 'delete', 'DELETE', '/calendars/{calendarId}/events/{eventId}'],
  ['Events', 'get', 'GET', '/calendars/{calendarId}/events/{eventId}'],
  ['Events', 'import', 'POST', '/calendars/{calendarId}/events/import'],
  ['Events', 'insert', 'POST', '/calendars/{calendarId}/events'],
  ['Events', 'instances', 'GET', '/calendars/{calendarId}/events/{eventId}/instances'],
  ['Events', 'list', 'GET', '/calendars/{calendarId}/events'],
  ['Events', 'move', 'POST', '/calendars/{calendarId}/events/{eventId}/move'],
  ['Events', 'patch', 'PATCH', '/calendars/{calendarId}/events/{eventId}'],
  ['Events', 'quickAdd', 'POST', '/calendars/{calendarId}/events/quickAdd'],
  ['Events', 'update', 'PUT', '/calendars/{calendarId}/events/{eventId}'],
  ['Events', 'watch', 'POST', '/calendars/{calendarId}/events/watch'],
  ['Freebusy', 'query', 'POST', '/freeBusy'],
  ['Settings', 'get', 'GET', '/users/me/settings/{setting}'],
  ['Settings', 'list', 'GET', '/users/me/settings'],
  ['Settings', 'watch', 'POST', '/users/me/settings/watch'],
];

export const deployments: readonly ContractRow[] = [
  ['CompositeTypes', 'delete', 'DELETE', '/{project}/global/compositeTypes/{compositeType}'],
  ['CompositeTypes', 'get', 'GET', '/{project}/global/compositeTypes/{compositeType}'],
  ['CompositeTypes', 'insert', 'POST', '/{project}/global/compositeTypes'],
  ['CompositeTypes', 'list', 'GET', '/{project}/global/compositeTypes'],
  ['CompositeTypes', 'patch', 'PATCH', '/{project}/global/compositeTypes/{compositeType}'],
  ['CompositeTypes', 'update', 'PUT', '/{project}/global/compositeTypes/{compositeType}'],
  ['Deployments', 'cancelPreview', 'POST', '/{project}/global/deployments/{deployment}/cancelPreview'],
  ['Deployments', 'delete', 'DELETE', '/{project}/global/deployments/{deployment}'],
  ['Deployments', 'get', 'GET', '/{project}/global/deployments/{deployment}'],
  ['Deployments', 'getIamPolicy', 'GET', '/{project}/global/deployments/{resource}/getIamPolicy'],
  ['Deployments', 'insert', 'POST', '/{project}/global/deployments'],
  ['Deployments', 'list', 'GET', '/{project}/global/deployments'],
  ['Deployments', 'patch', 'PATCH', '/{project}/global/deployments/{deployment}'],
  ['Deployments', 'setIamPolicy', 'POST', '/{project}/global/deployments/{resource}/setIamPolicy'],
  ['Deployments', 'stop', 'POST', '/{project}/global/deployments/{deployment}/stop'],
  ['Deployments', 'testIamPermissions', 'POST', '/{project}/global/deployments/{resource}/testIamPermissions'],
  ['Deployments', 'update', 'PUT', '/{project}/global/deployments/{deployment}'],
  ['Manifests', 'get', 'GET', '/{project}/global/deployments/{deployment}/manifests/{manifest}'],
  ['Manifests', 'list', 'GET', '/{project}/global/deployments/{deployment}/manifests'],
  ['Operations', 'get', 'GET', '/{project}/global/operations/{operation}'],
  ['Operations', 'list', 'GET', '/{project}/global/operations'],
  ['Resources', 'get', 'GET', '/{project}/global/deployments/{deployment}/resources/{resource}'],
  ['Resources', 'list', 'GET', '/{project}/global/deployments/{deployment}/resources'],
  ['TypeProviders', 'delete', 'DELETE', '/{project}/global/typeProviders/{typeProvider}'],
  ['TypeProviders', 'get', 'GET', '/{project}/global/typeProviders/{typeProvider}'],
  ['TypeProviders', 'getType', 'GET', '/{project}/global/typeProviders/{typeProvider}/types/{type}'],
  ['TypeProviders', 'insert', 'POST', '/{project}/global/typeProviders'],
  ['TypeProviders', 'list', 'GET', '/{project}/global/typeProviders'],
  ['TypeProviders', 'listTypes', 'GET', '/{project}/global/typeProviders/{typeProvider}/types'],
  ['TypeProviders', 'patch', 'PATCH', '/{project}/global/typeProviders/{typeProvider}'],
  ['TypeProviders', 'update', 'PUT', '/{project}/global/typeProviders/{typeProvider}'],
  ['Types', 'list', 'GET', '/{project}/global/types'],
];

export const linkSafety: readonly ContractRow[] = [
  ['v4.fullHashes', 'find', 'POST', '/v4/fullHashes:find'],
  ['v4.threatListUpdates', 'fetch', 'POST', '/v4/threatListUpdates:fetch'],
  ['v4.threatLists', 'list', 'GET', '/v4/threatLists'],
  ['v4.threatMatches', 'find', 'POST', '/v4/threatMatches:find'],
];

/** The listing of token audit events, with its named query parameters. */
export const tokenAudit = {
  verb: 'GET',
  path: '/admin/reports/v1/activity/users/all/applications/token',
  query: ['eventName', 'maxResults', 'access_token'],
  eventNames: ['activity', 'authorize', 'request', 'revoke'],
} as const;

/** The status of the rate limits of the code host. */
export const rateLimit = { verb: 'GET', path: '/rate_limit' } as const;
