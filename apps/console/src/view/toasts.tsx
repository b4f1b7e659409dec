import { useEffect, useState } from 'preact/hooks'
import { routeOf } from '../route/route.ts'
import { asRefusal, type GatehouseError } from '../server/server.ts'
import { useConsole } from './console.ts'
import { Problem } from './problem.tsx'

/** How long a toast stays that nobody points at; one that offers something stays longer. */
const STAYS_MS = 6_000
const STAYS_WITH_OFFER_MS = 15_000

interface Toast {
  words: string
  undo?: (() => Promise<void>) | undefined
  /** What is often done next: its words, and where. */
  next?: { words: string; href: string } | undefined
}

let show: ((toast: Toast) => void) | undefined

/** Says that something was done, on the page to which that leads until another one is opened, and offers to undo it or what is done next. */
export function announce(words: string, undo?: Toast['undo'], next?: Toast['next']): void {
  show?.({ words, undo, next })
}

/** What was done last, below the page. */
export function Toasts() {
  const { say } = useConsole()
  const [toast, setToast] = useState<Toast>()
  const [isHeld, setHeld] = useState(false)
  const [error, setError] = useState<GatehouseError>()
  useEffect(() => {
    show = (next) => {
      setError(undefined)
      setToast(next)
    }
    return () => {
      show = undefined
    }
  }, [])
  useEffect(() => {
    if (!toast || isHeld || error) return undefined
    const timer = setTimeout(() => setToast(undefined), toast.undo || toast.next ? STAYS_WITH_OFFER_MS : STAYS_MS)
    return () => clearTimeout(timer)
  }, [toast, isHeld, error])
  useEffect(() => {
    if (!toast) return undefined
    // What was done may have led to this page itself, whose address it has set already.
    const page = shownPage()
    const follow = () => shownPage() !== page && close()
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [toast])
  const undo = async (act: () => Promise<void>): Promise<void> => {
    setToast({ words: say('undoing') })
    try {
      await act()
      setToast({ words: say('undone') })
    } catch (problem) {
      // Another page may have been opened meanwhile.
      setToast({ words: '' })
      setError(asRefusal(problem))
    }
  }
  const close = (): void => {
    setToast(undefined)
    setError(undefined)
    setHeld(false)
  }
  return (
    <div
      class={`toast${toast ? ' shown' : ''}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      {/* Screen readers say what comes into an `output` that is there. */}
      <output>{!error && toast?.words}</output>
      {error && <Problem error={error} />}
      {toast?.undo && (
        <button type="button" class="second" onClick={() => toast.undo && void undo(toast.undo)}>
          {say('undo')}
        </button>
      )}
      {toast?.next && (
        <a class="button second" href={toast.next.href} onClick={close}>
          {toast.next.words}
        </a>
      )}
      {toast && (
        <button type="button" class="second close" aria-label={say('close')} onClick={close}>
          ×
        </button>
      )}
    </div>
  )
}

function shownPage(): string {
  return routeOf(location.hash).join('/')
}
