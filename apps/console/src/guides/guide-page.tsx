import type { PageProps } from '../resources/resource.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { Problem } from '../view/problem.tsx'
import { guides } from './guides.ts'
import { inOwnWords } from './own-words.ts'

/** A guide for organizers. It is in English, whatever the console speaks, but for the names of pages and buttons. */
export function GuidePage({ params: { guide = '' } }: PageProps) {
  const { say, language } = useConsole()
  const load = guides[guide]
  const isEnglish = language === 'en'
  const { value, error } = useLoaded(async () => {
    const text = (await load?.())?.default ?? ''
    return isEnglish ? text : inOwnWords(text, say)
  }, [guide, language])
  if (!load) return <p class="notice">{say('not_found')}</p>
  if (error) return <Problem error={error} />
  // The guide is made at the build from this repository's own text.
  return (
    <>
      {!isEnglish && value && <p class="notice">{say('guide_in_english')}</p>}
      <article class="guide" lang="en" dangerouslySetInnerHTML={{ __html: value ?? '' }} />
    </>
  )
}
