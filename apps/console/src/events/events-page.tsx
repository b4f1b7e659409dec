import type { PageProps } from '../resources/resource.ts'
import { events } from '../resources/resources.ts'
import { hrefOf } from '../route/route.ts'
import { may } from '../session/session.ts'
import { useConsole } from '../view/console.ts'
import { ResourceList } from '../view/resource-list.tsx'

/** The events of the account, and the way to bring one from elsewhere, which few need. */
export function EventsPage({ params }: PageProps) {
  const { say, session } = useConsole()
  return (
    <ResourceList
      resource={events}
      params={params}
      welcome={may(session, 'owner') && <p class="notice">{say('account_told', { account: session.account })}</p>}
      making={
        <a class="minor" href={hrefOf('bring')}>
          {say('bring_title')}
        </a>
      }
    />
  )
}
