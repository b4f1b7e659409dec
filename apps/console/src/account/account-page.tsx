import { type Language, languageOf } from '@gatehouse/proto/pages/languages.ts'
import { TakingAway } from '../events/event-acts.tsx'
import { Form } from '../form/form.tsx'
import type { FormField, FormFields } from '../form/values.ts'
import { hrefOf } from '../route/route.ts'
import { client } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { Problem } from '../view/problem.tsx'
import { Skeleton } from '../view/skeleton.tsx'
import { GuestPagePreview } from './guest-page-preview.tsx'
import { Logo } from './logo.tsx'

const ACCOUNT = '/api/v1/account.json'
const MAX = 255

const NAME: FormField = { kind: 'text', optional: true, maxLength: MAX }
/** What guests see of an account. */
const FIELDS: FormFields = {
  name: NAME,
  color: { kind: 'text', optional: true, known: 'colours' },
  reply_to_email: { kind: 'text', optional: true, maxLength: MAX },
  locale: { kind: 'text', required: true, known: 'languages' },
}

/** How an account looks to its guests: name, colour, logo, and where their answers go. */
export function AccountPage() {
  const { say } = useConsole()
  const {
    value: account,
    error,
    reload,
  } = useLoaded(async (signal) => (await client.GET(ACCOUNT, { signal })).data, [])
  if (error && !account) return <Problem error={error} retry={reload} />
  if (!account) return <Skeleton />
  const { name, slug, logo_url } = account
  return (
    <>
      <div class="head">
        <h1>{say('page_account')}</h1>
      </div>
      <p class="quiet">{say('account_text')}</p>
      <Form
        fields={{ ...FIELDS, name: { ...NAME, fallback: slug } }}
        item={{ ...account, locale: account.locale ?? languageOf([], undefined) }}
        names={{}}
        send={async (body) => {
          await client.PUT(ACCOUNT, { body })
          reload()
        }}
        preview={(values) => (
          <GuestPagePreview
            name={String(values.name).trim() || slug}
            language={values.locale as Language}
            colour={String(values.color)}
            logo={logo_url}
          />
        )}
      />
      <Logo url={logo_url} name={name ?? slug} onChange={reload} />
      <section class="event-acts">
        <TakingAway href={hrefOf('bring')} />
      </section>
    </>
  )
}
