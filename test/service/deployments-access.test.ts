import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noDurations } from '../../server/src/stand-ins/deployments/advance.ts';
import { createLab, deploymentOf, type Fields } from '../harness/deployments.ts';

const you = 'you@team.example';
const stranger = 'x@elsewhere.example';

/** A deployment of `me@team.example`. */
function deployed() {
  const lab = createLab({ durations: noDurations });
  lab.call('POST deployments', deploymentOf('resources:\n- {name: net, type: compute.v1.network}\n'));
  return lab;
}

const requests = [
  'GET deployments/front',
  'GET deployments/front/resources',
  'GET deployments/front/resources/net',
  'GET deployments/front/manifests',
  'PUT deployments/front',
  'PATCH deployments/front',
  'POST deployments/front/stop',
  'POST deployments/front/cancelPreview',
  'GET deployments/front/getIamPolicy',
  'POST deployments/front/setIamPolicy',
  'DELETE deployments/front',
] as const;

/** The requests that a user is refused for want of a role. Bodies are empty, so others fail for another reason. */
function forbidden(lab: ReturnType<typeof createLab>, user: string): string[] {
  return requests.filter((it) => lab.call(it, it.startsWith('P') ? {} : undefined, user).status === 403);
}

test('a deployment is closed to others, in lists, in itself and in its operations', () => {
  const lab = deployed();
  const [operation] = lab.get('operations')['operations'] as Fields[];
  assert.deepEqual(forbidden(lab, you), [...requests]);
  assert.deepEqual(lab.call('GET deployments', undefined, you).body['deployments'], []);
  assert.deepEqual(lab.call('GET operations', undefined, you).body['operations'], []);
  assert.equal(lab.call(`GET operations/${operation?.['name']}`, undefined, you).status, 403);
});

test('a policy grants roles to a user, a domain or everyone, and its creator stays the owner', () => {
  const grant = (role: string, member: string) => {
    const lab = deployed();
    lab.call('POST deployments/front/setIamPolicy', { policy: { bindings: [{ role, members: [member] }] } });
    return lab;
  };
  const policies = requests.filter((it) => it.endsWith('Policy'));
  const writing = requests.filter((it) => !it.startsWith('GET') || it.endsWith('Policy'));
  assert.deepEqual(forbidden(grant('roles/viewer', `user:${you.toUpperCase()}`), you), writing);
  assert.deepEqual(forbidden(grant('roles/editor', 'domain:team.example'), you), policies);
  assert.deepEqual(forbidden(grant('roles/editor', 'domain:team.example'), stranger), [...requests]);
  assert.deepEqual(forbidden(grant('roles/viewer', 'allAuthenticatedUsers'), stranger), writing);
  const lab = grant('roles/deploymentmanager.viewer', 'allUsers');
  assert.deepEqual(forbidden(lab, stranger), writing);
  assert.deepEqual((lab.call('GET deployments', undefined, stranger).body['deployments'] as Fields[]).length, 1);
  assert.deepEqual(forbidden(lab, 'me@team.example'), []);
  const owned = grant('roles/owner', `user:${you}`);
  assert.equal(owned.call('DELETE deployments/front', undefined, you).status, 200);
});

test('a policy is empty at first, and is replaced as a whole by one with the current etag', () => {
  const lab = deployed();
  const first = lab.get('deployments/front/getIamPolicy');
  assert.deepEqual([first['bindings'], typeof first['etag']], [undefined, 'string']);
  assert.deepEqual(lab.get('deployments/none/getIamPolicy')['bindings'], undefined);
  const set = (bindings: object[], etag?: unknown) =>
    lab.call('POST deployments/front/setIamPolicy', { policy: { bindings, ...(etag !== undefined && { etag }) } });
  const viewers = [{ role: 'roles/viewer', members: ['allUsers'] }];
  const second = set(viewers, first['etag']);
  assert.equal(second.status, 200);
  assert.equal(set([], first['etag']).status, 409);
  assert.deepEqual(lab.get('deployments/front/getIamPolicy')['bindings'], viewers);
  assert.equal(set([], second.body['etag']).status, 200);
  assert.deepEqual(lab.get('deployments/front/getIamPolicy')['bindings'], []);
  // What is not evaluated is not accepted.
  const refused: readonly object[] = [
    { role: 'roles/unknown', members: ['allUsers'] },
    { role: 'roles/viewer', members: ['group:all@team.example'] },
    { role: 'roles/viewer', members: ['allUsers'], condition: { expression: 'false' } },
    { role: 'constructor', members: ['allUsers'] },
  ];
  for (const it of refused) assert.equal(set([it]).status, 400, JSON.stringify(it));
});

test('permissions are tested by name and by id, also of a deployment that does not exist yet', () => {
  const lab = deployed();
  const all = ['get', 'update', 'setIamPolicy', 'create'].map((it) => `deploymentmanager.deployments.${it}`);
  const own = (resource: string, user?: string) => {
    const { body } = lab.call(`POST deployments/${resource}/testIamPermissions`, { permissions: all }, user);
    return ((body['permissions'] ?? []) as string[]).map((it) => it.replace('deploymentmanager.deployments.', ''));
  };
  assert.deepEqual(own('front'), ['get', 'update', 'setIamPolicy', 'create']);
  assert.deepEqual(own(String(lab.get('deployments/front')['id'])), ['get', 'update', 'setIamPolicy', 'create']);
  assert.deepEqual(own('front', you), ['create']);
  assert.deepEqual(own('new'), ['create']);
});

test('type providers and composite types belong to their creator', () => {
  const lab = createLab({ durations: noDurations });
  const provider = { name: 'own', descriptorUrl: 'https://api.example/' };
  const type = { name: 'pair', templateContents: { template: 'resources: []' } };
  for (const [collection, body] of [
    ['typeProviders', provider],
    ['compositeTypes', type],
  ] as const) {
    assert.equal(lab.call(`POST ${collection}`, body).status, 200);
    assert.equal(lab.call(`POST ${collection}`, body).status, 409);
    assert.equal(lab.call(`GET ${collection}/${body.name}`, undefined, you).status, 200);
    for (const verb of ['PUT', 'PATCH', 'DELETE']) {
      const sent = verb === 'DELETE' ? undefined : body;
      assert.equal(lab.call(`${verb} ${collection}/${body.name}`, sent, you).status, 403, `${verb} ${collection}`);
    }
    assert.equal(lab.call(`PATCH ${collection}/${body.name}`, { description: 'ours' }).status, 200);
    assert.equal(lab.get(`${collection}/${body.name}`)['description'], 'ours');
    assert.equal(lab.call(`PUT ${collection}/${body.name}`, body).status, 200);
    assert.equal(lab.get(`${collection}/${body.name}`)['description'], undefined);
    assert.equal(lab.call(`PUT ${collection}/${body.name}`, { name: 'other' }).status, 400);
    assert.equal(lab.call(`DELETE ${collection}/${body.name}`).status, 200);
    assert.equal(lab.call(`GET ${collection}/${body.name}`).status, 404);
  }
  const secret = { ...provider, credential: { basicAuth: { user: 'u', password: 'p' } } };
  assert.equal(lab.call('POST typeProviders', secret).status, 400);
});

test('templates of plain YAML are expanded, and the layout shows which made what', () => {
  const lab = createLab({ durations: noDurations });
  const template = `
resources:
- {name: net, type: compute.v1.network}
- {name: inner, type: rule.yaml}
`;
  const imports = [{ name: 'rule.yaml', content: 'resources:\n- {name: rule, type: compute.v1.firewall}\n' }];
  const templateContents = { template, imports, interpreter: 'JINJA' };
  lab.call('POST compositeTypes', { name: 'office', status: 'EXPERIMENTAL', templateContents });
  lab.call('POST compositeTypes', {
    name: 'loop',
    templateContents: { template: 'resources: [{name: l, type: "composite:loop"}]' },
  });
  const content = `
resources:
- {name: office, type: demo/composite:office}
- {name: files, type: storage.v1.bucket, metadata: {dependsOn: [office]}}
- {name: around, type: "composite:loop"}
- {name: unknown, type: "composite:none"}
`;
  lab.call('POST deployments', deploymentOf(content));
  const states = lab.states();
  assert.deepEqual([states['net'], states['rule'], states['files']], ['COMPLETED', 'COMPLETED', 'COMPLETED']);
  assert.match(`${states['l']} ${states['unknown']}`, /FAILED.*FAILED/);
  const [manifest] = lab.get('deployments/front/manifests')['manifests'] as Fields[];
  assert.match(
    String(manifest?.['layout']),
    /- name: office\n {4}type: demo\/composite:office\n {4}resources:\n {6}- name: net\n.*\n {6}- name: inner\n {8}type: rule\.yaml\n {8}resources:\n {10}- name: rule\n/,
  );
  assert.doesNotMatch(String(manifest?.['expandedConfig']), /composite:office/);
  const [warning] = lab.get('deployments/front/resources/rule')['warnings'] as Fields[];
  assert.equal(warning?.['code'], 'EXPERIMENTAL_TYPE_USED');
});
