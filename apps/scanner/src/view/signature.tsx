import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { StorageFull } from '../../../shared/src/storage/quota.ts'
import type { ScanOutcome } from '../scanning/outcome.ts'
import { Drawing, widthOf } from '../signing/drawing.ts'
import type { DrawnLine } from '../signing/signature.ts'
import { useEscape } from './escape.ts'
import type { ViewProps } from './props.ts'

const INK = '#1a1d21'

/** Where a guest who was let in signs, with a finger, a pen or a mouse. */
export function SignatureView({
  scanner,
  say,
  outcome: { guest_uid, name },
  close,
}: ViewProps & { outcome: ScanOutcome; close: (isSigned: boolean) => void }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const drawing = useRef<Drawing>(null)
  const [isEmpty, setEmpty] = useState(true)
  const [isFull, setFull] = useState(false)
  const clear = () => {
    drawing.current = canvas.current && emptied(canvas.current)
    setEmpty(true)
  }
  useLayoutEffect(clear, [])
  useEscape(() => close(false))

  const show = (line: DrawnLine | undefined) => {
    if (!line || !canvas.current) return
    draw(canvas.current, line)
    setEmpty(false)
  }
  const lower = (event: PointerEvent) => {
    // Not the ball of the hand.
    if (!event.isPrimary || !canvas.current) return
    canvas.current.setPointerCapture(event.pointerId)
    drawing.current?.lower(markOf(canvas.current, event))
  }
  const move = (event: PointerEvent) => {
    if (!event.isPrimary || !canvas.current) return
    // Between two pictures a pen is at many places, of which some browsers do not tell.
    const between = event.getCoalescedEvents?.() ?? []
    for (const each of between.length > 0 ? between : [event]) show(drawing.current?.move(markOf(canvas.current, each)))
  }
  const lift = (event: PointerEvent) => {
    if (event.isPrimary) show(drawing.current?.lift())
  }
  const keep = async () => {
    if (!drawing.current || guest_uid === null) return
    try {
      await scanner.sign(guest_uid, name, drawing.current.points)
      close(true)
    } catch (error) {
      if (!(error instanceof StorageFull)) throw error
      setFull(true)
    }
  }

  return (
    <main>
      <h1>{say('sign_title', { name: name || (guest_uid ?? '') })}</h1>
      <p>{say('sign_text')}</p>
      <canvas
        ref={canvas}
        class="pad"
        role="img"
        aria-label={say('sign_title', { name: name || (guest_uid ?? '') })}
        onPointerDown={lower}
        onPointerMove={move}
        onPointerUp={lift}
        onPointerCancel={lift}
      />
      {isFull && <p role="alert">{say('sign_full')}</p>}
      <button type="button" disabled={isEmpty} onClick={() => void keep()}>
        {say('sign_done')}
      </button>
      <button type="button" class="second" disabled={isEmpty} onClick={clear}>
        {say('sign_clear')}
      </button>
      <button type="button" class="second" onClick={() => close(false)}>
        {say('sign_cancel')}
      </button>
    </main>
  )
}

/** Empties the area, as large as it is shown now, and returns the drawing on it. */
function emptied(canvas: HTMLCanvasElement): Drawing {
  const { width, height } = canvas.getBoundingClientRect()
  canvas.width = Math.round(width * devicePixelRatio)
  canvas.height = Math.round(height * devicePixelRatio)
  const context = canvas.getContext('2d')
  context?.scale(devicePixelRatio, devicePixelRatio)
  return new Drawing(width, height)
}

function draw(canvas: HTMLCanvasElement, line: DrawnLine): void {
  const context = canvas.getContext('2d')
  if (!context) return
  context.strokeStyle = INK
  context.lineCap = 'round'
  context.lineWidth = Number(line['stroke-width'])
  context.beginPath()
  context.moveTo(Number(line.x1), Number(line.y1))
  context.lineTo(Number(line.x2), Number(line.y2))
  context.stroke()
}

/** Where a pointer is on the area, which has another size if the phone was turned since it was emptied. */
function markOf(canvas: HTMLCanvasElement, event: PointerEvent) {
  const { left, top, width } = canvas.getBoundingClientRect()
  const scale = canvas.width / devicePixelRatio / width
  return { x: (event.clientX - left) * scale, y: (event.clientY - top) * scale, width: widthOf(event) }
}
