import { useConsole } from '../view/console.ts'
import type { ArchiveProgress } from './archive.ts'

interface Props {
  progress: ArchiveProgress
  label: 'cancel' | 'import_stop' | 'import_go_on'
  act: () => void
}

/** How far an archive is, and a button that stops it, or goes on. */
export function Running({ progress: { done, count }, label, act }: Props) {
  const { say } = useConsole()
  const words = count === 0 ? say('bring_archive_reading') : say('bring_archive_progress', { done, count })
  return (
    <section class="notice">
      {count > 0 && <progress max={count} value={done} aria-label={words} />}
      <output>{words}</output>
      <button type="button" class="second" onClick={act}>
        {say(label)}
      </button>
    </section>
  )
}
