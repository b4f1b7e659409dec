import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { choice, integer } from '@gatehouse/proto/declaring/fields.ts'
import { handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { type ErasureCallbacks, personalDataHandlers } from '@gatehouse/proto/privacy/serving.ts'
import type { ConfigOf } from '@gatehouse/proto/process/config.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { Mailer, mailSettings } from '@gatehouse/proto/process/mail.ts'
import { publicUrlSettings } from '@gatehouse/proto/process/public-url.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { encryptionSettings, startService } from '@gatehouse/proto/serving/service.ts'
import { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { EnrolmentCodes } from '@gatehouse/proto/storage/enrolment-codes.ts'
import type { Db } from 'mongodb'
import { subscribeToChanges } from './account-cache.ts'
import { accountHandlers } from './api/accounts/handlers.ts'
import { LogoStore } from './api/accounts/logos/store.ts'
import { ssoHostSettings } from './api/accounts/sso-hosts.ts'
import { AccountStore } from './api/accounts/store.ts'
import { apiTokenHandlers } from './api/api-tokens/handlers.ts'
import { ApiTokenStore } from './api/api-tokens/store.ts'
import { auditHandlers } from './api/audit/handlers.ts'
import { personalAuditRecords } from './api/audit/resource.ts'
import { AuditStore } from './api/audit/store.ts'
import { contactFieldHandlers } from './api/contact-fields/handlers.ts'
import { ContactFieldStore } from './api/contact-fields/store.ts'
import { contactHandlers } from './api/contacts/handlers.ts'
import { removeContact } from './api/contacts/removal.ts'
import { personalContacts } from './api/contacts/resource.ts'
import { ContactStore, type StoredContact } from './api/contacts/store.ts'
import { deviceHandlers } from './api/devices/handlers.ts'
import { DeviceStore } from './api/devices/store.ts'
import { invitationHandlers } from './api/invitations/handlers.ts'
import { oauthAppHandlers } from './api/oauth-apps/handlers.ts'
import { OauthAppStore } from './api/oauth-apps/store.ts'
import { StaffContacts } from './api/staff-members/contacts.ts'
import { staffMemberHandlers } from './api/staff-members/handlers.ts'
import { StaffStore } from './api/staff-members/store.ts'
import { ConsoleCookies } from './console/cookies.ts'
import { consoleHandlers } from './console/handlers.ts'
import { ConsoleSessionStore, personalConsoleSessions } from './console/session-store.ts'
import { ConsoleSessions } from './console/sessions.ts'
import { CodeStore } from './credentials/codes.ts'
import { Credentials } from './credentials/credentials.ts'
import { foundByStrangers, ofAccounts, ssoEventDataHandlers } from './event-data.ts'
import { Issuers } from './issuers.ts'
import { AccountFinder } from './oidc/account-finder.ts'
import { personalArtifacts } from './oidc/artifact-documents.ts'
import { ArtifactStore } from './oidc/artifacts.ts'
import { ConsentStore, personalConsents } from './oidc/consents.ts'
import { deleteEnded } from './oidc/ended-cleanup.ts'
import { isOpenToAll, ProviderExchange } from './oidc/exchange.ts'
import { handle, NEEDS_HTTPS, type OidcDependencies } from './oidc/handle.ts'
import { KeyStore } from './oidc/keys.ts'
import { MeEndpoint } from './oidc/me.ts'
import { TokenAnswerCache } from './oidc/token-answers.ts'
import { Passkeys } from './passkeys/passkeys.ts'
import { PasskeyStore, personalPasskeys } from './passkeys/store.ts'
import { accesspoints, events, permissions } from './permissions.ts'
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

/** Starts the sso service: accounts and their API tokens, contacts, and the apps to which they sign in. */
export function start(config: SsoConfig): Promise<Running> {
  return startService('sso', permissions, config, async ({ bus, store, serve, fence, log }) => {
    const dependencies = { ...(await dependenciesOf(config, store.db, bus, log)), fence }
    const { accounts, fields, apps, issuers, staff } = dependencies
    serve(resources.accounts, accountHandlers(dependencies))
    serve(resources.apiTokens, apiTokenHandlers(dependencies))
    serve(resources.devices, deviceHandlers(dependencies))
    serve(resources.contacts, contactHandlers(dependencies))
    serve(resources.contactFields, contactFieldHandlers(dependencies))
    serve(resources.invitations, invitationHandlers(dependencies))
    serve(resources.oauthApps, oauthAppHandlers(dependencies))
    serve(resources.staffMembers, staffMemberHandlers(dependencies))
    serve(resources.auditRecords, auditHandlers(dependencies))
    serve(resources.oidc, handlersOf<typeof resources.oidc, OidcDependencies>({ handle }, dependencies))
    serve(resources.consolePages, consoleHandlers(dependencies))
    subscribeToChanges(bus, topics.accounts, accounts)
    subscribeToChanges(bus, topics.contactFields, fields.cache)
    subscribeToChanges(bus, topics.oauthApps, apps.cache)
    deleteEnded(bus, log, dependencies)
    if (isOpenToAll(issuers)) log.warn(NEEDS_HTTPS)
    const contactErasure: ErasureCallbacks<StoredContact> = {
      reads: ['account_id'],
      changing: async (_event_id, erased) => {
        for (const { account_id, _id } of erased) await removeContact(dependencies, account_id, _id)
      },
    }
    const personalKinds = [
      ...[personalContacts, personalPasskeys, personalConsents, personalArtifacts],
      ...[personalConsoleSessions, personalStaff(staff), personalAuditRecords],
    ]
    const erasures = { [personalContacts.name]: contactErasure }
    const personal = personalDataHandlers(store.db, personalKinds, erasures)
    serve(resources.personalData, contactDataHandlers({ personal, staff, accounts, db: store.db }))
    serve(resources.eventData, ssoEventDataHandlers(store.db, dependencies))
    return {
      cell: {
        events: [],
        accounts: ofAccounts,
        last: foundByStrangers,
        changed: (account_id) => {
          bus.announce(topics.tokens, 'moved')
          bus.announce(topics.accounts, account_id)
        },
      },
      stop: async () => {
        await dependencies.credentials.settled()
        dependencies.mailer.close()
      },
    }
  })
}

/** Returns the stores and services, ready to use. */
async function dependenciesOf(config: SsoConfig, db: Db, bus: Bus, log: Log) {
  const encrypter = new Encrypter(config.secrets_key)
  const limits = { idle_minutes: config.console_idle_minutes, hours: config.console_session_hours }
  const stores = {
    accounts: new AccountStore(db),
    logos: new LogoStore(db),
    tokens: new ApiTokenStore(db, config.api_tokens_per_account),
    devices: new DeviceStore(db, config.devices_per_account),
    contacts: new ContactStore(db),
    fields: new ContactFieldStore(db),
    apps: new OauthAppStore(db),
    audit: new AuditStore(db, config.audit_records_kept_days),
    codes: new CodeStore(db),
    artifacts: new ArtifactStore(db, encrypter, bus),
    consents: new ConsentStore(db),
    staff: new StaffStore(db, config.staff_members_per_account),
    sessionStore: new ConsoleSessionStore(db, limits),
    passkeyStore: new PasskeyStore(db),
    throttle: new Throttle(db, { off: config.rate_limits === 'off' }),
  }
  await Promise.all(Object.values(stores).map((each) => each.prepare()))
  const issuers = new Issuers(config.public_url)
  const mailer = new Mailer(config)
  const shared = { ...stores, staffContacts: new StaffContacts(stores.staff, bus), mailer, issuers, bus, log }
  const keys = new KeyStore(db, encrypter)
  const consoleUrl = issuers.console
  const passkeys = new Passkeys(stores.passkeyStore, issuers)
  const signOn = { ...shared, credentials: new Credentials(shared), passkeys, keys, consoleUrl }
  const cookies = new ConsoleCookies(issuers, limits.hours)
  const tokenAnswers = new TokenAnswerCache()
  tokenAnswers.subscribe(bus)
  return {
    ...signOn,
    cookies,
    sessions: new ConsoleSessions({ ...shared, cookies }),
    exchange: new ProviderExchange(signOn, keys, issuers.isSecure),
    finder: new AccountFinder(signOn, issuers),
    me: new MeEndpoint(signOn, tokenAnswers),
    deviceCodes: new EnrolmentCodes({
      base: issuers.base,
      secrets_key: config.secrets_key,
      purpose: 'device codes',
      groups: 2,
    }),
    sso_hosts: config.sso_hosts,
    eventClient: clientOf(bus, events),
    accesspointClient: clientOf(bus, accesspoints),
  }
}
