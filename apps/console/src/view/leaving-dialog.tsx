import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useConsole } from './console.ts'
import { askBy } from './leaving.ts'

/** Asks before a page with something to lose is left for another one. */
export function LeavingDialog() {
  const { say } = useConsole()
  const dialog = useRef<HTMLDialogElement>(null)
  const [leave, setLeave] = useState<() => void>()
  useEffect(() => askBy((go) => setLeave(() => go)), [])
  useLayoutEffect(() => {
    if (leave) dialog.current?.showModal()
  }, [leave])
  const close = (): void => dialog.current?.close()
  return (
    <dialog ref={dialog} class="question" aria-labelledby="leaving" onClose={() => setLeave(undefined)}>
      {leave && (
        <>
          <h2 id="leaving">{say('leave_title')}</h2>
          <p>{say('leave_text')}</p>
          <div class="buttons">
            <button type="button" onClick={close}>
              {say('stay')}
            </button>
            <button
              type="button"
              class="alarming"
              onClick={() => {
                close()
                leave()
              }}
            >
              {say('leave')}
            </button>
          </div>
        </>
      )}
    </dialog>
  )
}
