import {
  COLOUR,
  choice,
  datetime,
  decimal,
  flag,
  identifier,
  integer,
  list,
  maybe,
  optionalIdentifier,
  record,
  subset,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import { logoMedia, MAX_LOGO_BYTES } from '@gatehouse/proto/formats/logos/types.ts'
import type { Static } from 'typebox'

/** The largest side of a badge, in millimetres. */
const LARGEST_MM = 300

const line = record({
  field: text({
    description:
      'name, category, first_name, last_name, company_name, position, email, phone_number or uid; any other name is one of guest metadata',
    example: 'name',
  }),
  size: integer({
    default: 16,
    minimum: 5,
    maximum: 200,
    description: 'Of its letters, in points; they are smaller where the texts need more room',
  }),
  weight: choice(['regular', 'bold'], { default: 'regular' }),
})

const look = {
  width_mm: integer({ default: 105, minimum: 20, maximum: LARGEST_MM }),
  height_mm: integer({ default: 148, minimum: 20, maximum: LARGEST_MM }),
  lines: list(line, 'line', {
    default: [
      { field: 'name', size: 32, weight: 'bold' },
      { field: 'position', size: 14, weight: 'regular' },
      { field: 'company_name', size: 18, weight: 'regular' },
    ],
    maxItems: 20,
    description: 'From top to bottom; those of which a guest has no text are left out',
  }),
  shows_qr_code: flag({ default: true }),
  colour: text({
    default: '#1e293b',
    pattern: COLOUR,
    maxLength: 7,
    description: 'Of the strip at its top',
  }),
  fold: choice(['none', 'middle'], {
    default: 'none',
    description: 'With middle the upper half shows the same upside down: folded across, both sides read upright',
  }),
}

const fields = { name: text(), ...look }

const badgeTemplate = record({
  _id: identifier(),
  ...fields,
  logo_id: optionalIdentifier({ description: 'Another one after each change of its logo; null: there is none' }),
  event_id: identifier(),
  created_at: datetime(),
  updated_at: datetime(),
})

/** A badge template as it goes out. */
export type BadgeTemplate = Static<typeof badgeTemplate>

/** Badge templates of an event: sizes and contents of badges. A guest category names one. */
export const badgeTemplates = resource('badges.badge_templates', 'badge_template', {
  list: {
    route: 'GET events/:event_id/badge_templates',
    scope: 'read',
    summary: 'Badge templates of an event',
    reply: list(badgeTemplate, 'badge_template'),
  },
  read: {
    route: 'GET events/:event_id/badge_templates/:id',
    scope: 'read',
    summary: 'One badge template',
    reply: badgeTemplate,
  },
  create: {
    route: 'POST events/:event_id/badge_templates',
    summary: 'Create a badge template',
    body: record(fields),
    reply: badgeTemplate,
    status: 201,
  },
  update: {
    route: 'PUT events/:event_id/badge_templates/:id',
    summary: 'Change fields of a badge template; the badges made by it are made anew',
    body: subset(fields),
    reply: badgeTemplate,
    status: 204,
  },
  delete: {
    route: 'DELETE events/:event_id/badge_templates/:id',
    summary: 'Delete a badge template; categories that name it then have the usual badge',
    reply: badgeTemplate,
    status: 204,
  },
  upload_logo: {
    route: 'PUT events/:event_id/badge_templates/:id/logo',
    summary: 'Store the logo of a badge template, in place of the one before; the badges made by it are made anew',
    upload: { types: logoMedia, maxBytes: MAX_LOGO_BYTES },
    reply: badgeTemplate,
  },
  delete_logo: {
    route: 'DELETE events/:event_id/badge_templates/:id/logo',
    summary: 'Delete the logo of a badge template; the badges made by it are made anew',
    reply: badgeTemplate,
    status: 204,
  },
  logo: {
    route: 'GET events/:event_id/badge_templates/:id/logo',
    scope: 'read',
    summary: 'The logo of a badge template as it is printed',
    produces: { png: 'image/png' },
  },
  preview: {
    route: 'GET events/:event_id/badge_templates/:id/preview',
    scope: 'read',
    summary:
      'The badge that a guest would have by a template: the one given as guest_id, or else the one with the longest name. Without guests its lines show the names of their fields',
    query: record({ guest_id: maybe(identifier()) }),
    produces: { pdf: 'application/pdf' },
  },
  draw: {
    route: 'POST events/:event_id/badge_templates/drawing',
    unaudited: 'it stores nothing',
    summary:
      'The badge of a guest, the one given as guest_id or else the one with the longest name, as these fields of a template would print it, without storing them. `lines` say which texts are printed smaller than their size, since they do not fit',
    body: record({
      ...look,
      is_usual: flag({
        default: false,
        description:
          'Whether the usual badge is drawn, that of guest categories without a template, whatever the other fields say',
      }),
      guest_id: maybe(identifier()),
      badge_template_id: maybe(identifier({ description: 'The template whose logo is drawn' })),
    }),
    reply: record({
      svg: text({ maxLength: 10_000_000, description: 'The badge as a picture' }),
      guest_id: optionalIdentifier({
        description: 'null: the event has no guests, and lines show the names of their fields',
      }),
      lines: list(
        record({
          text: text({ maxLength: 10_000 }),
          size: integer({ description: 'As the template says' }),
          printed_size: decimal({ description: 'As it is printed' }),
        }),
        'line',
      ),
    }),
    replyName: 'badge_drawing',
  },
  known: {
    summary: 'Those of the given ids that are badge templates of the event',
    reads: true,
    body: record({ event_id: identifier(), ids: list(identifier(), 'id') }),
    reply: record({ ids: list(identifier(), 'id') }),
  },
  copy: {
    summary: 'Copies badge templates into an event that was created at a time; again, it changes nothing',
    long: true,
    body: record({ from_event_id: identifier(), event_id: identifier(), at: datetime() }),
    reply: record({ ids: list(identifier(), 'id', { description: 'Of the templates that were copied' }) }),
  },
})
