/** The options of a select: values with their words. */
export function Options({ choices }: { choices: Iterable<readonly [string, string]> }) {
  return (
    <>
      {[...choices].map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </>
  )
}
