import { EnrolForm } from '../../../shared/src/view/enrol-form.tsx'
import type { ViewProps } from './props.ts'

/** Makes this a print station, by the code of a device. `drop` forgets the code that the address held. */
export function EnrolView({ station, say, code, drop }: ViewProps & { code: string; drop: () => void }) {
  const own = station.station
  const hasEnded = own !== undefined && !own.token
  return (
    <main>
      <h1>{say(hasEnded ? 'ended_title' : 'enrol_title')}</h1>
      <p>{say(hasEnded ? 'ended_text' : 'enrol_text')}</p>
      <EnrolForm
        say={say}
        code={code}
        isEnrolled={Boolean(own?.token)}
        enrol={(typed, key) => station.enrol(typed, key)}
        done={drop}
      />
      {own?.token && (
        <button type="button" class="second" onClick={drop}>
          {say('back')}
        </button>
      )}
    </main>
  )
}
