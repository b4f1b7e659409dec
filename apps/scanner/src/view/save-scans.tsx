import type { ViewProps } from './props.ts'

/** Saves the scans which the server does not have, as the body of a batch, for an organizer to send. */
export function SaveScans({ scanner, say }: ViewProps) {
  const save = async () => {
    const scans = await scanner.unsent()
    const access_controls = scans.map(({ accesspoint_id, guest_uid, content, access_stamp, decided_offline }) => ({
      accesspoint_id,
      guest_uid: guest_uid ?? content,
      access_stamp,
      decided_offline,
    }))
    const file = new Blob([JSON.stringify({ access_controls }, null, 2)], { type: 'application/json' })
    const link = document.createElement('a')
    link.href = URL.createObjectURL(file)
    link.download = 'scans.json'
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <button type="button" class="second" onClick={() => void save()}>
      {say('save_scans')}
    </button>
  )
}
