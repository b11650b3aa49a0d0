import { textIn } from '../../../editor/params.ts';
import type { ServerState } from '../../../editor/state/server-state.ts';
import { throttle } from '../../../editor/util/throttle.ts';
import type { ConnectionName, Credential, Credentials } from '../../../engine/model/connection.ts';
import type { ConnectedHost, ConnectedServices } from '../../model/connected-services.ts';

/** What the entry point passes in for connected services. */
export interface ServicesParts {
  readonly load: (host: ConnectedHost) => Promise<ConnectedServices>;
  /** Credentials of the environment, for clients that keep none. */
  readonly credentials: Credentials;
  /** Decrypts a credential that the client has encrypted for this process. */
  readonly unseal: (sealed: string) => string | undefined;
}

/** Asked of clients that announce `experimental.packageInsightsConnections`. The answer is `{ sealed }` or null. */
const credentialRequest = 'packageInsights/credential';

/** Sent to these clients after requests, and when budgets or holds change. */
const changeNotification = 'packageInsights/connectionsChanged';

/** In ms. An account of the editor may have to be read. */
const CREDENTIAL_TIMEOUT_MS = 10_000;

/** In ms. A view is read by a person. */
const NOTIFICATION_PAUSE_MS = 500;

/** The connected services of one server. Loaded when one is connected, or a person asks for them. */
export class Services {
  /** Undefined until they are loaded. */
  loaded: ConnectedServices | undefined;
  readonly #parts: ServicesParts;
  readonly #server: ServerState;
  readonly #onLoad: (loaded: ConnectedServices) => void;
  /** Tells the client that its list of connections is another one. */
  readonly #changed: () => void;
  #loading: Promise<ConnectedServices> | undefined;
  #isClosed = false;

  /** @param onLoad called once, before anybody else gets them */
  constructor(parts: ServicesParts, server: ServerState, onLoad: (loaded: ConnectedServices) => void) {
    this.#parts = parts;
    this.#server = server;
    this.#onLoad = onLoad;
    this.#changed = this.throttled(() => this.#tell());
  }

  async load(): Promise<ConnectedServices | undefined> {
    if (this.#isClosed) return undefined;
    this.#loading ??= this.#parts.load({
      settings: () => this.#server.settings.current,
      credentials: { read: (name, baseUrl) => this.#credentialFor(name, baseUrl) },
    });
    const loaded = await this.#loading;
    if (this.loaded === undefined) {
      this.loaded = loaded;
      this.#onLoad(loaded);
      loaded.repositories.refresh();
      loaded.connections.onDidChange(this.#changed);
      loaded.schedule.onDidChange(this.#changed);
      loaded.schedule.touch();
    }
    return loaded;
  }

  /** Loads them once one is connected. */
  settingsChanged(): void {
    const isConnected = Object.values(this.#server.settings.current.connections).some((it) => it.baseUrl !== '');
    if (this.loaded) {
      this.loaded.repositories.refresh();
      this.#changed();
      this.loaded.schedule.touch();
    }
    if (isConnected) this.load().catch((it: unknown) => this.#server.client.log('connections', it));
  }

  unseal(sealed: string): string | undefined {
    return this.#parts.unseal(sealed);
  }

  close(): void {
    this.#isClosed = true;
    this.loaded?.close();
  }

  /** Work that many changes lead to, for what a person reads. */
  throttled(work: () => Promise<void>): () => void {
    return throttle(
      this.#server.engine.clock,
      () => work().catch((it: unknown) => this.#server.client.log('connections', it)),
      () => NOTIFICATION_PAUSE_MS,
    );
  }

  get #isKeptByClient(): boolean {
    return this.#server.client.capabilities.experimental?.packageInsightsConnections === true;
  }

  async #tell(): Promise<void> {
    if (this.#isKeptByClient && !this.#isClosed)
      await this.#server.client.connection.sendNotification(changeNotification);
  }

  async #credentialFor(name: ConnectionName, baseUrl: string): Promise<Credential | undefined> {
    const kept = this.#isKeptByClient ? await this.#credentialOfClient(name, baseUrl) : undefined;
    return kept ?? (await this.#parts.credentials.read(name, baseUrl));
  }

  /** Rejects if the client gives neither a credential for this server nor null, or is late. */
  async #credentialOfClient(connection: ConnectionName, baseUrl: string): Promise<Credential | undefined> {
    let cancel = (): void => {};
    const late = new Promise<never>((_, reject) => {
      cancel = this.#server.engine.clock.after(CREDENTIAL_TIMEOUT_MS, () => reject(new Error('no credential in time')));
    });
    const asked: Promise<unknown> = this.#server.client.connection.sendRequest(credentialRequest, {
      connection,
      baseUrl,
    });
    const answer = await Promise.race([asked, late]).finally(cancel);
    if (answer === null) return undefined;
    const sealed = textIn(answer, 'sealed');
    const secret = sealed === undefined ? undefined : this.unseal(sealed);
    if (!secret) throw new Error('no credential for this server');
    return { secret };
  }
}
