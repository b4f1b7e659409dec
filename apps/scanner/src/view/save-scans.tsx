import { useEffect, useState } from 'preact/hooks'
import { type HandoverFile, handoverOf } from '../queue/handover.ts'
import type { ViewProps } from './props.ts'

/** Saves the scans which no device here can send any more, for an organizer to send: a button for each file, since browsers save one at a click. */
export function SaveScans({ scanner, say }: ViewProps) {
  const [files, setFiles] = useState<HandoverFile[]>([])
  const { waiting, waitingOfOthers } = scanner
  useEffect(() => {
    void scanner.stranded().then((scans) => setFiles(handoverOf(scans)))
  }, [waiting, waitingOfOthers])
  return (
    <>
      {files.map((file) => (
        <button type="button" class="second" key={file.name} onClick={() => save(file)}>
          {say('save_scans')}
          {files.length > 1 && <small> {file.name}</small>}
        </button>
      ))}
    </>
  )
}

function save({ name, text }: HandoverFile): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
