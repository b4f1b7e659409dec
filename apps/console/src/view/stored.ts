/** Reads what this browser keeps under a key; `fallback` where it keeps nothing, or something else. */
export function readStored<Value>(key: string, fallback: Value, isValid: (value: unknown) => value is Value): Value {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return isValid(value) ? value : fallback
  } catch {
    return fallback
  }
}

/** Keeps a value in this browser. A browser that is full or keeps nothing only forgets it. */
export function store(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // The page works without it.
  }
}
