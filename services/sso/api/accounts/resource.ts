import {
  COLOUR,
  datetime,
  flag,
  identifier,
  integer,
  maybe,
  optionalEmail,
  optionalIdentifier,
  optionalText,
  record,
  subset,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import { logoMedia, MAX_LOGO_BYTES, types } from '@gatehouse/proto/formats/logos/types.ts'
import { LABEL } from './sso-hosts.ts'

const slug = text({ maxLength: 63, pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$' })

/** The branding of an account: of its sign-in pages, and of the pages and e-mails of its events. */
const branding = {
  name: optionalText({
    description:
      'How the sign-in pages call the account, by default its slug; and pages and e-mails of events without an organizer',
  }),
  color: optionalText({
    pattern: COLOUR,
    description: 'Of the buttons of pages: #1a2b3c; their text is black or white, whichever is easier to read',
  }),
  locale: optionalText({
    pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
    description: 'The language there for who asks for none that is known',
  }),
}

/** The fields that an account sets. */
const settings = {
  ...branding,
  reply_to_email: optionalEmail({ description: 'Where answers to e-mails of events go that have no reply_to_email' }),
  sso_host: optionalText({
    maxLength: 253,
    // The last label of a name begins with a letter, unlike that of an IPv4 address.
    pattern: `^(${LABEL}\\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`,
    description:
      'A host name of its own for single sign-on (`login.example.org`), which leads to the gateway; of one account alone, kept in small letters',
  }),
  answers_updates: flag({
    default: false,
    description:
      'PUT and DELETE with a token answer 200 with the object, for clients that parse a body: as with `Prefer: return=representation`. `Prefer: return=minimal` asks for no body all the same',
  }),
}

const account = record({
  _id: identifier(),
  slug,
  ...settings,
  logo_url: optionalText({ maxLength: 4_000, description: 'Shows the logo to anybody; null: there is none' }),
  created_at: datetime(),
})

/** Accounts: organizers. The command line creates and finds them. */
export const accounts = resource('sso.accounts', 'account', {
  bootstrap: {
    summary: 'Makes the account once and issues a fresh admin token; of those it issued before, the last ten stay',
    body: record({ slug }),
    reply: record({
      account_id: identifier(),
      auth_token: text(),
      earlier_tokens: integer({ description: 'How many tokens issued so before are still valid' }),
    }),
  },
  find: {
    summary: 'The account of a slug; null when there is none',
    reads: true,
    body: record({ slug: text() }),
    reply: record({ account_id: optionalIdentifier() }),
  },
  look: {
    summary: 'The branding of an account; null where it has none, or does not exist',
    reads: true,
    body: record({ account_id: identifier() }),
    reply: record({
      color: optionalText(),
      name: maybe(optionalText()),
      reply_to_email: maybe(optionalText()),
      logo_url: maybe(optionalText({ maxLength: 4_000 })),
    }),
  },
  read: { route: 'GET account', scope: 'read', summary: 'The account of the token', reply: account },
  update: {
    route: 'PUT account',
    role: 'owner',
    summary: 'Change the account: how its pages look, at which host they are, and what answers to changes hold',
    checks: true,
    body: subset(settings),
    reply: account,
    status: 204,
  },
  upload_logo: {
    route: 'PUT account/logo',
    role: 'owner',
    summary: 'Store the logo of the account, in place of the one before',
    upload: { types: logoMedia, maxBytes: MAX_LOGO_BYTES },
    reply: account,
  },
  delete_logo: {
    route: 'DELETE account/logo',
    role: 'owner',
    summary: 'Delete the logo of the account for good',
    reply: account,
    status: 204,
  },
  logo: {
    route: 'GET logos/:logo_id',
    secret: 'logo_id',
    summary: 'A logo; the address is the logo_url of its account, and anybody may open it',
    produces: Object.fromEntries(types.map(({ suffix, media }) => [suffix, media])),
  },
})
