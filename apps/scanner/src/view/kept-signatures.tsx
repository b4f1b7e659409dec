import type { ViewProps } from './props.ts'
import { SaveFile } from './save-file.tsx'

/** Says how many signatures wait which this device can not send, and saves them. */
export function KeptSignatures({ scanner, say, count }: ViewProps & { count: number }) {
  if (count === 0) return null
  const body = async () => {
    const signatures = await scanner.unsentSignatures()
    return {
      signatures: signatures.map(({ accesspoint_id, guest_uid, access_stamp, points }) => ({
        accesspoint_id,
        guest_uid,
        access_stamp,
        points,
      })),
    }
  }
  return (
    <div class="notice">
      <p>{say('signatures_kept', { count })}</p>
      <SaveFile name="signatures.json" body={body} words={say('save_signatures')} />
    </div>
  )
}
