import type { PageProps } from '../resources/resource.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { Problem } from '../view/problem.tsx'
import { guides } from './guides.ts'

/** A guide for organizers. It is in English, whatever the console speaks. */
export function GuidePage({ params: { guide = '' } }: PageProps) {
  const { say } = useConsole()
  const load = guides[guide]
  const { value, error } = useLoaded(async () => (await load?.())?.default, [guide])
  if (!load) return <p class="notice">{say('not_found')}</p>
  if (error) return <Problem error={error} />
  // Made at the build from this repository's own text
  return <article class="guide" lang="en" dangerouslySetInnerHTML={{ __html: value ?? '' }} />
}
