import { useEffect, useRef } from 'preact/hooks'
import type { Values } from '../form/values.ts'
import { client } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useRested } from '../view/rested.ts'
import { Bone } from '../view/skeleton.tsx'
import { linesIn } from './badge-lines.tsx'

const DRAWING = '/api/v1/events/{event_id}/badge_templates/drawing.json'
/** Smaller letters can hardly be read on a chest, in points. */
const TINY = 8
/** What the API refuses, while it is still being typed. */
const INVALID = 422

interface DrawnTemplate {
  event_id: string
  values: Values
  /** Of the stored template; undefined for a new one. */
  id: string | undefined
  /** How often its logo has changed since the page was opened. */
  logoChanges: number
}

/** The badge as these values print it, with the longest name of the event, and which lines are printed smaller. */
export function BadgePreview(template: DrawnTemplate) {
  const { say } = useConsole()
  const { found: badge, error } = useDrawn(template)
  // Lines that this guest has nothing for may not fit for others.
  const isWhole = badge?.lines.length === linesIn(template.values.lines).length
  const smaller = badge?.lines.filter(({ size, printed_size }) => printed_size < size) ?? []
  return (
    <section class="badge-preview" aria-label={say('badge_preview')}>
      <h2>{say('badge_preview')}</h2>
      {!badge && !error && <Bone />}
      {badge && <Picture svg={badge.svg} words={badge.lines.map(({ text }) => text).join(', ')} />}
      {badge && (
        <p class="quiet">
          {say(badge.guest_id === null ? 'badge_sample' : 'badge_longest')}
          {smaller.length === 0 && isWhole && ` ${say('badge_fits')}`}
        </p>
      )}
      <div role="status">
        <ul class="misfits">
          {smaller.map(({ text, size, printed_size }) => (
            <li key={text} class={printed_size < TINY ? 'problem' : ''}>
              {say(printed_size < TINY ? 'badge_tiny' : 'badge_smaller', { text, size, printed: printed_size })}
            </li>
          ))}
        </ul>
      </div>
      {error && error.status !== INVALID && <p class="problem">{say('no_answer')}</p>}
    </section>
  )
}

/** The drawing of values that have rested; the one before while there is none. */
function useDrawn(template: DrawnTemplate) {
  const guest = useRef<string | undefined>(undefined)
  return useRested(async (signal) => {
    const badge = await drawn(template, guest.current, signal)
    // The longest name is looked for once.
    guest.current = badge?.guest_id ?? undefined
    return badge
  }, template)
}

async function drawn({ event_id, id, values }: DrawnTemplate, guest_id: string | undefined, signal: AbortSignal) {
  const { width_mm, height_mm, lines, shows_qr_code, colour, fold } = values
  const body = {
    width_mm: Number(width_mm),
    height_mm: Number(height_mm),
    lines: linesIn(lines),
    shows_qr_code: shows_qr_code === true,
    colour: String(colour),
    fold: String(fold),
    ...(guest_id && { guest_id }),
    ...(id && { badge_template_id: id }),
  }
  const path = { event_id }
  return (await client.POST(DRAWING, { params: { path }, body: body as never, signal })).data
}

/** A picture that the server has drawn. As a part of the page it needs no address, which the page's policy would refuse. */
export function Picture({ svg, words }: { svg: string; words: string }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { documentElement } = new DOMParser().parseFromString(svg, 'image/svg+xml')
    place.current?.replaceChildren(document.importNode(documentElement, true))
  }, [svg])
  return <div ref={place} class="paper" role="img" aria-label={words} />
}
