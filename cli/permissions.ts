import * as badges from '@gatehouse/badges/resources'
import * as checkin from '@gatehouse/checkin/resources'
import * as guestsService from '@gatehouse/guests/resources'
import * as hooks from '@gatehouse/hooks/resources'
import * as leads from '@gatehouse/leads/resources'
import * as partnersService from '@gatehouse/partners/resources'
import * as promo from '@gatehouse/promo/resources'
import { AGAIN } from '@gatehouse/proto/bus/messages.ts'
import { cellDataOf } from '@gatehouse/proto/declaring/cell-data.ts'
import { eventDataOf } from '@gatehouse/proto/declaring/event-data.ts'
import { asking, type Permissions } from '@gatehouse/proto/declaring/permissions/permissions.ts'
import * as sso from '@gatehouse/sso/resources'
import { serviceNames } from '../services/services.ts'

export const events = asking(guestsService.events, 'adopt', 'owner', 'read')
export const eventArchives = asking(guestsService.eventArchives, 'begin', 'finish', 'read', 'seal', 'withdraw')
export const guestFields = asking(guestsService.guestFields, 'adopt', 'batch_create', 'list')
export const guests = asking(
  guestsService.guests,
  'adopt',
  'create_many',
  'disown',
  'known',
  'list',
  'read',
  'republish',
  'resolve',
)
export const files = asking(badges.files, 'adopt', 'disown', 'of_guests')
export const erasures = asking(guestsService.erasures, 'create', 'read')
export const personalDocuments = asking(guestsService.personalDocuments, 'export')
export const guestCategories = asking(guestsService.guestCategories, 'adopt', 'create', 'disown', 'list')
export const accesspoints = asking(checkin.accesspoints, 'adopt', 'create', 'disown', 'list')
export const links = asking(checkin.links, 'adopt', 'disown', 'list')
export const signatures = asking(checkin.signatures, 'adopt', 'disown', 'list')
export const areas = asking(checkin.areas, 'create', 'list')
export const checkIns = asking(checkin.checkIns, 'adopt', 'batch_create', 'disown', 'list', 'republish')
export const connections = asking(leads.connections, 'adopt', 'republish')
export const exhibitors = asking(leads.exhibitors, 'adopt', 'disown', 'list')
export const promoCodes = asking(promo.promoCodes, 'adopt', 'create', 'disown', 'list')
export const partners = asking(partnersService.partners, 'adopt', 'disown', 'list')
export const invitationTypes = asking(partnersService.invitationTypes, 'adopt', 'disown', 'list')
export const partnerCampaigns = asking(partnersService.partnerCampaigns, 'adopt', 'disown')
export const apps = asking(leads.apps, 'list', 'register', 'revoke')
export const webhooks = asking(hooks.webhooks, 'list')
export const deliveries = asking(hooks.deliveries, 'list', 'replay')
export const accounts = asking(sso.accounts, 'bootstrap', 'find', 'read', 'update')
export const apiTokens = asking(sso.apiTokens, 'create', 'list', 'revoke')
export const devices = asking(sso.devices, 'create', 'list', 'revoke', 'roll_code', 'update')
export const staffMembers = asking(
  sso.staffMembers,
  'create',
  'delete',
  'first_link',
  'first_owner',
  'list',
  'roll_link',
)
export const contacts = asking(sso.contacts, 'create', 'list')
export const contactFields = asking(sso.contactFields, 'create', 'list')
export const auditRecords = asking(sso.auditRecords, 'take')
export const oauthApps = asking(sso.oauthApps, 'create', 'delete', 'list', 'roll_secret', 'update')

/** What each service holds of events, in the order of an export: guests last, who then have come in as the check-ins say. */
export const eventData = ['sso', 'hooks', 'checkin', 'partners', 'leads', 'promo', 'badges', 'guests'].map((service) =>
  asking(eventDataOf(service), 'contents', 'finish', 'put', 'read'),
)

/** What each service gives to another cell, and takes from one. */
export const cellData = serviceNames.filter((name) => name !== 'mail').map(cellDataOf)

const moving = [...cellData, ...cellData.map(({ name }) => `${name}.fence${AGAIN}`)]

/** What the command line says on the bus; `gatehouse up` asks for the health of the services. */
export const permissions = {
  asks: [
    events,
    eventArchives,
    ...eventData,
    guests,
    files,
    guestFields,
    erasures,
    personalDocuments,
    guestCategories,
    accesspoints,
    links,
    signatures,
    areas,
    checkIns,
    connections,
    exhibitors,
    promoCodes,
    partners,
    invitationTypes,
    partnerCampaigns,
    apps,
    webhooks,
    deliveries,
    accounts,
    apiTokens,
    devices,
    staffMembers,
    contacts,
    contactFields,
    auditRecords,
    oauthApps,
    ...moving,
    ...serviceNames.map((name) => `${name}.health`),
  ],
  asksCells: [
    ...moving,
    asking(sso.accounts, 'find'),
    ...eventData.map((each) => asking(each, 'finish')),
    asking(guestsService.guests, 'republish'),
    asking(checkin.checkIns, 'republish'),
    asking(leads.connections, 'republish'),
  ],
} satisfies Permissions
