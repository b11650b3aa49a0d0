import { readTemplateSchema } from '../../../server/src/connected/deployments/imports.ts';
import type { ManifestWorld } from '../../../server/src/connected/deployments/world.ts';
import type { TypeFacts } from '../../../server/src/connected/model/deployments/types.ts';
import { similarNames } from '../../../server/src/engine/base/similar-names.ts';

/** The types that pictures know, and the files beside their manifests. */
export function worldOf(files: ReadonlyMap<string, string>): ManifestWorld {
  return {
    typeOf(name) {
      if (name.startsWith('other/')) return { kind: 'unchecked', reason: 'it belongs to another project' };
      const facts = types.find((it) => it.name === name);
      if (facts) return { kind: 'known', facts };
      return {
        kind: 'unknown',
        similar: similarNames(
          name,
          types.map((it) => it.name),
        ),
      };
    },
    types: () => types,
    importAt(path) {
      if (!files.has(path)) return { kind: 'missing' };
      const schema = files.get(`${path}.schema`);
      return { kind: 'present', ...(schema !== undefined && { schema: readTemplateSchema(schema) }) };
    },
  };
}

export const types: readonly TypeFacts[] = [
  {
    name: 'compute.v1.instance',
    state: 'supported',
    title: 'Virtual machine instance',
    description: 'A virtual machine in a zone.',
    documentation: 'https://docs.example/instances',
    input: {
      type: 'object',
      required: ['zone', 'machineType', 'disks'],
      properties: {
        zone: { type: 'string', description: 'The zone.' },
        machineType: { type: 'string' },
        disks: { type: 'array', items: { $ref: '#/definitions/Disk' } },
        network: { type: 'string' },
        canIpForward: { type: 'boolean', description: 'Whether packets of other addresses are forwarded.' },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        id: { type: 'string', format: 'uint64', readOnly: true },
      },
      definitions: {
        Disk: {
          type: 'object',
          additionalProperties: false,
          required: ['boot'],
          properties: {
            boot: { type: 'boolean' },
            type: { type: 'string', enum: ['PERSISTENT', 'SCRATCH'], default: 'PERSISTENT', description: 'The kind.' },
            sizeGb: { type: 'string', format: 'int64' },
            count: { type: 'integer' },
            source: { oneOf: [{ type: 'string' }, { type: 'object', properties: { image: { type: 'string' } } }] },
            parent: { $ref: '#/definitions/Disk' },
          },
        },
      },
    },
    output: {
      type: 'object',
      properties: {
        selfLink: { type: 'string', description: 'The address of the resource.' },
        networkInterfaces: {
          type: 'array',
          items: { type: 'object', properties: { networkIP: { type: 'string' } } },
        },
      },
    },
  },
  {
    name: 'compute.v1.network',
    state: 'supported',
    input: { type: 'object', properties: { autoCreateSubnetworks: { type: 'boolean' } } },
    output: { type: 'object', properties: { selfLink: { type: 'string' } } },
  },
  { name: 'compute.beta.address', state: 'experimental' },
  { name: 'compute.v1.httpHealthCheck', state: 'deprecated' },
  { name: 'gcp-types/compute-v1:instances' },
  { name: 'my-project/composite:cluster', state: 'supported' },
];
