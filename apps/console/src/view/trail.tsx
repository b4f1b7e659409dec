import { itemPathOf } from '../resources/resource.ts'
import { eventOf, hrefOf, type Route } from '../route/route.ts'
import { type Item, read } from '../server/server.ts'
import { useConsole } from './console.ts'
import { useLoaded } from './loaded.ts'
import { nameOf } from './names.ts'
import { type FoundPage, findPage, ItemPage } from './pages.ts'

/** The pages above the one that is shown, each with a link. Pages right below an event have none. */
export function Trail({ route }: { route: Route }) {
  const { say } = useConsole()
  const from = eventOf(route) === undefined ? 1 : 3
  const above = Array.from({ length: Math.max(0, route.length - from) }, (_, index) => route.slice(0, from + index))
  const pages = above.flatMap((each) => {
    const found = findPage(each)
    return found ? [{ found, href: hrefOf(...each) }] : []
  })
  if (pages.length === 0) return null
  return (
    <nav class="trail" aria-label={say('trail')}>
      <ol>
        {pages.map(({ found, href }) => (
          <li key={href}>
            <a href={href}>{found.View === ItemPage ? <ItemName found={found} /> : say(found.title)}</a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

function ItemName({ found: { resource, params } }: { found: FoundPage }) {
  const path = resource && itemPathOf(resource)
  const { value } = useLoaded(
    async (signal) => (path ? read<Item>(path, params, {}, signal) : undefined),
    [path, JSON.stringify(params)],
  )
  return <>{value ? nameOf(value) : '…'}</>
}
