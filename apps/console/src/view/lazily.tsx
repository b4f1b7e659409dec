import type { ComponentType } from 'preact'
import { useLoaded } from './loaded.ts'
import { Problem } from './problem.tsx'

/** A view whose code is fetched when it is shown first, so that the console starts with less; another one may stand for it meanwhile. */
export function lazily<Props extends object>(
  fetch: () => Promise<ComponentType<Props>>,
  meanwhile?: ComponentType<Props>,
): ComponentType<Props> {
  let known: ComponentType<Props> | undefined
  return function Lazy(props: Props) {
    const { error } = useLoaded(async () => {
      known ??= await fetch()
    }, [])
    if (error && !known) return <Problem error={error} />
    const View = known ?? meanwhile
    return View ? <View {...props} /> : null
  }
}
