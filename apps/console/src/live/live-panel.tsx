import type { ComponentChildren } from 'preact'

/** A part of the live page. Where it goes on in the next column of a television, its heading stands there again. */
export function LivePanel({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="panel">
      <div class="listed">
        <h2>{title}</h2>
        {children}
      </div>
    </section>
  )
}
