import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readManifest } from '../../../server/src/connected/deployments/manifest.ts';

/** Texts as people have them; whether each is a deployment manifest. */
const rows: readonly (readonly [isManifest: boolean, title: string, path: string, text: string])[] = [
  [true, 'resources with types', 'vm.yaml', 'resources:\n- name: vm\n  type: compute.v1.instance\n'],
  [true, 'the other extension', 'vm.YML', 'resources:\n- name: vm\n  type: compute.v1.instance\n'],
  [true, 'behind a comment and a marker', 'a.yaml', '# ours\n---\nresources:\n- {name: a, type: b}\n'],
  [true, 'in quotes', 'a.yaml', '"resources":\n- name: a\n  type: b\n'],
  [true, 'a key that is half-typed', 'a.yaml', 'resources:\n- name: a\n  type: b\n  prop\nout'],
  [true, 'a first resource that is half-typed', 'a.yaml', 'resources:\n- name: a\n  ty'],
  [true, 'an anchor of its own', 'a.yaml', 'x-zone: &zone a\nresources:\n- name: a\n  type: b\n'],
  [false, 'another extension', 'vm.jinja', 'resources:\n- name: vm\n  type: compute.v1.instance\n'],
  [false, 'no resources', 'a.yaml', 'imports:\n- path: vm.jinja\n'],
  [false, 'an empty list', 'a.yaml', 'resources: []\n'],
  [false, 'resources below another key', 'a.yaml', 'spec:\n  resources:\n  - name: a\n    type: b\n'],
  [
    false,
    'kustomization',
    'kustomization.yaml',
    'namePrefix: dev-\nresources:\n- deployment.yaml\n- ../../base\nimages:\n- name: nginx\n  newTag: 1.27.0\n',
  ],
  [
    false,
    'kustomization with its kind',
    'kustomization.yaml',
    'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n- service.yaml\n',
  ],
  [false, 'Kubernetes list', 'list.yaml', 'apiVersion: v1\nkind: List\nresources:\n- name: pods\n  type: Pod\n'],
  [
    false,
    'Kubernetes deployment',
    'deployment.yaml',
    'apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n      - name: web\n        resources:\n          limits: {cpu: 1}\n',
  ],
  [
    false,
    'Kubernetes audit policy',
    'policy.yaml',
    'rules:\n- level: None\nresources:\n- group: ""\n  resources: [pods]\n',
  ],
  [
    false,
    'CloudFormation',
    'template.yaml',
    "AWSTemplateFormatVersion: '2010-09-09'\nResources:\n  Bucket:\n    Type: AWS::S3::Bucket\n",
  ],
  [
    false,
    'serverless',
    'serverless.yml',
    'service: api\nresources:\n  Resources:\n    Bucket:\n      Type: AWS::S3::Bucket\n',
  ],
  [
    false,
    'Azure pipeline',
    'azure-pipelines.yml',
    'trigger: [main]\nresources:\n- repo: self\n  type: git\nsteps:\n- script: npm test\n',
  ],
  [
    false,
    'Azure pipeline with repositories',
    'azure-pipelines.yml',
    'resources:\n  repositories:\n  - repository: common\n    type: git\n    name: team/common\n',
  ],
  [
    false,
    'Azure template as YAML',
    'main.yaml',
    "contentVersion: 1.0.0.0\nresources:\n- type: Microsoft.Storage/storageAccounts\n  apiVersion: '2023-01-01'\n  name: store\n",
  ],
  [
    false,
    'configuration of a machine',
    'machine.dsc.yaml',
    '$schema: https://schemas.example/dsc.json\nresources:\n- name: os\n  type: Microsoft/OSInfo\n  properties: {}\n',
  ],
  [
    false,
    'Concourse pipeline',
    'pipeline.yml',
    'resources:\n- name: source\n  type: git\n  source:\n    uri: https://code.example/a.git\njobs:\n- name: unit\n  plan:\n  - get: source\n',
  ],
  [
    false,
    'Concourse resources alone',
    'resources.yml',
    'resources:\n- name: source\n  type: git\n  source: {uri: a}\n',
  ],
  [false, 'Docker Compose', 'compose.yaml', 'services:\n  web:\n    image: nginx\n    deploy:\n      resources: {}\n'],
  [false, 'Helm values', 'values.yaml', 'replicaCount: 1\nresources:\n  limits:\n    cpu: 100m\n'],
  [
    false,
    'OpenStack',
    'stack.yaml',
    'heat_template_version: 2021-04-16\nresources:\n  server:\n    type: OS::Nova::Server\n',
  ],
  [false, 'pnpm workspace', 'pnpm-workspace.yaml', 'packages:\n- "libs/*"\ncatalog:\n  react: ^19.0.0\n'],
  [false, 'conda environment', 'environment.yml', 'name: a\ndependencies:\n- numpy\n'],
  [false, 'strings', 'a.yaml', 'resources:\n- a.yaml\n- b.yaml\n'],
  [false, 'named things of another format', 'a.yaml', 'team: core\nresources:\n- name: vm\n  size: 3\n'],
];

for (const [isManifest, title, path, text] of rows) {
  test(`${title}: ${isManifest ? 'a deployment manifest' : 'none'}`, () => {
    assert.equal(readManifest(path, text) !== undefined, isManifest);
    assert.equal(readManifest(path, `\uFEFF${text.replaceAll('\n', '\r\n')}`) !== undefined, isManifest);
  });
}
