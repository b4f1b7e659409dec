import { EnrolForm } from '../../../shared/src/view/enrol-form.tsx'
import type { ViewProps } from './props.ts'
import { Stranded } from './stranded.tsx'

/** Makes this a phone of a stand, by a code. `drop` forgets the code that the address held. */
export function EnrolView({ leads, say, code, drop }: ViewProps & { code: string; drop: () => void }) {
  const { stand } = leads
  const hasEnded = stand !== undefined && !stand.access_token
  return (
    <main>
      <h1>{say(hasEnded ? 'ended_title' : 'enrol_title')}</h1>
      <p>{say(hasEnded ? 'ended_text' : 'enrol_text')}</p>
      <Stranded leads={leads} say={say} />
      <EnrolForm
        say={say}
        code={code}
        isEnrolled={Boolean(stand?.access_token)}
        enrol={(typed, key) => leads.enrol(typed, key)}
        done={drop}
      />
      {stand?.access_token && (
        <button type="button" class="second" onClick={drop}>
          {say('back')}
        </button>
      )}
    </main>
  )
}
