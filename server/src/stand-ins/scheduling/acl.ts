import { isRecord } from '../../engine/base/text.ts';
import { touchEntries } from './calendars.ts';
import { type Answer, bodyOf, type Call, checkMatch, etagOf, flag, patched, put } from './call.ts';
import { invalid, notFound, Refused, required } from './errors.ts';
import { listEtag, pageOf, readPaging } from './pages.ts';
import { type Calendar, isRole, openCalendar, roleOf } from './roles.ts';
import type { Fields, Item } from './store.ts';

const scopes = ['default', 'user', 'group', 'domain'] as const;

export function getRule(call: Call): Answer {
  const { id } = openCalendar(call, call.values[0] ?? '', 'writer');
  return answerOf(ruleOf(call, id));
}

export function insertRule(call: Call): Answer {
  const calendar = openCalendar(call, call.values[0] ?? '', 'owner');
  return written(call, calendar, bodyOf(call));
}

export function updateRule(call: Call): Answer {
  const calendar = openCalendar(call, call.values[0] ?? '', 'owner');
  const rule = ruleOf(call, calendar.id);
  checkMatch(call, rule);
  return written(call, calendar, { scope: rule.body['scope'], ...bodyOf(call) }, rule.id);
}

export function patchRule(call: Call): Answer {
  const calendar = openCalendar(call, call.values[0] ?? '', 'owner');
  const rule = ruleOf(call, calendar.id);
  checkMatch(call, rule);
  return written(call, calendar, patched(rule.body, bodyOf(call)), rule.id);
}

export function deleteRule(call: Call): Answer {
  const calendar = openCalendar(call, call.values[0] ?? '', 'owner');
  const rule = ruleOf(call, calendar.id);
  checkMatch(call, rule);
  const body = { ...rule.body, role: 'none' };
  put(call, `acl/${calendar.id}`, rule.id, body, { isDeleted: true });
  keepOwner(call, calendar);
  touchEntries(call, calendar.id);
  return {};
}

export function listRules(call: Call): Answer {
  const { id } = openCalendar(call, call.values[0] ?? '', 'writer');
  const collection = `acl/${id}`;
  const paging = readPaging(call, collection, { usual: 100, most: 250 });
  const { since } = paging;
  const showDeleted = flag(call, 'showDeleted') ?? false;
  const items = call.store.list(collection, {
    ...(since !== undefined && { since }),
    withDeleted: showDeleted || since !== undefined,
  });
  const { values, tokens } = pageOf(
    call,
    paging,
    items.map((it) => ({ key: [0, it.id] as const, value: resourceOf(it) })),
  );
  const etag = listEtag(values);
  return { body: { kind: 'calendar#acl', etag, items: values, ...tokens }, etag };
}

function ruleOf({ store, values }: Call, calendar: string): Item {
  const rule = store.get(`acl/${calendar}`, (values[1] ?? '').toLowerCase());
  if (!rule || rule.isDeleted) throw notFound();
  return rule;
}

/** @param id of the rule that is changed: its scope stays */
function written(call: Call, calendar: Calendar, body: Fields, id?: string): Answer {
  const { role, scope } = body;
  if (role === undefined || role === null) throw required('role');
  if (!isRole(role)) throw invalid('Invalid role.');
  const named = scopeOf(scope);
  if (id !== undefined && named.id !== id) throw invalid('The scope of a rule cannot be changed.');
  const item = put(call, `acl/${calendar.id}`, named.id, { role, scope: named.scope }, { isDeleted: role === 'none' });
  keepOwner(call, calendar);
  touchEntries(call, calendar.id);
  return answerOf(item);
}

function scopeOf(scope: unknown): { readonly id: string; readonly scope: Fields } {
  if (!isRecord(scope)) throw required('scope');
  const { type, value } = scope;
  if (!scopes.some((it) => it === type)) throw invalid('Invalid scope type.');
  if (type === 'default') return { id: 'default', scope: { type } };
  const isName =
    typeof value === 'string' && (type === 'domain' ? /^[^\s@]+\.[^\s@]+$/ : /^[^\s@]+@[^\s@]+$/).test(value);
  if (!isName) throw invalid('Invalid scope value.');
  const name = value.toLowerCase();
  return { id: `${type}:${name}`, scope: { type, value: name } };
}

/** A calendar that its owner cannot change any more could never be shared or deleted again. */
function keepOwner({ store }: Call, { id, item }: Calendar): void {
  const owner = String(item.body['dataOwner'] ?? '');
  if (roleOf(store, id, owner) === 'owner') return;
  throw new Refused(403, 'cannotChangeOwnerAcl', 'Cannot change the access of the owner.', { domain: 'calendar' });
}

function answerOf(item: Item): Answer {
  return { body: resourceOf(item), etag: etagOf(item) };
}

function resourceOf(item: Item): object {
  const { role, scope } = item.body;
  return { kind: 'calendar#aclRule', etag: etagOf(item), id: item.id, scope, role: item.isDeleted ? 'none' : role };
}
