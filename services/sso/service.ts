import { choice, integer, text } from '@gatehouse/proto/declaring/fields.ts'
import { personalDataHandlers } from '@gatehouse/proto/privacy/serving.ts'
import { type MailConfig, Mailer, mailSettings } from '@gatehouse/proto/process/mail.ts'
import type { Running } from '@gatehouse/proto/process/run.ts'
import { startService } from '@gatehouse/proto/process/service.ts'
import { Encrypter, type EncryptionConfig, encryptionSettings } from '@gatehouse/proto/storage/encryption.ts'
import { subscribeToChanges } from './account-cache.ts'
import { accountHandlers } from './accounts/handlers.ts'
import { allowedHosts, ssoHostSettings } from './accounts/sso-hosts.ts'
import { AccountStore } from './accounts/store.ts'
import { apiTokenHandlers, TokenIssuer } from './api-tokens/handlers.ts'
import { ApiTokenStore } from './api-tokens/store.ts'
import { auditHandlers } from './audit/handlers.ts'
import { AuditStore, KEPT_DAYS } from './audit/store.ts'
import { contactFieldHandlers } from './contact-fields/handlers.ts'
import { ContactFieldStore } from './contact-fields/store.ts'
import { contactHandlers } from './contacts/handlers.ts'
import { personalContacts } from './contacts/resource.ts'
import { ContactStore } from './contacts/store.ts'
import { CodeStore } from './credentials/codes.ts'
import { Credentials } from './credentials/credentials.ts'
import { DeviceCodes } from './devices/codes.ts'
import { deviceHandlers } from './devices/handlers.ts'
import { DeviceStore } from './devices/store.ts'
import { invitationHandlers } from './invitations/handlers.ts'
import { Issuers } from './issuers.ts'
import { oauthAppHandlers } from './oauth-apps/handlers.ts'
import { OauthAppStore } from './oauth-apps/store.ts'
import { ArtifactStore } from './oidc/artifacts.ts'
import { ConsentStore } from './oidc/consents.ts'
import { deleteEnded } from './oidc/ended-cleanup.ts'
import { oidcHandlers } from './oidc/handlers.ts'
import { KeyStore } from './oidc/keys.ts'
import { announceVoid, TokenAnswerCache } from './oidc/token-answers.ts'
import { permissions } from './permissions.ts'
import {
  accounts,
  apiTokens,
  auditRecords,
  contactFields,
  contacts,
  devices,
  invitations,
  oauthApps,
  oidc,
  personalData,
} from './resources.ts'
import { Throttle } from './throttle.ts'

const DEFAULT_PUBLIC_URL = 'http://127.0.0.1:8080'
const MAX_TOKENS = 1_000
const MAX_DEVICES = 1_000

/** The settings of the sso service. */
export const settings = {
  ...encryptionSettings,
  ...mailSettings,
  ...ssoHostSettings,
  public_url: text({
    default: DEFAULT_PUBLIC_URL,
    pattern: '^https?://[^\\s?#]+$',
    maxLength: 2_000,
    description:
      'Where the gateway is reached from outside: links in e-mails and the issuers of single sign-on begin with it',
  }),
  rate_limits: choice(['on', 'off'], { default: 'on' }),
  api_tokens_per_account: integer({
    default: MAX_TOKENS,
    minimum: 1,
    maximum: 100_000,
    description: 'API tokens that an account can have, besides those of `gatehouse bootstrap`',
  }),
  devices_per_account: integer({
    default: MAX_DEVICES,
    minimum: 1,
    maximum: 100_000,
    description: 'Devices that an account can have, besides revoked ones',
  }),
  audit_records_kept_days: integer({
    default: KEPT_DAYS,
    minimum: 1,
    maximum: 3_650,
    description: 'After so many days audit records expire, the stored ones too: they hold addresses of people',
  }),
}

/** The settings of the sso service, as read. */
export interface SsoConfig extends EncryptionConfig, MailConfig {
  public_url?: string
  rate_limits?: 'on' | 'off'
  api_tokens_per_account?: number
  devices_per_account?: number
  audit_records_kept_days?: number
  sso_hosts?: string | null
}

/** The sso service: accounts and their API tokens, contacts, and the apps to which they sign in. */
export function start(config: SsoConfig): Promise<Running> {
  return startService('sso', permissions, config, async ({ bus, store, serve, log }) => {
    const accountStore = new AccountStore(store.db)
    const tokenStore = new ApiTokenStore(store.db, config.api_tokens_per_account ?? MAX_TOKENS)
    const deviceStore = new DeviceStore(store.db, config.devices_per_account ?? MAX_DEVICES)
    const contactStore = new ContactStore(store.db)
    const fieldStore = new ContactFieldStore(store.db)
    const appStore = new OauthAppStore(store.db)
    const audit = new AuditStore(store.db, config.audit_records_kept_days)
    const codes = new CodeStore(store.db)
    const encrypter = new Encrypter(config.secrets_key)
    const artifacts = new ArtifactStore(store.db, encrypter, (...accountFinder) => announceVoid(bus, ...accountFinder))
    const consents = new ConsentStore(store.db)
    const throttle = new Throttle(store.db, { off: config.rate_limits === 'off' })
    const stores = [
      accountStore,
      tokenStore,
      deviceStore,
      contactStore,
      fieldStore,
      appStore,
      audit,
      codes,
      artifacts,
      consents,
      throttle,
    ]
    await Promise.all(stores.map((each) => each.prepare()))

    const mailer = new Mailer(config)
    const public_url = config.public_url ?? DEFAULT_PUBLIC_URL
    const issuers = new Issuers(public_url)
    const credentials = new Credentials({ contacts: contactStore, codes, audit, mailer, bus, log, issuers })

    const issuer = new TokenIssuer(tokenStore, bus)
    const mayTake = allowedHosts(config.sso_hosts ?? null)
    serve(accounts, accountHandlers(accountStore, issuer, issuers, mayTake, bus))
    serve(apiTokens, apiTokenHandlers(tokenStore, deviceStore, accountStore, issuer, bus))
    const deviceCodes = new DeviceCodes({ public_url, secrets_key: config.secrets_key })
    serve(devices, deviceHandlers(deviceStore, tokenStore, deviceCodes, bus))
    subscribeToChanges(bus, 'accounts', accountStore)
    subscribeToChanges(bus, 'contacts', contactStore)
    subscribeToChanges(bus, 'contact_fields', fieldStore)
    subscribeToChanges(bus, 'oauth_apps', appStore)
    serve(contacts, contactHandlers(contactStore, fieldStore, codes, audit, bus))
    serve(contactFields, contactFieldHandlers(fieldStore, contactStore, bus))
    serve(invitations, invitationHandlers(contactStore, accountStore, credentials))
    serve(oauthApps, oauthAppHandlers(appStore, bus))
    deleteEnded(bus, log, { artifacts, consents, contacts: contactStore })
    const parts = {
      accounts: accountStore,
      contacts: contactStore,
      fields: fieldStore,
      apps: appStore,
      artifacts,
      consents,
      audit,
      credentials,
      throttle,
      log,
    }
    const tokenAnswers = new TokenAnswerCache()
    tokenAnswers.subscribe(bus)
    serve(oidc, oidcHandlers(parts, tokenAnswers, new KeyStore(store.db, encrypter), issuers))
    serve(auditRecords, auditHandlers(audit))
    serve(personalData, personalDataHandlers(store.db, [personalContacts]))
    return {
      stop: async () => {
        await credentials.settled()
        mailer.close()
      },
    }
  })
}
