import { useEffect, useState } from 'preact/hooks'
import { SaveFile } from '../../../shared/src/view/save-file.tsx'
import { type HandoverFile, handoverOf } from '../queue/handover.ts'
import type { ViewProps } from './props.ts'

/** Saves the scans that no device here can send any more, for an organizer to send: a button for each file, since browsers save one at a click. */
export function UnsentScans({ scanner, say, words }: ViewProps & { words: string }) {
  const [files, setFiles] = useState<HandoverFile[]>([])
  const { waiting, waitingOfOthers } = scanner
  useEffect(() => {
    void scanner.stranded().then((scans) => setFiles(handoverOf(scans)))
  }, [waiting, waitingOfOthers])
  return (
    <div class="notice">
      <p>{words}</p>
      {files.map(({ name, text }) => (
        <SaveFile
          key={name}
          name={name}
          text={() => text}
          words={say('save_scans')}
          more={files.length > 1 ? name : ''}
        />
      ))}
    </div>
  )
}
