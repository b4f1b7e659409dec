import { SaveFile } from '../../../shared/src/view/save-file.tsx'
import { csvOf } from '../lead/csv.ts'
import type { ViewProps } from './props.ts'

/** Saves the leads that this phone cannot send, since it is not the phone of their stand any more. */
export function Stranded({ leads, say }: ViewProps) {
  const { stranded } = leads
  if (stranded.length === 0) return null
  return (
    <div class="notice">
      <p>{say('stranded', { count: stranded.length })}</p>
      <SaveFile name="unsent-leads.csv" type="text/csv" text={() => csvOf(stranded)} words={say('save')} />
    </div>
  )
}
