import { dotted } from '@gatehouse/proto/pages/direction.ts'
import { useState } from 'preact/hooks'
import { SaveFile } from '../../../shared/src/view/save-file.tsx'
import { SearchField } from '../../../shared/src/view/search-field.tsx'
import { timeOf } from '../../../shared/src/view/time.ts'
import { csvOf } from '../lead/csv.ts'
import { nameOf, type StoredLead } from '../lead/lead.ts'
import { withWords } from '../lead/search.ts'
import { isUnsent } from '../storage/lead-store.ts'
import type { LeadsSay } from '../texts/say.ts'
import type { ViewProps } from './props.ts'

/** More would make the page slow; a search finds the others. */
const MOST_SHOWN = 100

/** The leads of the stand, to be searched and saved. */
export function LeadList({ leads, say, open }: ViewProps & { open: (key: string) => void }) {
  const [words, setWords] = useState('')
  const found = withWords(leads.all, words)
  return (
    <section class="leads" aria-labelledby="all">
      <h2 id="all">{say('all', { count: leads.all.length })}</h2>
      {leads.all.length === 0 && <p>{say('none')}</p>}
      {leads.all.length > 0 && <SearchField label={say('search')} words={words} setWords={setWords} />}
      {leads.all.length > 0 && found.length === 0 && <p role="status">{say('search_none')}</p>}
      <ul>
        {found.slice(0, MOST_SHOWN).map((lead) => (
          <li key={lead.key}>
            <button type="button" class="second" onClick={() => open(lead.key)}>
              {nameOf(lead)} <small>{marksOf(lead, say)}</small>
            </button>
          </li>
        ))}
      </ul>
      {found.length > MOST_SHOWN && <p class="hint">{say('more', { count: found.length - MOST_SHOWN })}</p>}
      {leads.all.length > 0 && (
        <SaveFile name="leads.csv" type="text/csv" text={() => csvOf(leads.all)} words={say('export')} />
      )}
    </section>
  )
}

function marksOf(lead: StoredLead, say: LeadsSay): string {
  const { guest, rating, author, created_at, state } = lead
  return dotted([
    rating !== null && '★'.repeat(rating),
    guest?.company_name,
    author,
    timeOf(created_at),
    state === 'refused' ? say('refused_short') : isUnsent(lead) && say('unsent'),
  ])
}
