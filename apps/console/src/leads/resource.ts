import { type BesideProps, type CellProps, type ItemProps, type MadeProps, resource } from '../resources/resource.ts'
import { lazily } from '../view/lazily.tsx'

const StandPhones = lazily<BesideProps>(async () => (await import('./stand-phones.tsx')).StandPhones)
const ExhibitorMade = lazily<MadeProps>(async () => (await import('./exhibitor-made.tsx')).ExhibitorMade)

const cells = () => import('./cells.tsx')
const LeadComments = lazily<CellProps>(async () => (await cells()).LeadComments)
const LeadCount = lazily<CellProps>(async () => (await cells()).LeadCount)
const LeadExhibitor = lazily<CellProps>(async () => (await cells()).LeadExhibitor)
// It is in a link, which is never empty.
const LeadGuest = lazily<CellProps>(
  async () => (await cells()).LeadGuest,
  ({ item }) => String(item.guest_uid),
)
const LeadHeading = lazily<ItemProps>(async () => (await cells()).LeadGuest)
const LeadGuestLink = lazily<CellProps>(async () => (await cells()).LeadGuestLink)
const LeadRating = lazily<CellProps>(async () => (await cells()).LeadRating)

/** The exhibitors of an event. */
export const exhibitors = resource('/api/v1/events/{event_id}/exhibitors.json', {
  columns: ['name', 'lead_count', 'email', 'created_at'],
  fields: ['name', 'email'],
  cells: { lead_count: LeadCount },
  once: 'access_token',
  Made: ExhibitorMade,
  Beside: StandPhones,
  actions: [
    {
      label: 'roll_token',
      path: '/api/v1/events/{event_id}/exhibitors/{id}/roll_token.json',
      asks: 'roll_token_asks',
    },
  ],
})

/** The leads of all exhibitors of an event. */
export const leads = resource('/api/v1/events/{event_id}/connections.json', {
  columns: ['guest_uid', 'exhibitor_id', 'rating', 'created_at', 'author', 'note'],
  filters: ['exhibitor_id', 'rating', 'since', 'before'],
  facts: ['guest_id', 'exhibitor_id', 'rating', 'author', 'created_at', 'updated_at', 'note', 'comments'],
  titles: { guest_uid: 'guest' },
  cells: {
    guest_uid: LeadGuest,
    guest_id: LeadGuestLink,
    exhibitor_id: LeadExhibitor,
    rating: LeadRating,
    comments: LeadComments,
  },
  Heading: LeadHeading,
})
