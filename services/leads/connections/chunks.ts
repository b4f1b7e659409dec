/** Keys that one question to the guests service holds. */
const SIZE = 500
/** Questions under way at once. */
const ABREAST = 4

/** Asks for many keys a part at a time, and gives all answers together, in order. */
export async function chunked<Answer>(keys: string[], ask: (chunk: string[]) => Promise<Answer[]>): Promise<Answer[]> {
  const chunks = Array.from({ length: Math.ceil(keys.length / SIZE) }, (_, index) =>
    keys.slice(index * SIZE, (index + 1) * SIZE),
  )
  const answers: Answer[][] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < chunks.length) {
      const index = next++
      answers[index] = await ask(chunks[index] as string[])
    }
  }
  await Promise.all(Array.from({ length: ABREAST }, worker))
  return answers.flat()
}
