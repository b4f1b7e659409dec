import { Picture } from '../badges/badge-preview.tsx'
import { hrefOf } from '../route/route.ts'
import { client } from '../server/server.ts'
import { may } from '../session/session.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { type Paper, sizesOf, USUAL } from './papers.ts'

/** As style sheets have millimetres. */
const PX_OF_MM = 96 / 25.4
/** The largest picture of a badge. */
const WIDEST_PX = 280
const HIGHEST_PX = 224

type PathOf<P> = { params: { path: P }; signal: AbortSignal }

/** Reads what says which badges are printed where. */
export function usePrinting(event_id: string) {
  return useLoaded(
    async (signal) => {
      const init: PathOf<{ event_id: string }> = { params: { path: { event_id } }, signal }
      const [categories, templates, links] = await Promise.all([
        client.GET('/api/v1/events/{event_id}/guest_categories.json', init),
        client.GET('/api/v1/events/{event_id}/badge_templates.json', init),
        client.GET('/api/v1/events/{event_id}/guest_category_accesspoints.json', init),
      ])
      return { categories: categories.data, templates: templates.data, links: links.data }
    },
    [event_id],
  )
}

type Template = NonNullable<ReturnType<typeof usePrinting>['value']>['templates'][number]
/** The badges of a station, with their templates. */
export type StationPapers = Paper<Template>[]

/** The badges that a station prints: as they look, their sizes, and whose they are. It says where one printer cannot do. */
export function PaperList({ event_id, papers }: { event_id: string; papers: StationPapers }) {
  const { say, session } = useConsole()
  if (papers.length === 0)
    return (
      <p>
        {say('print_papers_none')} <a href={hrefOf('events', event_id, 'rights')}>{say('page_rights')}</a>
      </p>
    )
  const withoutBadges = papers.flatMap((paper) => paper.withoutBadges)
  return (
    <>
      <ul class="papers" style={{ '--scale': scaleOf(papers) }}>
        {papers.map(({ template, size, categories, category_ids }) => (
          <li key={template?._id ?? ''}>
            {may(session, 'organizer') && <PaperPicture {...{ event_id, template, category_ids }} />}
            <span>
              {say('print_paper', {
                name: template?.name ?? say('print_paper_usual'),
                size,
                categories: categories.join(', '),
              })}
            </span>
          </li>
        ))}
      </ul>
      {sizesOf(papers).length > 1 && <p class="problem">{say('print_papers_differ')}</p>}
      {withoutBadges.length > 0 && (
        <p class="quiet">
          {say('print_papers_off', { badge: say('field_badge_enabled'), categories: withoutBadges.join(', ') })}
        </p>
      )}
    </>
  )
}

/** The scale at which the largest badge has room. */
function scaleOf(papers: StationPapers): number {
  const most = (side: keyof typeof USUAL): number =>
    Math.max(...papers.map(({ template }) => (template ?? USUAL)[side])) * PX_OF_MM
  return Math.min(WIDEST_PX / most('width_mm'), HIGHEST_PX / most('height_mm'))
}

interface PictureProps {
  event_id: string
  template: Template | undefined
  category_ids: string[]
}

/** A badge of somebody in these categories, if there is anybody yet. */
function PaperPicture({ event_id, template, category_ids }: PictureProps) {
  const { say } = useConsole()
  const { value } = useLoaded(
    async (signal) => {
      const path = { event_id }
      const query = { 'category[]': category_ids, per_page: 1 }
      const [guest] = (await client.GET('/api/v1/events/{event_id}/guests.json', { params: { path, query }, signal }))
        .data
      const body = { ...(template ? lookOf(template) : { is_usual: true }), ...(guest && { guest_id: guest._id }) }
      const init = { params: { path }, body, signal }
      return (await client.POST('/api/v1/events/{event_id}/badge_templates/drawing.json', init)).data
    },
    [template?._id, category_ids.join()],
  )
  const words = value?.lines.map(({ text }) => text).join(', ') || say('print_paper_usual')
  return value ? <Picture svg={value.svg} words={words} /> : null
}

function lookOf({ width_mm, height_mm, lines, shows_qr_code, colour, fold, _id }: Template) {
  return { width_mm, height_mm, lines, shows_qr_code, colour, fold, badge_template_id: _id }
}
