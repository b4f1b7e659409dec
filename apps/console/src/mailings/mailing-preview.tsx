import type { PageProps } from '../resources/resource.ts'
import { type Item, newKey, post } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { Problem } from '../view/problem.tsx'

const PREVIEW = '/api/v1/events/{event_id}/mailings/{id}/preview.json'

/** What the e-mail says with example values, as it was saved last. */
export function MailingPreview({ params, item }: PageProps & { item: Item }) {
  const { say } = useConsole()
  const { value, error, reload } = useLoaded(
    () => post(PREVIEW, { ...params, id: String(item._id) }, {}, newKey()),
    [item._id, item.updated_at],
  )
  return (
    <section class="panel">
      <h2>{say('mailing_preview')}</h2>
      {error && <Problem error={error} retry={reload} />}
      {value && (
        <>
          <strong>{String(value.subject)}</strong>
          <p class="letter">{String(value.text)}</p>
        </>
      )}
    </section>
  )
}
