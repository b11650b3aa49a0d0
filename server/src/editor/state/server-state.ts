import type { Connection } from 'vscode-languageserver';
import { Providers } from '../providers.ts';
import { ClientState } from './client-state.ts';
import { Engine, type EngineHost, type EngineParts } from './engine.ts';
import { Folders } from './folders.ts';
import { type EnvironmentSettings, SettingsState } from './settings-state.ts';

export interface StateParts extends EngineParts, EnvironmentSettings {
  readonly connection: Connection;
}

/** All that a server knows of one connection. Whoever needs one of these takes that alone. */
export interface ServerState extends EngineHost {
  readonly engine: Engine;
}

export function createState(parts: StateParts): ServerState {
  const client = new ClientState(parts.connection);
  const folders = new Folders();
  const settings = new SettingsState(client, folders, parts.clock, parts);
  const host = { client, settings, folders, providers: new Providers() };
  return { ...host, engine: new Engine(parts, host) };
}
