/** The one-time code that the address holds. It is taken out at once, so that neither history nor a reload has it. */
export function takeCode(): string {
  const code = location.hash.slice(1)
  if (code) history.replaceState(null, '', location.pathname)
  return code
}
