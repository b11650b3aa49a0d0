import buildConnector, { type Connection, type Connector } from 'undici/lib/core/connect.js';

/**
 * Connections that are being made. One to a host that says nothing would keep the program from its end until its
 * deadline.
 */
export interface Connecting {
  build(options: Parameters<typeof buildConnector>[0]): Connector;
  /** Gives all of them up. */
  giveUp(): void;
}

export function createConnecting(): Connecting {
  const all = new Set<Connection>();
  return {
    build(options) {
      const connect = buildConnector(options);
      return (to, callback) => {
        const made = connect(to, (error, socket) => {
          all.delete(made);
          callback(error, socket);
        });
        all.add(made);
      };
    },
    giveUp() {
      for (const it of all) it.destroy(new Error('no longer wanted'));
    },
  };
}
