import { type Break, breaks } from './breaking.ts'
import { coresOfAll, costsOf, type Prices } from './money.ts'
import { burstOf, type Question, scansOf } from './question.ts'
import { type Needs, needsOf } from './sizes.ts'
import { type Assumptions, type Sizing, size } from './sizing.ts'

/** What a question needs, and what it costs. */
export interface Answer extends Sizing {
  question: Question
  scans: number
  burst: number
  cores: number
  needs: Needs
  breaks: Break[]
  money: Prices & { all: number }
}

/** Answers a question; `say` gets progress. */
export function answer(
  question: Question,
  assumptions: Assumptions,
  prices: Prices,
  say: (line: string) => void = () => {},
): Answer {
  const sizing = size(question, assumptions, say)
  const { layout, rates } = sizing
  const needs = needsOf(question, layout, assumptions.costs, rates)
  return {
    question,
    ...sizing,
    scans: scansOf(question),
    burst: burstOf(question),
    cores: coresOfAll(layout),
    needs,
    breaks: breaks(question, sizing, assumptions, say),
    money: costsOf(question, layout, needs, prices),
  }
}
