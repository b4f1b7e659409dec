import { choice, integer } from '@gatehouse/proto/declaring/fields.ts'
import { unsearched } from '@gatehouse/proto/privacy/free-texts.ts'
import { type ErasureCallbacks, personalDataHandlers } from '@gatehouse/proto/privacy/serving.ts'
import type { ConfigOf } from '@gatehouse/proto/process/config.ts'
import { Mailer, mailSettings } from '@gatehouse/proto/process/mail.ts'
import { publicUrlSettings } from '@gatehouse/proto/process/public-url.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { encryptionSettings, startService } from '@gatehouse/proto/serving/service.ts'
import { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { subscribeToChanges } from './account-cache.ts'
import { accountHandlers } from './api/accounts/handlers.ts'
import { allowedHosts, ssoHostSettings } from './api/accounts/sso-hosts.ts'
import { AccountStore } from './api/accounts/store.ts'
import { apiTokenHandlers, TokenIssuer } from './api/api-tokens/handlers.ts'
import { ApiTokenStore } from './api/api-tokens/store.ts'
import { auditHandlers } from './api/audit/handlers.ts'
import { personalAuditRecords } from './api/audit/resource.ts'
import { AuditStore } from './api/audit/store.ts'
import { contactFieldHandlers } from './api/contact-fields/handlers.ts'
import { ContactFieldStore } from './api/contact-fields/store.ts'
import { contactHandlers } from './api/contacts/handlers.ts'
import { ContactRemoval } from './api/contacts/removal.ts'
import { personalContacts } from './api/contacts/resource.ts'
import { ContactStore, type StoredContact } from './api/contacts/store.ts'
import { DeviceCodes } from './api/devices/codes.ts'
import { deviceHandlers } from './api/devices/handlers.ts'
import { DeviceStore } from './api/devices/store.ts'
import { invitationHandlers } from './api/invitations/handlers.ts'
import { oauthAppHandlers } from './api/oauth-apps/handlers.ts'
import { OauthAppStore } from './api/oauth-apps/store.ts'
import { StaffContacts } from './api/staff-members/contacts.ts'
import { staffMemberHandlers } from './api/staff-members/handlers.ts'
import { StaffPeople } from './api/staff-members/people.ts'
import { StaffStore } from './api/staff-members/store.ts'
import { ConsoleCookies } from './console/cookies.ts'
import { consoleHandlers } from './console/handlers.ts'
import { ConsoleSessionStore, personalConsoleSessions } from './console/session-store.ts'
import { ConsoleSessions } from './console/sessions.ts'
import { CodeStore } from './credentials/codes.ts'
import { Credentials } from './credentials/credentials.ts'
import { Issuers } from './issuers.ts'
import { personalArtifacts } from './oidc/artifact-documents.ts'
import { ArtifactStore } from './oidc/artifacts.ts'
import { ConsentStore, personalConsents } from './oidc/consents.ts'
import { deleteEnded } from './oidc/ended-cleanup.ts'
import { ProviderExchange } from './oidc/exchange.ts'
import { oidcHandlers } from './oidc/handlers.ts'
import { KeyStore } from './oidc/keys.ts'
import { TokenAnswerCache } from './oidc/token-answers.ts'
import { Passkeys } from './passkeys/passkeys.ts'
import { PasskeyStore, personalPasskeys } from './passkeys/store.ts'
import { permissions } from './permissions.ts'
import { freeTexts } from './personal-data/free-texts.ts'
import { contactDataHandlers } from './personal-data/handlers.ts'
import { personalStaff } from './personal-data/staff.ts'
import * as resources from './resources.ts'
import { Throttle } from './throttle.ts'
import * as topics from './topics.ts'

/** The settings of the sso service. */
export const settings = {
  ...encryptionSettings,
  ...mailSettings,
  ...ssoHostSettings,
  ...publicUrlSettings,
  rate_limits: choice(['on', 'off'], { default: 'on' }),
  api_tokens_per_account: integer({
    default: 1_000,
    minimum: 1,
    maximum: 100_000,
    description: 'API tokens that an account can have, besides those of `gatehouse bootstrap`',
  }),
  devices_per_account: integer({
    default: 1_000,
    minimum: 1,
    maximum: 100_000,
    description: 'Devices that an account can have, besides revoked ones',
  }),
  staff_members_per_account: integer({
    default: 200,
    minimum: 1,
    maximum: 10_000,
    description: 'Staff members that an account can have',
  }),
  // The limits of sessions are those of OWASP's session management cheat sheet for what is no bank.
  console_idle_minutes: integer({
    default: 60,
    minimum: 5,
    maximum: 720,
    description: 'Minutes without a request after which a session of the console ends, and a sign-in begins none',
  }),
  console_session_hours: integer({
    default: 12,
    minimum: 1,
    maximum: 24,
    description: 'Hours after which a session of the console ends in any case',
  }),
  audit_records_kept_days: integer({
    default: 90,
    minimum: 1,
    maximum: 3_650,
    description: 'Days after which audit records expire, the stored ones too: they hold addresses of people',
  }),
}

/** The settings of the sso service, as read. */
export type SsoConfig = ConfigOf<typeof settings>

/** The sso service: accounts and their API tokens, contacts, and the apps to which they sign in. */
export function start(config: SsoConfig): Promise<Running> {
  return startService('sso', permissions, config, async ({ bus, store, serve, log }) => {
    const encrypter = new Encrypter(config.secrets_key)
    const limits = { idle_minutes: config.console_idle_minutes, hours: config.console_session_hours }
    const stores = {
      accounts: new AccountStore(store.db),
      tokens: new ApiTokenStore(store.db, config.api_tokens_per_account),
      devices: new DeviceStore(store.db, config.devices_per_account),
      contacts: new ContactStore(store.db),
      fields: new ContactFieldStore(store.db),
      apps: new OauthAppStore(store.db),
      audit: new AuditStore(store.db, config.audit_records_kept_days),
      codes: new CodeStore(store.db),
      artifacts: new ArtifactStore(store.db, encrypter, bus),
      consents: new ConsentStore(store.db),
      staff: new StaffStore(store.db, config.staff_members_per_account),
      sessionStore: new ConsoleSessionStore(store.db, limits),
      passkeyStore: new PasskeyStore(store.db),
      throttle: new Throttle(store.db, { off: config.rate_limits === 'off' }),
    }
    await Promise.all(Object.values(stores).map((each) => each.prepare()))

    const mailer = new Mailer(config)
    const issuers = new Issuers(config.public_url)
    const staffContacts = new StaffContacts(stores.staff, bus)
    const credentials = new Credentials({ ...stores, staff: staffContacts, mailer, bus, log, issuers })

    const issuer = new TokenIssuer(stores.tokens, bus)
    const mayTake = allowedHosts(config.sso_hosts)
    serve(resources.accounts, accountHandlers(stores.accounts, issuer, issuers, mayTake, bus))
    serve(resources.apiTokens, apiTokenHandlers(stores.tokens, stores.devices, stores.accounts, stores, issuer, bus))
    const deviceCodes = new DeviceCodes(issuers.base, config.secrets_key)
    serve(resources.devices, deviceHandlers(stores.devices, stores.tokens, stores.staff, deviceCodes, bus))
    subscribeToChanges(bus, topics.accounts, stores.accounts)
    subscribeToChanges(bus, topics.contacts, stores.contacts.cache)
    subscribeToChanges(bus, topics.contactFields, stores.fields.cache)
    subscribeToChanges(bus, topics.oauthApps, stores.apps.cache)
    const removal = new ContactRemoval({ ...stores, passkeys: stores.passkeyStore, staff: staffContacts, bus })
    serve(
      resources.contacts,
      contactHandlers(stores.contacts, stores.fields, stores.codes, stores.audit, staffContacts, removal, bus),
    )
    serve(resources.contactFields, contactFieldHandlers(stores.fields, stores.contacts, bus))
    serve(resources.invitations, invitationHandlers(stores.contacts, stores.accounts, credentials, staffContacts))
    serve(resources.oauthApps, oauthAppHandlers(stores.apps, bus))
    deleteEnded(bus, log, stores)
    const passkeys = new Passkeys(stores.passkeyStore, issuers)
    const dependencies = { ...stores, credentials, passkeys, consoleUrl: issuers.console, log }
    const tokenAnswers = new TokenAnswerCache()
    tokenAnswers.subscribe(bus)
    const keys = new KeyStore(store.db, encrypter)
    const exchange = new ProviderExchange(dependencies, keys, issuers.isSecure)
    serve(resources.oidc, oidcHandlers(dependencies, tokenAnswers, exchange, issuers))
    const people = new StaffPeople({ ...stores, staffContacts, bus })
    serve(resources.staffMembers, staffMemberHandlers({ ...stores, people, credentials, issuers, bus }))
    const cookies = new ConsoleCookies(issuers, limits.hours)
    const sessions = new ConsoleSessions({ ...stores, cookies, issuers, bus })
    serve(
      resources.consolePages,
      consoleHandlers({ ...dependencies, people, keys, exchange, sessions, cookies, issuers }),
    )
    serve(resources.auditRecords, auditHandlers(stores.audit))
    const personal = [
      ...[personalContacts, personalPasskeys, personalConsents, personalArtifacts],
      ...[personalConsoleSessions, personalStaff(stores.staff), personalAuditRecords],
    ]
    const contactErasure: ErasureCallbacks<StoredContact> = {
      reads: ['account_id'],
      changing: async (_event_id, erased) => {
        for (const { account_id, _id } of erased) await removal.remove(account_id, _id)
      },
    }
    const erasures = { [personalContacts.name]: contactErasure }
    serve(
      resources.personalData,
      contactDataHandlers(personalDataHandlers(store.db, personal, erasures), stores.staff, (subject) =>
        unsearched(store.db, freeTexts, subject),
      ),
    )
    return {
      stop: async () => {
        await credentials.settled()
        mailer.close()
      },
    }
  })
}
