import type { Span } from '@opentelemetry/api'
import { currentSpan, inside } from '../telemetry/tracing.ts'

interface PendingQuestion<Question, Answer> {
  question: Question
  /** The span in which it is asked, if it is traced. */
  span: Span | undefined
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/** Maximum of questions in one run. */
const MAX_GROUP = 200
/** While the store works on one run, the next is prepared. */
const MAX_CONCURRENT_RUNS = 2

/**
 * Coalesces questions that are asked at about the same time into one run (group commit). A question starts a run if fewer than `maxRuns` are
 * in progress, and otherwise joins the next one; it never joins a run that began before. `run` gives the answers in the order of the questions;
 * if it throws, each of them gets that error. A run belongs to the trace of the first question that is traced.
 */
export function coalesced<Question, Answer>(
  run: (questions: Question[]) => Promise<Answer[]>,
  maxRuns = MAX_CONCURRENT_RUNS,
): (question: Question) => Promise<Answer> {
  const waiting: PendingQuestion<Question, Answer>[] = []
  let runs = 0

  async function work(): Promise<void> {
    runs++
    for (let group = waiting.splice(0, MAX_GROUP); group.length > 0; group = waiting.splice(0, MAX_GROUP)) {
      try {
        const asked = group.map(({ question }) => question)
        const answers = await inside(group.find(({ span }) => span)?.span, () => run(asked))
        for (const [index, { resolve }] of group.entries()) resolve(answers[index] as Answer)
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    runs--
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, span: currentSpan(), resolve, reject })
      // In the next turn, so that questions of the same network read go together.
      if (runs < maxRuns) setImmediate(() => void (runs < maxRuns && waiting.length > 0 && work()))
    })
}
