import type { ComponentType, FunctionComponent } from 'preact'
import { useLoaded } from './loaded.ts'
import { Problem } from './problem.tsx'

/** A view whose code is fetched when it is shown first, or before. */
export interface LazyView<Props> extends FunctionComponent<Props> {
  /** Fetches the code. */
  fetch: () => Promise<void>
}

/** A view whose code is fetched when it is shown first, so that the console starts with less; another one may stand for it meanwhile. */
export function lazily<Props extends object>(
  fetch: () => Promise<ComponentType<Props>>,
  meanwhile?: ComponentType<Props>,
): LazyView<Props> {
  let known: ComponentType<Props> | undefined
  const know = async (): Promise<void> => {
    known ??= await fetch()
  }
  function Lazy(props: Props) {
    const { error } = useLoaded(know, [])
    if (error && !known) return <Problem error={error} />
    const View = known ?? meanwhile
    return View ? <View {...props} /> : null
  }
  return Object.assign(Lazy, { fetch: know })
}
