import type { PageProps } from '../resources/resource.ts'
import { resources } from '../resources/resources.ts'
import { hrefOf } from '../route/route.ts'
import { useConsole } from './console.ts'
import { isArchived, useEvent, useMayChange } from './event.ts'
import { segmentsOf } from './resource-list.tsx'

/** The paths of lists that are empty. */
interface MakeFirstProps extends PageProps {
  paths: readonly string[]
}

/** Says which empty lists need an item first, with ways to make one for those who may. */
export function MakeFirst({ paths, params }: MakeFirstProps) {
  const { say } = useConsole()
  const { event } = useEvent()
  const mayMake = useMayChange()
  if (isArchived(event)) return <p class="quiet">{say('empty_archived')}</p>
  return (
    <section class="notice">
      <p>{say('make_first')}</p>
      <ul class="rows">
        {resources
          .filter(({ path }) => paths.includes(path))
          .map((resource) => (
            <li key={resource.path}>
              {mayMake(resource.creates) ? (
                <a href={hrefOf(...segmentsOf(resource, params), 'new')}>{say(`page_${resource.name}`)}</a>
              ) : (
                say(`page_${resource.name}`)
              )}
            </li>
          ))}
      </ul>
    </section>
  )
}
