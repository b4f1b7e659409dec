import { useState } from 'preact/hooks'
import { CameraView } from '../../../shared/src/view/camera.tsx'
import { CodeForm } from '../../../shared/src/view/code-form.tsx'
import { useKeys } from '../../../shared/src/view/keys.ts'
import { AuthorView } from './author.tsx'
import { LeadForm } from './lead-form.tsx'
import { LeadList } from './lead-list.tsx'
import type { ViewProps } from './props.ts'
import { Stranded } from './stranded.tsx'

/** Where guests are scanned: below the camera the guest who was scanned last, or all leads. */
export function MainView({ leads, say }: ViewProps) {
  const [opened, setOpened] = useState<string>()
  const [asksAuthor, setAsksAuthor] = useState(false)
  const { stand, isUp, waiting, notice } = leads
  const scan = (scanned: string | readonly string[]) => {
    setAsksAuthor(false)
    setOpened(undefined)
    void leads.scan(scanned).then(() => setOpened(leads.scanned))
  }
  useKeys(scan)
  const lead = leads.all.find(({ key }) => key === opened)
  if (asksAuthor) return <AuthorView leads={leads} say={say} close={() => setAsksAuthor(false)} />
  return (
    <main>
      <header>
        <h1>
          {stand?.name} <small>{stand?.author}</small>
        </h1>
        <p class={isUp ? 'link up' : 'link down'} role="status">
          {say(isUp ? 'online' : 'offline')}
          {waiting > 0 && <span> · {say('waiting', { count: waiting })}</span>}
        </p>
      </header>
      <CameraView say={say} found={scan} />
      {notice && (
        <p class="problem" role="alert">
          {say(notice)}
        </p>
      )}
      {lead ? (
        <LeadForm key={lead.key} leads={leads} say={say} lead={lead} close={() => setOpened(undefined)} />
      ) : (
        <>
          <CodeForm label={say('type_code')} button={say('add')} found={scan} />
          <LeadList leads={leads} say={say} open={setOpened} />
          <footer>
            <Stranded leads={leads} say={say} />
            <button type="button" class="second" onClick={() => setAsksAuthor(true)}>
              {say('author_change')}
            </button>
          </footer>
        </>
      )}
    </main>
  )
}
