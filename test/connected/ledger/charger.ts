import { openUserLedger } from '../../../server/src/bin/user-ledger.ts';
import { openLedger } from '../../../server/src/connected/ledger/ledger.ts';
import { systemClock } from '../../../server/src/platform/clock.ts';

/*
 * A process that charges: `charger.ts DIRECTORY COUNT [forever|exit]`. It prints a line when it has charged so many requests,
 * closes its ledger, and prints another line. With `forever` it charges one request a millisecond, prints how many so far,
 * and waits to be killed. With `exit` it charges and ends without closing its ledger.
 */
const [directory = '', count = '0', mode] = process.argv.slice(2);
process.env['PACKAGE_INSIGHTS_CACHE_DIR'] = directory;
const opened = mode === 'exit' ? openUserLedger() : undefined;
const { ledger } = opened ?? openLedger({ directory, clock: systemClock, log: console.error });
const charge = () =>
  ledger.charge({
    service: 'scheduling',
    at: Date.UTC(2026, 0, 1),
    isSecure: true,
    sent: 10,
    received: 100,
    latency: 5,
    units: 3,
  });

if (mode === 'exit') {
  for (let at = 0; at < Number(count); at++) charge();
} else if (mode === 'forever') {
  let charged = 0;
  setInterval(() => {
    charge();
    console.log(++charged);
  }, 1);
} else {
  // In pieces, so that the writes of the processes meet.
  const pieces = 5;
  for (let piece = 0; piece < pieces; piece++) {
    for (let at = 0; at < Number(count) / pieces; at++) charge();
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  console.log('charged');
  ledger.close();
  console.log('closed');
}
