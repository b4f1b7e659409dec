import { hrefOf, type Place } from '../route/route.ts'
import { may } from '../session/session.ts'
import type { TextKey } from '../texts/words.ts'
import { useConsole } from './console.ts'
import { findPage } from './pages.ts'

/** The pages of an event, in the order of the navigation: what others need comes before them. */
const ofEvent = [
  'guest_categories',
  'accesspoints',
  'rights',
  'guests',
  'devices',
  'live',
  'promo_codes',
  'partners',
  'invitation_types',
  'exhibitors',
]
/** The pages of the account. */
const ofAccount = ['events', 'staff_members', 'tokens', 'webhooks', 'audit_records']

/** The event in which a place is. */
export function eventOf(place: Place): string | undefined {
  return place[0] === 'events' && place[1] !== 'new' ? place[1] : undefined
}

/** The ways to all pages that the role may see. */
export function Navigation({ place }: { place: Place }) {
  const { say } = useConsole()
  const event = eventOf(place)
  return (
    <nav aria-label={say('menu')}>
      {event !== undefined && (
        <ul>
          <NavigationLink to={['events', event]} place={place} title="event" />
          {ofEvent.map((name) => (
            <NavigationLink key={name} to={['events', event, name]} place={place} />
          ))}
        </ul>
      )}
      <ul>
        {ofAccount.map((name) => (
          <NavigationLink key={name} to={[name]} place={place} />
        ))}
      </ul>
    </nav>
  )
}

function NavigationLink({ to, place, title }: { to: string[]; place: Place; title?: TextKey }) {
  const { say, session } = useConsole()
  const found = findPage(to)
  if (!found || !may(session, found.sees)) return null
  const isHere = to.length === place.length && to.every((segment, index) => segment === place[index])
  const isAbove = to.length > 2 && to.every((segment, index) => segment === place[index])
  return (
    <li>
      <a href={hrefOf(...to)} class={isAbove ? 'above' : ''} {...(isHere && { 'aria-current': 'page' })}>
        {say(title ?? found.title)}
      </a>
    </li>
  )
}
