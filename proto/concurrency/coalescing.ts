interface PendingQuestion<Question, Answer> {
  question: Question
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/** Questions that go together at most. */
const MAX_TOGETHER = 200
/** Runs at once: while the store works on one, the next is got ready. */
const MAX_CONCURRENT_RUNS = 2

/**
 * Asks in one piece what is asked at about the same time (a group commit). A question goes at once where less than `maxRuns` runs are
 * under way, otherwise in the next one; never in a run that has begun before it was asked. `run` gives the answers in the order of the
 * questions; where it throws, each of them gets that error.
 */
export function coalesced<Question, Answer>(
  run: (questions: Question[]) => Promise<Answer[]>,
  maxRuns = MAX_CONCURRENT_RUNS,
): (question: Question) => Promise<Answer> {
  const waiting: PendingQuestion<Question, Answer>[] = []
  let runs = 0

  async function work(): Promise<void> {
    runs++
    for (let group = waiting.splice(0, MAX_TOGETHER); group.length > 0; group = waiting.splice(0, MAX_TOGETHER)) {
      try {
        const answers = await run(group.map(({ question }) => question))
        for (const [index, { resolve }] of group.entries()) resolve(answers[index] as Answer)
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    runs--
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject })
      // In the next turn: what came in the same piece of the network goes along.
      if (runs < maxRuns) setImmediate(() => void (runs < maxRuns && waiting.length > 0 && work()))
    })
}
