import { useEffect, useRef } from 'preact/hooks'

const ACTIVITIES = ['pointerdown', 'keydown', 'input'] as const

/** Calls `leave` once nobody has touched the device for so long; never while `ms` is undefined. Another `key` begins anew. */
export function useIdle(ms: number | undefined, key: unknown, leave: () => void): void {
  const latest = useRef(leave)
  latest.current = leave
  useEffect(() => {
    if (ms === undefined) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const begin = () => {
      clearTimeout(timer)
      timer = setTimeout(() => latest.current(), ms)
    }
    begin()
    for (const each of ACTIVITIES) document.addEventListener(each, begin)
    return () => {
      clearTimeout(timer)
      for (const each of ACTIVITIES) document.removeEventListener(each, begin)
    }
  }, [ms, key])
}
