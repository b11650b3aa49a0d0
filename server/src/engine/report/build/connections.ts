import type { ConnectionStatus } from '../../model/connection.ts';
import type { Report } from '../report.ts';

/** A report with the services that are connected, or that a person wanted to connect. */
export function withConnections(report: Report, all: readonly ConnectionStatus[]): Report {
  const connections = all.filter((it) => it.host !== undefined || it.lastError !== undefined);
  return connections.length > 0 ? { ...report, connections } : report;
}
