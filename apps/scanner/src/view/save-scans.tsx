import type { ViewProps } from './props.ts'
import { SaveFile } from './save-file.tsx'

/** Saves the scans which the server does not have. */
export function SaveScans({ scanner, say }: ViewProps) {
  const body = async () => {
    const scans = await scanner.unsent()
    return {
      access_controls: scans.map(({ accesspoint_id, guest_uid, content, access_stamp, decided_offline }) => ({
        accesspoint_id,
        guest_uid: guest_uid ?? content,
        access_stamp,
        decided_offline,
      })),
    }
  }
  return <SaveFile name="scans.json" body={body} words={say('save_scans')} />
}
