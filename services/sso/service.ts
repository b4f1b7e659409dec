import { choice, integer } from '@gatehouse/proto/declaring/fields.ts'
import { type Erasure, personalDataHandlers } from '@gatehouse/proto/privacy/serving.ts'
import { type MailConfig, Mailer, mailSettings } from '@gatehouse/proto/process/mail.ts'
import { DEFAULT_PUBLIC_URL, publicUrlSettings } from '@gatehouse/proto/process/public-url.ts'
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
import { personalAuditRecords } from './audit/resource.ts'
import { AuditStore, KEPT_DAYS } from './audit/store.ts'
import { ConsoleCookies } from './console/cookies.ts'
import { consoleHandlers } from './console/handlers.ts'
import { ConsoleSessionStore, personalConsoleSessions, SESSION_LIMITS } from './console/session-store.ts'
import { ConsoleSessions } from './console/sessions.ts'
import { contactFieldHandlers } from './contact-fields/handlers.ts'
import { ContactFieldStore } from './contact-fields/store.ts'
import { contactHandlers } from './contacts/handlers.ts'
import { ContactRemoval } from './contacts/removal.ts'
import { personalContacts } from './contacts/resource.ts'
import { ContactStore, type StoredContact } from './contacts/store.ts'
import { CodeStore } from './credentials/codes.ts'
import { Credentials } from './credentials/credentials.ts'
import { DeviceCodes } from './devices/codes.ts'
import { deviceHandlers } from './devices/handlers.ts'
import { DeviceStore } from './devices/store.ts'
import { invitationHandlers } from './invitations/handlers.ts'
import { Issuers } from './issuers.ts'
import { oauthAppHandlers } from './oauth-apps/handlers.ts'
import { OauthAppStore } from './oauth-apps/store.ts'
import { personalArtifacts } from './oidc/artifact-documents.ts'
import { ArtifactStore } from './oidc/artifacts.ts'
import { ConsentStore, personalConsents } from './oidc/consents.ts'
import { deleteEnded } from './oidc/ended-cleanup.ts'
import { ProviderExchange } from './oidc/exchange.ts'
import { oidcHandlers } from './oidc/handlers.ts'
import { KeyStore } from './oidc/keys.ts'
import { announceVoid, TokenAnswerCache } from './oidc/token-answers.ts'
import { Passkeys } from './passkeys/passkeys.ts'
import { PasskeyStore, personalPasskeys } from './passkeys/store.ts'
import { permissions } from './permissions.ts'
import { contactDataHandlers } from './personal-data/handlers.ts'
import { personalStaff } from './personal-data/staff.ts'
import {
  accounts,
  apiTokens,
  auditRecords,
  consolePages,
  contactFields,
  contacts,
  devices,
  invitations,
  oauthApps,
  oidc,
  personalData,
  staffMembers,
} from './resources.ts'
import { StaffContacts } from './staff-members/contacts.ts'
import { staffMemberHandlers } from './staff-members/handlers.ts'
import { StaffPeople } from './staff-members/people.ts'
import { StaffStore } from './staff-members/store.ts'
import { Throttle } from './throttle.ts'

const MAX_TOKENS = 1_000
const MAX_DEVICES = 1_000
const MAX_STAFF = 200

/** The settings of the sso service. */
export const settings = {
  ...encryptionSettings,
  ...mailSettings,
  ...ssoHostSettings,
  ...publicUrlSettings,
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
  staff_members_per_account: integer({
    default: MAX_STAFF,
    minimum: 1,
    maximum: 10_000,
    description: 'Staff members that an account can have',
  }),
  console_idle_minutes: integer({
    default: SESSION_LIMITS.idle_minutes,
    minimum: 5,
    maximum: 720,
    description: 'After so many minutes without a request a session of the console ends, and a sign-in begins none',
  }),
  console_session_hours: integer({
    default: SESSION_LIMITS.hours,
    minimum: 1,
    maximum: 24,
    description: 'After so many hours a session of the console ends in any case',
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
  staff_members_per_account?: number
  console_idle_minutes?: number
  console_session_hours?: number
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
    const staff = new StaffStore(store.db, config.staff_members_per_account ?? MAX_STAFF)
    const limits = {
      idle_minutes: config.console_idle_minutes ?? SESSION_LIMITS.idle_minutes,
      hours: config.console_session_hours ?? SESSION_LIMITS.hours,
    }
    const consoleSessions = new ConsoleSessionStore(store.db, limits)
    const passkeyStore = new PasskeyStore(store.db)
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
      staff,
      consoleSessions,
      passkeyStore,
      throttle,
    ]
    await Promise.all(stores.map((each) => each.prepare()))

    const mailer = new Mailer(config)
    const public_url = config.public_url ?? DEFAULT_PUBLIC_URL
    const issuers = new Issuers(public_url)
    const staffContacts = new StaffContacts(staff, bus)
    const credentials = new Credentials({
      ...{ contacts: contactStore, staff: staffContacts },
      ...{ codes, audit, mailer, bus, log, issuers },
    })
    const identifying = { sessions: consoleSessions, staff, contacts: contactStore }

    const issuer = new TokenIssuer(tokenStore, bus)
    const mayTake = allowedHosts(config.sso_hosts ?? null)
    serve(accounts, accountHandlers(accountStore, issuer, issuers, mayTake, bus))
    serve(apiTokens, apiTokenHandlers(tokenStore, deviceStore, accountStore, identifying, issuer, bus))
    const deviceCodes = new DeviceCodes({ public_url, secrets_key: config.secrets_key })
    serve(devices, deviceHandlers(deviceStore, tokenStore, staff, deviceCodes, bus))
    subscribeToChanges(bus, 'accounts', accountStore)
    subscribeToChanges(bus, 'contacts', contactStore)
    subscribeToChanges(bus, 'contact_fields', fieldStore)
    subscribeToChanges(bus, 'oauth_apps', appStore)
    const removal = new ContactRemoval({
      ...{ contacts: contactStore, codes, passkeys: passkeyStore },
      ...{ staff: staffContacts, bus },
    })
    serve(contacts, contactHandlers(contactStore, fieldStore, codes, audit, staffContacts, removal, bus))
    serve(contactFields, contactFieldHandlers(fieldStore, contactStore, bus))
    serve(invitations, invitationHandlers(contactStore, accountStore, credentials, staffContacts))
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
      passkeys: new Passkeys(passkeyStore, issuers),
      throttle,
      consoleUrl: issuers.console,
      log,
    }
    const tokenAnswers = new TokenAnswerCache()
    tokenAnswers.subscribe(bus)
    const keys = new KeyStore(store.db, encrypter)
    const exchange = new ProviderExchange(parts, keys, issuers.isSecure)
    serve(oidc, oidcHandlers(parts, tokenAnswers, exchange, issuers))
    const people = new StaffPeople({ contacts: contactStore, staff, staffContacts, audit, bus })
    serve(
      staffMembers,
      staffMemberHandlers({
        ...identifying,
        passkeyStore,
        accounts: accountStore,
        people,
        credentials,
        audit,
        issuers,
        bus,
      }),
    )
    const cookies = new ConsoleCookies(issuers, limits.hours)
    const sessions = new ConsoleSessions({
      ...identifying,
      accounts: accountStore,
      artifacts,
      audit,
      cookies,
      issuers,
      bus,
    })
    serve(
      consolePages,
      consoleHandlers({ ...parts, passkeyStore, staff, people, keys, exchange, sessions, cookies, issuers }),
    )
    serve(auditRecords, auditHandlers(audit))
    const personal = [
      ...[personalContacts, personalPasskeys, personalConsents, personalArtifacts],
      ...[personalConsoleSessions, personalStaff(staff), personalAuditRecords],
    ]
    const contactErasure: Erasure<StoredContact> = {
      reads: ['account_id'],
      changing: async (_event_id, erased) => {
        for (const { account_id, _id } of erased) await removal.remove(account_id, _id)
      },
    }
    const erasures = { [personalContacts.name]: contactErasure }
    serve(personalData, contactDataHandlers(personalDataHandlers(store.db, personal, erasures), staff))
    return {
      stop: async () => {
        await credentials.settled()
        mailer.close()
      },
    }
  })
}
