import type { ComponentChildren } from 'preact'

interface Props {
  title: string
  /** Whether two others fit beside it. */
  isTall?: boolean
  children: ComponentChildren
}

/** A part of the live page. Where it goes on in the next column of a television, its heading stands there again. */
export function LivePanel({ title, isTall, children }: Props) {
  return (
    <section class={`panel${isTall ? ' tall' : ''}`}>
      <div class="listed">
        <h2>{title}</h2>
        {children}
      </div>
    </section>
  )
}
