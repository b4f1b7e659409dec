import { AuthorView } from './author.tsx'
import { EnrolView } from './enrol.tsx'
import { MainView } from './main-view.tsx'
import type { ViewProps } from './props.ts'

/** The app: the view of what is to be done next. */
export function App({ leads, say, code, drop }: ViewProps & { code: string; drop: () => void }) {
  const { stand } = leads
  // Browsers give neither camera nor cryptography to other pages.
  if (!isSecureContext) return <main>{say('insecure')}</main>
  if (!stand?.access_token || code) return <EnrolView key={code} leads={leads} say={say} code={code} drop={drop} />
  if (stand.author === '') return <AuthorView leads={leads} say={say} />
  return <MainView leads={leads} say={say} />
}
