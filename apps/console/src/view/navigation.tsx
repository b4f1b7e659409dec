import { usePending } from '../registrations/pending.ts'
import { eventOf, hrefOf, type Route } from '../route/route.ts'
import { may } from '../session/session.ts'
import { useConsole } from './console.ts'
import { Icon } from './icon.tsx'
import { type Group, ofAccount, ofEvent } from './jobs.ts'
import { findPage } from './pages.ts'

/** The page of what waits for the organizer. */
const PENDING = 'registrations'

/**
 * The ways to all pages that the role may see: the jobs at the event, the pages of the job at hand, and those of the account apart. Who is there for one
 * event sees that alone.
 */
export function Navigation({ route }: { route: Route }) {
  const { say, session } = useConsole()
  const only = session.staff_member.event_id
  const event = only ?? eventOf(route)
  return (
    <nav class="jobs" aria-label={say('menu')}>
      {event !== undefined && (
        <ul>
          {ofEvent.map((group) => (
            <Job key={group.icon} group={group} within={['events', event]} route={route} />
          ))}
        </ul>
      )}
      {only === null && (
        <ul>
          {ofAccount.map((group) => (
            <Job key={group.icon} group={group} within={[]} route={route} />
          ))}
        </ul>
      )}
    </nav>
  )
}

/** A job, with its pages as long as one of them is shown. */
function Job({ group, within, route }: { group: Group; within: string[]; route: Route }) {
  const { say, session } = useConsole()
  const pages = group.pages.flatMap((name) => {
    const to = name === '' ? within : [...within, name]
    const found = findPage(to)
    return found && may(session, found.sees) ? [{ to, title: say(found.title) }] : []
  })
  const [first] = pages
  if (!first) return null
  const title = say(group.title)
  const isHere = pages.some(({ to }) => isWithin(to, within, route))
  // A job of one page is that page.
  const others = group.pages.length === 1 ? [] : pages.filter((page) => page.title !== title)
  return (
    <li>
      <NavigationLink to={first.to} route={route} isAbove={isHere} isPage={others.length < pages.length}>
        <Icon name={group.icon} />
        {title}
        {!isHere && <Pending group={group} within={within} />}
      </NavigationLink>
      {isHere && others.length > 0 && (
        <ul>
          {others.map(({ to, title }) => (
            <li key={title}>
              <NavigationLink to={to} route={route} isAbove={isWithin(to, within, route)} isPage>
                {title}
                {to.at(-1) === PENDING && <Pending group={group} within={within} />}
              </NavigationLink>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** How many registrations wait, beside the job with their page or that page itself. */
function Pending({ group, within: [, event_id] }: { group: Group; within: string[] }) {
  return event_id !== undefined && group.pages.includes(PENDING) ? <PendingCount event_id={event_id} /> : null
}

function PendingCount({ event_id }: { event_id: string }) {
  const { say } = useConsole()
  const count = usePending(event_id)
  if (count === undefined) return null
  return (
    <span class="count" title={say('attention_pending', { count })}>
      {count}
    </span>
  )
}

interface LinkProps {
  to: string[]
  route: Route
  /** Whether the page shown is this one or one below it. */
  isAbove: boolean
  /** Whether it stands for the page that it leads to, rather than for a group of pages. */
  isPage: boolean
  children: preact.ComponentChildren
}

function NavigationLink({ to, route, isAbove, isPage, children }: LinkProps) {
  const isHere = isPage && to.join('/') === route.join('/')
  return (
    <a href={hrefOf(...to)} class={isAbove ? 'above' : ''} {...(isHere && { 'aria-current': 'page' })}>
      {children}
    </a>
  )
}

/** Whether a route is a page or one below it. The event's own page has none below it. */
function isWithin(to: string[], within: string[], route: Route): boolean {
  if (to.length === within.length || (to.length === 1 && eventOf(route) !== undefined))
    return to.join('/') === route.join('/')
  return to.every((segment, index) => segment === route[index])
}
