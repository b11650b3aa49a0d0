import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeDifferences, decodeRice } from '../../../server/src/connected/link-safety/rice.ts';

/** Differences as the encoder of a public service wrote them: the parameter, the data, the differences. */
const differences: readonly (readonly [parameter: number, data: string, values: readonly number[]])[] = [
  [2, 'f702', [15, 9]],
  [5, '00', [0]],
  [
    28,
    '54607be70a5fc1dcee69defe583ca3d6a5f2108c4a595600',
    [62763050, 1046523781, 192522171, 1800511020, 4442775, 582142548],
  ],
  [
    28,
    '06861b2314cb46f2af0708c988541f4104d51a03ebe63a8013917bbf83f3b785f12918b36109',
    [
      ...[26067715, 344823336, 8420095, 399843890, 95029378, 731622412, 35811335, 1047558127, 1117722715],
      ...[78698892],
    ],
  ],
  [
    27,
    '8998d875bc4491eb390c3e309a78f36ad4d9b19ffb703e443ea3086742c22b46698e3cebd9105a439a32a52d4e770f877820b6ab7198480c9e9ed7230c13432ca901',
    [
      ...[225846818, 328287420, 166748623, 29117720, 552397365, 350353215, 558267528, 4738273, 567093445, 28563065],
      ...[55077698, 73091685, 339246010, 98242620, 38060941, 63917830, 206319759, 137700744],
    ],
  ],
  [
    28,
    '21c50291f982d757b8e93cf0c84fe8648d776204d6853f1c9700041b17c6',
    [339784008, 263128563, 63871877, 69723256, 826001074, 797300228, 671166008, 207712688],
  ],
  [
    28,
    '959c7db08fe8d9bdfe8c7f81530d75dc4e40180c9a453da8dcfa2659409e16084377c34e0401a4e65d00',
    [
      ...[471820069, 196333855, 855579133, 122737976, 203433838, 85354544, 1307949392, 165938578, 195134475],
      ...[553930435, 49231136],
    ],
  ],
  [
    27,
    '1a4f692a639af6c62eaf73d06fd731eb771d43e32b93ce678b59f998d4da4f3c6fb0e8a5788d623618fe081e78d814322484611cf33763c4a0887b74cb64c85cba05',
    [
      ...[87336845, 129291033, 30906211, 433549264, 30899891, 53207875, 11959529, 354827862, 82919275, 489637251],
      ...[53561020, 336722992, 408117728, 204506246, 188216092, 9047110, 479817359, 230317256],
    ],
  ],
  [
    28,
    'f1940a876c5f9690e3abf7c0cb2de976dbf85963c16f7c99e3875fc704deb9468e54c0ac4a030d6c8f00',
    [
      ...[297968956, 19709657, 259702329, 76998112, 1023176123, 29296013, 1602741145, 393745181, 177326295],
      ...[55225536, 75194472],
    ],
  ],
  [
    28,
    '412ce4fe06dc0dbd31a504d56edd9b43b73f11245210804f964bd48067b2dd52c94e02c6d760de0692521edd356471262cfecf8146b27901',
    [
      ...[532220688, 780594691, 436816483, 163436269, 573044456, 1069604, 39629436, 211410997, 227714491, 381562898],
      ...[75610008, 196754597, 40310339, 15204118, 99010842],
    ],
  ],
  [
    28,
    'b22c263acd669cdb5f072e6fe6f9211052d594f4822248f99d24f6ff2ffc6d3f21651b363456eac42100',
    [
      ...[219354713, 389598618, 750263679, 554684211, 87381124, 4523497, 287633354, 801308671, 424169435],
      ...[372520475, 277287849],
    ],
  ],
];

for (const [riceParameter, data, expected] of differences) {
  test(`${expected.length} differences of parameter ${riceParameter} are decoded: ${data.slice(0, 12)}`, () => {
    const coding = { numEntries: expected.length, riceParameter, encodedData: Buffer.from(data, 'hex') };
    const found = decodeDifferences(coding);
    assert.deepEqual(found && [...found], expected);
  });
}

/** Indices to remove, as a public service sends them. */
const indices: readonly (readonly [first: number, parameter: number, count: number, data: string, values: number[]])[] =
  [
    [172, 28, 5, '720000c0210000100400001a01006017000000', [172, 229, 364, 494, 776, 963]],
    [75, 28, 7, '34010000110000300500000a0000e0100000a80100007a000000', [75, 229, 297, 463, 473, 608, 714, 958]],
    [35, 28, 6, 'f80100800f000050050000c50000c0020000b4020000', [35, 287, 349, 519, 716, 738, 911]],
    [998, 0, 0, '', [998]],
    [193, 28, 3, '360300c02b0000b8040000', [193, 604, 779, 930]],
    [128, 28, 7, '140000c000000088050000520000c03200004402000024000000', [128, 138, 141, 318, 400, 806, 951, 1023]],
    [271, 28, 5, '48000000560000c0010000cd00000002000000', [271, 307, 651, 707, 912, 928]],
    [497, 28, 4, 'de0000c00000006805000085000000', [497, 608, 611, 784, 917]],
  ];

for (const [firstValue, riceParameter, numEntries, data, expected] of indices) {
  test(`indices from ${firstValue} on are decoded`, () => {
    const encodedData = Buffer.from(data, 'hex');
    const values = decodeRice({ firstValue, riceParameter, numEntries, encodedData });
    assert.deepEqual(values && [...values], expected);
  });
}

test('invalid data is refused', () => {
  const [, data = ''] = differences[2] ?? [];
  const valid = { firstValue: 1, numEntries: 6, riceParameter: 28, encodedData: Buffer.from(data, 'hex') };
  assert.ok(decodeRice(valid));
  const invalid = {
    truncated: { encodedData: valid.encodedData.subarray(0, 20) },
    'with more than its values': { encodedData: Buffer.concat([valid.encodedData, Buffer.alloc(1)]) },
    'with many values in few bytes': { numEntries: 2 ** 31 },
    'with half a value': { numEntries: 1.5 },
    'with a negative number of values': { numEntries: -1 },
    'with a negative first value': { firstValue: -1 },
    'with too large a first value': { firstValue: 2 ** 32 },
    'beyond 32 bits': { firstValue: 2 ** 31 },
    'with a small parameter': { riceParameter: 1 },
    'with a large parameter': { riceParameter: 29 },
    'without an end of its quotient': { encodedData: Buffer.alloc(24, 255) },
    'with data for a single value': { numEntries: 0 },
  };
  for (const [name, change] of Object.entries(invalid))
    assert.equal(decodeRice({ ...valid, ...change }), undefined, name);
});
