import * as l10n from '@vscode/l10n';
import { similarNames } from '../../engine/base/similar-names.ts';
import { isRecord } from '../../engine/base/text.ts';
import { type MemberPath, memberText, type Problem, shown, withSimilar } from './problem.ts';
import { type BodyType, type Member, readType, type Type, type Types } from './service-method.ts';
import { valueTypeOf } from './value-types.ts';

/** Members that only the service sets. */
const marksOfService: readonly string[] = ['etag', 'fingerprint', 'kind', 'selfLink'];

/** A reader needs no more of one body. */
const MAX_PROBLEMS = 20;
/** Unknown names that are compared with known ones. Those beyond are errors, for nothing says what they are. */
const MAX_COMPARED = 500;

/**
 * Checks a body against its schema. A member that the schema does not know is an error. In a body that the service has
 * returned it may be newer than the schema, so there it is a note unless it resembles a known one; so is a value of an
 * enum, in any body.
 */
export function checkBody(body: unknown, { type, required }: BodyType, types: Types): CheckedBody {
  const problems: Problem[] = [];
  const notes: Problem[] = [];
  let compared = 0;
  const isReturned = isRecord(body) && marksOfService.some((it) => Object.hasOwn(body, it));

  function check(value: unknown, expected: Type, path: MemberPath): void {
    if (value === null || problems.length >= MAX_PROBLEMS) return;
    switch (expected.kind) {
      case 'list':
        if (Array.isArray(value)) for (const [at, it] of value.entries()) check(it, expected.of, [...path, at]);
        else refuse(value, l10n.t('a list'), path);
        break;
      case 'map':
        if (isRecord(value)) for (const [name, it] of Object.entries(value)) check(it, expected.of, [...path, name]);
        else refuse(value, l10n.t('an object'), path);
        break;
      case 'named': {
        const values = types.enumOf(expected.name);
        const members = types.membersOf(expected.name);
        if (values) checkEnum(value, values, path);
        else if (members) checkMembers(value, members, path);
        else checkValue(value, expected.name, path);
      }
    }
  }

  function checkMembers(value: unknown, members: readonly Member[], path: MemberPath): void {
    if (!isRecord(value)) {
      refuse(value, l10n.t('an object'), path);
      return;
    }
    const names = members.map((it) => it.name);
    for (const [name, it] of Object.entries(value)) {
      const member = members.find((known) => known.name === name);
      if (member) check(it, member.type, [...path, name]);
      else unknown(l10n.t('unknown member {0}', memberText([...path, name])), name, names, [...path, name], isReturned);
    }
  }

  function checkEnum(value: unknown, values: readonly string[], path: MemberPath): void {
    if (typeof value !== 'string') refuse(value, oneOf(values), path);
    else if (!values.includes(value))
      unknown(l10n.t('{0} has the unknown value {1}', memberText(path), shown(value)), value, values, path, true);
  }

  function checkValue(value: unknown, name: string, path: MemberPath): void {
    const row = valueTypeOf(name);
    if (!row || row.json === 'any') return;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    // The type of JSON is a part of the type: "42" is an int64, and 42 an int32.
    if (typeof value !== row.json || !row.accepts(text)) refuse(value, row.expected(), path);
  }

  function refuse(value: unknown, expected: string, path: MemberPath): void {
    const where = path.length === 0 ? l10n.t('the body') : memberText(path);
    problems.push({ message: l10n.t('{0} requires {1}, not {2}', where, expected, shown(value)), member: path });
  }

  /** @param mayBeNew whether the service may know what the schema does not */
  function unknown(message: string, name: string, known: readonly string[], path: MemberPath, mayBeNew: boolean): void {
    if (problems.length >= MAX_PROBLEMS) return;
    const isCompared = compared++ < MAX_COMPARED;
    const similar = isCompared ? similarNames(name, known) : [];
    if (similar.length > 0) problems.push({ message: withSimilar(message, similar), member: path, similar });
    else if (!mayBeNew || !isCompared) problems.push({ message, member: path });
    else if (notes.length < MAX_PROBLEMS) notes.push({ message, member: path });
  }

  check(body, readType(type), []);
  if (isRecord(body)) {
    for (const name of required) {
      const isAbsent = !Object.hasOwn(body, name) || body[name] === null;
      const message = l10n.t('the body requires the member {0}', name);
      if (isAbsent) problems.push({ message, member: [], missing: name });
    }
  } else if (body === null) refuse(body, l10n.t('an object'), []);
  return { problems, notes };
}

export interface CheckedBody {
  readonly problems: readonly Problem[];
  /** What is sent although the schema does not know it. */
  readonly notes: readonly Problem[];
}

/** `one of all, externalOnly, none` */
export function oneOf(values: readonly string[]): string {
  return l10n.t('one of {0}', values.join(', '));
}
