import { isRecord, oneLine } from '../../engine/base/text.ts';
import { readJson } from '../api/json.ts';
import type { DeploymentProblem } from '../model/deployments/deployments.ts';

type Shape = Readonly<Record<string, unknown>>;

/** Problems of one run. */
const MAX_PROBLEMS = 200;
/** In characters. */
const MAX_MESSAGE = 500;

/**
 * The errors and warnings of an operation that has ended, and of the resources of its deployment. What both report is
 * taken once, from the resource.
 */
export function problemsIn(operation: Shape, resources: readonly Shape[]): readonly DeploymentProblem[] {
  const names = resources.flatMap((it) => (typeof it['name'] === 'string' ? it['name'] : []));
  const found = new Map<string, DeploymentProblem>();
  const add = (it: DeploymentProblem): void => {
    const key = `${it.severity} ${it.code} ${it.message}`;
    const known = found.get(key);
    if (known?.resource === undefined && found.size < MAX_PROBLEMS) found.set(key, it);
  };
  for (const it of resources) {
    const update = isRecord(it['update']) ? it['update'] : {};
    for (const problem of [...problemsOf(update), ...problemsOf({ warnings: it['warnings'] })]) {
      add({ ...problem, resource: String(it['name']) });
    }
  }
  for (const it of problemsOf(operation)) {
    const resource = it.resource ?? names.find((name) => isNamed(name, it.message));
    add({ ...it, ...(resource !== undefined && { resource }) });
  }
  return [...found.values()];
}

/** Those in `error.errors` and `warnings`. */
function problemsOf(value: Shape): DeploymentProblem[] {
  const errors = isRecord(value['error']) ? listOf(value['error']['errors']) : [];
  return [
    ...errors.map((it) => problemOf(it, 'error')),
    ...listOf(value['warnings']).map((it) => problemOf(it, 'warning')),
  ];
}

function problemOf(value: Shape, severity: DeploymentProblem['severity']): DeploymentProblem {
  const code = typeof value['code'] === 'string' ? oneLine(value['code'], 100) : undefined;
  const location = typeof value['location'] === 'string' ? resourceIn(value['location']) : undefined;
  const data = listOf(value['data']).find((it) => /^resource(?:_?name)?$/i.test(String(it['key'])))?.['value'];
  const resource = typeof data === 'string' ? (resourceIn(data) ?? data) : location;
  return {
    severity,
    ...(resource !== undefined && { resource }),
    ...(code !== undefined && { code }),
    message: messageOf(value['message']) || (code ?? severity),
  };
}

/**
 * Errors of resources are a text of JSON:
 *
 *     {"ResourceType":"compute.v1.instance","ResourceErrorCode":"404","ResourceErrorMessage":"The zone does not exist"}
 */
function messageOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  const read = value.trimStart().startsWith('{') ? readJson(value) : undefined;
  if (read?.kind !== 'value' || !isRecord(read.value)) return oneLine(value, MAX_MESSAGE);
  const { ResourceErrorMessage: said, ResourceErrorCode: code } = read.value;
  const inner = isRecord(said) ? said['message'] : said;
  if (typeof inner !== 'string') return oneLine(value, MAX_MESSAGE);
  return oneLine(typeof code === 'string' ? `${inner} (${code})` : inner, MAX_MESSAGE);
}

/** `/deployments/front/resources/vm` → `vm`, and `/deployments/front/resources/vm->$.properties` as well. */
function resourceIn(location: string): string | undefined {
  return /\/resources\/([^/>\s]{1,200}?)(?:->.*)?$/.exec(location)?.[1];
}

function isNamed(name: string, message: string): boolean {
  const at = message.indexOf(name);
  const around = `${message[at - 1] ?? ' '}${message[at + name.length] ?? ' '}`;
  return name.length > 2 && at >= 0 && !/[\w-]/.test(around);
}

function listOf(value: unknown): Shape[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
