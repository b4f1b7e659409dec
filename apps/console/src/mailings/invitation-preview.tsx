import { useState } from 'preact/hooks'
import type { PreviewProps } from '../resources/resource.ts'
import { client } from '../server/server.ts'
import { languageNames } from '../texts/texts.ts'
import { useConsole } from '../view/console.ts'
import { Options } from '../view/options.tsx'
import { MailPreview } from './mail-preview.tsx'

const PREVIEW = '/api/v1/events/{event_id}/invitation_types/preview.json'

/** What the e-mail of an invitation type says, as it is typed; where nothing is, in a language that recipients may have. */
export function InvitationPreview({ params: { event_id = '' }, values }: PreviewProps) {
  const { say } = useConsole()
  const [locale, setLocale] = useState('')
  const body = { subject: String(values.subject), message: String(values.message), locale: locale || null }
  return (
    <MailPreview
      ask={async (signal) => (await client.POST(PREVIEW, { params: { path: { event_id } }, body, signal })).data}
      typed={body}
    >
      {body.message.trim() === '' && (
        <select
          aria-label={say('preview_language')}
          value={locale}
          onChange={({ currentTarget }) => setLocale(currentTarget.value)}
        >
          <option value="">{say('unset_locale')}</option>
          <Options choices={Object.entries(languageNames)} />
        </select>
      )}
    </MailPreview>
  )
}
