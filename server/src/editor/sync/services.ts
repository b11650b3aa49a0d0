import type { ConnectedHost, ConnectedServices } from '../../connected/model/connected-services.ts';
import type { ConnectionName, Credential, Credentials } from '../../engine/model/connection.ts';
import type { Clock } from '../../engine/model/ports.ts';
import type { Settings } from '../../engine/model/settings.ts';
import { textIn } from '../params.ts';
import type { Session } from '../session.ts';
import { throttle } from '../util/throttle.ts';

/** What the entry point passes in for connected services. */
export interface ServicesParts {
  readonly load: (host: ConnectedHost) => Promise<ConnectedServices>;
  /** Credentials of the environment, for clients that keep none. */
  readonly credentials: Credentials;
  /** Decrypts a credential that the client has encrypted for this process. */
  readonly unseal: (sealed: string) => string | undefined;
}

/** The connected services of a session. Loaded when one is connected, or a person asks for them. */
export interface Services {
  load(): Promise<ConnectedServices | undefined>;
  /** Undefined until they are loaded. */
  readonly loaded: ConnectedServices | undefined;
  /** Loads them once one is connected. */
  settingsChanged(): void;
  unseal(sealed: string): string | undefined;
  close(): void;
}

/** Asked of clients that announce `experimental.packageInsightsConnections`. The answer is `{ sealed }` or null. */
const credentialRequest = 'packageInsights/credential';

/** Sent to these clients after requests, and when budgets or holds change. */
const changeNotification = 'packageInsights/connectionsChanged';

/** In ms. An account of the editor may have to be read. */
const CREDENTIAL_TIMEOUT_MS = 10_000;

/** In ms. A view is read by a person. */
const NOTIFICATION_PAUSE_MS = 500;

export function createServices(
  parts: ServicesParts | undefined,
  session: Pick<
    Session,
    'connection' | 'client' | 'log' | 'join' | 'serviceDocuments' | 'onLinksChecked' | 'onPlansChanged'
  > & {
    readonly settings: Settings;
    readonly clock: Clock;
  },
): Services {
  let loading: Promise<ConnectedServices> | undefined;
  let loaded: ConnectedServices | undefined;
  let isClosed = false;
  let changed = (): void => {};

  const isKeeping = (): boolean => session.client.experimental?.packageInsightsConnections === true;

  /** Rejects if the client gives neither a credential for this server nor null, or is late. */
  async function fromClient(connection: ConnectionName, baseUrl: string): Promise<Credential | undefined> {
    let cancel = (): void => {};
    const late = new Promise<never>((_, reject) => {
      cancel = session.clock.after(CREDENTIAL_TIMEOUT_MS, () => reject(new Error('no credential in time')));
    });
    const asked: Promise<unknown> = session.connection.sendRequest(credentialRequest, { connection, baseUrl });
    const answer = await Promise.race([asked, late]).finally(cancel);
    if (answer === null) return undefined;
    const sealed = textIn(answer, 'sealed');
    const secret = sealed === undefined ? undefined : parts?.unseal(sealed);
    if (!secret) throw new Error('no credential for this server');
    return { secret };
  }

  async function load(): Promise<ConnectedServices | undefined> {
    if (parts === undefined || isClosed) return undefined;
    loading ??= parts.load({
      settings: () => session.settings,
      credentials: {
        read: async (name, baseUrl) =>
          (isKeeping() ? await fromClient(name, baseUrl) : undefined) ?? (await parts.credentials.read(name, baseUrl)),
      },
    });
    const now = await loading;
    if (loaded === undefined) {
      loaded = now;
      session.join(loaded.repositories);
      session.serviceDocuments.loaded(loaded.documents);
      loaded.repositories.refresh();
      const tell = async (): Promise<void> => {
        if (isKeeping() && !isClosed) await session.connection.sendNotification(changeNotification);
      };
      changed = throttle(
        session.clock,
        () => tell().catch((it: unknown) => session.log('connections', it)),
        () => NOTIFICATION_PAUSE_MS,
      );
      loaded.connections.onDidChange(changed);
      loaded.onDidCheckLinks(() => session.onLinksChecked());
      const showPlans = throttle(
        session.clock,
        async () => session.onPlansChanged(),
        () => NOTIFICATION_PAUSE_MS,
      );
      loaded.schedule.onDidChange(() => {
        changed();
        showPlans();
      });
      loaded.schedule.touch();
    }
    return loaded;
  }

  return {
    load,
    get loaded() {
      return loaded;
    },
    settingsChanged() {
      const isConnected = Object.values(session.settings.connections).some((it) => it.baseUrl !== '');
      loaded?.repositories.refresh();
      changed();
      loaded?.schedule.touch();
      if (isConnected) load().catch((it: unknown) => session.log('connections', it));
    },
    unseal: (sealed) => parts?.unseal(sealed),
    close() {
      isClosed = true;
      loaded?.close();
    },
  };
}
