import { useConsole } from './console.ts'

/** Lines of a page that is being loaded. */
const LINES = 4

/** Stands for a page until it is there. */
export function Skeleton() {
  const { say } = useConsole()
  return (
    <div class="skeleton" role="status">
      <span class="unseen">{say('opening')}</span>
      {Array.from({ length: LINES }, (_, index) => (
        <Bone key={index} />
      ))}
    </div>
  )
}

/** Stands for a text until it is there. */
export function Bone() {
  return <span class="bone quiet">…</span>
}
