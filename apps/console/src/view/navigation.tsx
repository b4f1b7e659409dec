import { hrefOf, type Route } from '../route/route.ts'
import { may } from '../session/session.ts'
import type { TextKey } from '../texts/words.ts'
import { useConsole } from './console.ts'
import { findPage } from './pages.ts'

/** The pages of an event, in the order of the navigation: what others need comes before them. */
const ofEvent = [
  'guest_categories',
  'guest_fields',
  'badge_templates',
  'accesspoints',
  'areas',
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

/** Returns the id of a route's event. */
export function eventOf(route: Route): string | undefined {
  return route[0] === 'events' && route[1] !== 'new' ? route[1] : undefined
}

/** The ways to all pages that the role may see. */
export function Navigation({ route }: { route: Route }) {
  const { say } = useConsole()
  const event = eventOf(route)
  return (
    <nav aria-label={say('menu')}>
      {event !== undefined && (
        <ul>
          <NavigationLink to={['events', event]} route={route} title="event" />
          {ofEvent.map((name) => (
            <NavigationLink key={name} to={['events', event, name]} route={route} />
          ))}
        </ul>
      )}
      <ul>
        {ofAccount.map((name) => (
          <NavigationLink key={name} to={[name]} route={route} />
        ))}
      </ul>
    </nav>
  )
}

function NavigationLink({ to, route, title }: { to: string[]; route: Route; title?: TextKey }) {
  const { say, session } = useConsole()
  const found = findPage(to)
  if (!found || !may(session, found.sees)) return null
  const isHere = to.length === route.length && to.every((segment, index) => segment === route[index])
  const isAbove = to.length > 2 && to.every((segment, index) => segment === route[index])
  return (
    <li>
      <a href={hrefOf(...to)} class={isAbove ? 'above' : ''} {...(isHere && { 'aria-current': 'page' })}>
        {say(title ?? found.title)}
      </a>
    </li>
  )
}
