import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readTypeCatalog } from '../../server/src/stand-ins/deployments/type-catalog.ts';
import { catalogOfTypes, createLab, deploymentOf, type Fields } from '../harness/deployments.ts';

/** A firewall rule requires its network, and a bucket nothing. */
const web = `
resources:
- name: rule
  type: compute.v1.firewall
  properties:
    network: $(ref.net.selfLink)
    allowed: [{IPProtocol: tcp, ports: ["443"]}]
- name: net
  type: compute.v1.network
  properties: {autoCreateSubnetworks: false}
- name: files
  type: storage.v1.bucket
outputs:
- name: network
  value: $(ref.net.selfLink)
`;

const bucket = (name: string, more = '') => `resources:\n- {name: ${name}, type: storage.v1.bucket${more}}\n`;

function operationOf(lab: ReturnType<typeof createLab>, deployment = 'front'): Fields {
  return lab.get(`deployments/${deployment}`)['operation'] as Fields;
}

function errorsOf(operation: Fields): Fields[] {
  return ((operation['error'] as Fields | undefined)?.['errors'] ?? []) as Fields[];
}

test('an operation goes from pending over running to done, and deploys in the order of references', () => {
  const lab = createLab();
  const started = lab.call('POST deployments', deploymentOf(web)).body;
  assert.deepEqual([started['status'], started['operationType'], started['progress']], ['PENDING', 'insert', 0]);
  assert.equal(started['user'], 'me@team.example');
  assert.match(String(started['targetLink']), /\/v2beta\/projects\/demo\/global\/deployments\/front$/);
  lab.pass(1_000);
  const waiting = 'CREATE_OR_ACQUIRE';
  assert.deepEqual(lab.states(), {
    files: `IN_PROGRESS ${waiting}`,
    net: `IN_PROGRESS ${waiting}`,
    rule: `PENDING ${waiting}`,
  });
  assert.deepEqual([operationOf(lab)['status'], lab.get('deployments/front')['manifest']], ['RUNNING', undefined]);
  lab.pass(2_000);
  assert.deepEqual(lab.states(), { files: 'COMPLETED', net: 'COMPLETED', rule: `IN_PROGRESS ${waiting}` });
  assert.equal(operationOf(lab)['progress'], 67);
  lab.pass();
  assert.deepEqual([operationOf(lab)['status'], operationOf(lab)['progress']], ['DONE', 100]);
  const rule = lab.get('deployments/front/resources/rule');
  assert.match(String(rule['properties']), /network: \$\(ref\.net\.selfLink\)/);
  assert.match(String(rule['finalProperties']), /network: https:\/\/resources\.example\/.*\/networks\/net\n/);
  const deployed = lab.get('deployments/front');
  assert.match(String(deployed['manifest']), /\/deployments\/front\/manifests\/manifest-\d{13}$/);
  assert.equal(deployed['update'], undefined);
  const [manifest] = lab.get('deployments/front/manifests')['manifests'] as Fields[];
  assert.match(String(manifest?.['layout']), /finalValue: https:\/\/resources\.example\/.*\/networks\/net\n/);
});

test('one resource that fails leaves the independent ones deployed, and those that require it undone', () => {
  const lab = createLab();
  const content = `
resources:
- {name: unknown, type: compute.v9.thing}
- {name: wrong, type: storage.v1.bucket, properties: {storageClass: COLD, colour: red}}
- {name: after, type: compute.v1.network, metadata: {dependsOn: [wrong]}}
- {name: a, type: compute.v1.network, properties: {description: $(ref.b.name)}}
- {name: b, type: compute.v1.network, properties: {description: $(ref.a.name)}}
- {name: nothing, type: compute.v1.network, properties: {description: $(ref.nobody.name)}}
- {name: lost, type: compute.v1.firewall, properties: {network: $(ref.good.nonsense)}}
- {name: template, type: vm.py}
- {name: good, type: compute.v1.network}
- {name: old, type: compute.v1.httpHealthCheck}
`;
  lab.call('POST deployments', deploymentOf(content, { imports: [{ name: 'vm.py', content: 'def x(): pass' }] }));
  lab.pass();
  const states = lab.states();
  const failed = Object.keys(states).filter((it) => states[it]?.startsWith('FAILED'));
  assert.deepEqual(failed, ['a', 'b', 'lost', 'nothing', 'template', 'unknown', 'wrong']);
  assert.match(states['after'] ?? '', /^ABORTED/);
  assert.deepEqual([states['good'], states['old']], ['COMPLETED', 'COMPLETED']);
  const operation = operationOf(lab);
  const errors = new Map(errorsOf(operation).map((it) => [it['location'], `${it['code']} ${it['message']}`]));
  const expected: readonly (readonly [string, RegExp])[] = [
    ['unknown', /^TYPE_NOT_FOUND .*compute\.v9\.thing/],
    [
      'wrong',
      /^RESOURCE_ERROR \{"ResourceType":"storage\.v1\.bucket","ResourceErrorCode":"400".*properties\.storageClass/,
    ],
    ['a', /^CYCLE_IN_REFERENCES .*a → b → a/],
    ['nothing', /^RESOURCE_NOT_FOUND .*nobody/],
    ['lost', /^INVALID_REFERENCE .*\$\(ref\.good\.nonsense\)/],
    ['template', /^MANIFEST_EXPANSION_USER_ERROR vm\.py .*does not run templates/],
  ];
  for (const [name, message] of expected)
    assert.match(errors.get(`/deployments/front/resources/${name}`) ?? '', message);
  assert.deepEqual([operation['httpErrorStatusCode'], operation['status']], [400, 'DONE']);
  const warnings = (operation['warnings'] as Fields[]).map((it) => it['code']);
  assert.deepEqual(warnings.sort(), ['DEPRECATED_TYPE_USED', 'UNDECLARED_PROPERTIES']);
  assert.equal(lab.get('deployments/front')['manifest'], undefined);
});

test('a preview shows what would be done, and an update without a configuration does it', () => {
  const lab = createLab();
  lab.call('POST deployments', deploymentOf(web));
  lab.pass();
  const next = web.replace('name: files', 'name: papers').replace('"443"', '"80"');
  const put = (query: string, body: object) => lab.call(`PUT deployments/front${query}`, body);
  const started = put('?preview=true', { ...deploymentOf(next), fingerprint: lab.fingerprint() });
  assert.deepEqual([started.status, started.body['operationType']], [200, 'preview']);
  lab.pass();
  const previewed = {
    files: 'IN_PREVIEW DELETE',
    net: 'COMPLETED',
    papers: 'IN_PREVIEW CREATE_OR_ACQUIRE',
    rule: 'IN_PREVIEW UPDATE',
  };
  assert.deepEqual(lab.states(), previewed);
  const manifests = lab.get('deployments/front/manifests')['manifests'] as Fields[];
  assert.equal(manifests.length, 2);
  assert.match(String(lab.get('deployments/front/resources/rule')['finalProperties']), /443/);

  lab.call('POST deployments/front/cancelPreview', { fingerprint: lab.fingerprint() });
  lab.pass();
  assert.deepEqual(lab.states(), { files: 'COMPLETED', net: 'COMPLETED', rule: 'COMPLETED' });
  assert.equal(lab.get('deployments/front')['update'], undefined);

  const labels = [{ key: 'env', value: 'prod' }];
  put('?preview=true', { ...deploymentOf(next), labels, fingerprint: lab.fingerprint() });
  lab.pass();
  assert.equal(lab.get('deployments/front')['labels'], undefined);
  put('', { name: 'front', fingerprint: lab.fingerprint() });
  lab.pass();
  assert.deepEqual(lab.states(), { net: 'COMPLETED', papers: 'COMPLETED', rule: 'COMPLETED' });
  assert.match(String(lab.get('deployments/front/resources/rule')['finalProperties']), /80/);
  const { manifest, labels: given } = lab.get('deployments/front');
  assert.deepEqual(given, labels);
  assert.equal(
    String(manifest),
    (lab.get('deployments/front/manifests')['manifests'] as Fields[]).at(-1)?.['selfLink'],
  );
});

test('a deployment may begin as a preview, which leaves nothing when it is canceled', () => {
  const lab = createLab();
  lab.call('POST deployments?preview=true', deploymentOf(web));
  lab.pass();
  assert.equal(lab.states()['net'], 'IN_PREVIEW CREATE_OR_ACQUIRE');
  lab.call('POST deployments/front/cancelPreview', { fingerprint: lab.fingerprint() });
  lab.pass();
  assert.deepEqual(lab.states(), {});
  assert.equal(lab.call('POST deployments/front/cancelPreview', { fingerprint: lab.fingerprint() }).status, 400);
});

test('a stop lets what runs end, and begins nothing more', () => {
  const lab = createLab();
  lab.call('POST deployments', deploymentOf(web));
  lab.pass(1_000);
  const stopped = lab.call('POST deployments/front/stop', { fingerprint: lab.fingerprint() });
  assert.equal(stopped.body['operationType'], 'stop');
  assert.match(lab.states()['rule'] ?? '', /^ABORTED/);
  lab.pass();
  assert.deepEqual([lab.states()['net'], lab.states()['files']], ['COMPLETED', 'COMPLETED']);
  assert.match(lab.states()['rule'] ?? '', /^ABORTED/);
  const operations = lab.get('operations?orderBy=name')['operations'] as Fields[];
  assert.deepEqual(
    operations.map((it) => [it['operationType'], it['status'], errorsOf(it)[0]?.['code']]),
    [
      ['insert', 'DONE', 'OPERATION_STOPPED'],
      ['stop', 'DONE', undefined],
    ],
  );
  assert.equal(lab.call('POST deployments/front/stop', { fingerprint: lab.fingerprint() }).status, 400);
  // The deployment is not stuck.
  lab.call('PUT deployments/front', { ...deploymentOf(web), fingerprint: lab.fingerprint() });
  lab.pass();
  assert.equal(lab.states()['rule'], 'COMPLETED');
});

test('a fingerprint is required, and another one after each change; one operation runs at a time', () => {
  const lab = createLab();
  lab.call('POST deployments', deploymentOf(web));
  const first = lab.fingerprint();
  assert.match(first, /^[\w-]{22}==$/);
  const update = (fingerprint?: string) =>
    lab.call('PUT deployments/front', { ...deploymentOf(web), ...(fingerprint && { fingerprint }) });
  assert.equal(update(first).status, 409, 'another operation runs');
  assert.equal(lab.call('DELETE deployments/front').status, 409);
  lab.pass();
  assert.equal(update().status, 400);
  assert.equal(update(first).status, 200);
  lab.pass();
  const stale = update(first);
  assert.equal(stale.status, 412);
  const [error] = (stale.body['error'] as { readonly errors: readonly Fields[] }).errors;
  assert.deepEqual(
    [error?.['reason'], error?.['location'], error?.['domain']],
    ['conditionNotMet', 'fingerprint', 'global'],
  );
  for (const it of ['stop', 'cancelPreview']) {
    assert.equal(lab.call(`POST deployments/front/${it}`, { fingerprint: first }).status, 412);
    assert.equal(lab.call(`POST deployments/front/${it}`, {}).status, 400);
  }
  // Other clients write base64 in the other alphabet.
  const other = lab.fingerprint().replaceAll('-', '+').replaceAll('_', '/');
  assert.equal(update(other).status, 200);
});

test('policies decide whether resources are created, acquired, deleted or abandoned', () => {
  const lab = createLab();
  const insert = (name: string, policy: string) => {
    lab.call(`POST deployments?createPolicy=${policy}`, { ...deploymentOf(bucket('files')), name });
    lab.pass();
    return errorsOf(operationOf(lab, name)).map((it) => /"ResourceErrorCode":"(\d+)"/.exec(String(it['message']))?.[1]);
  };
  assert.deepEqual(insert('front', 'ACQUIRE'), ['404'], 'there is nothing to acquire');
  lab.call('DELETE deployments/front');
  lab.pass();
  assert.deepEqual(insert('front', 'CREATE'), []);
  assert.deepEqual(insert('second', 'CREATE_OR_ACQUIRE'), ['409'], 'it belongs to another deployment');
  lab.call('DELETE deployments/front?deletePolicy=ABANDON');
  lab.pass();
  assert.equal(lab.call('GET deployments/front').status, 404);
  assert.deepEqual(insert('third', 'CREATE'), ['409'], 'it still exists');
  assert.deepEqual(insert('fourth', 'ACQUIRE'), []);
  lab.call('DELETE deployments/fourth');
  lab.pass();
  assert.deepEqual(insert('fifth', 'ACQUIRE'), ['404'], 'it was deleted');
  assert.equal(lab.call('POST deployments?createPolicy=SOMETIMES', deploymentOf(web)).status, 400);
});

test('a quota and a property that cannot change fail on their resource', () => {
  const lab = createLab();
  const networks = Array.from({ length: 6 }, (_, at) => `- {name: net${at}, type: compute.v1.network}`).join('\n');
  lab.call('POST deployments', deploymentOf(`resources:\n${networks}\n`));
  lab.pass();
  const [error, ...more] = errorsOf(operationOf(lab));
  assert.equal(more.length, 0);
  assert.match(String(error?.['message']), /"ResourceErrorCode":"403".*NETWORKS-per-project/);
  const [details] = (error?.['errorDetails'] ?? []) as { readonly quotaInfo: Fields }[];
  assert.equal(details?.quotaInfo['limit'], 5);
  lab.call('POST deployments', { ...deploymentOf(bucket('b', ', properties: {location: US}')), name: 'other' });
  lab.pass();
  const content = bucket('b', ', properties: {location: EU}');
  lab.call('PUT deployments/other', { ...deploymentOf(content), name: 'other', fingerprint: lab.fingerprint('other') });
  lab.pass();
  assert.match(
    String(errorsOf(operationOf(lab, 'other'))[0]?.['message']),
    /properties\.location .* cannot be changed/,
  );
  // What exists stays as it was, beside what was to become of it.
  const resource = lab.get('deployments/other/resources/b');
  assert.match(String(resource['properties']), /US/);
  assert.equal((resource['update'] as Fields)['state'], 'FAILED');
});

test('requests that cannot be served are refused in the form of the interface', () => {
  const lab = createLab();
  lab.call('POST deployments', deploymentOf(bucket('files')));
  const content = (text: string) => ({ ...deploymentOf(text), name: 'other' });
  const refused: readonly (readonly [request: string, body: object | undefined, status: number, named: RegExp])[] = [
    ['POST deployments', {}, 400, /'name'/],
    ['POST deployments', { name: 'Front' }, 400, /'name'/],
    ['POST deployments', { name: 'other' }, 400, /'target'/],
    ['POST deployments', { name: 'other', target: { config: {} } }, 400, /target\.config\.content/],
    ['POST deployments', content('resources:\n- name: a\n  type: [x'), 400, /line \d/],
    ['POST deployments', content('resources:\n- {name: a}'), 400, /resource a requires a type/],
    ['POST deployments', content('resources:\n- {name: a, type: x}\n- {name: a, type: x}'), 400, /two resources/],
    ['POST deployments', content('imports: [{path: a.jinja}]\nresources: []'), 400, /a\.jinja/],
    ['POST deployments', deploymentOf(bucket('files')), 409, /already exists/],
    ['POST deployments', { ...content('resources: []'), labels: [{ key: 'A B', value: '' }] }, 400, /labels/],
    ['GET deployments/none', undefined, 404, /deployments\/none/],
    ['GET deployments/front/resources/none', undefined, 404, /none/],
    ['GET deployments/front/manifests/none', undefined, 404, /none/],
    ['GET operations/none', undefined, 404, /none/],
    ['GET typeProviders/compute-v1/types/none', undefined, 404, /none/],
    ['DELETE typeProviders/compute-v1', undefined, 403, /compute-v1/],
    ['GET types?maxResults=501', undefined, 400, /maxResults/],
    ['GET types?orderBy=size', undefined, 400, /orderBy/],
    ['GET types?pageToken=AAAA', undefined, 400, /pageToken/],
    ['GET types?filter=name', undefined, 400, /filter/],
  ];
  for (const [request, body, status, named] of refused) {
    const answer = lab.call(request, body);
    const error = answer.body['error'] as {
      readonly code: number;
      readonly message: string;
      readonly errors: Fields[];
    };
    assert.equal(answer.status, status, `${request} ${JSON.stringify(body)}`);
    assert.match(error.message, named);
    assert.deepEqual([error.code, error.errors[0]?.['message']], [status, error.message]);
  }
  const anonymous = lab.call('GET deployments', undefined, '');
  assert.equal(anonymous.status, 401);
});

test('lists are filtered, ordered and divided into pages', () => {
  const lab = createLab();
  for (const [name, env] of [
    ['web-a', 'prod'],
    ['web-b', 'test'],
    ['db', 'prod'],
  ] as const) {
    lab.call('POST deployments', { ...deploymentOf('resources: []'), name, labels: [{ key: 'env', value: env }] });
    lab.pass(5_000);
  }
  const names = (query: string): unknown[] =>
    (lab.get(`deployments?${query}`)['deployments'] as Fields[]).map((it) => it['name']);
  assert.deepEqual(names(''), ['db', 'web-a', 'web-b']);
  assert.deepEqual(names('orderBy=creationTimestamp%20desc'), ['db', 'web-b', 'web-a']);
  const filters: readonly (readonly [string, readonly string[]])[] = [
    ['name = db', ['db']],
    ['name != db', ['web-a', 'web-b']],
    ['name eq web-.*', ['web-a', 'web-b']],
    ['name ne web-.*', ['db']],
    ['labels.env = prod', ['db', 'web-a']],
    ['(labels.env = "prod") (name = web*)', ['web-a']],
    ['NOT labels.env:* OR operation.status = DONE AND name > db', ['web-a', 'web-b']],
    [`insertTime > "${new Date(lab.now() - 6_000).toISOString()}"`, ['db']],
  ];
  for (const [filter, expected] of filters)
    assert.deepEqual(names(`filter=${encodeURIComponent(filter)}`), expected, filter);
  for (const filter of ['name eq (a+)+', 'name == a', '(name = a', 'name constructor a', '"']) {
    assert.equal(lab.call(`GET deployments?filter=${encodeURIComponent(filter)}`).status, 400, filter);
  }
  const first = lab.get('deployments?maxResults=2');
  assert.deepEqual((first['deployments'] as Fields[]).length, 2);
  const rest = lab.get(`deployments?maxResults=2&pageToken=${first['nextPageToken']}`);
  assert.deepEqual(
    (rest['deployments'] as Fields[]).map((it) => it['name']),
    ['web-b'],
  );
  assert.equal(rest['nextPageToken'], undefined);
});

test('types name their status, their provider and their schemas', () => {
  const lab = createLab();
  const types = lab.get('types')['types'] as Fields[];
  const statusOf = (name: string) => {
    const labels = types.find((it) => it['name'] === name)?.['labels'] as {
      readonly key: string;
      readonly value: string;
    }[];
    return Object.fromEntries(labels.map((it) => [it.key, it.value]));
  };
  assert.deepEqual(statusOf('compute.v1.instance'), {
    status: 'SUPPORTED',
    typeProvider: 'compute-v1',
    type: 'instances',
  });
  assert.equal(statusOf('compute.v1.httpHealthCheck')['status'], 'DEPRECATED');
  assert.equal(statusOf('runtimeconfig.v1beta1.config')['status'], 'EXPERIMENTAL');
  const info = lab.get('typeProviders/compute-v1/types/instances');
  const schema = info['schema'] as { readonly input: string; readonly output: string };
  assert.deepEqual(JSON.parse(schema.input).required, ['zone', 'machineType', 'disks', 'networkInterfaces']);
  assert.ok(JSON.parse(schema.output).properties.selfLink);
  assert.match(String(info['documentationLink']), /^https:/);
  assert.ok((lab.get('typeProviders/compute-v1/types')['types'] as Fields[]).length > 3);
  assert.ok((lab.get('typeProviders')['typeProviders'] as Fields[]).some((it) => it['name'] === 'storage-v1'));
});

test('templates that multiply without end are refused', () => {
  const lab = createLab();
  const ten = (type: string) =>
    `resources:\n${Array.from({ length: 10 }, (_, at) => `- {name: r${at}, type: ${type}}`).join('\n')}\n`;
  const imports = Array.from({ length: 9 }, (_, at) => ({ name: `t${at}.yaml`, content: ten(`t${at + 1}.yaml`) }));
  const answer = lab.call('POST deployments', deploymentOf(ten('t0.yaml'), { imports }));
  assert.equal(answer.status, 400);
  const aliases = Array.from({ length: 40 }, (_, at) => `a${at}: &a${at} [*a${at - 1}, *a${at - 1}]`).join('\n');
  const bomb = `${aliases.replace('[*a-1, *a-1]', '[x]')}\nresources: []\n`;
  assert.equal(lab.call('POST deployments', deploymentOf(bomb)).status, 400);
  const deep = `resources:\n- {name: a, type: storage.v1.bucket, properties: ${'['.repeat(5_000)}${']'.repeat(5_000)}}\n`;
  assert.equal(lab.call('POST deployments', deploymentOf(deep)).status, 400);
});

test('a list of types that contradicts itself is not served', () => {
  const [provider] = catalogOfTypes().providers;
  const [type] = provider?.types ?? [];
  const read = (change: object, ...more: object[]): string => {
    const types = [{ ...type, ...change }, ...more];
    const found = readTypeCatalog(JSON.stringify({ providers: [{ ...provider, types }] }));
    return found.kind === 'invalid' ? found.reason : 'valid';
  };
  assert.equal(read({}), 'valid');
  assert.match(read({ status: 'GOOD' }), /status/);
  assert.match(read({ input: { type: 'nonsense' } }), /schema/);
  assert.match(read({ fixed: [] }), /zone/);
  assert.match(read({}, { ...type }), /alias/);
  assert.match(read({ path: 1 }), /path/);
});

test('no request makes the service fail, and it goes on afterwards', () => {
  const any = fc.jsonValue();
  const content = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'resources:\n- {name: __proto__, type: compute.v1.network, properties: {__proto__: {a: 1}}}',
      'resources: [{name: a, type: compute.v1.network, properties: {description: "$(ref.b.constructor)"}}, {name: b, type: storage.v1.bucket}]',
      'resources: [{name: a, type: pubsub.v1.topic, properties: {topic: [1]}}]',
      'resources: [{name: b, type: storage.v1.bucket, properties: {1: 2, ? [a] : b, labels: {a: 2001-12-14}}}]',
      'outputs: [{name: a, value: $(ref.q.r)}]\nresources: []',
      '? {a: b}\n: c\nresources: !!set {a}',
    ),
  );
  const target = fc.oneof(any, fc.record({ config: fc.record({ content }), imports: any }));
  const fields = { name: fc.oneof(fc.constant('front'), any), target, labels: any, permissions: any };
  const more = { policy: fc.record({ bindings: any }), descriptorUrl: any, templateContents: any };
  const body = fc.oneof(any, fc.record({ ...fields, ...more }, { requiredKeys: [] }));
  const request = fc.constantFrom(
    'POST deployments',
    'PATCH deployments/front',
    'PUT deployments/front?preview=true',
    'POST deployments/front/stop',
    'POST deployments/front/setIamPolicy',
    'POST deployments/front/testIamPermissions',
    'POST typeProviders',
    'POST compositeTypes',
    'GET deployments/%E0%A4',
    'DELETE deployments/front',
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(request, body), { maxLength: 8 }), (requests) => {
      const lab = createLab();
      lab.call('POST deployments', deploymentOf(web));
      for (const [line, sent] of requests) {
        lab.pass();
        lab.call(line, line.startsWith('P') ? (sent as object) : undefined);
      }
      lab.pass();
      assert.equal(lab.call('POST deployments', { ...deploymentOf('resources: []'), name: 'last' }).status, 200);
      assert.ok(lab.get('operations')['operations']);
      lab.close();
    }),
    { numRuns: 150 },
  );
});
