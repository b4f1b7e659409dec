import * as badges from '@gatehouse/badges/resources'
import * as checkin from '@gatehouse/checkin/resources'
import * as guests from '@gatehouse/guests/resources'
import * as guestTopics from '@gatehouse/guests/topics'
import * as hooks from '@gatehouse/hooks/resources'
import * as partners from '@gatehouse/partners/resources'
import { AGAIN } from '@gatehouse/proto/bus/messages.ts'
import { asking, type Permissions } from '@gatehouse/proto/declaring/permissions/permissions.ts'
import { subjectOf } from '@gatehouse/proto/declaring/resource.ts'
import * as sso from '@gatehouse/sso/resources'
import * as ssoTopics from '@gatehouse/sso/topics'
import { serviceNames } from '../services/services.ts'
import { resources } from './resources.ts'

export const events = asking(guests.events, 'owner')
export const statistics = asking(guests.statistics, 'follow')
export const apiTokens = asking(sso.apiTokens, 'resolve')
export const oidc = asking(sso.oidc, 'handle')
export const consolePages = asking(sso.consolePages, 'handle')
export const scanTimes = asking(checkin.scanTimes, 'note')
export const live = asking(hooks.live, 'read', 'watch')
export const invitationPages = asking(partners.invitationPages, 'handle')
export const registrationPages = asking(partners.registrationPages, 'handle')
export const partnerPages = asking(partners.partnerPages, 'handle', 'upload')
export const partnerAccessTokens = asking(partners.partnerAccessTokens, 'authenticate')
export const walletPages = asking(badges.walletPages, 'handle')
export const mailFeedback = asking(partners.mailFeedback, 'receive')

/** The actions that clients can call, and those that tell whether a secret is known. */
const forwarded = resources.flatMap((resource) => {
  const routed = Object.entries(resource.actions).filter(([, { route }]) => route)
  return routed.flatMap(([name, { recognisesRequests }]) => {
    const subject = subjectOf(resource, name)
    return recognisesRequests ? [subject, subject + AGAIN] : [subject]
  })
})
const authenticators = resources.flatMap(({ actions }) =>
  Object.values(actions).flatMap(({ authenticator }) => authenticator ?? []),
)

/** What it asks of each cell. */
const asks = [
  ...forwarded,
  ...new Set(authenticators),
  ...serviceNames.map((name) => `${name}.health`),
  events,
  statistics,
  apiTokens,
  oidc,
  consolePages,
  scanTimes,
  live,
  invitationPages,
  registrationPages,
  partnerPages,
  partnerAccessTokens,
  mailFeedback,
  walletPages,
]

/** What the gateway says and hears on the bus. */
export const permissions = {
  asks,
  asksCells: asks,
  hearsCells: true,
  listens: [ssoTopics.tokens, guestTopics.archived],
  streams: [{ stream: 'live', creates: true, reads: true }],
} satisfies Permissions
