import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { isRecord } from '../../engine/base/text.ts';
import { hasReference } from './references.ts';

/** Formats such as int64 document a value here, and restrict nothing. */
const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false, verbose: true });
const compiled = new WeakMap<object, ValidateFunction>();

/** How many errors of one resource are reported. */
const MAX_ERRORS = 20;

/**
 * What of the properties of a resource breaks the schema of its type, as sentences that name the property. The value of a
 * reference is not known yet, so it breaks nothing.
 * @param schema of the catalog
 */
export function checkProperties(properties: object, schema: object): readonly string[] {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  if (validate(properties)) return [];
  const errors = validate.errors ?? [];
  return errors
    .filter((it) => !hasReference(it.data))
    .slice(0, MAX_ERRORS)
    .map(sentence);
}

/** @throws an error of ajv where it is no schema */
export function compileSchema(schema: object): void {
  compiled.set(schema, ajv.compile(schema));
}

/** Members of the properties that the schema does not name. */
export function undeclaredProperties(properties: object, schema: object): readonly string[] {
  const declared = 'properties' in schema && isRecord(schema.properties) ? schema.properties : {};
  return Object.keys(properties).filter((it) => !Object.hasOwn(declared, it));
}

/** `properties.disks[0].sizeGb must be string` */
function sentence({ instancePath, message = 'is invalid', params, keyword }: ErrorObject): string {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((it) => (/^\d+$/.test(it) ? `[${it}]` : `.${it.replaceAll('~1', '/').replaceAll('~0', '~')}`));
  const allowed = keyword === 'enum' ? `: ${[params['allowedValues']].flat().join(', ')}` : '';
  return `properties${path.join('')} ${message}${allowed}`;
}
